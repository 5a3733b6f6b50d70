"""Legal moves of known deals, to be played by scripted clients."""

from __future__ import annotations

import random
from functools import cache

from samedeal_rules import Game, deal, find_ruleset, legal_moves, move_text

__all__ = ["game_after", "line"]


@cache
def line(seed: str, length: int, pick: int = 0) -> tuple[str, ...]:
    """`length` legal moves of the timed deal with this seed, chosen at random; never `end`."""
    draw = random.Random(f"{seed} {pick}")
    _options, ruleset = find_ruleset("timed")
    game = Game(ruleset, deal(ruleset, seed), 10**9)
    moves: list[str] = []
    while len(moves) < length:
        legal = [
            text
            for move in legal_moves(ruleset, game.board)
            if (text := move_text(move, ruleset.deck.suits)) not in ("end", "u")
        ]
        if moves and draw.random() < 0.1 and game.undoable:
            legal = ["u"]
        text = draw.choice(sorted(legal))
        _play(game, text)
        if game.ended:  # cleared by luck: never with the seeds used here
            raise AssertionError("choose another seed")
        moves.append(text)
    return tuple(moves)


def _play(game: Game, text: str) -> None:
    from samedeal_rules import parse_move

    move = parse_move(text, game.ruleset.deck.suits)
    assert move is not None
    game.play(move, 1)


def game_after(seed: str, moves: tuple[str, ...] | list[str]) -> Game:
    """The timed game that these moves lead to."""
    _options, ruleset = find_ruleset("timed")
    game = Game(ruleset, deal(ruleset, seed), 10**9)
    for text in moves:
        _play(game, text)
    return game

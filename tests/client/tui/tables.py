"""Tables in play, made from moves that are chosen without chance."""

from __future__ import annotations

import random

from samedeal_rules import Game, OptionValue, deal, find_ruleset, legal_moves, parse_move
from samedeal_rules.moves import Kind

__all__ = ["GAMES", "after", "played", "table_of"]

GAMES: dict[str, tuple[str, dict[str, OptionValue], int]] = {
    "timed": ("timed", {}, 14),
    "klondike-1": ("klondike-1", {}, 30),
    "klondike-3": ("klondike-3", {}, 22),
    "freecell": ("freecell", {}, 12),
    "spider-1": ("spider-1", {}, 16),
    "spider-2": ("spider-2", {}, 12),
    "spider-4": ("spider-4", {}, 12),
    "spanish": ("spanish", {}, 12),
    "spanish-48-row": ("spanish", {"deck": 48, "stock": False}, 5),
}
"""By name: ruleset, options, and how many moves were played."""


def played(ruleset: str, moves: int, seed: str = "7", **options: OptionValue) -> Game:
    """A game after so many moves, as its player sees it."""
    rules = find_ruleset(ruleset, options)[1]
    game = Game(rules, deal(rules, seed), rules.duration_ms)
    draw = random.Random(seed)
    for _ in range(moves):
        legal = [move for move in legal_moves(rules, game.board) if move.kind is not Kind.REDEAL]
        if not legal:
            break
        game.play(draw.choice(legal), 1000)
    game.board = game.board.view()
    return game


def table_of(name: str) -> Game:
    """One of GAMES."""
    ruleset, options, moves = GAMES[name]
    return played(ruleset, moves, **options)


def after(game: Game, *moves: str) -> Game:
    """The game after these moves too."""
    for text in moves:
        move = parse_move(text, game.ruleset.deck.suits)
        assert move is not None
        game.play(move, 1000)
    return game

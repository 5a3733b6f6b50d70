"""What the tests of players share: tables they may come to, and what they must leave alone."""

from __future__ import annotations

from random import Random

from samedeal_bots.practice import Practice
from samedeal_rules import UNKNOWN, Board, Game, legal_moves
from samedeal_rules.moves import UNDO

PACE_MS = 800


def wander(table: Practice, random: Random, moves: int) -> int:
    """Random legal moves, undo among them; the time after them."""
    ms = 0
    for _ in range(moves):
        ms += PACE_MS
        legal = list(legal_moves(table.real.ruleset, table.real.board))
        if table.real.undoable and random.random() < 0.1:
            legal = [UNDO]
        if not legal or table.real.ended:
            break
        table.play(random.choice(legal), ms)
    return ms


def same_table(game: Game) -> tuple[object, ...]:
    """All that a brain could have changed."""
    board = game.board.copy()
    piles = tuple(getattr(board, slot) for slot in Board.__slots__)
    return (*piles, game.score, game.scored, game.exempt, game.ended, len(game.history))


def permuted(board: Board, random: Random) -> Board:
    """Another board with the same view: the cards that the player can't know change places."""
    view, other = board.view(), board.copy()
    hidden = [
        board.columns[i][j]
        for i, column in enumerate(view.columns)
        for j, card in enumerate(column)
        if card == UNKNOWN
    ]
    hidden += [b for b, v in zip(board.talon, view.talon, strict=True) if v == UNKNOWN]
    random.shuffle(hidden)
    for index, down in enumerate(other.down):
        other.columns[index][:down] = [hidden.pop() for _ in range(down)]
    other.talon = [hidden.pop() if known == UNKNOWN else known for known in view.talon]
    assert not hidden
    return other

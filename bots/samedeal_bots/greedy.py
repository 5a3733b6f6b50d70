"""Two players of Klondike that look no further than the next move."""

from __future__ import annotations

from random import Random
from typing import Final

from samedeal_rules import Board, Game, Move, legal_moves
from samedeal_rules.moves import DRAW, END, FOUNDATION, REDEAL, WASTE, Kind

__all__ = ["Easy", "Normal"]

Signature = tuple[int, int, int]


class _Passes:
    """Whether the pass through the stock has brought anything yet."""

    def __init__(self) -> None:
        self._redeals = -1
        self._begun: Signature = (0, 0, 0)

    def see(self, board: Board) -> bool:
        now = (sum(board.down), len(board.talon), board.cards_up)
        if board.redeals != self._redeals:
            self._redeals, self._begun = board.redeals, now
        return now != self._begun


class Normal:
    """Takes the first of: turn, up, uncover, waste to a column, draw. Stops when a pass is dry.

    Every move but a draw or a redeal is for good, so it can't go in circles.
    """

    def __init__(self) -> None:
        self._passes = _Passes()

    def choose(self, game: Game, elapsed_ms: int) -> Move | None:
        """See `Brain`."""
        board = game.board
        useful = self._passes.see(board)
        moves = list(legal_moves(game.ruleset, board))
        ranked = [(_rank(board, move), move) for move in moves]
        best = min(ranked, key=lambda option: option[0], default=(_NEVER, END))
        if best[0] >= _NEVER or (best[1] == REDEAL and not useful):
            return END
        return best[1]


_TURN, _UP, _UNCOVER, _PLACE, _DRAW, _NEVER = 0, 10, 20, 40, 50, 60
"""Ranks of moves, the lowest first; the gaps leave room to rank moves of one kind."""


def _rank(board: Board, move: Move) -> int:
    if move.kind is Kind.TURN:
        return _TURN
    if move.kind is not Kind.CARRY:
        return _DRAW
    if move.target == FOUNDATION:
        return _UP
    if move.source == WASTE:
        return _PLACE
    if move.source < len(board.columns):
        hidden = board.down[move.source]
        if hidden and move.size == len(board.columns[move.source]) - hidden:
            return _UNCOVER - hidden
    return _NEVER


_OVERSIGHT: Final = 0.3
"""How often the easy player does not see a move that is there."""

_PASSES: Final = 4
"""The easy player has had enough after so many trips through the stock."""

_FIDDLE: Final = 0.1
"""How often it moves a run that had better stay."""


class Easy:
    """Overlooks moves, moves runs about, gives up early."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._passes = _Passes()
        self._visited: set[int] = set()

    def choose(self, game: Game, elapsed_ms: int) -> Move | None:
        """See `Brain`."""
        board, names = game.board, game.ruleset.deck.names
        useful = self._passes.see(board)
        self._visited.add(board.checksum(names))
        good: list[Move] = []
        fiddly: list[Move] = []
        rest: list[Move] = []
        for move in legal_moves(game.ruleset, board):
            if move.kind in (Kind.DRAW, Kind.REDEAL):
                rest.append(move)
            elif _rank(board, move) < _NEVER:
                good.append(move)
            elif move.source < WASTE:
                fiddly.append(move)
        seen = [move for move in good if self._random.random() >= _OVERSIGHT]
        if seen:
            return self._random.choice(seen)
        if fiddly and self._random.random() < _FIDDLE:
            move = self._random.choice(fiddly)
            ahead = game.copy()
            ahead.play(move, elapsed_ms)
            if ahead.board.checksum(names) not in self._visited:
                return move
        if DRAW in rest:
            return DRAW
        if good:
            return self._random.choice(good)
        if rest and useful and board.redeals + 1 < _PASSES:
            return REDEAL
        return END

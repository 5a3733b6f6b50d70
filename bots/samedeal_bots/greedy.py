"""Two players of Klondike that look no further than the next move."""

from __future__ import annotations

from random import Random
from typing import Final

from samedeal_rules import Board, Game, Move, legal_moves
from samedeal_rules.cards import rank_of, suit_of
from samedeal_rules.moves import DRAW, END, FOUNDATION, REDEAL, RESERVE, WASTE, Kind

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
    """Takes the first of: turn, up, uncover, release, place from the waste, draw.

    Every move but a draw or a redeal is for good, or makes one possible that is: so it can't go
    in circles. Ends when a pass through the stock brought nothing.
    """

    def __init__(self) -> None:
        self._passes = _Passes()

    def choose(self, game: Game, elapsed_ms: int) -> Move | None:
        """See `Brain`."""
        board = game.board
        useful = self._passes.see(board)
        moves = list(legal_moves(game.ruleset, board))
        king = len(game.ruleset.deck.ranks)
        ranked = [(_rank(board, move, king), move) for move in moves]
        best = min(ranked, key=lambda option: option[0], default=(_NEVER, END))
        if best[0] >= _NEVER or (best[1] == REDEAL and not useful):
            return END
        return best[1]


_TURN, _UP, _UNCOVER, _RELEASE, _PLACE, _DRAW, _NEVER = 0, 10, 20, 30, 40, 50, 60
"""Ranks of moves, the lowest first; the gaps leave room to rank moves of one kind."""


def _rank(board: Board, move: Move, king: int) -> int:
    if move.kind is Kind.TURN:
        return _TURN
    if move.kind is not Kind.CARRY:
        return _DRAW
    if move.target == FOUNDATION:
        return _UP
    if move.source == WASTE or move.source >= RESERVE:
        return _PLACE
    if move.source < len(board.columns):
        column, hidden = board.columns[move.source], board.down[move.source]
        left = len(column) - move.size
        if left == hidden:
            if hidden:
                return _UNCOVER - hidden
            if board.columns[move.target] and _king_waits(board, king):
                return _RELEASE
        elif board.foundations[suit_of(column[left - 1])] + 1 == rank_of(column[left - 1]):
            return _RELEASE
    return _NEVER


def _king_waits(board: Board, king: int) -> bool:
    """Whether a king that lies on face-down cards, or on the waste, wants an empty column."""
    ends = [c[d] for c, d in zip(board.columns, board.down, strict=True) if 0 < d < len(c)]
    singles = (*board.waste[-1:], *board.reserve)
    return any(rank_of(card) == king for card in (*ends, *singles))


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
        king = len(game.ruleset.deck.ranks)
        good: list[Move] = []
        fiddly: list[Move] = []
        rest: list[Move] = []
        for move in legal_moves(game.ruleset, board):
            if move.kind in (Kind.DRAW, Kind.REDEAL):
                rest.append(move)
            elif _rank(board, move, king) not in (_RELEASE, _NEVER):
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

"""Where cards can go, and where they had best go: for every front end. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from samedeal_rules import Board, Move, Ruleset, legal_moves
from samedeal_rules.board import EMPTY
from samedeal_rules.cards import suit_of
from samedeal_rules.legality import is_legal
from samedeal_rules.moves import (
    CELL,
    FOUNDATION,
    FROM_FOUNDATION,
    RESERVE,
    WASTE,
    Kind,
    column_move,
    turn_move,
)

__all__ = ["as_many_as_fit", "best_move", "carries_from", "is_face_down", "run_length", "upward"]

_SUITS: Final = 4


def is_face_down(board: Board, pile: int) -> bool:
    """Whether the end card of a column lies face down."""
    if pile >= len(board.columns):
        return False
    return bool(board.columns[pile]) and board.down[pile] == len(board.columns[pile])


def run_length(ruleset: Ruleset, board: Board, pile: int) -> int:
    """How many cards at the end of a pile are in sequence; 0 if there is nothing to take."""
    if pile < CELL:
        column, down = board.columns[pile], board.down[pile]
        if len(column) <= down:
            return 0
        count = 1
        while len(column) - count > down:
            lower, upper = column[-count - 1], column[-count]
            if not ruleset.runs[lower] >> upper & 1:
                break
            count += 1
        return count
    return int(_single(ruleset, board, pile))


def _single(ruleset: Ruleset, board: Board, pile: int) -> bool:
    if pile == WASTE:
        return board.drawn > 0
    if CELL <= pile < WASTE:
        return board.cells[pile - CELL] != EMPTY
    if pile >= RESERVE:
        return pile - RESERVE < len(board.reserve) and board.reserve[pile - RESERVE] != EMPTY
    if pile == FOUNDATION:
        return ruleset.gives_back and any(board.foundations)
    return ruleset.gives_back and board.foundations[pile - FROM_FOUNDATION] > 0


def carries_from(
    ruleset: Ruleset, board: Board, pile: int, count: int | None = None
) -> Iterator[Move]:
    """Legal moves of cards from a pile, of `count` cards if given; `FOUNDATION` is any of them."""
    for move in legal_moves(ruleset, board):
        if move.kind is not Kind.CARRY or (count is not None and move.size != count):
            continue
        any_foundation = pile == FOUNDATION and FROM_FOUNDATION <= move.source < RESERVE
        if move.source == pile or any_foundation:
            yield move


def as_many_as_fit(ruleset: Ruleset, board: Board, source: int, target: int) -> Move | None:
    """The legal move of the most cards from one pile to another; None if there is none."""
    if source == FOUNDATION:
        sources = range(FROM_FOUNDATION, FROM_FOUNDATION + _SUITS)
        moves = (column_move(suit, target) for suit in sources)
        return next((move for move in moves if is_legal(ruleset, board, move)), None)
    most = run_length(ruleset, board, source) if target < CELL else 1
    for count in range(most, 0, -1):
        move = column_move(source, target, count)
        if is_legal(ruleset, board, move):
            return move
    return None


def best_move(ruleset: Ruleset, board: Board, pile: int, count: int | None = None) -> Move | None:
    """What one would mostly do with a pile's end, or with its last `count` cards.

    Turn it; else up; else where it uncovers or joins most; else to an empty column, if that is no
    mere change of place; else to a cell. None if there is nothing.
    """
    if is_face_down(board, pile):
        return turn_move(pile) if ruleset.turns_by_hand else None
    moves = list(carries_from(ruleset, board, pile, count))
    up = next((move for move in moves if move.target == FOUNDATION), None)
    if up is not None:
        return up
    between = [move for move in moves if move.target < CELL and not _idle(board, move)]
    if between:
        return max(between, key=lambda move: _worth(ruleset, board, move))
    return next((move for move in moves if CELL <= move.target < WASTE), None)


def _idle(board: Board, move: Move) -> bool:
    """A whole column to an empty one changes nothing."""
    if move.source >= CELL or board.columns[move.target]:
        return False
    return move.size == len(board.columns[move.source])


def _worth(ruleset: Ruleset, board: Board, move: Move) -> tuple[bool, bool, bool, bool, int, int]:
    target = board.columns[move.target]
    frees = joins = whole = False
    if move.source < CELL:
        column = board.columns[move.source]
        left = len(column) - move.size
        frees = left == board.down[move.source]
        whole = move.size == run_length(ruleset, board, move.source)
        joins = bool(target) and suit_of(column[left]) == suit_of(target[-1])
    return frees, joins, bool(target), whole, move.size, len(target)


def upward(ruleset: Ruleset, board: Board) -> Move | None:
    """The first card that can go to its foundation."""
    moves = legal_moves(ruleset, board)
    return next(
        (move for move in moves if move.kind is Kind.CARRY and move.target == FOUNDATION), None
    )

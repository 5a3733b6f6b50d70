"""May this move be played? Checks that change nothing, and the list of all that may."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from samedeal_rules.board import EMPTY, Board
from samedeal_rules.cards import UNKNOWN, Card, rank_of, suit_of
from samedeal_rules.errors import IllegalMove, RuleKey
from samedeal_rules.moves import (
    CELL,
    DRAW,
    FOUNDATION,
    FROM_FOUNDATION,
    REDEAL,
    RESERVE,
    WASTE,
    Kind,
    Move,
    column_move,
    turn_move,
)
from samedeal_rules.ruleset import Ruleset

__all__ = [
    "check_carry",
    "check_draw",
    "check_redeal",
    "check_turn",
    "is_legal",
    "legal_moves",
]

_SUITS: Final = 4


def check_turn(ruleset: Ruleset, board: Board, index: int) -> None:
    """Raise `IllegalMove` unless the end card of column `index` lies face down."""
    if not ruleset.turns_by_hand:
        raise IllegalMove(RuleKey.NOT_IN_THIS_GAME)
    if index >= len(board.columns):
        raise IllegalMove(RuleKey.NO_SUCH_PILE)
    column = board.columns[index]
    if not column or board.down[index] < len(column):
        raise IllegalMove(RuleKey.NOT_FACE_DOWN)


def check_draw(ruleset: Ruleset, board: Board) -> None:
    """Raise `IllegalMove` unless a card may be drawn, or a row be dealt (rules, section 4)."""
    if board.drawn >= len(board.talon):
        raise IllegalMove(RuleKey.STOCK_EMPTY if ruleset.draw else RuleKey.NOT_IN_THIS_GAME)
    if ruleset.draws_to_columns and not all(board.columns):
        on_the_table = sum(map(len, board.columns))
        if on_the_table >= len(board.columns):
            raise IllegalMove(RuleKey.COLUMN_EMPTY)


def check_redeal(ruleset: Ruleset, board: Board) -> None:
    """Raise `IllegalMove` unless the waste may become the stock again."""
    if not ruleset.has_waste:
        raise IllegalMove(RuleKey.NOT_IN_THIS_GAME)
    if board.drawn < len(board.talon):
        raise IllegalMove(RuleKey.STOCK_NOT_EMPTY)
    if board.drawn == 0:
        raise IllegalMove(RuleKey.WASTE_EMPTY)
    if ruleset.redeals is not None and board.redeals >= ruleset.redeals:
        raise IllegalMove(RuleKey.NO_REDEALS_LEFT)


def check_carry(ruleset: Ruleset, board: Board, move: Move) -> None:
    """Raise `IllegalMove` unless the cards may be taken and may lie where they go."""
    lower = _first_carried(ruleset, board, move)
    target = move.target
    if target == FOUNDATION:
        _check_up(ruleset, board, lower, move.size)
        return
    if target >= len(board.columns):
        _check_cell(board, lower, move)
        return
    if lower == UNKNOWN:
        raise IllegalMove(RuleKey.CARD_UNKNOWN)
    column = board.columns[target]
    if not column:
        if not ruleset.fills_empty >> lower & 1:
            raise IllegalMove(RuleKey.NEEDS_KING)
        if move.size > 1:
            _check_limit(ruleset, board, move)
        return
    if board.down[target] == len(column):
        raise IllegalMove(RuleKey.FACE_DOWN)
    if not ruleset.stacks[column[-1]] >> lower & 1:
        unknown = column[-1] == UNKNOWN
        raise IllegalMove(RuleKey.CARD_UNKNOWN if unknown else RuleKey.DOES_NOT_FIT)
    if move.size > 1:
        _check_limit(ruleset, board, move)


def _check_up(ruleset: Ruleset, board: Board, card: Card, count: int) -> None:
    if ruleset.leaves is not None:
        raise IllegalMove(RuleKey.NOT_IN_THIS_GAME)
    if count > 1:
        raise IllegalMove(RuleKey.ONE_CARD_ONLY)
    if card == UNKNOWN:
        raise IllegalMove(RuleKey.CARD_UNKNOWN)
    if board.foundations[suit_of(card)] + 1 != rank_of(card):
        raise IllegalMove(RuleKey.FOUNDATION_ORDER)


def _check_cell(board: Board, card: Card, move: Move) -> None:
    cell = move.target - CELL
    if not 0 <= cell < len(board.cells):
        raise IllegalMove(RuleKey.NO_SUCH_PILE)
    if move.size > 1:
        raise IllegalMove(RuleKey.ONE_CARD_ONLY)
    if board.cells[cell] != EMPTY:
        raise IllegalMove(RuleKey.CELL_TAKEN)
    if card == UNKNOWN:
        raise IllegalMove(RuleKey.CARD_UNKNOWN)


def _check_limit(ruleset: Ruleset, board: Board, move: Move) -> None:
    if ruleset.limit is not None and move.size > ruleset.limit(board, move.target):
        raise IllegalMove(RuleKey.TOO_MANY_CARDS)


def _first_carried(ruleset: Ruleset, board: Board, move: Move) -> Card:
    """The lowest of the cards that the move takes, once all of them may be taken together."""
    source = move.source
    if source < CELL:
        return _first_of_run(ruleset, board, source, move.size)
    if source == WASTE:
        if not board.drawn:
            raise IllegalMove(RuleKey.WASTE_EMPTY if ruleset.has_waste else RuleKey.NO_SUCH_PILE)
        return board.talon[board.drawn - 1]
    if FROM_FOUNDATION <= source < FROM_FOUNDATION + _SUITS:
        if not ruleset.gives_back:
            raise IllegalMove(RuleKey.NOT_IN_THIS_GAME)
        suit = source - FROM_FOUNDATION
        if not board.foundations[suit]:
            raise IllegalMove(RuleKey.PILE_EMPTY)
        return Card(suit << 4 | board.foundations[suit])
    places, index = _places(board, source)
    if index >= len(places):
        raise IllegalMove(RuleKey.NO_SUCH_PILE)
    if places[index] == EMPTY:
        raise IllegalMove(RuleKey.PILE_EMPTY)
    return places[index]


def _places(board: Board, pile: int) -> tuple[list[Card], int]:
    """The row of single cards that a pile is in, and where: a cell, or a place of the reserve."""
    return (board.reserve, pile - RESERVE) if pile >= RESERVE else (board.cells, pile - CELL)


def _first_of_run(ruleset: Ruleset, board: Board, source: int, count: int) -> Card:
    if source >= len(board.columns):
        raise IllegalMove(RuleKey.NO_SUCH_PILE)
    column = board.columns[source]
    start = len(column) - count
    if start < board.down[source]:
        if not column:
            raise IllegalMove(RuleKey.PILE_EMPTY)
        raise IllegalMove(RuleKey.NOT_ENOUGH_CARDS if start < 0 else RuleKey.FACE_DOWN)
    if count > 1:
        runs = ruleset.runs
        for index in range(start, len(column) - 1):
            if not runs[column[index]] >> column[index + 1] & 1:
                unknown = UNKNOWN in column[start:]
                raise IllegalMove(RuleKey.CARD_UNKNOWN if unknown else RuleKey.NOT_A_RUN)
    return column[start]


def is_legal(ruleset: Ruleset, board: Board, move: Move) -> bool:
    """Whether a draw, redeal, turn or carry may be played here."""
    try:
        if move.kind is Kind.CARRY:
            check_carry(ruleset, board, move)
        elif move.kind is Kind.TURN:
            check_turn(ruleset, board, move.source)
        elif move.kind is Kind.DRAW:
            check_draw(ruleset, board)
        elif move.kind is Kind.REDEAL:
            check_redeal(ruleset, board)
    except IllegalMove:
        return False
    return True


def legal_moves(ruleset: Ruleset, board: Board) -> Iterator[Move]:
    """All moves but `u` and `end`, in a fixed order: up, turns, carries, back, draw, redeal.

    On a view: those that are certain to be legal, whatever the unknown cards are. About 15
    microseconds: it looks cards up instead of asking about each of some hundred moves.
    """
    accepts = [_accepts(ruleset, board, index) for index in range(len(board.columns))]
    turns = [index for index in range(len(board.columns)) if _is_down(board, index)]
    singles = [(WASTE, board.talon[board.drawn - 1])] if board.drawn else []
    if board.cells:
        singles += [(CELL + index, card) for index, card in enumerate(board.cells) if card]
    elif board.reserve:
        singles += [(RESERVE + index, card) for index, card in enumerate(board.reserve) if card]
    ends = [(index, column[-1]) for index, column in enumerate(board.columns) if column]
    if ruleset.leaves is None:
        for source, card in ends + singles:
            if source not in turns and board.foundations[suit_of(card)] + 1 == rank_of(card):
                yield column_move(source, FOUNDATION)
    if ruleset.turns_by_hand:
        yield from map(turn_move, turns)
    most = _limits(ruleset, board)
    for source, column in enumerate(board.columns):
        for count, lower in _runs(ruleset, column, board.down[source]):
            for target, mask in enumerate(accepts):
                if mask >> lower & 1 and target != source and count <= most[target]:
                    yield column_move(source, target, count)
    tops = [
        (FROM_FOUNDATION + suit, Card(suit << 4 | top))
        for suit, top in enumerate(board.foundations)
        if top and ruleset.gives_back
    ]
    for source, card in singles + tops:
        for target, mask in enumerate(accepts):
            if mask >> card & 1:
                yield column_move(source, target)
    if EMPTY in board.cells:
        yield from _to_cells(board, ends)
    if board.drawn < len(board.talon):
        if not ruleset.draws_to_columns or is_legal(ruleset, board, DRAW):
            yield DRAW
    elif board.drawn and is_legal(ruleset, board, REDEAL):
        yield REDEAL


def _limits(ruleset: Ruleset, board: Board) -> list[int]:
    """How many cards may move at once to each column."""
    if ruleset.limit is None:
        return [len(ruleset.deck.cards)] * len(board.columns)
    return [ruleset.limit(board, target) for target in range(len(board.columns))]


def _to_cells(board: Board, ends: list[tuple[int, Card]]) -> Iterator[Move]:
    for source, card in ends:
        for index, held in enumerate(board.cells):
            if held == EMPTY and card != UNKNOWN:
                yield column_move(source, CELL + index)


def _is_down(board: Board, index: int) -> bool:
    """Whether the end card of a column lies face down."""
    column = board.columns[index]
    return bool(column) and board.down[index] == len(column)


def _accepts(ruleset: Ruleset, board: Board, index: int) -> int:
    """The mask of the cards that may be put on a column."""
    column = board.columns[index]
    if not column:
        return ruleset.fills_empty
    return 0 if _is_down(board, index) else ruleset.stacks[column[-1]]


def _runs(ruleset: Ruleset, column: list[Card], down: int) -> Iterator[tuple[int, Card]]:
    """How many cards may be taken from a column together, and the lowest of them."""
    for index in range(len(column) - 1, down - 1, -1):
        if index < len(column) - 1 and not ruleset.runs[column[index]] >> column[index + 1] & 1:
            return
        yield len(column) - index, column[index]

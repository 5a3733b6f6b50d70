"""May this move be played? Checks that change nothing, and the list of all that may."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from samedeal_rules.board import Board
from samedeal_rules.cards import UNKNOWN, Card, rank_of, suit_of
from samedeal_rules.errors import IllegalMove, RuleKey
from samedeal_rules.moves import (
    CELL,
    DRAW,
    FOUNDATION,
    FROM_FOUNDATION,
    REDEAL,
    WASTE,
    Kind,
    Move,
    column_move,
    turn_move,
)
from samedeal_rules.ruleset import Ruleset

__all__ = ["carried", "check_carry", "check_turn", "is_legal", "legal_moves"]

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


def check_carry(ruleset: Ruleset, board: Board, move: Move) -> None:
    """Raise `IllegalMove` unless the cards may be taken and may lie where they go."""
    lower = _first_carried(ruleset, board, move)
    target = move.target
    if target == FOUNDATION:
        if move.size > 1:
            raise IllegalMove(RuleKey.ONE_CARD_ONLY)
        if lower == UNKNOWN:
            raise IllegalMove(RuleKey.CARD_UNKNOWN)
        if board.foundations[suit_of(lower)] + 1 != rank_of(lower):
            raise IllegalMove(RuleKey.FOUNDATION_ORDER)
        return
    if target >= len(board.columns):
        raise IllegalMove(RuleKey.NO_SUCH_PILE)
    if lower == UNKNOWN:
        raise IllegalMove(RuleKey.CARD_UNKNOWN)
    column = board.columns[target]
    if not column:
        if not ruleset.fills_empty >> lower & 1:
            raise IllegalMove(RuleKey.NEEDS_KING)
        return
    if board.down[target] == len(column):
        raise IllegalMove(RuleKey.FACE_DOWN)
    if not ruleset.stacks[column[-1]] >> lower & 1:
        unknown = column[-1] == UNKNOWN
        raise IllegalMove(RuleKey.CARD_UNKNOWN if unknown else RuleKey.DOES_NOT_FIT)


def _first_carried(ruleset: Ruleset, board: Board, move: Move) -> Card:
    """The lowest of the cards that the move takes, once all of them may be taken together."""
    source = move.source
    if source < CELL:
        return _first_of_run(ruleset, board, source, move.size)
    if source == WASTE:
        if not board.drawn:
            raise IllegalMove(RuleKey.WASTE_EMPTY)
        return board.talon[board.drawn - 1]
    if FROM_FOUNDATION <= source < FROM_FOUNDATION + _SUITS:
        if not ruleset.gives_back:
            raise IllegalMove(RuleKey.NOT_IN_THIS_GAME)
        suit = source - FROM_FOUNDATION
        if not board.foundations[suit]:
            raise IllegalMove(RuleKey.PILE_EMPTY)
        return Card(suit << 4 | board.foundations[suit])
    raise IllegalMove(RuleKey.NO_SUCH_PILE)


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
        stacks = ruleset.stacks
        for index in range(start, len(column) - 1):
            if not stacks[column[index]] >> column[index + 1] & 1:
                raise IllegalMove(RuleKey.NOT_A_RUN)
    return column[start]


def carried(board: Board, move: Move) -> list[Card]:
    """The cards that a checked move takes, lowest first. Takes nothing."""
    if move.source < CELL:
        return board.columns[move.source][-move.size :]
    if move.source == WASTE:
        return [board.talon[board.drawn - 1]]
    suit = move.source - FROM_FOUNDATION
    return [Card(suit << 4 | board.foundations[suit])]


def is_legal(ruleset: Ruleset, board: Board, move: Move) -> bool:
    """Whether a draw, redeal, turn or carry may be played here."""
    try:
        if move.kind is Kind.CARRY:
            check_carry(ruleset, board, move)
        elif move.kind is Kind.TURN:
            check_turn(ruleset, board, move.source)
        elif move.kind is Kind.DRAW:
            return board.drawn < len(board.talon)
        elif move.kind is Kind.REDEAL:
            left = ruleset.redeals is None or board.redeals < ruleset.redeals
            return left and 0 < board.drawn == len(board.talon)
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
    waste = [(WASTE, board.talon[board.drawn - 1])] if board.drawn else []
    ends = [(index, column[-1]) for index, column in enumerate(board.columns) if column]
    for source, card in ends + waste:
        if source not in turns and board.foundations[suit_of(card)] + 1 == rank_of(card):
            yield column_move(source, FOUNDATION)
    if ruleset.turns_by_hand:
        yield from map(turn_move, turns)
    for source, column in enumerate(board.columns):
        for count, lower in _runs(ruleset, column, board.down[source]):
            for target, mask in enumerate(accepts):
                if mask >> lower & 1 and target != source:
                    yield column_move(source, target, count)
    tops = [
        (FROM_FOUNDATION + suit, Card(suit << 4 | top))
        for suit, top in enumerate(board.foundations)
        if top and ruleset.gives_back
    ]
    for source, card in waste + tops:
        for target, mask in enumerate(accepts):
            if mask >> card & 1:
                yield column_move(source, target)
    yield from (move for move in (DRAW, REDEAL) if is_legal(ruleset, board, move))


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
        if index < len(column) - 1 and not ruleset.stacks[column[index]] >> column[index + 1] & 1:
            return
        yield len(column) - index, column[index]

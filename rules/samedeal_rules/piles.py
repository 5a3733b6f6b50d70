"""Taking cards off any pile and putting them back: exact inverses of each other."""

from __future__ import annotations

from samedeal_rules.board import EMPTY, Board
from samedeal_rules.cards import Card, suit_of
from samedeal_rules.moves import CELL, FROM_FOUNDATION, RESERVE, WASTE

__all__ = ["give", "take"]


def take(board: Board, pile: int, count: int) -> list[Card]:
    """Remove the last `count` cards of a pile, in the order in which they lay."""
    if pile < CELL:
        column = board.columns[pile]
        cards = column[-count:]
        del column[-count:]
        return cards
    if pile == WASTE:
        board.drawn -= 1
        return [board.talon.pop(board.drawn)]
    if pile >= RESERVE:
        return _vacate(board.reserve, pile - RESERVE)
    if pile >= FROM_FOUNDATION:
        suit = pile - FROM_FOUNDATION
        card = Card(suit << 4 | board.foundations[suit])
        board.foundations[suit] -= 1
        return [card]
    return _vacate(board.cells, pile - CELL)


def _vacate(places: list[Card], index: int) -> list[Card]:
    card = places[index]
    places[index] = EMPTY
    return [card]


def give(board: Board, pile: int, cards: list[Card]) -> None:
    """Put cards on a pile: the inverse of `take`."""
    if pile < CELL:
        board.columns[pile] += cards
    elif pile == WASTE:
        board.talon.insert(board.drawn, cards[0])
        board.drawn += 1
    elif pile >= RESERVE:
        board.reserve[pile - RESERVE] = cards[0]
    elif pile >= FROM_FOUNDATION:
        board.foundations[suit_of(cards[0])] += 1
    else:
        board.cells[pile - CELL] = cards[0]

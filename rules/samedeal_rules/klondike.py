"""What the Klondike family shares: the triangle, alternating colours, draw and redeals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from samedeal_rules.board import Board
from samedeal_rules.cards import Card, Deck, rank_of, suit_of
from samedeal_rules.ruleset import Option, OptionValue, Ruleset

__all__ = ["DRAW_OPTION", "REDEALS_OPTION", "alternating_down", "kings", "triangle"]

COLUMNS: Final = 7


def triangle(cards: Sequence[Card]) -> Board:
    """Columns of 1 to 7 cards, the end card face up; the rest is the stock (rules, section 8).

    Row by row: row r gives one card to each column from r on.
    """
    columns: list[list[Card]] = [[] for _ in range(COLUMNS)]
    dealt = iter(cards)
    for row in range(COLUMNS):
        for column in columns[row:]:
            column.append(next(dealt))
    return Board(columns, [len(column) - 1 for column in columns], list(dealt))


def alternating_down(deck: Deck, upper: Card, lower: Card) -> bool:
    """Down by one, alternating colours."""
    colours_differ = (suit_of(upper) in deck.red) != (suit_of(lower) in deck.red)
    return colours_differ and rank_of(upper) == rank_of(lower) - 1


def kings(deck: Deck) -> int:
    """The mask of the highest cards of the deck."""
    return sum(1 << card for card in deck.cards if rank_of(card) == len(deck.ranks))


def _draw(ruleset: Ruleset) -> OptionValue:
    return ruleset.draw


def _with_draw(ruleset: Ruleset, value: OptionValue) -> Ruleset:
    assert isinstance(value, int)
    return replace(ruleset, draw=value)


def _redeals(ruleset: Ruleset) -> OptionValue:
    return "unlimited" if ruleset.redeals is None else ruleset.redeals


def _with_redeals(ruleset: Ruleset, value: OptionValue) -> Ruleset:
    return replace(ruleset, redeals=value if isinstance(value, int) else None)


DRAW_OPTION: Final = Option("draw", (1, 3), _draw, _with_draw)
REDEALS_OPTION: Final = Option("redeals", (0, 1, 3, "unlimited"), _redeals, _with_redeals)

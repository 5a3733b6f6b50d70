"""`spanish`: Klondike with the Spanish deck (rules, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from samedeal_rules.board import Board
from samedeal_rules.cards import SPANISH_40, SPANISH_48, Card, Deck, stacking
from samedeal_rules.klondike import (
    DRAW_OPTION,
    REDEALS_OPTION,
    alternating_down,
    kings,
    triangle,
)
from samedeal_rules.ranking import SPANISH_TOP, first_to_clear
from samedeal_rules.ruleset import Option, OptionValue, Ruleset
from samedeal_rules.scoring import Scoring

__all__ = ["SPANISH"]

_DECKS: Final = {40: SPANISH_40, 48: SPANISH_48}


def _with_reserve(cards: Sequence[Card]) -> Board:
    """The triangle; what is left over lies face up in a row, all of it in play."""
    board = triangle(cards)
    return Board(board.columns, board.down, [], reserve=board.talon)


def _has_stock(ruleset: Ruleset) -> OptionValue:
    return ruleset.draw > 0


def _with_stock(ruleset: Ruleset, value: OptionValue) -> Ruleset:
    return ruleset if value else replace(ruleset, deal=_with_reserve, draw=0, redeals=0)


def _cards(ruleset: Ruleset) -> OptionValue:
    return len(ruleset.deck.cards)


def _with_deck(ruleset: Ruleset, value: OptionValue) -> Ruleset:
    assert isinstance(value, int)
    return _on(ruleset, _DECKS[value])


def _on(ruleset: Ruleset, deck: Deck) -> Ruleset:
    masks = stacking(deck, alternating_down)
    return replace(ruleset, deck=deck, stacks=masks, runs=masks, fills_empty=kings(deck))


_STOCK_OPTION: Final = Option(
    "stock", (True, False), _has_stock, _with_stock, excludes=("draw", "redeals")
)
_DECK_OPTION: Final = Option("deck", (40, 48), _cards, _with_deck)

SPANISH: Final = Ruleset(
    name="spanish",
    deck=SPANISH_40,
    deal=triangle,
    stacks=stacking(SPANISH_40, alternating_down),
    runs=stacking(SPANISH_40, alternating_down),
    fills_empty=kings(SPANISH_40),
    draw=1,
    redeals=3,
    scoring=Scoring(),
    scored=False,
    rank=first_to_clear,
    top=SPANISH_TOP,
    undo_depth=None,
    options=(REDEALS_OPTION, DRAW_OPTION, _STOCK_OPTION, _DECK_OPTION),
)

"""`klondike-1` and `klondike-3`: classic Klondike (rules, section 2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from samedeal_rules.board import Board
from samedeal_rules.cards import FRENCH, Card, rank_of, stacking, suit_of
from samedeal_rules.classic import (
    CARD_UP,
    DEPTH,
    DRAW_ONE_BONUS,
    FOUNDATION_TO_TABLEAU,
    LONG_BONUS,
    time_bonus,
)
from samedeal_rules.klondike import (
    DRAW_OPTION,
    REDEALS_OPTION,
    alternating_down,
    kings,
    triangle,
)
from samedeal_rules.moves import WASTE
from samedeal_rules.ruleset import Ruleset
from samedeal_rules.scoring import Closing, Item, Scoring

__all__ = ["KLONDIKE_1", "KLONDIKE_3"]

_ONE: Final = time_bonus(DRAW_ONE_BONUS)
_THREE: Final = time_bonus(LONG_BONUS)


def _closing_points(closing: Closing) -> tuple[tuple[Item, int], ...]:
    """By the draw count in force, whatever the ruleset's name."""
    return _ONE(closing) if closing.draw == 1 else _THREE(closing)


def _auto_finish(board: Board, _exempt: int) -> Iterator[int]:
    """One sweep, once all cards lie open: columns from the left, then the waste.

    Cards that were once taken back go up, too.
    """
    if any(board.down) or board.drawn < len(board.talon) or board.drawn > 1:
        return
    for index, column in enumerate(board.columns):
        if column and _fits(board, column[-1]):
            yield index
    if board.drawn and _fits(board, board.talon[board.drawn - 1]):
        yield WASTE


def _fits(board: Board, card: Card) -> bool:
    return board.foundations[suit_of(card)] + 1 == rank_of(card)


KLONDIKE_1: Final = Ruleset(
    name="klondike-1",
    deck=FRENCH,
    deal=triangle,
    stacks=stacking(FRENCH, alternating_down),
    runs=stacking(FRENCH, alternating_down),
    fills_empty=kings(FRENCH),
    draw=1,
    redeals=None,
    gives_back=True,
    automatic=_auto_finish,
    scoring=Scoring(
        card_up=CARD_UP,
        turned=5,
        waste_to_tableau=5,
        foundation_to_tableau=FOUNDATION_TO_TABLEAU,
        closing=_closing_points,
        floor=0,
    ),
    undo_depth=DEPTH,
    options=(DRAW_OPTION, REDEALS_OPTION),
)

KLONDIKE_3: Final = replace(KLONDIKE_1, name="klondike-3", draw=3)

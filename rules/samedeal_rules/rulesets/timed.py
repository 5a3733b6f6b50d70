"""`timed`: timed Klondike, the default game (rules, section 1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from samedeal_rules.board import Board
from samedeal_rules.cards import FRENCH, rank_of, stacking
from samedeal_rules.klondike import (
    DRAW_OPTION,
    REDEALS_OPTION,
    alternating_down,
    kings,
    triangle,
)
from samedeal_rules.moves import WASTE
from samedeal_rules.ranking import TIMED_TOP
from samedeal_rules.ruleset import Ruleset
from samedeal_rules.scoring import EARLY_END, MINUTES, Closing, Item, Scoring

__all__ = ["TIMED"]

FIRST_PASS_THAT_COSTS: Final = 3
PASS_PRICE: Final = 400


def _redeal_points(begun_pass: int) -> int:
    return -PASS_PRICE if begun_pass >= FIRST_PASS_THAT_COSTS else 0


def _closing_points(closing: Closing) -> tuple[tuple[Item, int], ...]:
    """A clear table gets both bonuses, so that clearing is never worth less than giving up."""
    early_end = (EARLY_END, closing.remaining_s // 3)
    if closing.cleared:
        return (MINUTES, 150 * (closing.remaining_s // 60)), early_end
    return (early_end,)


_OF_RANK: Final = tuple(
    sum(1 << card for card in FRENCH.cards if rank_of(card) == rank) for rank in range(15)
)
"""For each rank, the mask of its four cards; nothing comes after a king."""


def _wanted(board: Board, exempt: int) -> int:
    """The mask of cards of which all four of the rank below are up; of the aces at first.

    It has cards that are up already, too: they are on no other pile.
    """
    return _OF_RANK[min(board.foundations) + 1] & ~exempt


def _no_longer_needed(board: Board, exempt: int) -> Iterator[int]:
    """One sweep: columns from the left, then the waste."""
    wanted = _wanted(board, exempt)
    for index, column in enumerate(board.columns):
        if column and wanted >> column[-1] & 1 and board.down[index] < len(column):
            yield index
            wanted = _wanted(board, exempt)
    if board.drawn and wanted >> board.talon[board.drawn - 1] & 1:
        yield WASTE


TIMED: Final = Ruleset(
    name="timed",
    deck=FRENCH,
    deal=triangle,
    stacks=stacking(FRENCH, alternating_down),
    runs=stacking(FRENCH, alternating_down),
    fills_empty=kings(FRENCH),
    draw=3,
    redeals=None,
    turns_by_hand=True,
    gives_back=True,
    automatic=_no_longer_needed,
    scoring=Scoring(
        card_up=(0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1000, 1000, 1000),
        card_up_once=True,
        turned=100,
        redeal=_redeal_points,
        undo=-1000,
        closing=_closing_points,
    ),
    undo_depth=None,
    may_be_untimed=False,
    hints=False,
    top=TIMED_TOP,
    options=(DRAW_OPTION, REDEALS_OPTION),
)

"""The points that classic Klondike, FreeCell and Spider share (rules, section 2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from samedeal_rules.scoring import TIME_BONUS, Closing, Item

__all__ = [
    "CARD_UP",
    "DEPTH",
    "DRAW_ONE_BONUS",
    "FOUNDATION_TO_TABLEAU",
    "LONG_BONUS",
    "time_bonus",
]

CARD_UP: Final = (0, *[10] * 13)
"""The same for each rank."""
FOUNDATION_TO_TABLEAU: Final = -15
DEPTH: Final = 150
"""Moves that undo reaches back."""

DRAW_ONE_BONUS: Final = 700
LONG_BONUS: Final = 1400
"""For games that take longer: draw three, and Spider."""
_LOSS_PER_SECOND: Final = 2


def time_bonus(most: int) -> Callable[[Closing], tuple[tuple[Item, int], ...]]:
    """For a clear table: `most` less 2 for each second played, never below 0."""

    def closing(closing: Closing) -> tuple[tuple[Item, int], ...]:
        if not closing.cleared:
            return ()
        return ((TIME_BONUS, max(0, most - _LOSS_PER_SECOND * closing.elapsed_s)),)

    return closing

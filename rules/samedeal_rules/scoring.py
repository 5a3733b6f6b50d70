"""What is worth how much, and the ledger that keeps every point with its reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

__all__ = [
    "CARDS_UP",
    "EARLY_END",
    "FOUNDATION_TO_TABLEAU",
    "ITEMS",
    "MINUTES",
    "PASSES",
    "RUNS",
    "TIME_BONUS",
    "TURNED",
    "UNDO",
    "WASTE_TO_TABLEAU",
    "Closing",
    "Item",
    "Points",
    "Scoring",
]

Item = int
"""An index into `ITEMS`."""

ITEMS: Final = (
    "foundation",
    "turned",
    "passes",
    "undo",
    "minutes",
    "early_end",
    "waste_to_tableau",
    "foundation_to_tableau",
    "time_bonus",
    "runs",
)
"""The reasons for points, by their names on the wire and in records (rules, section 9)."""

CARDS_UP, TURNED, PASSES, UNDO, MINUTES, EARLY_END = range(6)
WASTE_TO_TABLEAU, FOUNDATION_TO_TABLEAU, TIME_BONUS, RUNS = range(6, 10)


class Points(NamedTuple):
    """Points that fell, and what for."""

    item: Item
    points: int
    what: str
    """The card or pile they are for; empty where there is none."""


class Closing(NamedTuple):
    """How a player's game ended, for the points that the end brings."""

    cleared: bool
    elapsed_ms: int
    duration_ms: int | None
    """None in a practice without a time limit."""
    draw: int = 0
    """Cards drawn at a time in this duel."""

    @property
    def elapsed_s(self) -> int:
        """Whole seconds played, rounded down (rules, section 0)."""
        return self.elapsed_ms // 1000

    @property
    def remaining_s(self) -> int:
        """Whole seconds left, rounded down, never below 0; 0 without a time limit."""
        return max(0, ((self.duration_ms or 0) - self.elapsed_ms) // 1000)


def _free(_begun_pass: int) -> int:
    return 0


def _nothing(_closing: Closing) -> tuple[tuple[Item, int], ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """The points of a ruleset."""

    card_up: tuple[int, ...] = (0,) * 14
    """For a card that reaches its foundation, by rank; index 0 is unused."""
    card_up_once: bool = False
    """Whether only the first arrival of a card counts."""
    turned: int = 0
    """For a face-down tableau card turned up."""
    redeal: Callable[[int], int] = _free
    """For a redeal, told the number of the pass that it begins (2 is the first redeal's)."""
    waste_to_tableau: int = 0
    foundation_to_tableau: int = 0
    run: int = 0
    """For a run that leaves the table."""
    undo: int = 0
    closing: Callable[[Closing], tuple[tuple[Item, int], ...]] = _nothing
    """For the end of a game by clearing the table or by `end`."""
    floor: int | None = None
    """The score never falls below this: at each step what is taken is cut to what is there."""

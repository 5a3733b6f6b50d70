"""What is where on a drawn table, and what is marked there. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from samedeal_rules.moves import FOUNDATION, FROM_FOUNDATION, RESERVE

__all__ = ["NOWHERE", "STOCK", "Box", "Marks", "Spot", "same_pile"]

STOCK: Final = 100
"""The pile number of the stock: moves have none, as nothing is carried from it."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the table: a pile, and how many cards lie from here to its end."""

    pile: int
    count: int = 1


NOWHERE: Final = Spot(-1)


class Box(NamedTuple):
    """Where a spot was drawn, in characters."""

    x: int
    y: int
    width: int
    height: int
    spot: Spot

    def has(self, x: int, y: int) -> bool:
        """Whether a character lies inside."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True, slots=True)
class Marks:
    """What stands out."""

    selected: Spot | None = None
    targets: frozenset[int] = field(default_factory=frozenset)
    """Piles where the selected cards may go; `FOUNDATION` for any of these."""
    hint: Spot | None = None
    hint_target: int | None = None
    cursor: int | None = None
    """The pile that the arrow keys are on."""

    def state(self, pile: int, from_end: int) -> str:
        """How a card is framed: `from_end` is 1 for the end card of its pile."""
        chosen = self.selected
        if chosen is not None and same_pile(chosen.pile, pile) and from_end <= chosen.count:
            return "selected"
        if from_end == 1 and self._is_target(pile):
            return "target"
        if (
            self.hint is not None
            and same_pile(self.hint.pile, pile)
            and from_end <= self.hint.count
        ):
            return "hinted"
        if from_end == 1 and self.hint_target is not None and same_pile(self.hint_target, pile):
            return "hinted"
        return "plain"

    def _is_target(self, pile: int) -> bool:
        return pile in self.targets or any(same_pile(target, pile) for target in self.targets)


def same_pile(one: int, other: int) -> bool:
    """Whether two pile numbers mean one pile; `FOUNDATION` means all foundations."""
    return one == other or (one == FOUNDATION and FROM_FOUNDATION <= other < RESERVE)

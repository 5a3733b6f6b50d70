"""Who is before whom: in a duel (rules, sections 0 and 5) and on the leaderboards (section 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

__all__ = [
    "CLASSIC_TOP",
    "SPANISH_TOP",
    "TIMED_TOP",
    "Leaderboard",
    "Outcome",
    "Rank",
    "by_score",
    "first_to_clear",
    "places",
]

K = TypeVar("K")


class Outcome(NamedTuple):
    """What a player's place follows from."""

    score: int | None
    """None in a game without points."""
    cards_up: int
    cleared: bool
    ended_ms: int
    """Since the start; the duration for who ran out of time or still plays."""


Rank = Callable[[Outcome], tuple[int, int]]
"""A key to sort outcomes by, the best first; equal keys are the same place."""


def by_score(outcome: Outcome) -> tuple[int, int]:
    """Higher score first, then whose game ended earlier (section 0)."""
    return -(outcome.score or 0), outcome.ended_ms


def first_to_clear(outcome: Outcome) -> tuple[int, int]:
    """Who cleared the table, the earlier first; then who has more cards up (section 5).

    Not clear and equal cards up is the same place, whoever ended earlier.
    """
    return (0, outcome.ended_ms) if outcome.cleared else (1, -outcome.cards_up)


def places(rank: Rank, outcomes: Mapping[K, Outcome]) -> dict[K, int]:
    """The place of each, from 1; who is equal shares it and the next is skipped. O(n log n)."""
    keys = {who: rank(outcome) for who, outcome in outcomes.items()}
    found: dict[tuple[int, int], int] = {}
    for position, key in enumerate(sorted(keys.values()), 1):
        found.setdefault(key, position)
    return {who: found[key] for who, key in keys.items()}


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The best games of one ruleset, or of several together (section 7)."""

    name: str
    cleared_only: bool
    by_time: bool = False
    """The shortest time first, instead of the highest score."""

    def takes(self, outcome: Outcome) -> bool:
        """Whether such a game may stand there at all."""
        return outcome.cleared or not self.cleared_only

    def sort_value(self, outcome: Outcome) -> int:
        """The lower, the better; equal ones are told apart by their date, the earlier first."""
        return outcome.ended_ms if self.by_time else -(outcome.score or 0)


CLASSIC_TOP: Final = Leaderboard("classic", cleared_only=True)
TIMED_TOP: Final = Leaderboard("timed", cleared_only=False)
SPANISH_TOP: Final = Leaderboard("spanish", cleared_only=True, by_time=True)

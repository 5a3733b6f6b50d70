"""Who is before whom (rules, sections 0 and 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

__all__ = ["Outcome", "Rank", "by_score", "first_to_clear", "places"]

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

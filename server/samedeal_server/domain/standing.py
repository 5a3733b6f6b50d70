"""Where a player stands, and who is before whom (rules, section 0, "Ranking")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from samedeal_rules import Ended, Game
from samedeal_rules.ranking import Outcome, Rank
from samedeal_rules.ranking import places as places_by

__all__ = ["AT_THE_START", "Standing", "places", "ranked"]


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's numbers, as the script that keeps a move keeps them too."""

    score: int
    """Without meaning in a game without points."""
    up: int
    """Cards up."""
    ended: Ended | None = None
    ended_ms: int | None = None
    """Since the start; None while playing."""

    @classmethod
    def of(cls, game: Game) -> Self:
        """The standing that a game has."""
        return cls(game.score, game.board.cards_up, game.ended, game.ended_ms)

    def text(self) -> str:
        """How it is stored. Begins with E once the game has ended: scripts look at that."""
        if self.ended is None:
            return f"P:{self.score}:{self.up}"
        return f"E:{self.score}:{self.up}:{self.ended_ms}:{self.ended}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The inverse of `text`."""
        kind, *rest = text.split(":")
        if kind == "P":
            return cls(int(rest[0]), int(rest[1]))
        return cls(int(rest[0]), int(rest[1]), Ended(rest[3]), int(rest[2]))

    def run_out(self, duration_ms: int) -> Standing:
        """The standing once the countdown is over."""
        if self.ended is not None:
            return self
        return Standing(self.score, self.up, Ended.TIMEOUT, duration_ms)


AT_THE_START: Final = Standing(0, 0)


def places(standings: Sequence[Standing], duration_ms: int | None, rank: Rank) -> list[int]:
    """The place of each, in the order given; `rank` is the ruleset's.

    Who still plays counts as running out the clock; without one nobody else is there to be before
    or behind. O(n log n).
    """
    outcomes = {n: _outcome(standing, duration_ms) for n, standing in enumerate(standings)}
    return list(places_by(rank, outcomes).values())


def ranked(
    standings: Sequence[Standing], duration_ms: int | None, rank: Rank
) -> list[tuple[int, int]]:
    """(place, index) of each, the best first (see `places`)."""
    return sorted((place, n) for n, place in enumerate(places(standings, duration_ms, rank)))


def _outcome(standing: Standing, duration_ms: int | None) -> Outcome:
    ended_ms = (duration_ms or 0) if standing.ended_ms is None else standing.ended_ms
    return Outcome(standing.score, standing.up, standing.ended is Ended.CLEARED, ended_ms)

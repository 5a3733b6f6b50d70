"""How much may come from one address or one player: told the time, it never looks at a clock."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from samedeal_server.domain.limits import TokenBucket

__all__ = ["Crowd", "CrowdLimits", "Rates"]

MOST_REMEMBERED: Final = 50_000
"""Of each kind; some 15 MB at most. Who has not used up anything need not be remembered."""

FULL_HOUSE_MS: Final = 10_000
"""When too many are here, until somebody goes: nobody knows when that is."""


@dataclass(frozen=True, slots=True)
class CrowdLimits:
    """For each address; a school or an office behind one is a crowd too."""

    at_once: int = 500
    """Open connections."""
    new_per_s: float = 20
    """New connections in the long run."""
    new_burst: float = 200
    """New connections at once: after a restart all of them come back."""
    players_per_min: float = 60
    """New players in the long run, and at once."""
    duels_per_min: float = 240
    """New duels and tickets in the long run, and at once."""
    duels_of_a_player_per_min: float = 30
    """The same for one player, from wherever: nobody plays a duel in 2 s."""


class Rates:
    """A bucket for each key, made when it is first used and forgotten when it is full again."""

    def __init__(self, per_s: float, burst: float) -> None:
        self._per_s = per_s
        self._burst = burst
        self._buckets: dict[str, TokenBucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: str, now_ms: float) -> int | None:
        """Take one; or how many ms to wait before the next try."""
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= MOST_REMEMBERED:
                self._make_room(now_ms)
            bucket = self._buckets[key] = TokenBucket.full(self._per_s, self._burst, now_ms)
        return None if bucket.take(now_ms) else bucket.wait_ms()

    def forget(self, now_ms: float) -> None:
        """Those that are full again."""
        buckets = self._buckets
        for key in [key for key, bucket in buckets.items() if bucket.is_full(now_ms)]:
            del buckets[key]

    def _make_room(self, now_ms: float) -> None:
        """Forget; if that is not enough, a tenth of all too, the oldest."""
        self.forget(now_ms)
        buckets = self._buckets
        if len(buckets) > MOST_REMEMBERED * 9 // 10:
            for key in list(buckets)[: MOST_REMEMBERED // 10]:
                del buckets[key]


class Crowd:
    """Who is here and what came lately."""

    def __init__(self, limits: CrowdLimits) -> None:
        self._at_once = limits.at_once
        self._here: Counter[str] = Counter()
        self._knocking: Counter[str] = Counter()
        self._arrivals = Rates(limits.new_per_s, limits.new_burst)
        self._players = _per_minute(limits.players_per_min)
        self._duels = _per_minute(limits.duels_per_min)
        self._duels_of_players = _per_minute(limits.duels_of_a_player_per_min)

    def forget(self, now_ms: float) -> None:
        """What makes no difference any more. Some ms if very many were here lately."""
        for rates in (self._arrivals, self._players, self._duels, self._duels_of_players):
            rates.forget(now_ms)

    def knock(self, address: str) -> bool:
        """Somebody has connected and not said yet what for; False if as many already have as may
        be here."""
        if self._knocking[address] >= self._at_once:
            return False
        self._knocking[address] += 1
        return True

    def heard(self, address: str) -> None:
        """Somebody who knocked has said it, or gone."""
        self._knocking[address] -= 1
        if self._knocking[address] <= 0:
            del self._knocking[address]

    # All of these: None is well, else how many ms to wait before the next try.

    def come_in(self, address: str, now_ms: float) -> int | None:
        """Count somebody in, unless there are too many."""
        wait_ms = self._arrivals.take(address, now_ms)
        if wait_ms is not None:
            return wait_ms
        if self._here[address] >= self._at_once:
            return FULL_HOUSE_MS
        self._here[address] += 1
        return None

    def go(self, address: str) -> None:
        """Somebody who was counted in has gone."""
        self._here[address] -= 1
        if self._here[address] <= 0:
            del self._here[address]

    def make_player(self, address: str, now_ms: float) -> int | None:
        """A new player."""
        return self._players.take(address, now_ms)

    def open_duel(self, address: str | None, player: str, now_ms: float) -> int | None:
        """A new duel or ticket; None for an address that is not limited."""
        wait_ms = self._duels_of_players.take(player, now_ms)
        if wait_ms is None and address is not None:
            wait_ms = self._duels.take(address, now_ms)
        return wait_ms


def _per_minute(rate: float) -> Rates:
    return Rates(rate / 60, max(1.0, rate))

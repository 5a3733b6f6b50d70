"""How much may come from one address: told the time, it never looks at a clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from samedeal_server.domain.limits import TokenBucket

__all__ = ["Crowd", "CrowdLimits"]

MOST_REMEMBERED: Final = 50_000
"""Addresses of which nobody is connected are forgotten beyond this, oldest first: 20 MB at most."""


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


@dataclass(slots=True)
class _Address:
    arrivals: TokenBucket
    players: TokenBucket
    here: int = 0


@dataclass(slots=True)
class Crowd:
    """Who is here and who came lately, by address."""

    limits: CrowdLimits
    _known: dict[str, _Address] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._known)

    def come_in(self, address: str, now_ms: float) -> int | None:
        """Count somebody in; or how many ms to wait before the next try."""
        known = self._of(address, now_ms)
        if not known.arrivals.take(now_ms):
            return known.arrivals.wait_ms()
        if known.here >= self.limits.at_once:
            return 10_000  # until somebody goes: nobody knows when that is
        known.here += 1
        return None

    def go(self, address: str) -> None:
        """Somebody who was counted in has gone."""
        known = self._known.get(address)
        if known is not None and known.here:
            known.here -= 1

    def make_player(self, address: str, now_ms: float) -> int | None:
        """Count a new player; or how many ms to wait before the next one."""
        players = self._of(address, now_ms).players
        return None if players.take(now_ms) else players.wait_ms()

    def _of(self, address: str, now_ms: float) -> _Address:
        known = self._known.get(address)
        if known is None:
            self._forget_some()
            limits = self.limits
            per_min = limits.players_per_min
            known = self._known[address] = _Address(
                TokenBucket.full(limits.new_per_s, limits.new_burst, now_ms),
                TokenBucket.full(per_min / 60, max(1.0, per_min), now_ms),
            )
        return known

    def _forget_some(self) -> None:
        """A tenth at a time, so that it costs little for each who comes."""
        if len(self._known) < MOST_REMEMBERED:
            return
        nobody_here = [address for address, known in self._known.items() if not known.here]
        for address in nobody_here[: MOST_REMEMBERED // 10]:
            del self._known[address]

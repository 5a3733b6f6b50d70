"""The duels' clock: the store's time, carried on by the node's own steady clock."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Final

from redis.asyncio import Redis

from samedeal_server.domain.duel import DuelMs
from samedeal_server.store.client import STORE_AWAY
from samedeal_server.store.keys import CLOCK
from samedeal_server.store.scripts import load_script

__all__ = ["DuelClock"]

LARGEST_STEP_MS: Final = 250
"""A larger step means that somebody set the store's clock: running duels don't follow it."""
MEASURE_EVERY_S: Final = 2.0
SLEW: Final = 0.25
"""The part of a measured error that is corrected at once: clocks drift, they don't jump."""
_STEADY: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""Goes on while the machine sleeps, where there is such a clock."""


def steady_ms() -> float:
    """This machine's clock that nobody sets, in milliseconds since some moment."""
    return time.clock_gettime(_STEADY) * 1000


class DuelClock:
    """Milliseconds since 1970 by the store, the same on all nodes within a few milliseconds."""

    def __init__(self, redis: Redis) -> None:
        self._measure = load_script(redis, "clock")
        self._offset: float | None = None
        self._latest = 0
        self.correction = 0
        """Milliseconds that scripts add to the store's TIME to get the duels' time."""

    def now_ms(self) -> DuelMs:
        """Never goes back. Costs no store call."""
        assert self._offset is not None, "the clock has not been measured"
        self._latest = max(self._latest, int(steady_ms() + self._offset))
        return DuelMs(self._latest)

    async def measure(self) -> None:
        """Compare with the store once: the first time take it over, later lean towards it."""
        before = steady_ms()
        expected = "" if self._offset is None else str(int(before + self._offset))
        told, self.correction = await self._measure([CLOCK], [expected, LARGEST_STEP_MS])
        middle = (before + steady_ms()) / 2
        offset = told - middle
        if self._offset is None:
            self._offset = offset
        else:
            self._offset += (offset - self._offset) * SLEW

    async def keep(self) -> None:
        """Measure for ever; while the store is away the steady clock goes on alone."""
        while True:
            await asyncio.sleep(MEASURE_EVERY_S)
            with suppress(*STORE_AWAY):
                await self.measure()

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

__all__ = ["DuelClock", "steady_ms"]

LARGEST_STEP_MS: Final = 250
"""A larger step means that somebody set the store's clock: running duels don't follow it."""
MEASURE_EVERY_S: Final = 2.0
SLEW: Final = 0.25
"""The part of a measured error that is corrected at once: clocks drift, they don't jump."""
FIRST_TRIES: Final = 5
"""A node begins with the best of so many measurements, unless an earlier one is good."""
_STEADY: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""Goes on while the machine sleeps, where there is such a clock."""


def steady_ms() -> float:
    """This machine's clock that nobody sets, in milliseconds since some moment."""
    return time.clock_gettime(_STEADY) * 1000


def _took(sample: tuple[float, float]) -> float:
    return sample[1]


class DuelClock:
    """Milliseconds since 1970 by the store, the same on all nodes within a few milliseconds."""

    def __init__(self, redis: Redis) -> None:
        self._script = load_script(redis, "clock")
        self._offset: float | None = None
        self._latest = 0
        self._answered = 0.0
        self.correction = 0
        """Milliseconds that scripts add to the store's TIME to get the duels' time."""

    def now_ms(self) -> DuelMs:
        """Never goes back. Costs no store call."""
        assert self._offset is not None, "the clock has not been measured"
        self._latest = max(self._latest, int(steady_ms() + self._offset))
        return DuelMs(self._latest)

    @property
    def silent_ms(self) -> float:
        """Since the store's latest answer to us; it is asked each 2 s."""
        return steady_ms() - self._answered

    async def measure(self) -> None:
        """Compare with the store: the first time take it over, later lean towards it."""
        offset, took_ms = await self._sample()
        if self._offset is None:
            for _ in range(FIRST_TRIES - 1):
                if took_ms > LARGEST_STEP_MS:
                    offset, took_ms = min((offset, took_ms), await self._sample(), key=_took)
            self._offset = offset
            return
        if took_ms > LARGEST_STEP_MS:
            return  # it says less than the steady clock; the store was slow or away
        error = offset - self._offset
        if abs(error) <= LARGEST_STEP_MS + took_ms / 2:
            self._offset += error * SLEW
        else:
            known, corrected = self.correction, self.correction - round(error)
            _, self.correction = await self._script([CLOCK], [known, corrected])

    async def _sample(self) -> tuple[float, float]:
        """What to add to the steady clock, and how long the store took to say so.

        Wrong by half of that at most.
        """
        before = steady_ms()
        told, self.correction = await self._script([CLOCK], ["", ""])
        after = self._answered = steady_ms()
        return told - (before + after) / 2, after - before

    async def keep(self) -> None:
        """Measure for ever; while the store is away the steady clock goes on alone."""
        while True:
            await asyncio.sleep(MEASURE_EVERY_S)
            with suppress(*STORE_AWAY):
                await self.measure()

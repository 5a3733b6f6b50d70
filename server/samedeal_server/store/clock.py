"""The duels' clock: the store's time, carried on by the node's own steady clock."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Final

from samedeal_server.domain.duel import DuelMs
from samedeal_server.store.client import STORE_AWAY, Client
from samedeal_server.store.keys import clock_key
from samedeal_server.store.partitions import FIRST_PARTITION, Partitions
from samedeal_server.store.scripts import load_script

__all__ = ["DuelClock", "steady_ms"]

LARGEST_STEP_MS: Final = 250
"""A larger step means that somebody set the store's clock, or that another machine's took its
place: running duels don't follow it."""
MEASURE_EVERY_S: Final = 2.0
SLEW: Final = 0.25
"""The part of a measured error that is corrected at once: clocks drift, they don't jump."""
FIRST_TRIES: Final = 5
"""A node begins with the best of so many measurements, unless an earlier one is good."""
YOUNG_MS: Final = 10_000
"""A node that began less than this ago follows others who correct a step: it may have begun after
the step, and they measure every two seconds. Later a failover could have lost their correction."""
_STEADY: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""Goes on while the machine sleeps, where there is such a clock."""


def steady_ms() -> float:
    """This machine's clock that nobody sets, in milliseconds since some moment."""
    return time.clock_gettime(_STEADY) * 1000


def _took(sample: tuple[float, float]) -> float:
    return sample[1]


class DuelClock:
    """Milliseconds since 1970 by the store, the same on all nodes within a few milliseconds.

    One time for all duels: that of the first partition's primary. The other primaries of a Cluster
    have clocks of their own; each partition's correction makes its scripts agree with that time.
    """

    def __init__(self, client: Client, partitions: Partitions | None = None) -> None:
        self._script = load_script(client, "clock")
        self._partitions = partitions or Partitions(client)
        self._offset: float | None = None
        self._begun = 0.0
        self._latest = 0
        self._answered = 0.0
        self._corrections: dict[str, int] = {}

    @property
    def correction(self) -> int:
        """Milliseconds between the first primary's TIME and the duels' time."""
        return self.correction_of(FIRST_PARTITION)

    def correction_of(self, partition: str) -> int:
        """Milliseconds that scripts add to TIME to get the duels' time."""
        return self._corrections.get(partition, 0)

    def now_ms(self) -> DuelMs:
        """Never goes back. Costs no store call."""
        assert self._offset is not None, "the clock has not been measured"
        self._latest = max(self._latest, int(steady_ms() + self._offset))
        return DuelMs(self._latest)

    @property
    def silent_ms(self) -> float:
        """Since the store's latest answer to us (any primary's); it is asked each 2 s."""
        return steady_ms() - self._answered

    async def measure(self) -> None:
        """Compare with the store: the first time take it over, later lean towards it.

        Raises the library's errors if any primary does not answer; the others are measured.
        """
        away = None
        for partition in self._partitions.names:
            try:
                await self._measure(partition)
            except STORE_AWAY as error:
                away = error
        if away is not None:
            raise away

    async def _measure(self, partition: str) -> None:
        first, known = partition == FIRST_PARTITION, self.correction_of(partition)
        offset, took_ms = await self._sample(partition)
        if self._offset is None:
            if not first:
                return
            for _ in range(FIRST_TRIES - 1):
                if took_ms > LARGEST_STEP_MS:
                    again = await self._sample(partition)
                    offset, took_ms = min((offset, took_ms), again, key=_took)
            self._offset, self._begun = offset, steady_ms()
            return
        if took_ms > LARGEST_STEP_MS:
            return  # it says less than the steady clock; the store was slow or away
        error = offset - self._offset
        if abs(error) > LARGEST_STEP_MS + took_ms / 2:
            if first and self.correction != known and steady_ms() - self._begun < YOUNG_MS:
                # An older node has seen a step that we took for the time when we began.
                self._offset = offset
                return
            known = self.correction_of(partition)
            _, self._corrections[partition] = await self._script(
                [clock_key(partition)], [known, known - round(error)]
            )
        elif first:
            self._offset += error * SLEW

    async def _sample(self, partition: str) -> tuple[float, float]:
        """What to add to the steady clock, and how long the store took to say so.

        Wrong by half of that at most.
        """
        before = steady_ms()
        told, self._corrections[partition] = await self._script([clock_key(partition)], ["", ""])
        after = self._answered = steady_ms()
        return told - (before + after) / 2, after - before

    async def keep(self) -> None:
        """Measure for ever; while the store is away the steady clock goes on alone."""
        while True:
            await asyncio.sleep(MEASURE_EVERY_S)
            with suppress(*STORE_AWAY):
                await self.measure()

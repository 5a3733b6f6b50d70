"""The duel's clock, told from round trips; the wall clock of this machine is never asked."""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

__all__ = ["ServerClock"]

SAMPLES: Final = 8
"""Forty seconds of pings: long enough to catch a quick one, short enough for a drifting crystal."""


ROUNDING_MS: Final = 1
"""The server tells whole milliseconds."""


class _Sample(NamedTuple):
    earliest: float
    latest: float
    """The offset lies between these: the server read its clock while the ping was on its way."""

    @property
    def delay(self) -> float:
        return self.latest - self.earliest

    @property
    def offset(self) -> float:
        return (self.earliest + self.latest) / 2


class ServerClock:
    """Adds an offset to a monotonic clock; all values in milliseconds."""

    def __init__(self) -> None:
        self._samples: deque[_Sample] = deque(maxlen=SAMPLES)

    def add(self, sent: float, received: float, server: int) -> None:
        """A ping left at `sent`, its answer said `server` and came in at `received`."""
        sample = _Sample(server - received, server - sent)
        best = self._best()
        if best is not None and _contradict(sample, best):
            # Both can't be true: one of the clocks was stepped, or this machine slept.
            self._samples.clear()
        self._samples.append(sample)

    def restart(self) -> None:
        """Connected anew, perhaps to another node: older samples only count until the next one."""
        best = self._best()
        self._samples.clear()
        if best is not None:
            # As uncertain as can be, so that any measurement is better.
            self._samples.append(_Sample(best.offset - 1e9, best.offset + 1e9))

    @property
    def known(self) -> bool:
        """Whether there has been a first answer."""
        return bool(self._samples)

    @property
    def delay_ms(self) -> float | None:
        """The last round trip; None before the first."""
        if not self._samples or self._samples[-1].delay >= 1e9:
            return None
        return self._samples[-1].delay

    def now_ms(self, local: float) -> float:
        """The server's clock at `local`, by the round trip with the least delay."""
        best = self._best()
        return local if best is None else local + best.offset

    def _best(self) -> _Sample | None:
        return min(self._samples, key=lambda sample: sample.delay, default=None)


def _contradict(one: _Sample, other: _Sample) -> bool:
    gap = max(one.earliest, other.earliest) - min(one.latest, other.latest)
    return gap > 2 * ROUNDING_MS

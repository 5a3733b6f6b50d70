"""Whether a node has more to do than it can: before those who play would notice."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

__all__ = ["Level", "Pressure"]

RISES_AFTER: Final = 5
"""Samples in a row: half a second. One late turn of the loop is no overload."""

FALLS_AFTER: Final = 20
"""Samples in a row at or below half the mark: 2 s. Who was refused comes back slowly."""

OVERLOADED_TIMES: Final = 4
"""So many times the mark of busy is overloaded."""


class Level(IntEnum):
    """How a node feels."""

    CALM = 0
    BUSY = 1
    """No new duels and no new players; who plays, plays on, and comes back."""
    OVERLOADED = 2
    """No new connections either."""


@dataclass(slots=True)
class Pressure:
    """From samples of the loop's lag and of the moves that wait for the store."""

    busy_lag_ms: float
    """A player notices answers that are later than that."""
    busy_backlog: int
    """Entries; a store takes some 50,000 a second."""
    level: Level = Level.CALM
    _above: int = 0
    _below: int = 0

    def sample(self, lag_ms: float, backlog: int) -> Level:
        """One more sample, taken every 100 ms; the level from now on."""
        strain = max(lag_ms / self.busy_lag_ms, backlog / self.busy_backlog)
        seen = Level.CALM
        if strain >= 1:
            seen = Level.OVERLOADED if strain >= OVERLOADED_TIMES else Level.BUSY
        if seen > self.level:
            self._below = 0
            self._above += 1
            if self._above >= RISES_AFTER:
                self._above = 0
                self.level = Level(self.level + 1)
            return self.level
        self._above = 0
        mark = OVERLOADED_TIMES if self.level is Level.OVERLOADED else 1
        if self.level and strain <= mark / 2:
            self._below += 1
            if self._below >= FALLS_AFTER:
                self._below = 0
                self.level = Level(self.level - 1)
        else:
            self._below = 0
        return self.level

"""When a worker that died is started again, and when that makes no sense any more."""

from __future__ import annotations

from typing import Final

__all__ = ["Restarts"]

AT_ONCE_S: Final = 5.0
"""A worker that dies sooner than this after its start has something wrong with it."""

WAITS_S: Final = (0.0, 0.2, 0.5, 1.0, 2.0)
"""Before the first restart, the second, …: an accident is mended at once, a fault costs little."""

AWAY_S: Final = 2.0
"""Between two starts that fail because the store is away: it comes back some time."""


class Restarts:
    """For one worker's place; told the times, it looks at no clock."""

    def __init__(self) -> None:
        self._at_once = 0

    def died(self, lived_s: float, *, store_away: bool = False) -> float | None:
        """Seconds to wait before the next start; None: it has died at once too often.

        `store_away`: it could not even start, for a reason that is not its own.
        """
        if store_away:
            return AWAY_S
        if lived_s >= AT_ONCE_S:
            self._at_once = 0
            return WAITS_S[0]
        self._at_once += 1
        if self._at_once > len(WAITS_S):
            return None
        return WAITS_S[self._at_once - 1]

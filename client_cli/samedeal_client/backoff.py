"""How long to wait before connecting again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

__all__ = ["Backoff"]

FIRST_S: Final = 0.2
"""A server that only restarts is back within a blink."""
LONGEST_S: Final = 10.0
"""Nobody stares at a dead screen for longer, and no server is hurt by a try in ten seconds."""
LONGEST_ASKED_S: Final = 120.0
"""No server can send us away for longer: its idea of time may be broken."""
GOOD_WHILE_S: Final = 10.0
"""A connection that lasted this long was a good one: the next loss starts from the first wait."""


class Backoff:
    """Growing waits with full jitter, so that a thousand clients don't come back as one."""

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self._failures = 0

    def failed(self, asked_s: float = 0.0) -> float:
        """Seconds to wait after one more failure: evenly from nothing to a doubling limit.

        `asked_s`: what the server asked for; never less than that, and up to half as much more.
        """
        limit = min(LONGEST_S, FIRST_S * 2.0 ** min(self._failures, 10))
        self._failures += 1
        own = limit * self._random()
        asked_s = min(asked_s, LONGEST_ASKED_S)
        return max(own, asked_s * (1 + self._random() / 2)) if asked_s > 0 else own

    def lasted(self, seconds: float) -> None:
        """A connection has ended after this long."""
        if seconds >= GOOD_WHILE_S:
            self._failures = 0

"""Watches the node's event loop, and leaves figures for the other workers."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from samedeal_server.metrics.counts import Counts
from samedeal_server.metrics.page import MetricsPage

__all__ = ["LoopWatch"]

EVERY_S: Final = 0.25
SHARE_EVERY: Final = 4
"""Rounds: other workers see figures that are a second old at most."""


class LoopWatch:
    """Sleeps a moment at a time, and notes how late it wakes up."""

    def __init__(self, counts: Counts, page: MetricsPage) -> None:
        self._counts = counts
        self._page = page

    async def keep(self) -> None:
        """Watch for ever."""
        round_ = 0
        while True:
            if round_ % SHARE_EVERY == 0:
                self._page.share()
            round_ += 1
            due = time.monotonic() + EVERY_S
            await asyncio.sleep(EVERY_S)
            self._counts.loop_lag_s.add(max(0.0, time.monotonic() - due))

"""The page that a Prometheus reads: one process's figures, or those of all workers together."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from samedeal_server.metrics.counts import Counts
from samedeal_server.metrics.families import Now, families
from samedeal_server.metrics.shared import SharedFigures

__all__ = ["MetricsPage"]

SHARE_S: Final = 1.0
"""Other workers see figures that are this old at most."""

MIN_AGE_S: Final = 0.5
"""Whoever asks more often gets the same page again: it costs as much as some twenty moves."""


class _Own(Collector):
    """This process's figures."""

    def __init__(self, counts: Counts, now: Callable[[], Now]) -> None:
        self._counts = counts
        self._now = now

    def collect(self) -> Iterator[Metric]:
        """For the library."""
        yield from families(self._counts, self._now())


class MetricsPage:
    """Built for a node; reads what the node counts when asked, and never before."""

    content_type: Final = CONTENT_TYPE_LATEST

    def __init__(self, counts: Counts, now: Callable[[], Now], shared: Path | None = None) -> None:
        """`shared`: a directory where the workers of one server leave their figures.

        Raises OSError if it can't be written to.
        """
        self._own = CollectorRegistry()
        self._own.register(_Own(counts, now))
        ProcessCollector(registry=self._own)
        self._all = self._own
        self._shared = None if shared is None else SharedFigures(shared)
        if shared is not None:
            self._all = CollectorRegistry()
            MultiProcessCollector(self._all, str(shared))  # type: ignore[no-untyped-call]
        self.is_shared = shared is not None
        """Whether there may be other workers."""
        self._page = b""
        self._made_at = float("-inf")

    def text(self) -> bytes:
        """The page, at most half a second old. About 1 ms where it has to be made."""
        now = time.monotonic()
        if now - self._made_at >= MIN_AGE_S:
            self.share()
            self._page, self._made_at = generate_latest(self._all), now
        return self._page

    async def keep_sharing(self) -> None:
        """Leave figures for the other workers, for ever."""
        while True:
            self.share()
            await asyncio.sleep(SHARE_S)

    def share(self) -> None:
        """Leave this process's figures for the other workers to read, if there are any."""
        if self._shared is not None:
            self._shared.write(self._own.collect())

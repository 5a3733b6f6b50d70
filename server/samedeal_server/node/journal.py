"""Group commit: all moves that arrive while one store call is under way share the next."""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from typing import Final, Protocol

import structlog
from redis.exceptions import RedisError

from samedeal_server.metrics.counts import Counts
from samedeal_server.store.duels import DuelStore, Entry
from samedeal_server.store.replication import ReplicationLags

__all__ = ["Journal", "Waiter"]

BATCH: Final = 128
"""Entries of one script call: bounds how long the store does nothing else (about 1 ms)."""

LINGER_S: Final = 0.005
"""Under load a batch waits this long for company: a store call costs as much CPU as several
moves, and nobody notices 5 ms. An idle node does not wait at all."""

BUSY_WITHIN_S: Final = 0.010
"""A commit less than this ago means load."""

RETRY_S: Final = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Waits while the store is away; the last one is repeated."""

UNKNOWN: Final = -9
"""Answer to entries of which we don't know whether they were kept."""

_log = structlog.get_logger()


class Waiter(Protocol):
    """Who wants to know what became of an entry."""

    def settled(self, answer: int) -> None:
        """The entry's ms as kept, or a negative number (see commit.lua)."""


class Journal:
    """The moves of one partition on their way into the store, in the order of arrival."""

    def __init__(self, store: DuelStore, partition: str, counts: Counts) -> None:
        self._store = store
        self._partition = partition
        self._counts = counts
        self._queue: deque[tuple[Entry, Waiter, float]] = deque()
        self._pump: asyncio.Task[None] | None = None
        self._last_commit = 0.0
        self._added = self._settled = 0
        self._answered = asyncio.Event()
        self.away = False
        """The store does not answer, or too few replicas do; moves wait."""
        self.back_at = -math.inf
        """When it last came back, by the event loop's clock."""

    def add(self, entry: Entry, waiter: Waiter) -> None:
        """Keep an entry. Bounded by what players may have unacknowledged (16 each)."""
        self._queue.append((entry, waiter, time.monotonic()))
        self._added += 1
        if self._pump is None:
            self._pump = asyncio.get_running_loop().create_task(self._run())

    @property
    def waiting(self) -> int:
        """Moves that the store has not answered for."""
        return self._added - self._settled

    async def flushed(self) -> None:
        """Until the store has answered for all that waits now; more may come meanwhile."""
        last = self._added
        while self._settled < last:
            self._answered.clear()
            await self._answered.wait()

    async def close(self) -> None:
        """Give up what still waits; nobody tries the store again."""
        self._queue.clear()
        while self._pump is not None:
            self._pump.cancel()  # again: until Python 3.12 a cancellation may be swallowed
            await asyncio.wait([self._pump], timeout=RETRY_S[0])

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._queue:
                if loop.time() - self._last_commit < BUSY_WITHIN_S and len(self._queue) < BATCH:
                    await asyncio.sleep(LINGER_S)
                count = min(BATCH, len(self._queue))
                batch = [self._queue.popleft() for _ in range(count)]
                began = time.monotonic()
                try:
                    answers = await self._commit([entry for entry, _, _ in batch])
                except Exception:
                    # Our own fault. Each table asks the store what was kept, and goes on.
                    _log.exception("a batch could not be committed", entries=count)
                    answers = [UNKNOWN] * count
                self._last_commit = loop.time()
                self._count([added for _, _, added in batch], began)
                for (entry, waiter, _), answer in zip(batch, answers, strict=True):
                    try:
                        waiter.settled(answer)
                    except Exception:
                        _log.exception("settling failed", duel=entry[0], player=entry[1])
                self._settled += count
                self._answered.set()
        finally:
            self._pump = None

    def _count(self, added: list[float], began: float) -> None:
        now = time.monotonic()
        self._counts.batch.add(len(added))
        self._counts.commit_s.add(now - began)
        for at in added:
            self._counts.ack_s.add(now - at)

    async def _commit(self, entries: list[Entry]) -> list[int]:
        """Until the store has answered: an entry that is there already is answered as kept."""
        attempt = 0
        while True:
            try:
                answers = await self._store.commit(self._partition, entries)
            except RedisError as error:
                self._counts.store_errors["moves"] += 1
                if not self.away:
                    lags = isinstance(error, ReplicationLags)
                    what = "replicas lag; moves wait" if lags else "the store is away; moves wait"
                    _log.warning(what, error=type(error).__name__, partition=self._partition)
                self.away = True
                await asyncio.sleep(RETRY_S[min(attempt, len(RETRY_S) - 1)])
                attempt += 1
            else:
                if self.away:
                    _log.warning("the store is back", attempts=attempt, partition=self._partition)
                    self.back_at = asyncio.get_running_loop().time()
                self.away = False
                return answers

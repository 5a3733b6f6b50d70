"""One thing at a time for each duel, on this node."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from samedeal_server.domain.duel import DuelId

__all__ = ["DuelLocks"]


class _SharedLock(asyncio.Lock):
    """A lock that knows how many hold it or wait for it."""

    users = 0


class DuelLocks:
    """A lock for each duel that somebody is changing, and for no other."""

    def __init__(self) -> None:
        self._locks: dict[DuelId, _SharedLock] = {}

    def __len__(self) -> int:
        """Duels that are being changed."""
        return len(self._locks)

    @asynccontextmanager
    async def alone(self, duel: DuelId) -> AsyncIterator[None]:
        """Only other nodes can come between; in the order of asking."""
        lock = self._locks.setdefault(duel, _SharedLock())
        lock.users += 1
        try:
            async with lock:
                yield
        finally:
            lock.users -= 1
            if not lock.users:
                del self._locks[duel]

"""A store with a replica and three sentinels, which can lose its primary."""

from __future__ import annotations

import asyncio
import signal
import tempfile
from contextlib import ExitStack
from pathlib import Path

from redis.asyncio import Redis
from redis.asyncio.sentinel import Sentinel

from faults.link import Link
from support.sentinel import SERVICE, SentinelSet, running_sentinel_set
from support.valkeys import until

__all__ = ["FailoverStore"]


class FailoverStore:
    """The same to the rest of the harness as `Store`; nodes find the primary by themselves."""

    def __init__(self, _data_dir: Path) -> None:
        self._stack = ExitStack()
        self._set: SentinelSet
        self.up = False

    async def start(self) -> None:
        directory = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="samedeal-")))
        made = running_sentinel_set(directory)
        self._set = await asyncio.to_thread(self._stack.enter_context, made)
        self.up = True

    def url_through(self, _link: Link) -> str:
        """Sentinels give real addresses: there is no bad line between a node and this store."""
        return self._set.url

    def client(self) -> Redis:
        """For the harness itself, to whoever is the primary."""
        hosts = [("127.0.0.1", sentinel.port) for sentinel in self._set.sentinels]
        sentinel = Sentinel(hosts, socket_timeout=2)
        primary: Redis = sentinel.master_for(SERVICE, decode_responses=True, socket_timeout=3)
        return primary

    async def connect(self, protocol: object) -> object:
        """Nobody does."""
        raise ConnectionRefusedError

    async def fail_over(self, lasts_s: float) -> None:
        """The primary is killed; later it comes back as a replica of the other."""
        await asyncio.to_thread(self._set.fail_over)
        await asyncio.sleep(lasts_s)
        await asyncio.to_thread(self._set.restore)

    async def freeze_primary(self, lasts_s: float) -> None:
        """Long enough for the other to take over; then there are two for a moment."""
        old, new = self._set.primary(), self._set.replica()
        old.signal(signal.SIGSTOP)
        try:
            await asyncio.to_thread(until, lambda: self._set.primary() is new)
            await asyncio.sleep(lasts_s)
        finally:
            old.signal(signal.SIGCONT)
        await asyncio.to_thread(self._set.restore)

    def thaw(self) -> None:
        """Nothing stays frozen."""

    async def revive(self) -> None:
        """Nothing stays dead."""

    async def stop(self) -> None:
        """Once or more often."""
        await asyncio.to_thread(self._stack.close)

"""Waiting for replicas apart from the commit line: for what else is told to players."""

from __future__ import annotations

import asyncio

from redis.exceptions import ConnectionError  # noqa: A004

from samedeal_server.store.client import Client, Cluster
from samedeal_server.store.line import Line
from samedeal_server.store.replication import NO_REPLICAS, Replicas

__all__ = ["Confirmed"]


class Confirmed:
    """Returns once replicas have all that the primary has by now; many callers share one wait.

    A connection of its own for each primary. Without acknowledged replication it costs nothing.
    """

    def __init__(self, client: Client, replicas: Replicas = NO_REPLICAS) -> None:
        self._client = client
        self.replicas = replicas
        self._rounds: dict[str, _Rounds] = {}

    async def of(self, key: str) -> None:
        """All writes to the slot of `key` that were done before this call.

        Raises the library's errors, `ReplicationLags` among them.
        """
        if not self.replicas.acked:
            return
        owner = (await self._client.owner(key)).name if isinstance(self._client, Cluster) else ""
        rounds = self._rounds.get(owner)
        if rounds is None:
            rounds = self._rounds[owner] = _Rounds(Line(self._client, key, self.replicas))
        await rounds.next(key)

    async def close(self) -> None:
        """Close the connections."""
        for rounds in self._rounds.values():
            await rounds.line.close()


class _Rounds:
    """One wait after the other; who comes while one is under way shares the next."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self._key = ""
        """The latest that was asked about: the slots of earlier ones may have moved elsewhere."""
        self._current: asyncio.Task[None] | None = None
        self._next: asyncio.Task[None] | None = None

    async def next(self, key: str) -> None:
        self._key = key
        if self._next is None:
            self._next = asyncio.get_running_loop().create_task(self._after(self._current))
        await asyncio.shield(self._next)

    async def _after(self, current: asyncio.Task[None] | None) -> None:
        if current is not None:
            await asyncio.gather(current, return_exceptions=True)  # who waits for it hears it
        self._current, self._next = self._next, None
        try:
            await self.line.confirm(self._key)
        except ConnectionError:
            # The line may have been idle since before a failover; the library's pool would also
            # have tried again.
            await self.line.confirm(self._key)

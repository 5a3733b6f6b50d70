"""Which nodes are alive: who was connected to a killed one is away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from samedeal_server.store.client import STORE_AWAY, Client, text
from samedeal_server.store.clock import DuelClock
from samedeal_server.store.keys import NODES

__all__ = ["Presence"]

BEAT_S: Final = 2.0
LEASE_MS: Final = 6_000
"""Three beats: a node that was killed is known to be gone within this and a beat."""


class Presence:
    """This node's lease, and everybody's."""

    def __init__(self, redis: Client, node: str, clock: DuelClock) -> None:
        self._redis = redis
        self._clock = clock
        self._alive = {node}
        self.node = node
        self.changed: Callable[[], None] = lambda: None
        """Called when a node came or went."""

    def is_alive(self, node: str) -> bool:
        """Whether the node has renewed its lease in time; "" never is."""
        return node in self._alive

    async def beat(self) -> None:
        """Renew the own lease and read the others'."""
        now = self._clock.now_ms()
        async with self._redis.pipeline(transaction=False) as pipe:
            pipe.zadd(NODES, {self.node: now + LEASE_MS})
            pipe.zremrangebyscore(NODES, "-inf", now - 10 * LEASE_MS)
            pipe.zrangebyscore(NODES, now, "+inf")
            alive = {text(node) for node in (await pipe.execute())[2]} | {self.node}
        if alive != self._alive:
            self._alive = alive
            self.changed()

    async def keep(self) -> None:
        """Beat for ever."""
        while True:
            with suppress(*STORE_AWAY):
                await self.beat()
            await asyncio.sleep(BEAT_S)

    async def leave(self) -> None:
        """Give the lease back: a stopped node is known to be gone at once."""
        with suppress(*STORE_AWAY):
            await self._redis.zrem(NODES, self.node)

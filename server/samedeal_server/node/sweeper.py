"""Ends duels that every node which knew them has forgotten, or died with."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog
from redis.exceptions import RedisError

from samedeal_server.domain.duel import DuelId, Phase
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.events import TimePassed
from samedeal_server.node.keeper import DuelGone, Keeper
from samedeal_server.store.clock import DuelClock
from samedeal_server.store.duels import DuelStore
from samedeal_server.store.partitions import Partitions

__all__ = ["Sweeper"]

_log = structlog.get_logger()

EVERY_S: Final = 1.0
OVERDUE_MS: Final = 700
"""Nodes act by their own timers; only what they did not do is swept."""
LEASE_MS: Final = 5_000
"""Long enough to write a result of 1,000 players; after it, another node tries."""


class Sweeper:
    """Looks into `due` about once a second."""

    def __init__(
        self, store: DuelStore, keeper: Keeper, clock: DuelClock, partitions: Partitions
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._clock = clock
        self._partitions = partitions

    async def keep(self) -> None:
        """Sweep for ever."""
        while True:
            await asyncio.sleep(EVERY_S)
            for partition in self._partitions.names:
                try:
                    await self.sweep(partition)
                except RedisError:
                    continue
                except Exception:
                    _log.exception("sweeping failed", partition=partition)

    async def sweep(self, partition: str) -> None:
        """Claim what is overdue in a partition and end it."""
        now = self._clock.now_ms()
        for duel in await self._store.claim_due(partition, now - OVERDUE_MS, now + LEASE_MS):
            try:
                await self._end(duel)
            except RedisError:
                raise
            except Exception:
                await self._keeper.fail(duel)

    async def _end(self, duel: DuelId) -> None:
        stored = await self._store.read(duel)
        if stored is None or stored.result is not None or stored.duel.phase is Phase.ABORTED:
            await self._store.forget_due(duel)
        elif stored.duel.phase is Phase.COUNTDOWN:
            await self._keeper.finish(stored.duel)
            await self._keeper.refresh(duel)
        else:
            try:
                await self._keeper.change(duel, TimePassed())
            except (PlayerError, DuelGone):
                await self._store.forget_due(duel)

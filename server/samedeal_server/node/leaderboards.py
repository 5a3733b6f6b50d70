"""Leaderboards: applies what finished duels left in the outbox, and tells who asks."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog
from redis.exceptions import RedisError

from samedeal_protocol import GetTop, TopList, TopRow
from samedeal_server.domain.names import shown_name
from samedeal_server.node.session import Session
from samedeal_server.store.partitions import Partitions
from samedeal_server.store.tops import TopStore, read_top_entry

__all__ = ["Leaderboards"]

_log = structlog.get_logger()

EVERY_S: Final = 1.0
"""Nobody looks at a leaderboard sooner after a duel."""
LEASE_MS: Final = 5_000
"""Many times what a batch takes; after it, another node takes over from one that died."""
BATCH: Final = 64
"""Entries at a time: far below the lease, and more than a node finishes in a second."""


class Leaderboards:
    """Every node empties the outbox, one at a time. Applying an entry twice changes nothing."""

    def __init__(self, store: TopStore, partitions: Partitions) -> None:
        self._store = store
        self._partitions = partitions

    async def keep(self) -> None:
        """Look into the outbox for ever."""
        while True:
            await asyncio.sleep(EVERY_S)
            for partition in self._partitions.names:
                try:
                    while await self.empty_outbox(partition) == BATCH:
                        pass
                except RedisError:
                    continue

    async def empty_outbox(self, partition: str) -> int:
        """Apply a batch, then delete it: who dies in between leaves it to be applied again."""
        entries = await self._store.claim(partition, LEASE_MS, BATCH)
        for entry_id, stored in entries:
            try:
                entry = read_top_entry(stored)
            except ValueError:
                # Not ours, or of another version: it must not stop all that are behind it.
                _log.error("an entry of the outbox can't be read", id=entry_id, entry=stored[:500])
                continue
            await self._store.apply(entry)
        if entries:
            await self._store.forget(partition, [entry_id for entry_id, _ in entries])
        return len(entries)

    async def tell(self, session: Session, message: GetTop) -> None:
        """The first lines of a leaderboard."""
        rows = [
            TopRow(
                place=place,
                name=shown_name(line.name),
                ruleset=line.ruleset,
                score=line.score,
                elapsed_ms=line.elapsed_ms,
                at_ms=line.at_ms,
            )
            for place, line in enumerate(await self._store.best(message.table, message.count), 1)
        ]
        session.send(TopList(req=message.req, table=message.table, rows=rows))

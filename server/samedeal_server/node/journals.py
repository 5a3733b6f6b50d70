"""A journal for each partition: their batches go to the store side by side."""

from __future__ import annotations

import asyncio

from samedeal_server.metrics.counts import Counts
from samedeal_server.node.journal import Journal
from samedeal_server.store.duels import DuelStore
from samedeal_server.store.keys import partition_of

__all__ = ["Journals"]


class Journals:
    """Made when the first move of a partition comes; few, and kept."""

    def __init__(self, store: DuelStore, counts: Counts) -> None:
        self._store = store
        self._counts = counts
        self._journals: dict[str, Journal] = {}

    def of(self, duel: str) -> Journal:
        """The journal that takes a duel's moves."""
        partition = partition_of(duel)
        journal = self._journals.get(partition)
        if journal is None:
            journal = self._journals[partition] = Journal(self._store, partition, self._counts)
        return journal

    @property
    def all(self) -> list[Journal]:
        """Of every partition that had a move."""
        return list(self._journals.values())

    @property
    def away(self) -> bool:
        """Whether all moves wait, because no primary that had some answers."""
        return bool(self._journals) and all(journal.away for journal in self.all)

    @property
    def waiting(self) -> int:
        """Moves that the store has not answered for."""
        return sum(journal.waiting for journal in self.all)

    async def flushed(self) -> None:
        """Until the store has answered for all that waits now; more may come meanwhile."""
        await asyncio.gather(*(journal.flushed() for journal in self.all))

    async def close(self) -> None:
        """Give up what still waits."""
        await asyncio.gather(*(journal.close() for journal in self.all))

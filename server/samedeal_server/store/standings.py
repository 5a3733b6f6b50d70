"""Standings of duels that other nodes play too: many duels share one call of the store."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from redis.exceptions import ResponseError

from samedeal_server.domain.duel import DuelId
from samedeal_server.store.client import Client
from samedeal_server.store.keys import due_key, duel_prefix, partition_of
from samedeal_server.store.scripts import load_script

__all__ = ["Progress", "StandingsReader"]

Progress = tuple[Mapping[str, str], Mapping[str, str]]
"""Each player's standing, and the node that holds the player ("" is away)."""

GATHER_S: Final = 0.02
"""A reading waits this long for company: nobody notices, and a call costs as much as ten duels."""

BATCH: Final = 64
"""Duels of one call: bounds how long the store does nothing else (64 of a thousand seats: 30 ms,
which nobody has; 64 of two seats: 0.2 ms)."""


class StandingsReader:
    """Gathers what is asked for, and asks once."""

    def __init__(self, redis: Client) -> None:
        self._script = load_script(redis, "standings")
        self._waiting: dict[str, dict[DuelId, asyncio.Future[Progress]]] = {}
        self._calls: set[asyncio.Task[None]] = set()

    async def read(self, duel: DuelId) -> Progress:
        """As the store has it after this call began. Raises the library's errors."""
        partition = partition_of(duel)
        batch = self._waiting.get(partition)
        if batch is None:
            batch = self._waiting[partition] = {}
            call = asyncio.get_running_loop().create_task(self._call(partition))
            self._calls.add(call)
            call.add_done_callback(self._calls.discard)
        answer = batch.get(duel)
        if answer is None:
            answer = batch[duel] = asyncio.get_running_loop().create_future()
        return await asyncio.shield(answer)

    async def close(self) -> None:
        """Who still waits is cancelled."""
        calls = list(self._calls)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        for batch in self._waiting.values():  # of calls that had not even begun
            for answer in batch.values():
                answer.cancel()
        self._waiting.clear()

    async def _call(self, partition: str) -> None:
        batch = self._waiting[partition]
        try:
            await asyncio.sleep(GATHER_S)
            del self._waiting[partition]
            duels = list(batch)
            for first in range(0, len(duels), BATCH):
                await self._ask(partition, duels[first : first + BATCH], batch)
        except Exception as error:
            for answer in batch.values():
                if not answer.done():
                    answer.set_exception(error)
                    answer.exception()  # whoever asked may be gone
        finally:
            if self._waiting.get(partition) is batch:
                del self._waiting[partition]
            for answer in batch.values():
                answer.cancel()

    async def _ask(
        self,
        partition: str,
        duels: Sequence[DuelId],
        batch: Mapping[DuelId, asyncio.Future[Progress]],
    ) -> None:
        found = await self._script([due_key(partition)], [duel_prefix(partition), *duels])
        for duel, read in zip(duels, found, strict=True):
            answer = batch[duel]
            if read is None:
                answer.set_exception(ResponseError(f"a key of duel {duel} is spoilt"))
                answer.exception()
            else:
                answer.set_result((_pairs(read[0]), _pairs(read[1])))


def _pairs(flat: Sequence[str]) -> dict[str, str]:
    return dict(zip(flat[::2], flat[1::2], strict=True))

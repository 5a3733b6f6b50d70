"""After the store was gone: is what players were told still there?"""

from __future__ import annotations

import structlog
from redis.exceptions import RedisError

from samedeal_server.domain.duel import Phase
from samedeal_server.metrics.counts import Counts
from samedeal_server.node.keeper import Keeper
from samedeal_server.node.room import Room
from samedeal_server.node.tables import Tables
from samedeal_server.store.duels import DuelStore
from samedeal_server.store.keys import partition_of

__all__ = ["Losses"]

_log = structlog.get_logger()


class Losses:
    """A replica that took over may lack the end of a journal, or a seat that was taken.

    The journal is the truth: the table is set anew from it, and the client, which knows what it was
    told, sends the missing tail again and tells its player.
    """

    def __init__(self, store: DuelStore, keeper: Keeper, tables: Tables, counts: Counts) -> None:
        self._store = store
        self._keeper = keeper
        self._tables = tables
        self._counts = counts

    async def look(self, partition: str) -> None:
        """Compare the tables here with their journals. Raises the library's errors."""
        moves = players = 0
        for room in self._keeper.rooms:
            if partition_of(room.duel.id) != partition or room.phase is not Phase.RUNNING:
                continue
            try:
                lost = await self._look_at(room)
            except RedisError:
                raise
            except Exception:
                _log.exception("a duel could not be compared", duel=room.duel.id)
            else:
                moves += sum(lost)
                self._counts.lost += sum(lost)
                players += len(lost)
        if players:
            _log.warning(
                "the store has lost acknowledged moves; players send them again",
                partition=partition,
                moves=moves,
                players=players,
            )

    async def _look_at(self, room: Room) -> list[int]:
        """How many moves of each player who lost some."""
        kept = {player: (table, table.kept) for player, table in room.tables.items()}
        tails = await self._store.tails(room.duel.id, list(kept))
        lost = []
        for (player, (table, told)), (length, epoch) in zip(kept.items(), tails, strict=True):
            if room.tables.get(player) is not table or table.stopped is not None:
                continue
            if epoch != table.epoch:
                self._tables.seat_lost(room, table, player)
            elif length < told:
                lost.append(told - length)
                self._tables.tail_lost(room, table, player)
        return lost

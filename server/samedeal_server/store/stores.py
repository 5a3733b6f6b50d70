"""All that a node keeps in the store, over one client."""

from __future__ import annotations

from samedeal_server.domain.duel import Timing
from samedeal_server.store.address import StoreTls
from samedeal_server.store.client import open_client
from samedeal_server.store.clock import DuelClock
from samedeal_server.store.confirmed import Confirmed
from samedeal_server.store.duels import DuelStore
from samedeal_server.store.open_duels import OpenDuelStore
from samedeal_server.store.partitions import Partitions
from samedeal_server.store.players import PlayerStore, QueueStore
from samedeal_server.store.replication import Replicas
from samedeal_server.store.tops import TopStore

__all__ = ["Stores"]


class Stores:
    """Connects at the first call of any of them."""

    def __init__(
        self,
        url: str,
        tls: StoreTls,
        node: str,
        timing: Timing,
        replicas: Replicas,
        players_kept_ms: int,
    ) -> None:
        """For the node with this id. Raises `ValueError` for a URL that is none."""
        self.client = client = open_client(url, tls=tls)
        self.partitions = Partitions(client)
        self.clock = DuelClock(client, self.partitions)
        self._confirmed = confirmed = Confirmed(client, replicas)
        self.duels = DuelStore(client, node, timing, self.clock, confirmed)
        self.players = PlayerStore(client, node, players_kept_ms, confirmed)
        self.queue = QueueStore(client, node)
        self.tops = TopStore(client, node)
        self.open_duels = OpenDuelStore(client, timing)

    async def close(self) -> None:
        """Close all connections."""
        await self.duels.close()
        await self._confirmed.close()
        await self.client.aclose()

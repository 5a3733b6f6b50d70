"""Partitions: chosen once, the same for all nodes, spread over the primaries; their clocks."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from redis.exceptions import RedisError
from tests.support.cluster import ValkeyCluster
from tests.support.sentinel import SentinelSet

from samedeal_server.store.client import open_client
from samedeal_server.store.clock import DuelClock
from samedeal_server.store.keys import PARTITIONS, clock_key, due_key
from samedeal_server.store.partitions import FIRST_PARTITION, PER_PRIMARY, Partitions


async def test_a_single_store_has_one(store_url: str) -> None:
    """And what another kind of store wrote before stays valid."""
    async with open_client(store_url) as client:
        await client.flushdb()
        first = Partitions(client)
        await first.agree()
        assert first.names == (FIRST_PARTITION,)
        await client.set(PARTITIONS, "p00 p07")
        await first.agree()
        assert first.names == ("p00", "p07")
        assert {first.draw() for _ in range(100)} == {"p00", "p07"}


async def test_a_cluster_has_some_for_each_primary(cluster: ValkeyCluster) -> None:
    """Of many nodes that start at once all know the same."""
    async with open_client(cluster.url) as client:
        seen = [Partitions(client) for _ in range(5)]
        await asyncio.gather(*(partitions.agree() for partitions in seen))
        names = seen[0].names
        assert all(partitions.names == names for partitions in seen)
        assert names[0] == FIRST_PARTITION
        owners = Counter(cluster.owner(due_key(name)) for name in names)
        assert owners == {0: PER_PRIMARY, 1: PER_PRIMARY, 2: PER_PRIMARY}


async def test_a_primary_whose_clock_differs_is_corrected(cluster: ValkeyCluster) -> None:
    """Its scripts tell the time of the first primary; two nodes correct it once."""
    async with open_client(cluster.url) as client:
        partitions = Partitions(client)
        await partitions.agree()
        other = next(
            p for p in partitions.names if cluster.owner(due_key(p)) != cluster.owner("{p00}")
        )
        # The machine of that primary is an hour ahead of what it was.
        await client.set(clock_key(other), 3_600_000)
        one, two = DuelClock(client, partitions), DuelClock(client, partitions)
        await asyncio.gather(one.measure(), two.measure())
        await asyncio.gather(one.measure(), two.measure())
        for clock in (one, two):
            assert abs(clock.correction_of(other)) < 1000
            assert clock.correction == 0
        assert one.correction_of(other) == two.correction_of(other)
        assert abs(one.now_ms() - two.now_ms()) < 100


async def test_a_store_of_another_kind_is_named(
    cluster: ValkeyCluster, sentinel_set: SentinelSet
) -> None:
    """Each slip in the URL is answered with what it should have been."""
    node, sentinel = cluster.nodes[0].port, sentinel_set.sentinels[0].port
    single = sentinel_set.primary().port
    for url, says in (
        (f"redis://127.0.0.1:{cluster.nodes[cluster.owner(PARTITIONS) - 1].port}", "redis+cluster"),
        (f"redis://127.0.0.1:{sentinel}", "redis+sentinel"),
        (f"redis+cluster://127.0.0.1:{single}", "Cluster mode is not enabled"),
        (f"redis+sentinel://127.0.0.1:{sentinel}/other", "'other'"),
        (f"redis+sentinel://127.0.0.1:{node}/duels", "and only they"),
    ):
        with pytest.raises(RedisError) as caught:
            async with open_client(url) as client:
                await Partitions(client).agree()
        assert says in str(caught.value), url
        assert len(str(caught.value)) < 200

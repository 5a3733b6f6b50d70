"""What operators are told about the store at hand."""

from __future__ import annotations

import pytest
from tests.support.cluster import ValkeyCluster
from tests.support.sentinel import SentinelSet

from samedeal_server.store.client import open_client
from samedeal_server.store.durability import durability
from samedeal_server.store.replication import Replicas


@pytest.mark.parametrize(
    ("appendonly", "appendfsync", "lossless", "word"),
    [
        ("yes", "always", True, "nothing acknowledged is lost"),
        ("yes", "everysec", False, "two seconds"),
        ("no", "always", False, "appendonly yes"),
    ],
)
async def test_operators_are_told_what_a_power_loss_loses(
    store_url: str, appendonly: str, appendfsync: str, lossless: bool, word: str
) -> None:
    """Design, "How long is kept": said honestly, to operators at start-up."""
    redis = open_client(store_url)
    before = await redis.config_get("append*")
    try:
        await redis.config_set("appendonly", appendonly)
        await redis.config_set("appendfsync", appendfsync)
        told = await durability(redis)
        assert told[0] is lossless
        assert word in told[1]
    finally:
        for name in ("appendonly", "appendfsync"):
            await redis.config_set(name, before[name])
        await redis.aclose()


async def test_operators_are_told_what_a_failover_loses(sentinel_set: SentinelSet) -> None:
    """Without waiting for replicas a window; with it nothing, if there are enough of them."""
    async with open_client(sentinel_set.url) as client:
        for acked, lossless, word in (
            (0, False, "A failover may lose the latest moves"),
            (1, True, "1 of 1 must have each move"),
            (2, False, "replicas connected are 1"),
        ):
            sentinel_set.primary().redis.config_set("appendfsync", "always")
            told = await durability(client, Replicas(acked))
            assert told[0] is lossless
            assert word in told[1]
        sentinel_set.primary().redis.config_set("appendfsync", "everysec")


async def test_of_a_cluster_the_weakest_primary_is_told(cluster: ValkeyCluster) -> None:
    """One without an append-only file is enough to lose something."""
    async with open_client(cluster.url) as client:
        assert (await durability(client))[0] is True
        cluster.nodes[1].redis.config_set("appendfsync", "everysec")
        assert "two seconds" in (await durability(client))[1]
        cluster.nodes[2].redis.config_set("appendonly", "no")
        assert (await durability(client))[0] is False
        cluster.nodes[1].redis.config_set("appendfsync", "always")
        cluster.nodes[2].redis.config_set("appendonly", "yes")

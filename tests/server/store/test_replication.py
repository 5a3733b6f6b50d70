"""Waiting for replicas, and the connections that do it, on a real Sentinel set and a Cluster."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest
from tests.support.cluster import ValkeyCluster
from tests.support.nodes import eventually
from tests.support.sentinel import SentinelSet
from tests.support.valkeys import Valkey, free_ports

from samedeal_server.store.client import open_client
from samedeal_server.store.confirmed import Confirmed
from samedeal_server.store.keys import due_key, mark_key, player_key
from samedeal_server.store.line import Line
from samedeal_server.store.replication import Replicas, ReplicationLags

KEY = due_key("p00")


def test_a_mark_is_in_the_slot_of_what_is_waited_for() -> None:
    """With a tag in braces and without."""
    assert mark_key(KEY) == "sd:{p00}:mark"
    assert mark_key(player_key("abc")) == "sd:{sd:p:abc}:mark"


async def test_a_replica_that_hangs_has_nothing(sentinel_set: SentinelSet) -> None:
    """Also for a new connection, which wrote nothing that the store could wait for by itself."""
    async with open_client(sentinel_set.url) as client:
        replicas = Replicas(1, 100)
        replica = sentinel_set.replica()
        replica.signal(signal.SIGSTOP)
        try:
            line = Line(client, KEY, replicas)
            with pytest.raises(ReplicationLags):
                await line.confirm(KEY)
            await line.close()
        finally:
            replica.signal(signal.SIGCONT)
        line = Line(client, KEY, Replicas(1, 2000))
        await eventually(lambda: _confirmed(line))
        await line.close()


async def test_a_primary_that_is_made_a_replica_while_it_waits(tmp_path: Path) -> None:
    """It lets go of who waits with an error of its own: the store is away, and no fault of ours."""
    (port,) = free_ports(1)
    valkey = Valkey(tmp_path / "v", port).start()
    try:
        async with open_client(f"redis://127.0.0.1:{port}") as client:
            line = Line(client, KEY, Replicas(1, 3000))
            waiting = asyncio.create_task(line.confirm(KEY))
            await eventually(lambda: valkey.redis.info("clients")["blocked_clients"] == 1)
            valkey.redis.replicaof("127.0.0.1", "1")
            with pytest.raises(ReplicationLags):
                await waiting
            await line.close()
    finally:
        valkey.kill()


async def _confirmed(line: Line) -> bool:
    try:
        await line.confirm(KEY)
    except ReplicationLags:
        return False
    return True


async def test_many_share_a_wait(sentinel_set: SentinelSet) -> None:
    """A hundred callers at once cost a few round trips; all are confirmed or all are told."""
    async with open_client(sentinel_set.url) as client:
        confirmed = Confirmed(client, Replicas(1, 1000))
        before = sentinel_set.primary().redis.info("stats")["total_commands_processed"]
        await asyncio.gather(*(confirmed.of(player_key(f"p{n}")) for n in range(100)))
        after = sentinel_set.primary().redis.info("stats")["total_commands_processed"]
        assert after - before < 100
        sentinel_set.replica().redis.replicaof("127.0.0.1", 1)
        short = Confirmed(client, Replicas(1, 50))
        told = await asyncio.gather(*(short.of(KEY) for _ in range(20)), return_exceptions=True)
        assert {type(error) for error in told} == {ReplicationLags}
        await confirmed.close()
        await short.close()


async def test_each_primary_of_a_cluster_waits_for_itself(cluster: ValkeyCluster) -> None:
    """Keys of all primaries; here nobody has a replica, and that is said."""
    async with open_client(cluster.url) as client:
        confirmed = Confirmed(client, Replicas(1, 50))
        for number in range(20):
            with pytest.raises(ReplicationLags):
                await confirmed.of(player_key(f"p{number}"))
        assert len(confirmed._rounds) == 3
        await confirmed.close()
        assert [await Confirmed(client).of(KEY) for _ in range(2)] == [None, None]


async def test_a_slot_that_has_moved_takes_no_other_with_it(cluster: ValkeyCluster) -> None:
    """A wait is at the primary of what is asked about, wherever what was asked before is now."""
    names = [due_key(f"p{number:02}") for number in range(100)]
    source = cluster.owner(KEY)
    target = (source + 1) % 3
    stays = next(key for key in names if key != KEY and cluster.owner(key) == source)
    async with open_client(cluster.url) as client:
        confirmed = Confirmed(client, Replicas(1, 50))
        with pytest.raises(ReplicationLags):
            await confirmed.of(KEY)
        cluster.begin_move(KEY, target)
        cluster.move_keys(KEY, source, target)
        cluster.end_move(KEY, target)
        try:
            with pytest.raises(ReplicationLags):
                await confirmed.of(stays)
            assert cluster.nodes[source].redis.exists(mark_key(stays))
        finally:
            cluster.begin_move(KEY, source)
            cluster.move_keys(KEY, target, source)
            cluster.end_move(KEY, source)
            cluster.agree()
            await confirmed.close()


async def test_a_fault_of_ours_in_one_wait_is_not_that_of_the_next(
    sentinel_set: SentinelSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever shares the wait hears it; who comes later gets an answer."""
    confirm, calls = Line.confirm, 0

    async def fails_once(line: Line, key: str) -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            await asyncio.sleep(0.05)
            raise ValueError("ours")
        await confirm(line, key)

    monkeypatch.setattr(Line, "confirm", fails_once)
    async with open_client(sentinel_set.url) as client:
        confirmed = Confirmed(client, Replicas(1, 2000))
        first = asyncio.create_task(confirmed.of(KEY))
        await eventually(lambda: calls == 1)
        await confirmed.of(KEY)
        with pytest.raises(ValueError, match="ours"):
            await first
        await confirmed.close()

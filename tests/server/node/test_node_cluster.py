"""Duels on a real Cluster of three primaries: slots that move, primaries that die."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.support.cluster import ValkeyCluster, running_cluster
from tests.support.nodes import eventually, nodes
from tests.support.player import Player, opponents

from samedeal_rules.duel_record import verify_duel_record
from samedeal_server.node.node import Node
from samedeal_server.store.keys import due_key, partition_of


def _scores(standings: dict[str, Any]) -> list[int]:
    return [row["score"] for row in standings["rows"]]


async def _play_to_the_end(ann: Player, bob: Player) -> None:
    for player in (ann, bob):
        assert (await player.play("d"))["type"] == "applied"
        assert (await player.play("end"))["ended"] == "finish"
    results = [await player.until("result") for player in (ann, bob)]
    assert results[0] == results[1]
    record = (await ann.ask("record"))["text"]
    assert all(check.ok for check in verify_duel_record(record))


async def test_duels_through_two_nodes(cluster: ValkeyCluster) -> None:
    """In every partition: each sees the other's moves, one result, a record that verifies."""
    async with nodes(cluster.url, 2) as (one, two):
        names = one.partitions.names
        assert names == two.partitions.names
        assert {cluster.owner(due_key(name)) for name in names} == {0, 1, 2}
        for name in names:
            one.partitions.names = (name,)  # the next duel goes there
            async with opponents(one.port, two.port, duration_ms=60_000) as (ann, bob):
                assert partition_of(ann.last("duel")["id"]) == name
                score = (await ann.play("d"))["score"]
                await bob.until("standings", lambda m, score=score: score in _scores(m))
                await _play_to_the_end(ann, bob)


async def test_a_slot_that_moves_under_play(cluster: ValkeyCluster) -> None:
    """While half of its keys are elsewhere moves wait; then they are kept once, in order."""
    async with (
        nodes(cluster.url, 2) as (one, two),
        opponents(one.port, two.port, duration_ms=60_000) as (ann, bob),
    ):
        duel = ann.last("duel")["id"]
        assert (await ann.play("d"))["type"] == "applied"
        key = due_key(partition_of(duel))
        source = cluster.owner(key)
        target = (source + 1) % 3
        cluster.begin_move(key, target)
        assert cluster.move_keys(key, source, target, part=":j:") == 1
        for _ in range(3):
            await ann.move("d")
        await asyncio.sleep(0.3)
        assert cluster.move_keys(key, source, target, part=":due") == 1
        await asyncio.sleep(0.3)
        while cluster.move_keys(key, source, target):
            pass
        await asyncio.sleep(0.3)
        cluster.end_move(key, target)
        assert cluster.owner(key) == target
        for seq in (1, 2, 3):
            assert (await ann.until("applied", seq=seq))["seq"] == seq
        await bob.until("standings", lambda m: ann.last("applied")["score"] in _scores(m))
        await _play_to_the_end(ann, bob)
        journal = await one.store.journal(duel, ann.id)  # type: ignore[arg-type]
        assert [entry.split(" ")[1] for entry in journal] == ["d"] * 5 + ["end"]


@asynccontextmanager
async def _duel_in(partition: str, one: Node, two: Node) -> AsyncIterator[list[Player]]:
    names, one.partitions.names = one.partitions.names, (partition,)
    try:
        async with opponents(one.port, two.port, duration_ms=60_000) as players:
            one.partitions.names = names
            yield players
    finally:
        one.partitions.names = names


async def test_a_primary_that_is_killed_and_comes_back(cluster: ValkeyCluster) -> None:
    """Duels on it wait and go on; duels on the others do not notice."""
    async with nodes(cluster.url, 2) as (one, two):
        names = one.partitions.names
        here = names[0]
        there = next(n for n in names if cluster.owner(due_key(n)) != cluster.owner(due_key(here)))
        async with (
            _duel_in(here, one, two) as (ann, bob),
            _duel_in(there, one, two) as (eve, dan),
        ):
            for player in (ann, bob, eve, dan):
                assert (await player.play("d"))["type"] == "applied"
            victim = cluster.nodes[cluster.owner(due_key(here))]
            victim.kill()
            for _ in range(3):
                await ann.move("d")
            for player in (eve, dan):
                assert (await player.play("d"))["type"] == "applied"
            assert len(ann.seen("applied")) == 1
            await asyncio.to_thread(victim.start)
            await asyncio.to_thread(cluster.agree)
            await ann.until("applied", seq=3)
            await _play_to_the_end(ann, bob)
            await _play_to_the_end(eve, dan)
            journal = await one.store.journal(ann.last("duel")["id"], ann.id)  # type: ignore[arg-type]
            assert [entry.split(" ")[1] for entry in journal] == ["d"] * 5 + ["end"]


async def test_a_replica_takes_over(tmp_path: Path) -> None:
    """The partitions of a killed primary go on with its replica; nobody has to come back."""
    with running_cluster(tmp_path / "cluster", replica=True) as cluster:
        async with nodes(cluster.url, 2) as (one, two):
            here = next(n for n in one.partitions.names if cluster.owner(due_key(n)) == 0)
            async with _duel_in(here, one, two) as (ann, bob):
                for player in (ann, bob):
                    assert (await player.play("d"))["type"] == "applied"
                cluster.nodes[0].redis.wait(1, 5000)
                await asyncio.to_thread(cluster.nodes[0].kill)
                for _ in range(3):
                    await ann.move("d")
                await ann.until("applied", seq=3)
                score = ann.last("applied")["score"]
                await bob.until("standings", lambda m: score in _scores(m))
                await _play_to_the_end(ann, bob)
                assert cluster.nodes[3].redis.role()[0] == "master"


async def test_what_is_outside_of_partitions(cluster: ValkeyCluster) -> None:
    """Queue, leaderboards and players are in slots of their own; nodes tell each other."""
    async with nodes(cluster.url, 2) as (one, two):
        ann, bob = await Player.hello(one.port, "Ann"), await Player.hello(two.port, "Bob")
        for player in (ann, bob):
            await player.ask("queue")
        for player in (ann, bob):
            await player.until("duel", phase="ready_check")
            await player.ready()
        for player in (ann, bob):
            await player.until("snapshot")
        again = await ann.again(two.port)
        assert await ann.end() == 4001
        await again.has("snapshot")
        for player in (again, bob):
            assert (await player.play("end"))["ended"] == "finish"
        for player in (again, bob):
            await player.until("result")
        rows = await eventually(lambda: _top(bob))
        assert sorted(row["name"] for row in rows) == ["Ann", "Bob"]
        await asyncio.gather(again.ask("rematch"), bob.ask("rematch"))
        new = {(await player.until("duel", phase="ready_check"))["id"] for player in (again, bob)}
        assert len(new) == 1
        for player in (again, bob):
            await player.close()


async def test_open_duels_of_all_partitions_are_told(cluster: ValkeyCluster) -> None:
    """Wherever each is: another node reads them all, and drops what is gone."""
    async with nodes(cluster.url, 2) as (one, two):
        names, hosts, codes = one.partitions.names, [], []
        for name in names:
            one.partitions.names = (name,)  # the next duel goes there
            hosts.append(await Player.hello(one.port))
            codes.append((await hosts[-1].create(listed=True))["code"])
        one.partitions.names = names
        looker = await Player.hello(two.port)

        async def told() -> list[str]:
            return [row["code"] for row in (await looker.ask("open"))["rows"]]

        assert await told() == codes[::-1]
        await looker.join(codes[0])
        for host in hosts:
            await host.ask("leave")
            await host.close()

        async def nothing_kept() -> bool:
            return await told() == [] and not await one._redis.exists("sd:open")

        await eventually(nothing_kept)
        await looker.close()


async def _top(player: Player) -> list[dict[str, Any]]:
    rows = (await player.ask("top", table="timed", count=10))["rows"]
    return rows if len(rows) == 2 else []

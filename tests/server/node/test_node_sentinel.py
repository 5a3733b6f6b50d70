"""Duels on a real Sentinel set whose primary is killed, waiting for replicas and not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.support.nodes import eventually, nodes
from tests.support.player import Player, opponents
from tests.support.sentinel import SentinelSet

from samedeal_client.connection import Connection
from samedeal_client.events import Event, TailLost
from samedeal_protocol import Create, Snapshot
from samedeal_server.node.node import Node

MOVES_AFTER = 40


async def _journal(node: Node, duel: str, player: str) -> list[str]:
    entries = await node.store.journal(duel, player)  # type: ignore[arg-type]
    return [entry.split(" ")[1] for entry in entries]


def _cut_off_the_replica(found: SentinelSet) -> None:
    """It gets nothing more from its primary."""
    found.replica().redis.replicaof("127.0.0.1", 1)


async def _keep_playing(player: Player, stop: asyncio.Event) -> None:
    """A move each few milliseconds, up to ten on their way."""
    while not stop.is_set():
        answered = len(player.seen("applied")) + len(player.seen("refused"))
        if player.next_seq - answered < 10:
            await player.move("du"[player.next_seq % 2])
        await asyncio.sleep(0.003)


async def test_what_was_acknowledged_survives_the_primary(sentinel_set: SentinelSet) -> None:
    """With a replica that must have it first, `kill -9` of the primary under play loses nothing."""
    async with nodes(sentinel_set.url, 2, replicas_acked=1, replicas_timeout_ms=200) as there:
        ports = [node.port for node in there] * 2
        async with opponents(*ports, duration_ms=120_000) as players:
            duel = players[0].last("duel")["id"]
            stop = asyncio.Event()
            playing = [asyncio.create_task(_keep_playing(player, stop)) for player in players]
            await asyncio.sleep(0.5)
            _cut_off_the_replica(sentinel_set)
            await asyncio.sleep(0.1)  # what comes now will be lost, and must not be acknowledged
            await asyncio.to_thread(sentinel_set.fail_over)
            await asyncio.to_thread(sentinel_set.restore)  # a replica for the new one
            before = [len(player.seen("applied")) for player in players]
            assert min(before) > 20
            await eventually(
                lambda: all(
                    len(player.seen("applied")) > count + MOVES_AFTER
                    for player, count in zip(players, before, strict=True)
                )
            )
            stop.set()
            await asyncio.gather(*playing)
            for player in players:
                await eventually(lambda p=player: len(p.seen("applied")) >= p.next_seq)
                assert player.seen("refused") == []
                told = [(m["seq"], m["move"]) for m in player.seen("applied")]
                assert [seq for seq, _ in told] == list(range(player.next_seq))
                assert await _journal(there[0], duel, player.id) == [move for _, move in told]


async def test_nothing_is_acknowledged_while_replicas_lag(sentinel_set: SentinelSet) -> None:
    """Moves wait; once a replica has caught up they are kept, once each."""
    async with (
        nodes(sentinel_set.url, 2, replicas_acked=1, replicas_timeout_ms=100) as (one, two),
        opponents(one.port, two.port, duration_ms=60_000) as (ann, _bob),
    ):
        assert (await ann.play("d"))["type"] == "applied"
        _cut_off_the_replica(sentinel_set)
        for _ in range(3):
            await ann.move("d")
        await asyncio.sleep(0.7)
        assert one.journals.away
        assert len(ann.seen("applied")) == 1
        # They are in the primary, but who comes back is not told of them either.
        assert len(sentinel_set.primary().redis.keys("sd:*:j:*")) == 1
        sentinel_set.replica().redis.replicaof("127.0.0.1", sentinel_set.primary().port)
        await ann.until("applied", seq=3)
        assert await _journal(one, ann.last("duel")["id"], ann.id) == ["d"] * 4


@asynccontextmanager
async def _seated(port: int, code: str = "") -> AsyncIterator[tuple[Connection, list[Event]]]:
    """A real client at the table, and all that it hears."""
    heard: list[Event] = []

    async def listen(connection: Connection) -> None:
        async for event in connection.events():
            heard.append(event)  # noqa: PERF401 - read while it grows

    async with Connection(f"ws://127.0.0.1:{port}/ws", name=f"player {code or 'A'}") as connection:
        task = asyncio.create_task(listen(connection))
        if code:
            await connection.join(code)
        else:
            await connection.request(Create(req=0, seats=2, duration_ms=60_000))
        await connection.ready()
        yield connection, heard
        task.cancel()


async def test_a_lost_tail_is_noticed_sent_again_and_said(sentinel_set: SentinelSet) -> None:
    """Without waiting for replicas: also of a player who makes no move after the failover."""
    async with (
        nodes(sentinel_set.url, 2) as (one, two),
        _seated(one.port) as (ann, ann_heard),
    ):
        assert ann.duel is not None
        async with _seated(two.port, ann.duel.code) as (bob, bob_heard):
            for heard in (ann_heard, bob_heard):
                await eventually(lambda h=heard: any(isinstance(e, Snapshot) for e in h))
            assert ann.duel is not None
            duel = ann.duel.id
            await ann.play_and_wait("d")
            await bob.play_and_wait("d")
            await asyncio.to_thread(sentinel_set.catch_up)
            _cut_off_the_replica(sentinel_set)
            for _ in range(5):
                await ann.play_and_wait("d")
            await bob.play_and_wait("d")
            await asyncio.to_thread(sentinel_set.fail_over)
            await eventually(lambda: TailLost(5) in ann_heard)
            await eventually(lambda: TailLost(1) in bob_heard)
            assert (one.counts.lost, two.counts.lost) == (5, 1)
            await ann.play_and_wait("d")
            await eventually(lambda: bob.table is not None and not bob.table.pending)
            names = {ann.player: 7, bob.player: 2}
            for player, count in names.items():
                await eventually(
                    lambda p=player, c=count: _has(one, duel, p, c)  # type: ignore[misc]
                )


async def _has(node: Node, duel: str, player: str, count: int) -> bool:
    return await _journal(node, duel, player) == ["d"] * count


async def test_a_seat_that_the_failover_forgot_is_taken_again(sentinel_set: SentinelSet) -> None:
    """A player who came back just before it is not told to be connected elsewhere."""
    async with (
        nodes(sentinel_set.url) as (node,),
        opponents(node.port, node.port, duration_ms=60_000) as (ann, bob),
    ):
        assert (await ann.play("d"))["type"] == "applied"
        await asyncio.to_thread(sentinel_set.catch_up)
        _cut_off_the_replica(sentinel_set)
        again = await ann.again(node.port)
        await again.until("snapshot")
        assert (await again.play("d"))["type"] == "applied"
        await asyncio.to_thread(sentinel_set.fail_over)
        assert await again.end() == 1012
        third = await again.again(node.port)
        assert (await third.until("snapshot"))["seq"] == 1
        assert (await third.play("d", 1))["type"] == "applied"
        await third.close()
        assert (await bob.play("d"))["type"] == "applied"

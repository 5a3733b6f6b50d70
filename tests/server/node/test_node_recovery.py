"""What a node does after something went wrong: it goes on by itself, for everybody else too."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError  # noqa: A004
from websockets.exceptions import ConnectionClosed

from samedeal_server.node import tables as tables_module
from samedeal_server.node.room import Room
from samedeal_server.node.sweeper import Sweeper
from samedeal_server.store.duels import Entry, Stored
from support.games import line
from support.nodes import eventually, nodes
from support.player import Player, opponents


async def test_a_duel_that_cannot_be_read_keeps_no_news_from_others(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a gap all duels are read anew; one that fails is logged, and passed over."""
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, two.port, duration_ms=60_000) as (ann, _bob),
        opponents(one.port, two.port, duration_ms=60_000) as (eve, dan),
        Redis.from_url(store_url) as redis,
    ):
        broken = ann.last("duel")["id"]
        read = two.store.read
        tried = 0

        async def fails(duel: Any) -> Stored | None:
            nonlocal tried
            if duel == broken:
                tried += 1
                raise ValueError("a document that nobody can read")
            return await read(duel)

        monkeypatch.setattr(two.store, "read", fails)
        await redis.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
        await eventually(lambda: tried)
        score = (await eve.play("d"))["score"]
        await dan.until("standings", lambda m: any(r["score"] == score for r in m["rows"]))


async def test_a_duel_that_cannot_be_read_keeps_no_other_from_its_end(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sweeper ends the overdue duels behind it all the same."""
    async with nodes(store_url) as (node,):
        ended: list[str] = []

        async def due(*_args: Any) -> list[str]:
            return ["p00broken", "p00other"]

        async def read(duel: str) -> Stored | None:
            if duel == "p00broken":
                raise ValueError("a document that nobody can read")
            return None

        async def forget(duel: str) -> None:
            ended.append(duel)

        monkeypatch.setattr(node.store, "claim_due", due)
        monkeypatch.setattr(node.store, "read", read)
        monkeypatch.setattr(node.store, "forget_due", forget)
        await Sweeper(node.store, node.keeper, node.clock, node.partitions).sweep("p00")
        assert ended == ["p00other"]


async def test_who_goes_while_the_old_room_is_left_is_nowhere(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a finished duel into a new one, and the connection ends in between: no ghost sits."""
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, node.port, duration_ms=60_000) as (ann, bob),
    ):
        await asyncio.gather(ann.play("end"), bob.play("end"))
        await asyncio.gather(ann.until("result"), bob.until("result"))
        places = node.lobby._places
        leaving = places.leaving
        left = asyncio.Event()

        async def slow(*args: Any) -> None:
            monkeypatch.undo()
            await ann.cut()
            await eventually(lambda: node.connections == 1)
            await leaving(*args)
            left.set()

        monkeypatch.setattr(places, "leaving", slow)
        await ann.send("create", req=99)
        await left.wait()
        await eventually(lambda: [list(room.members) for room in node.keeper.rooms] == [[bob.id]])


async def test_what_a_node_knows_of_a_duel_is_what_it_wrote_last(store_url: str) -> None:
    """So that a change can be tried on it without reading first."""
    async with nodes(store_url) as (node,):
        ann, bob = await Player.hello(node.port), await Player.hello(node.port)
        await bob.join((await ann.create(seats=3))["code"])
        (room,) = node.keeper.rooms
        assert room.stored.duel is room.duel
        assert len(room.duel.seated) == 2
        await ann.close()
        await bob.close()


async def test_coming_and_going_elsewhere_makes_no_flood_of_standings(store_url: str) -> None:
    """However often somebody connects to the other node: so many a second and no more."""
    async with (
        nodes(store_url, 2, standings_hz=2) as (one, two),
        opponents(one.port, two.port, duration_ms=60_000) as (ann, bob),
    ):
        loop = asyncio.get_running_loop()
        before, began = len(ann.seen("standings")), loop.time()
        for _ in range(30):
            bob = await bob.again(two.port)
            await bob.close()
        most = (loop.time() - began) * 2 + 2
        assert len(ann.seen("standings")) - before <= most
        await ann.until("standings", lambda m: any(r["state"] == "away" for r in m["rows"]))


async def test_standings_go_out_although_more_happens_while_they_are_read(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy duel of two nodes something always does."""
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, two.port, duration_ms=60_000) as (ann, bob),
    ):
        read = two.store.standings

        async def busy(duel: Any) -> Any:
            found = await read(duel)
            two.keeper.progressed(duel)
            return found

        monkeypatch.setattr(two.store, "standings", busy)
        await ann.play("d")
        await ann.play("u")
        score = ann.last("applied")["score"]
        await bob.until("standings", lambda m: any(r["score"] == score for r in m["rows"]))


async def test_standings_come_again_once_the_store_does(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if nothing more happens in the duel."""
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, two.port, duration_ms=60_000) as (ann, bob),
    ):
        read = two.store.standings
        tries = 0

        async def away(duel: Any) -> Any:
            nonlocal tries
            tries += 1
            if tries < 5:
                raise ConnectionError("away")
            return await read(duel)

        monkeypatch.setattr(two.store, "standings", away)
        await ann.play("d")
        await ann.play("u")
        score = ann.last("applied")["score"]
        await bob.until("standings", lambda m: any(r["score"] == score for r in m["rows"]))


async def test_a_table_is_set_anew_once_the_store_answers(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch failed, and the store is away when the journal is asked for: the player goes on."""
    monkeypatch.setattr(tables_module, "RETRY_S", 0.05)
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, node.port, duration_ms=60_000) as (ann, _bob),
    ):
        commit, journal = node.store.commit, node.store.journal
        tries = 0

        async def broken(*_args: Any) -> list[int]:
            monkeypatch.setattr(node.store, "commit", commit)
            raise ValueError("a bug")

        async def away(*args: Any) -> list[str]:
            nonlocal tries
            tries += 1
            if tries < 4:
                raise ConnectionError("away")
            return await journal(*args)

        monkeypatch.setattr(node.store, "commit", broken)
        monkeypatch.setattr(node.store, "journal", away)
        assert (await ann.play("d"))["code"] == "lost"
        await ann.until("snapshot", seq=0)
        assert (await ann.play("d"))["type"] == "applied"
        # A repeated move is looked up, and is no conflict because the store was away.
        tries = 0
        assert (await ann.play("d", seq=0))["type"] == "applied"


async def test_who_cannot_be_brought_back_is_sent_away_to_come_again(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Greeted, and then the store goes away: nobody sits in front of a duel that never comes."""
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, node.port, duration_ms=60_000) as (ann, _bob),
    ):
        await ann.cut()

        async def away(*_args: Any) -> None:
            raise ConnectionError("away")

        monkeypatch.setattr(node.store, "attach", away)
        back = await ann.again(node.port)
        assert await back.end() == 1013
        monkeypatch.undo()
        back = await back.again(node.port)
        await back.has("snapshot")
        await back.close()


async def test_a_node_stops_in_time_although_moves_keep_coming(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for the moves that are there, closes, and keeps what came until then."""
    moves = line("load", 3000)
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, node.port, seed="load", duration_ms=60_000) as players,
    ):
        commit = node.store.commit

        async def slow(*args: Any) -> list[int]:
            await asyncio.sleep(0.02)
            return await commit(*args)

        async def go(player: Player) -> None:
            with suppress(ConnectionClosed):
                for move in moves:
                    await player.move(move)
                    await asyncio.sleep(0.003)

        monkeypatch.setattr(node.store, "commit", slow)
        going = [asyncio.create_task(go(player)) for player in players]
        await asyncio.sleep(0.3)
        async with asyncio.timeout(3):
            await node.stop()
        await asyncio.gather(*going)
        assert all(player.seen("applied") for player in players)
        assert all(journal._settled == journal._added for journal in node.journals.all)


async def test_a_node_that_stops_waits_for_what_is_under_way(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that has been taken up is done before the connections to the store are closed."""
    async with nodes(store_url) as (node,):
        ann = await Player.hello(node.port)
        by_code = node.store.by_code
        begun, done = asyncio.Event(), asyncio.Event()

        async def slow(code: str) -> Any:
            begun.set()
            await asyncio.sleep(0.3)
            found = await by_code(code)
            done.set()
            return found

        monkeypatch.setattr(node.store, "by_code", slow)
        await ann.send("join", req=1, code="ACDEFH")
        await begun.wait()
        await node.stop()
        assert done.is_set()


async def test_a_node_that_has_stopped_has_no_timers(store_url: str) -> None:
    """Nothing of a duel that runs on elsewhere calls the store again from here."""
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, node.port, duration_ms=500) as (_ann, _bob),
    ):
        (room,) = node.keeper.rooms
        node.keeper.close()
        node.keeper.show(room, room.stored)
        node.keeper._arm(room)
        assert room.timer is None


async def test_a_start_that_comes_late_sets_tables_as_journals_say(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player who has moved elsewhere meanwhile keeps what was acknowledged there."""
    async with nodes(store_url, 2) as (one, two):
        ann, bob = await Player.hello(one.port), await Player.hello(one.port)
        eve = await Player.hello(two.port)
        made = await ann.create(seats=3, duration_ms=60_000, seed="late")
        await bob.join(made["code"])
        held = asyncio.Event()
        begin = two.keeper._begin

        async def late(room: Room) -> None:
            await held.wait()
            await begin(room)

        monkeypatch.setattr(two.keeper, "_begin", late)
        await eve.join(made["code"])
        await asyncio.gather(*(player.ready() for player in (ann, bob, eve)))
        await ann.until("snapshot")
        for move in line("late", 3):
            assert (await ann.play(move))["type"] == "applied"
        again = await ann.again(two.port)
        await again.until("duel")
        held.set()
        assert (await again.until("snapshot"))["seq"] == 3
        assert (await again.play(line("late", 4)[3], 3))["type"] == "applied"
        assert (await eve.until("snapshot"))["seq"] == 0


async def test_a_repeated_move_is_kept_no_more_than_the_first(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sent again while the store decides, which then refuses it: both are refused."""
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, node.port, seed="again", duration_ms=60_000) as (ann, _bob),
    ):
        decided = asyncio.Event()

        async def sealed(_partition: str, entries: list[Entry]) -> list[int]:
            await decided.wait()
            return [-1] * len(entries)

        monkeypatch.setattr(node.store, "commit", sealed)
        await ann.move("d", 0)
        await ann.move("d", 0)
        await ann.send("ping", id=7)
        await ann.until("pong")
        decided.set()
        answers = [await ann.until_any({"applied", "refused"}) for _ in range(2)]
        assert [answer["type"] for answer in answers] == ["refused", "refused"]

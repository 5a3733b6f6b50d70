"""When things go wrong: the store away, news cut off, our own code, coming and going."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from samedeal_server.node import keeper as keeper_module
from samedeal_server.node.node import running_node
from samedeal_server.node.room import Room
from samedeal_server.store.embedded import close_embedded, embedded_store, open_embedded
from support.games import game_after, line
from support.nodes import eventually, nodes, quick_settings
from support.player import Answered, Player, opponents


async def test_a_frozen_store_makes_moves_wait_and_loses_none(tmp_path: Path) -> None:
    """Nothing is acknowledged that is not kept; after the return everything goes on."""
    moves = line("frozen", 24)
    async with (
        embedded_store(tmp_path / "s") as store,
        running_node(quick_settings(), store.url) as one,
        running_node(quick_settings(), store.url) as two,
        opponents(one.port, two.port, seed="frozen", duration_ms=60_000) as (ann, bob),
    ):
        for move in moves[:8]:
            await ann.play(move)
        os.kill(store.pid, signal.SIGSTOP)
        try:
            for move in moves[8:]:
                await ann.move(move)
            await bob.move("d")
            await asyncio.sleep(2)
            assert len(ann.seen("applied")) <= 8
            assert not ann.seen("refused")
        finally:
            os.kill(store.pid, signal.SIGCONT)
        await ann.until("applied", seq=23)
        assert [m["seq"] for m in ann.seen("applied")] == list(range(24))
        await bob.until("applied", seq=0)
        await eventually(lambda: {r["state"] for r in bob.last("standings")["rows"]} == {"playing"})
        game = game_after("frozen", moves)
        assert (await ann.ask("sync"))["score"] == game.score
        await ann.play("end")
        assert (await bob.play("end"))["ended"] == "finish"
        await asyncio.gather(ann.until("result"), bob.until("result"))


async def test_a_restarted_store_loses_nothing_acknowledged(tmp_path: Path) -> None:
    """Case 55: killed in the middle, there again: moves, standings and news go on."""
    moves = line("restart", 20)
    data = tmp_path / "s"
    store = await open_embedded(data)
    try:
        async with (
            running_node(quick_settings(), store.url) as one,
            running_node(quick_settings(), store.url) as two,
            opponents(one.port, two.port, seed="restart", duration_ms=60_000) as (ann, bob),
        ):
            for move in moves[:10]:
                await ann.play(move)
            os.kill(store.pid, signal.SIGKILL)
            await asyncio.sleep(0.2)
            for move in moves[10:15]:
                await ann.move(move)
            with pytest.raises(Answered, match="store_away"):
                await bob.ask("where")
            again = await open_embedded(data)
            try:
                assert again.url == store.url
                for move in moves[15:]:
                    await ann.move(move)
                await ann.until("applied", seq=19)
                assert [m["seq"] for m in ann.seen("applied")] == list(range(20))
                score = ann.last("applied")["score"]
                await eventually(
                    lambda: any(r["score"] == score for r in bob.last("standings")["rows"])
                )
                assert (await bob.play("d"))["type"] == "applied"
                await asyncio.gather(ann.play("end"), bob.play("end"))
                await asyncio.gather(ann.until("result"), bob.until("result"))
            finally:
                await close_embedded(again)
    finally:
        await close_embedded(store)


async def test_the_subscriber_comes_back(store_url: str) -> None:
    """Case 55: its connection is killed: standings go on, with one listener, not two."""
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, two.port, seed="news", duration_ms=60_000) as (ann, bob),
        Redis.from_url(store_url, decode_responses=True) as redis,
    ):
        moves = line("news", 12)
        for _ in range(2):
            await redis.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
            for _ in range(3):
                await ann.play(moves[ann.next_seq])
        score = ann.last("applied")["score"]
        await eventually(lambda: any(r["score"] == score for r in bob.last("standings")["rows"]))

        async def listeners() -> bool:
            counts = await redis.execute_command(
                "PUBSUB", "SHARDNUMSUB", f"sd:{{p00}}:n:{two.id}", f"sd:{{p00}}:n:{one.id}"
            )
            return list(counts[1::2]) == [1, 1]

        await eventually(listeners)
        answer = await ann.play(moves[ann.next_seq])
        await eventually(
            lambda: any(r["score"] == answer["score"] for r in bob.last("standings")["rows"])
        )


async def test_after_a_gap_all_is_read_anew(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 55: also when the library has connected again by itself, and told nobody."""
    async with (
        nodes(store_url) as (node,),
        Redis.from_url(store_url) as redis,
    ):
        missed = 0
        refresh_all = node._news._missed

        async def counted(partition: str) -> None:
            nonlocal missed
            missed += 1
            await refresh_all(partition)

        monkeypatch.setattr(node._news, "_missed", counted)
        for times in (1, 2):
            await redis.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
            await eventually(lambda times=times: missed >= times)


async def test_a_game_whose_code_fails_ends_only_its_duel(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Logged, aborted with an incident, what was drawn is shown; the other duel plays on."""
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, node.port, duration_ms=60_000) as (ann, bob),
        opponents(node.port, node.port, duration_ms=60_000) as (eve, _dan),
    ):
        room = node.keeper.find(ann.last("duel")["id"])
        assert room is not None
        game = room.tables[ann.id].game  # type: ignore[index]

        class Broken:
            ended = None
            ruleset = game.ruleset

            def play(self, *_args: Any) -> None:
                raise IndexError("a bug")

        room.tables[ann.id].game = Broken()  # type: ignore[index, assignment]
        assert (await ann.play("d"))["code"] == "lost"
        for player in (ann, bob):
            aborted = await player.until("duel", phase="aborted")
            assert "incident" in aborted["note"]
            assert aborted["called_off"]["secret"]
        assert (await eve.play("d"))["type"] == "applied"
        assert ann.closed is None
        assert (await bob.ask("where"))["place"] == "idle"
        await bob.create()


async def test_a_start_that_fails_ends_only_its_duel(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dealing raises for one duel: it is aborted, the next one starts."""
    async with nodes(store_url) as (node,):
        ann, bob = await Player.hello(node.port), await Player.hello(node.port)
        code = (await ann.create(seats=2))["code"]
        await bob.join(code)

        def broken(*_args: Any) -> None:
            raise ValueError("a bug")

        monkeypatch.setattr(keeper_module, "deal", broken)
        await asyncio.gather(ann.ready(), bob.ready())
        await ann.until("duel", phase="aborted")
        monkeypatch.undo()
        async with opponents(node.port, node.port, duration_ms=60_000) as (eve, _dan):
            assert (await eve.play("d"))["type"] == "applied"
        for player in (ann, bob):
            await player.close()


async def test_a_result_that_fails_ends_only_its_duel(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journals don't replay: aborted and said so, not tried for ever."""
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, node.port, duration_ms=60_000) as (ann, bob),
    ):
        duel = node.keeper.rooms[0].duel
        await ann.play("d")
        await node._redis.lset(f"sd:{{p00}}:d:{duel.id}:j:{ann.id}", 0, "0 t9-t8")
        await asyncio.gather(ann.play("end"), bob.play("end"))
        await bob.until("duel", phase="aborted")
        assert not bob.seen("result")


async def test_standings_that_fail_once_come_again(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 64: the ticker of a duel lives on after an exception."""
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, node.port, duration_ms=60_000) as (ann, bob),
    ):
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        message = Room.standings_message

        def broken(self: Room) -> Any:
            monkeypatch.setattr(Room, "standings_message", message)
            raise RuntimeError("changed size during iteration")

        await asyncio.sleep(0.1)
        monkeypatch.setattr(Room, "standings_message", broken)
        await ann.play("d")
        await eventually(lambda: Room.standings_message is message)
        await bob.play("d")
        version = bob.last("standings")["version"]
        await ann.play("d")
        await eventually(lambda: bob.last("standings")["version"] > version)


async def test_spectators_coming_and_going(store_url: str) -> None:
    """Case 64: a stream of them, some cut off: who stays gets every update; nobody is left."""
    moves = line("crowd", 60)
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, two.port, seed="crowd", duration_ms=60_000) as (ann, bob),
    ):
        code = ann.last("duel")["code"]
        stays = await Player.hello(two.port)
        await stays.ask("watch", code=code)
        going = True

        async def crowd(number: int) -> None:
            while going:
                eve = await Player.hello((one, two)[number % 2].port)
                await eve.ask("watch", code=code)
                await (eve.cut() if number % 3 else eve.close())

        crowds = [asyncio.create_task(crowd(n)) for n in range(8)]
        for move in moves:
            assert (await ann.play(move))["type"] == "applied"
            await asyncio.sleep(0.02)
        going = False
        await asyncio.gather(*crowds)
        score = ann.last("applied")["score"]
        for player in (stays, bob):
            await eventually(
                lambda player=player: any(
                    r["score"] == score for r in player.last("standings")["rows"]
                )
            )
            versions = [m["version"] for m in player.seen("standings")]
            assert versions == sorted(set(versions))
        for node in (one, two):
            room = node.keeper.rooms[0]
            await eventually(lambda room=room, node=node: len(room.spectators) == (node is two))
        await stays.close()


async def test_a_store_that_is_away_when_the_duel_starts(tmp_path: Path) -> None:
    """The start is late, not lost; the deadline stands."""
    async with (
        embedded_store(tmp_path / "s") as store,
        running_node(quick_settings(countdown_s=0.5), store.url) as node,
    ):
        ann, bob = await Player.hello(node.port), await Player.hello(node.port)
        code = (await ann.create(duration_ms=60_000))["code"]
        await bob.join(code)
        await asyncio.gather(ann.ready(), bob.ready())
        counting = await ann.until("duel", phase="countdown")
        await bob.until("duel", phase="countdown")
        os.kill(store.pid, signal.SIGSTOP)
        await asyncio.sleep(1)
        assert not ann.seen("snapshot")
        os.kill(store.pid, signal.SIGCONT)
        snapshots = await asyncio.gather(ann.until("snapshot"), bob.until("snapshot"))
        assert {m["deadline"] for m in snapshots} == {counting["deadline"]}
        assert (await ann.play("d"))["type"] == "applied"
        for player in (ann, bob):
            await player.close()


async def test_a_node_that_died_in_a_duel(store_url: str) -> None:
    """Its players are away for the others, come back on the other node, and it ends in time."""
    async with nodes(store_url) as (one,):
        two_running = running_node(quick_settings(), store_url)
        two = await two_running.__aenter__()
        async with opponents(one.port, two.port, duration_ms=60_000) as (ann, bob):
            score = (await bob.play("d"))["score"]
            await two.stop()
            assert await bob.end() == 1012
            await ann.until("standings", lambda m: any(r["state"] == "away" for r in m["rows"]))
            back = await bob.again(one.port)
            snapshot = await back.has("snapshot")
            assert (snapshot["seq"], snapshot["score"]) == (1, score)
            await asyncio.gather(ann.play("end"), back.play("end"))
            await asyncio.gather(ann.until("result"), back.until("result"))
            await back.close()


async def test_a_stopping_node_takes_no_new_duels(store_url: str) -> None:
    """`restarting`, with a time to come again."""
    async with nodes(store_url) as (node,):
        ann = await Player.hello(node.port)
        node.lobby.stopping = True
        for request in ("create", "queue"):
            with pytest.raises(Answered, match="restarting") as refused:
                await ann.ask(request)
            assert refused.value.message["retry_after_ms"] > 0
        node.lobby.stopping = False
        await ann.close()


async def test_a_room_that_is_left_while_somebody_comes_in(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last one leaves while another is on the way in: who comes hears all that follows."""
    async with nodes(store_url) as (node,):
        ann, bob = await Player.hello(node.port), await Player.hello(node.port)
        duel = await ann.create()
        attach = node.store.attach

        async def slow(*args: Any) -> Any:
            await ann.cut()
            await asyncio.sleep(0.2)
            return await attach(*args)

        monkeypatch.setattr(node.store, "attach", slow)
        await bob.join(duel["code"])
        monkeypatch.undo()
        back = await ann.again(node.port)
        await bob.until("duel", lambda m: all(p["connected"] for p in m["players"]))
        await asyncio.gather(bob.ready(), back.ready())
        await asyncio.gather(bob.until("snapshot"), back.until("snapshot"))
        await bob.close()
        await back.close()


async def test_two_loops(store_url: str) -> None:
    """The whole life of a duel on uvloop, while these tests run on asyncio."""
    uvloop = pytest.importorskip("uvloop")

    async def life() -> None:
        async with (
            nodes(store_url, 2) as (one, two),
            opponents(one.port, two.port, duration_ms=60_000) as (ann, bob),
        ):
            await ann.play("d")
            await ann.cut()
            back = await ann.again(two.port)
            await back.has("snapshot", seq=1)
            await asyncio.gather(back.play("end"), bob.play("end"))
            await asyncio.gather(back.until("result"), bob.until("result"))
            await back.close()

    def run() -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(life())

    await asyncio.to_thread(run)

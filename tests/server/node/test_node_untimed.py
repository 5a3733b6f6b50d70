"""A practice without a time limit, over the wire: played, put aside, ended, left, abandoned."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from samedeal_rules.duel_record import verify_duel_record
from samedeal_server.node import table as table_module
from samedeal_server.node.node import running_node
from samedeal_server.store.embedded import close_embedded, open_embedded
from support.nodes import eventually, nodes, quick_settings
from support.player import Answered, Player

UNTIMED: dict[str, Any] = {"ruleset": "klondike-1", "seats": 1, "untimed": True}


async def practising(port: int, **fields: Any) -> Player:
    """A player whose practice has begun."""
    ann = await Player.hello(port)
    await ann.create(**{**UNTIMED, **fields})
    await ann.ready()
    await ann.until("snapshot")
    return ann


async def record_of(player: Player) -> Any:
    """The record of the player's duel, once it verifies."""
    text = (await player.ask("record"))["text"]
    checks = verify_duel_record(text)
    assert all(check.ok for check in checks), checks
    return json.loads(text)


async def test_it_is_put_aside_resumed_and_ended(tmp_path: Path) -> None:
    """Through a kill of its node and of the store, with every acknowledged move; `end` ends it."""
    data = tmp_path / "s"
    store = await open_embedded(data)
    try:
        async with running_node(quick_settings(), store.url) as node:
            ann = await practising(node.port)
            told = ann.last("duel")
            assert told["phase"] in ("countdown", "running")
            assert (told["duration_ms"], told["deadline"]) == (None, None)
            assert ann.last("snapshot")["deadline"] is None
            assert ann.last("snapshot")["start_at"] == told["start_at"]
            for move in ("d", "d", "u"):
                assert (await ann.play(move))["type"] == "applied"
            await ann.cut()
        os.kill(store.pid, signal.SIGKILL)
        await asyncio.sleep(0.2)
        again = await open_embedded(data)
        try:
            async with running_node(quick_settings(), again.url) as node:
                ann = await ann.again(node.port)
                assert (await ann.has("snapshot"))["seq"] == 3
                assert ann.last("snapshot")["deadline"] is None
                assert (await ann.play("d"))["type"] == "applied"
                assert (await ann.play("end"))["ended"] == "finish"
                (row,) = (await ann.until("result"))["ranking"]
                assert (row["place"], row["ended"], row["moves"]) == (1, "finish", 5)
                record = await record_of(ann)
                assert record["duration_ms"] is None
                assert (await ann.ask("rematch"))["duration_ms"] is None
                await ann.close()
        finally:
            await close_embedded(again)
    finally:
        await close_embedded(store)


async def test_who_leaves_ends_it_as_it_stands(store_url: str) -> None:
    """No deadline would: the seat is free for something else, and who watches sees the result."""
    async with nodes(store_url, 2) as (one, two):
        ann, eve, dan = (
            await practising(one.port),
            await Player.hello(one.port),
            await Player.hello(two.port),
        )
        code = ann.last("duel")["code"]
        for watcher in (eve, dan):
            await watcher.ask("watch", code=code)
        last = (await ann.play("d"))["ms"]
        await ann.ask("leave")
        for watcher in (eve, dan):
            (row,) = (await watcher.until("result"))["ranking"]
            assert (row["ended"], row["ended_ms"], row["moves"]) == ("timeout", last, 1)
            await record_of(watcher)
        assert not ann.seen("result")
        assert (await ann.ask("where"))["place"] == "idle"
        assert (await ann.create())["duration_ms"] == 300_000
        for player in (ann, eve, dan):
            await player.close()


@pytest.mark.parametrize("node_dies", [False, True])
async def test_abandoned_it_is_swept(store_url: str, node_dies: bool) -> None:
    """Case 43: after the longest it may last, with the score as it stands; nothing leaks."""
    limit = {"untimed_s": 1.0}
    async with nodes(store_url, **limit) as (node,):
        ann = await practising(node.port)
        last = (await ann.play("d"))["ms"]
        await ann.cut()
        if not node_dies:
            back = await eventually_finished(node.port, ann)
    if node_dies:
        async with running_node(quick_settings(**limit), store_url) as other:
            back = await eventually_finished(other.port, ann)
    (row,) = back["ranking"]
    assert (row["ended"], row["ended_ms"], row["moves"]) == ("timeout", last, 1)
    async with Redis.from_url(store_url) as redis:
        assert not await redis.zcard("sd:{p00}:due")
        keys = [key async for key in redis.scan_iter("*d:p00*")]
        assert keys
        assert all([await redis.pttl(key) > 0 for key in keys])


async def eventually_finished(port: int, gone: Player) -> Any:
    """The result that who comes back finds; the record verifies."""
    watcher = await Player.hello(port)
    await watcher.ask("watch", code=gone.last("duel")["code"])
    await eventually(lambda: watcher.seen("result"))
    await record_of(watcher)
    await watcher.close()
    return watcher.last("result")


async def test_who_is_there_at_the_end_of_the_day_is_told(store_url: str) -> None:
    """A move after it is refused as too late, and the result follows."""
    async with nodes(store_url, untimed_s=0.5, grace_ms=400) as (node,):
        ann = await practising(node.port)
        await ann.play("d")
        await asyncio.sleep(0.55)
        answer = await ann.play("d")
        assert (answer["type"], answer["code"]) in [
            ("refused", "time_over"),
            ("refused", "finished"),
        ]
        assert (await ann.has("result"))["ranking"][0]["ended"] == "timeout"
        await ann.close()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"ruleset": "timed"}, "unknown_ruleset"),
        ({"seats": 2}, "out_of_range"),
        ({"duration_ms": 60_000}, "out_of_range"),
    ],
    ids=str,
)
async def test_it_is_refused_by_name(store_url: str, changes: dict[str, Any], code: str) -> None:
    """For `timed`, for two, with a duration: nothing is made."""
    async with nodes(store_url) as (node,):
        ann = await Player.hello(node.port)
        with pytest.raises(Answered, match="untimed: ") as refused:
            await ann.create(**{**UNTIMED, **changes})
        assert refused.value.code == code
        assert (await ann.ask("where"))["place"] == "idle"
        await ann.close()


async def test_hints_and_points_need_no_limit(store_url: str) -> None:
    """A hint is given, `sync` shows the table; it is on no leaderboard."""
    async with nodes(store_url) as (node,):
        ann = await practising(node.port, seed="hints")
        hinted = await ann.ask("hint")
        assert hinted["answer"] in ("move", "no_move_helps", "unknown")
        assert (await ann.ask("sync"))["deadline"] is None
        await ann.play("end")
        await ann.until("result")
        assert not (await ann.ask("top", table="classic"))["rows"]
        await ann.close()


async def test_a_game_is_never_longer_than_its_record(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that never ends is told `full`; ending still works."""
    monkeypatch.setattr(table_module, "MAX_MOVES", 3)
    async with nodes(store_url) as (node,):
        ann = await practising(node.port)
        await ann.play("d")
        await ann.play("d")
        assert (await ann.play("d"))["code"] == "full"
        assert (await ann.play("end"))["ended"] == "finish"
        await ann.until("result")
        assert len((await record_of(ann))["players"][0]["moves"]) == 3
        await ann.close()

"""From the end of a duel to the answer to `top`, over the wire."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from support.nodes import eventually, nodes
from support.player import Answered, Player, opponents


async def _top(player: Player, table: str = "timed", **fields: Any) -> list[dict[str, Any]]:
    answer = await player.ask("top", table=table, **fields)
    assert answer["type"] == "top_list"
    assert answer["table"] == table
    rows: list[dict[str, Any]] = answer.get("rows", [])
    return rows


async def _practise(player: Player, **fields: Any) -> dict[str, Any]:
    player.next_seq = 0
    await player.create(seats=1, **fields)
    await player.ready()
    await player.until("snapshot")
    await player.play("end")
    return await player.until("result")


async def test_a_practice_is_listed_and_seen_from_every_node(store_url: str) -> None:
    """Once, with the score of its result, though two nodes look after the outbox."""
    async with nodes(store_url, 2) as (one, two):
        ann = await Player.hello(one.port, "Ann")
        result = await _practise(ann)
        looker = await Player.connect(two.port)  # says no hello
        (row,) = await eventually(lambda: _top(looker))
        assert (row["place"], row["name"], row["ruleset"]) == (1, "Ann", "timed")
        assert row["score"] == result["ranking"][0]["score"]
        assert row["elapsed_ms"] == result["ranking"][0]["ended_ms"]
        await asyncio.gather(one.tops.empty_outbox("p00"), two.tops.empty_outbox("p00"))
        assert await _top(looker) == [row]
        assert await _top(ann, "classic") == await _top(ann, "spanish") == []


async def test_a_quick_match_lists_both(store_url: str) -> None:
    """Of two people whom the server brought together."""
    async with nodes(store_url) as (node,):
        pair = [await Player.hello(node.port, name) for name in ("Ann", "Bob")]
        for player in pair:
            await player.ask("queue")
        for player in pair:
            await player.until("duel", phase="ready_check")
        await asyncio.gather(*(player.ready() for player in pair))
        for player in pair:
            await player.until("snapshot")
            await player.play("end")
        rows = await eventually(lambda: _top(pair[0]))
        assert sorted(row["name"] for row in rows) == ["Ann", "Bob"]


async def test_what_does_not_count_is_not_listed(store_url: str) -> None:
    """A private duel, another duration, a chosen seed, other options, a bot."""
    async with nodes(store_url) as (node,):
        async with opponents(node.port, node.port) as (ann, bob):
            await ann.play("end")
            await bob.play("end")
            await ann.until("result")
        eve = await Player.hello(node.port, "Eve")
        for fields in ({"duration_ms": 60_000}, {"seed": "mine"}, {"options": {"draw": 1}}):
            await _practise(eve, **fields)
            await eve.ask("leave")
        bot = await Player.connect(node.port)
        await bot.send("hello", name="Hardy", bot=True)
        await bot.welcomed()
        await _practise(bot)
        await node.tops.empty_outbox("p00")
        assert await _top(eve) == []
        await _practise(eve)
        rows = await eventually(lambda: _top(eve))
        assert [row["name"] for row in rows] == ["Eve"]


async def test_count_and_table_are_bounded(store_url: str) -> None:
    """So many lines as were asked for; nonsense is refused and nothing else happens."""
    async with nodes(store_url) as (node,):
        ann = await Player.hello(node.port, "Ann")
        for _ in range(2):
            await _practise(ann)
            await ann.ask("leave")
        await eventually(lambda: _two(ann))
        assert len(await _top(ann, count=1)) == 1
        for fields in ({"table": "none"}, {"table": "timed", "count": 0}, {"table": ""}):
            await ann.send("top", req=99, **fields)
            assert (await ann.until("error"))["code"] == "malformed"
        looker = await Player.connect(node.port)
        assert len(await _top(looker, count=100)) == 2
        with pytest.raises(Answered, match="say_hello"):
            await looker.ask("where")


async def _two(player: Player) -> bool:
    return len(await _top(player)) == 2

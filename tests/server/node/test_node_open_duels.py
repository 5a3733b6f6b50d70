"""Duels that anybody may join: listed, found, joined, and gone from the list."""

from __future__ import annotations

from typing import Any

import pytest

from samedeal_server.node.node import Node
from support.nodes import eventually, nodes
from support.player import Answered, Player

Rows = list[dict[str, Any]]


async def _open(player: Player) -> Rows:
    answer = await player.ask("open")
    assert answer["type"] == "open_list"
    rows: Rows = answer["rows"]
    return rows


async def _codes(player: Player, *expected: str) -> None:
    """Wait until the list is this; what was read a second ago may be told."""

    async def told() -> bool:
        return [row["code"] for row in await _open(player)] == list(expected)

    await eventually(told)


async def _kept(node: Node) -> int:
    return int(await node._redis.zcard("sd:open"))


async def test_a_listed_duel_is_found_and_joined_by_a_stranger(store_url: str) -> None:
    """From another node, before any hello; with all that one wants to know before joining."""
    async with nodes(store_url, 2) as (one, two):
        ann, bob = await Player.hello(one.port, "Ann"), await Player.hello(two.port, "Bob")
        eve = await Player.hello(one.port, "Eve")
        await eve.create()  # by its code only
        made = await ann.create(
            ruleset="timed", options={"draw": 1}, seats=2, duration_ms=60_000, listed=True
        )
        looker = await Player.connect(two.port)  # says no hello
        await _codes(looker, made["code"])
        (row,) = await _open(bob)
        age_ms = row.pop("age_ms")
        assert 0 <= age_ms < 60_000
        assert row == {
            "code": made["code"],
            "ruleset": "timed",
            "options": {"draw": 1},
            "duration_ms": 60_000,
            "seats": 2,
            "seated": 1,
            "hints": made["hints"],
            "host": "Ann",
        }
        joined = await bob.join(row["code"])
        assert joined["seated"] == 2
        await _codes(looker)  # it is full
        await bob.ask("leave")
        await _codes(looker, made["code"])  # a seat is free again
        assert await _kept(one) == 1


async def test_what_has_begun_or_was_given_up_is_not_listed(store_url: str) -> None:
    """Started, called off by its host, or whose host was cut off and came not back: the index
    keeps nothing of it."""
    async with nodes(store_url, idle_s=60) as (node,):
        looker = await Player.connect(node.port)
        ann, bob = await Player.hello(node.port), await Player.hello(node.port)
        first = await ann.create(seats=3, duration_ms=60_000, listed=True)
        await bob.join(first["code"])
        await _codes(looker, first["code"])
        await ann.ready()
        await bob.ready()
        await ann.ask("start")
        await ann.until("snapshot")
        await _codes(looker)
        assert await _kept(node) == 0
        eve = await Player.hello(node.port)
        second = await eve.create(listed=True)
        await _codes(looker, second["code"])
        await eve.ask("leave")
        await _codes(looker)
        assert await _kept(node) == 0


async def test_the_newest_come_first_and_the_store_is_asked_once_a_second(store_url: str) -> None:
    """However many ask: between two reads the answer is the same."""
    async with nodes(store_url) as (node,):
        looker = await Player.connect(node.port)
        codes = []
        for _ in range(3):
            host = await Player.hello(node.port)
            codes.append((await host.create(seats=4, listed=True))["code"])
        await _codes(looker, *reversed(codes))
        reads: list[int] = []
        read = node._open_duels._store.read

        async def counted(*arguments: Any) -> Any:
            reads.append(1)
            return await read(*arguments)

        node._open_duels._store.read = counted  # type: ignore[method-assign]
        began = node.clock.now_ms()
        for _ in range(50):
            await _open(looker)
        seconds = (node.clock.now_ms() - began) // 1000
        assert len(reads) <= seconds + 2


async def test_a_practice_is_not_listed(store_url: str) -> None:
    """Nobody could join it; it is not made at all."""
    async with nodes(store_url) as (node,):
        ann = await Player.hello(node.port)
        with pytest.raises(Answered, match="out_of_range"):
            await ann.create(seats=1, listed=True)
        assert (await ann.ask("where"))["place"] == "idle"
        assert await _open(ann) == []
        await ann.send("create", req=9, listed="yes")
        await ann.until("error", code="malformed")

"""Nothing is left of what was abandoned: neither in the node nor in the store.

With HOUSEKEEPING_TIMES=50 in the environment it is as much as case 42 asks for (some minutes).
"""

from __future__ import annotations

import asyncio
import functools
import gc
import os
import tracemalloc
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from samedeal_server.node.node import Node
from support.games import line
from support.nodes import eventually, nodes
from support.player import Answered, Player, opponents

TIMES = float(os.environ.get("HOUSEKEEPING_TIMES", "1"))
CREATED = JOINED = int(100 * TIMES)
FINISHED = int(40 * TIMES)
AT_ONCE = 25

IDLE_S = min(15.0, 3 * TIMES)
PLAYER_KEPT_S = min(30.0, 5 * TIMES)
"""Longer than a busy machine may hold us up: the more there is to do, the longer."""
KEPT_S = 2.0
"""How long a finished duel can be read."""
PATIENCE_S = 120.0
LEFT_OVER = 1000
"""Bytes that a duel may leave behind in the node, by the count of the interpreter: what a dict grew
by, and who made a duel lately, of whom 50,000 are remembered. A room alone takes 2,500."""
NOT_THE_NODE = [
    tracemalloc.Filter(False, pattern) for pattern in ("*/pydantic/*", "*/structlog/*", __file__)
]
"""A cache of texts that has a bound; what tests keep of the log; ourselves."""


async def _made_and_left(node: Node, number: int) -> None:
    """Created, never joined; who created it leaves properly, or is cut off."""
    player = await Player.hello(node.port)
    await player.create(seats=2 + number % 3, listed=number % 2 == 0)
    await (player.cut() if number % 2 else player.close())


async def _joined_and_dropped(node: Node, number: int, silent: list[Player]) -> None:
    """Two come together, and neither closes: cut off, or silent for ever."""
    ann, bob = await Player.hello(node.port), await Player.hello(node.port)
    with suppress(Answered):  # on a very busy machine it has been given up already
        await bob.join((await ann.create(listed=True))["code"])
    if number % 3 == 0:
        for player in (ann, bob):
            player.ws.transport.pause_reading()  # no pong comes from here any more
        silent += (ann, bob)
    else:
        await ann.cut()
        await bob.cut()


async def _finished(node: Node, number: int) -> None:
    """A whole duel, with moves, of two or alone; readable for a while after its end."""
    seats = 1 + number % 2
    async with opponents(*[node.port] * seats, duration_ms=60_000, seed="kept") as players:
        for player in players:
            for move in ("d", "u", "end"):
                await player.play(move)
        for player in players:
            await player.until("result")


async def _all(count: int, one: Callable[[Node, int], Awaitable[None]], node: Node) -> None:
    for first in range(0, count, AT_ONCE):
        await asyncio.gather(*(one(node, n) for n in range(first, min(count, first + AT_ONCE))))


async def _round(node: Node, share: float) -> int:
    """How many duels that was. Returns when the node has forgotten all of them."""
    silent: list[Player] = []
    dropped = functools.partial(_joined_and_dropped, silent=silent)
    await _all(int(CREATED * share), _made_and_left, node)
    await _all(int(JOINED * share), dropped, node)
    await _all(int(FINISHED * share), _finished, node)
    await _forgotten(node)
    for player in silent:
        await player.cut()  # our end: the node has closed its own long ago
    return int((CREATED + JOINED + FINISHED) * share)


def _in_the_node(node: Node) -> dict[str, int]:
    return {
        "connections": node.connections,
        "sessions": len(node.door._sessions) + len(node.door._arriving),
        "rooms": len(node.keeper.rooms),
        "locks": len(node.keeper._locks),
        "tickets": len(node.quick._waiting),
        "side work": len(node._background._tasks),
        "moves": node.journals.waiting,
    }


async def _in_the_store(node: Node) -> dict[str, int]:
    """Keys by the first parts of their names."""
    names = Counter[str]()
    async for key in node._redis.scan_iter("sd:*", count=1000):
        parts = str(key).split(":")
        names[":".join(parts[1:3]) if parts[1].startswith("{") else parts[1]] += 1
    names["due"] = await node._redis.zcard("sd:{p00}:due")
    return dict(names)


async def _forgotten(node: Node) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while any(_in_the_node(node).values()):
            await asyncio.sleep(0.05)


LASTING = {"nodes", "clock", "partitions", "{p00}:outbox"}
"""Keys that are there once, however many duels there were."""


async def _nothing_is_left(node: Node, tasks: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while len(asyncio.all_tasks()) > tasks:
            await asyncio.sleep(0.05)
        while any(n for name, n in (await _in_the_store(node)).items() if name not in LASTING):
            await asyncio.sleep(0.1)


def _memory() -> int:
    """Bytes, without what is in our own caches: those have bounds, and are not full yet."""
    for found in gc.get_objects():
        if type(found) is functools._lru_cache_wrapper and "samedeal" in found.__module__:
            found.cache_clear()
    gc.collect()
    traces = tracemalloc.take_snapshot().filter_traces(NOT_THE_NODE)
    return sum(stat.size for stat in traces.statistics("filename"))


@pytest.mark.timeout(max(120, int(60 * TIMES)))
async def test_all_that_is_abandoned_goes(store_url: str) -> None:
    """Case 42: created and never joined, joined and dropped without closing, finished: after the
    limits all counts are zero, keys and tasks too, and memory is what it was."""
    async with nodes(
        store_url,
        idle_s=IDLE_S,
        ready_s=20,
        reveal_s=20,
        kept_s=KEPT_S,
        player_kept_days=PLAYER_KEPT_S / 86_400,
        ping_interval_s=0.5,
        ping_timeout_s=0.5,
    ) as (node,):
        await asyncio.sleep(0.2)
        tasks = len(asyncio.all_tasks())
        await _round(node, 0.1)  # pools and the store's scripts are filled
        tracemalloc.start()
        try:
            before = _memory()
            duels = await _round(node, 1)
            await _nothing_is_left(node, tasks)
            grown = _memory() - before
        finally:
            tracemalloc.stop()
        assert grown / duels < LEFT_OVER


async def test_a_finished_duel_is_there_for_the_stated_time(store_url: str) -> None:
    """Case 42: result and record can be read until then, by who played and who did not; then not
    even a key is left of it."""
    async with nodes(store_url, kept_s=KEPT_S) as (node,):
        eve = await Player.hello(node.port)
        async with opponents(node.port, node.port, duration_ms=60_000) as (ann, bob):
            await asyncio.gather(ann.play("end"), bob.play("end"))
            await asyncio.gather(ann.until("result"), bob.until("result"))
            duel = ann.last("duel")
            await eve.ask("watch", code=duel["code"])
            await eve.has("result")
            assert (await ann.ask("record"))["type"] == "record"
            keys = [key async for key in node._redis.scan_iter(f"*{duel['id']}*")]
            assert keys
            for key in keys:
                assert 0 < await node._redis.pttl(key) <= KEPT_S * 1000, key
        await eve.close()

        async def gone() -> bool:
            return not [key async for key in node._redis.scan_iter(f"*{duel['id']}*")]

        await eventually(gone)
        late = await Player.hello(node.port)
        with pytest.raises(Answered, match="no_such_duel"):
            await late.ask("watch", code=duel["code"])
        await late.close()


async def test_who_stays_connected_is_not_forgotten(store_url: str) -> None:
    """However long ago they said hello: name, token and place are theirs. Then they go, and what is
    left of them goes in time."""
    async with nodes(store_url, player_kept_days=3 / 86_400) as (node,):
        ann = await Player.hello(node.port, "Ann Stays")
        await asyncio.sleep(4.5)
        await ann.create()
        thief = await Player.connect(node.port)
        await thief.send("hello", name="ann stays")
        assert (await thief.until("error"))["code"] == "name_taken"
        await thief.close()
        await ann.cut()
        ann = await ann.again(node.port)
        assert (await ann.has("duel"))["you"] == 0
        await ann.ask("leave")
        await ann.close()

        async def gone() -> bool:
            return not [key async for key in node._redis.scan_iter(f"*{ann.id}*")]

        await eventually(gone)


async def test_nothing_is_written_for_who_has_been_forgotten(store_url: str) -> None:
    """A place for a player who is no more would stay for ever."""
    async with nodes(store_url) as (node,):
        ann = await Player.hello(node.port)
        await node._redis.delete(f"sd:p:{ann.id}")
        with pytest.raises(Answered, match="already_placed"):
            await ann.create()
        assert not await node._redis.exists(f"sd:p:{ann.id}")
        await ann.close()


async def test_a_duel_that_is_refused_leaves_nothing(store_url: str) -> None:
    """Who has a seat may ask for another duel as often as the limits allow: no code is taken."""
    async with nodes(store_url) as (node,):
        ann = await Player.hello(node.port)
        code = (await ann.create())["code"]
        before = {key async for key in node._redis.scan_iter("sd:*")}
        with pytest.raises(Answered, match="already_placed"):
            await ann.create()
        assert {key async for key in node._redis.scan_iter("sd:code:*")} <= before
        assert (await ann.ask("where"))["place"] == "duel"
        assert (await ann.join(code))["you"] == 0
        await ann.close()


KIB_OF_A_DUEL = 8
"""Of two players with 120 moves each: docs/operations.md, "How much the store takes"."""


async def test_a_finished_duel_takes_no_more_than_said(store_url: str) -> None:
    """Whatever is added to what is kept of a duel has to be paid for all the duels of a day."""
    moves = line("kept", 120)
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, node.port, seed="kept", duration_ms=60_000) as players,
    ):
        for player in players:
            for move in moves:
                assert (await player.play(move))["type"] == "applied"
            await player.play("end")
        for player in players:
            await player.until("result")
        duel = players[0].last("duel")
        keys = [key async for key in node._redis.scan_iter(f"*{duel['id']}*")]
        assert len(keys) == 8
        keys.append(f"sd:code:{duel['code']}")
        taken = [await node._redis.memory_usage(key, samples=0) for key in keys]
        assert sum(taken) < KIB_OF_A_DUEL * 1024

"""Standings of many duels in one call of the store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from samedeal_server.domain.duel import DuelId
from samedeal_server.store.client import open_client
from samedeal_server.store.standings import BATCH, StandingsReader


@pytest.fixture
async def redis(store_url: str) -> AsyncIterator[Redis]:
    client = open_client(store_url)
    assert isinstance(client, Redis)
    await client.flushdb()
    yield client
    await client.aclose()


async def _calls(redis: Redis) -> int:
    """Of scripts, since the store's figures were last set to zero."""
    stats = await redis.info("commandstats")
    return int(stats.get("cmdstat_evalsha", {}).get("calls", 0))


async def test_many_readings_are_one_call(redis: Redis) -> None:
    """Each gets its own duel's standings; twice the same duel is read once."""
    for n in range(30):
        await redis.hset(f"sd:{{p00}}:d:p00d{n}:progress", f"ann{n}", f"P:{n}:0")
        await redis.hset(f"sd:{{p00}}:d:p00d{n}:here", f"ann{n}", "node")
    reader = StandingsReader(redis)
    await reader.read(DuelId("p00d0"))
    await redis.config_resetstat()
    duels = [DuelId(f"p00d{n}") for n in (*range(30), 0, 1)]
    found = await asyncio.gather(*map(reader.read, duels))
    assert await _calls(redis) == 1
    for duel, (progress, here) in zip(duels, found, strict=True):
        number = duel.removeprefix("p00d")
        assert progress == {f"ann{number}": f"P:{number}:0"}
        assert here == {f"ann{number}": "node"}
    many = [DuelId(f"p00x{n}") for n in range(BATCH + 1)]
    await redis.config_resetstat()
    assert await asyncio.gather(*map(reader.read, many)) == [({}, {})] * len(many)
    assert await _calls(redis) == 2
    await reader.close()


async def test_what_is_read_is_not_older_than_the_question(redis: Redis) -> None:
    """A question that comes while a call is under way waits for the next one."""
    reader = StandingsReader(redis)
    key = "sd:{p00}:d:p00d:progress"
    for n in range(20):
        await redis.hset(key, "ann", f"P:{n}:0")
        asking = asyncio.create_task(reader.read(DuelId("p00d")))
        await asyncio.sleep(0.001 * (n % 5))
        assert (await asking)[0]["ann"] == f"P:{n}:0"
    await reader.close()


async def test_a_spoilt_key_costs_its_own_duel_only(redis: Redis) -> None:
    """The others of the same call are read."""
    await redis.set("sd:{p00}:d:p00bad:progress", "by hand")
    await redis.hset("sd:{p00}:d:p00good:progress", "ann", "P:1:0")
    reader = StandingsReader(redis)
    bad, good = await asyncio.gather(
        reader.read(DuelId("p00bad")), reader.read(DuelId("p00good")), return_exceptions=True
    )
    assert isinstance(bad, ResponseError)
    assert good == ({"ann": "P:1:0"}, {})
    await reader.close()


async def test_who_gives_up_takes_nothing_from_the_others(redis: Redis) -> None:
    """A cancelled reading of the same duel; and a store that is away is told to all."""
    await redis.hset("sd:{p00}:d:p00d:progress", "ann", "P:1:0")
    reader = StandingsReader(redis)
    given_up = asyncio.create_task(reader.read(DuelId("p00d")))
    waiting = asyncio.create_task(reader.read(DuelId("p00d")))
    await asyncio.sleep(0)
    given_up.cancel()
    assert await waiting == ({"ann": "P:1:0"}, {})
    await reader.close()
    away = open_client("unix:///nowhere/at/all.sock", retries=0)
    lost = StandingsReader(away)
    errors = await asyncio.gather(
        lost.read(DuelId("p00a")), lost.read(DuelId("p00b")), return_exceptions=True
    )
    assert all(isinstance(error, RedisError) for error in errors)
    await lost.close()
    await away.aclose()


async def test_closing_leaves_nobody_waiting(redis: Redis) -> None:
    """Readings under way are cancelled."""
    reader = StandingsReader(redis)
    waiting = asyncio.create_task(reader.read(DuelId("p00d")))
    await asyncio.sleep(0)
    await reader.close()
    with pytest.raises(asyncio.CancelledError):
        await waiting

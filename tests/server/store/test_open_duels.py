"""The index of open duels, against the real store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import pytest
from redis.asyncio import Redis

from samedeal_server.domain.duel import Duel, DuelId, DuelMs, Phase, PlayerId, Seat, Timing
from samedeal_server.store.client import open_client
from samedeal_server.store.clock import DuelClock
from samedeal_server.store.duels import DuelStore
from samedeal_server.store.keys import OPEN
from samedeal_server.store.open_duels import KEPT, OpenDuelStore

NOW = DuelMs(1_750_000_000_000)
IDLE_MS = 60_000


@dataclass
class Board:
    """A store with duels in it."""

    redis: Redis
    duels: DuelStore
    listed: OpenDuelStore

    async def put(self, number: int, age_ms: int = 0, **changes: object) -> Duel:
        """A duel of two seats with one taken, listed so long ago."""
        duel = replace(an_open_duel(number), **changes)  # type: ignore[arg-type]
        await self.duels.write(None, duel, secret="s" * 64)
        await self.listed.add(duel.id, DuelMs(NOW - age_ms))
        return duel

    async def told(self, count: int = 50) -> list[str]:
        return [duel.id for duel, _made_at in await self.listed.read(NOW, count)]

    async def kept(self) -> list[str]:
        return [str(duel) for duel in await self.redis.zrange(OPEN, 0, -1)]


@pytest.fixture
async def board(store_url: str) -> AsyncIterator[Board]:
    redis = open_client(store_url)
    await redis.flushdb()
    timing = Timing(idle_ms=IDLE_MS)
    clock = DuelClock(redis)
    await clock.measure()
    duels = DuelStore(redis, "one", timing, clock)
    yield Board(redis, duels, OpenDuelStore(redis, timing))
    await duels.close()
    await redis.aclose()


def an_open_duel(number: int) -> Duel:
    return Duel(
        id=DuelId(f"p00x{number}"),
        code="ACDEFH",
        ruleset="timed",
        options={},
        duration_ms=300_000,
        hints=False,
        seats=2,
        commitment="0" * 64,
        touched_at=NOW,
        host=PlayerId("ann"),
        seated=(Seat(PlayerId("ann"), "Ann"),),
    )


async def test_the_newest_come_first_and_no_more_than_asked_for(board: Board) -> None:
    """With the time at which each was made."""
    for number, age_ms in ((1, 300), (2, 100), (3, 200)):
        await board.put(number, age_ms)
    assert await board.told() == ["p00x2", "p00x3", "p00x1"]
    assert await board.told(2) == ["p00x2", "p00x3"]
    ((_duel, made_at), *_) = await board.listed.read(NOW, 1)
    assert made_at == NOW - 100


async def test_what_nobody_can_join_any_more_is_dropped_when_read(board: Board) -> None:
    """Gone, begun, called off, or no duel that we can read; an index without entries goes."""
    await board.listed.add(DuelId("p00none"), NOW)
    await board.put(1, phase=Phase.ABORTED)
    begun, deadline = DuelMs(NOW - 1), DuelMs(NOW + 300_000)
    await board.put(2, phase=Phase.COUNTDOWN, start_at=begun, deadline=deadline)
    await board.put(3)
    await board.redis.hset("sd:{p00}:d:p00x3", "doc", "{}")  # type: ignore[misc]
    assert len(await board.kept()) == 4
    assert await board.told() == []
    assert not await board.redis.exists(OPEN)


async def test_a_full_duel_is_not_told_but_kept(board: Board) -> None:
    """Its seats may be given back: then it is told again."""
    ann, bob = (Seat(PlayerId(name), name) for name in ("ann", "bob"))
    full = await board.put(1, seated=(ann, bob), phase=Phase.READY_CHECK, ready_by=NOW)
    assert await board.told() == []
    assert await board.kept() == [full.id]
    again = replace(full, seated=(ann,), phase=Phase.OPEN, ready_by=None, version=1)
    assert await board.duels.write(full, again)
    assert await board.told() == [full.id]


async def test_one_that_is_about_to_begin_is_not_told_but_kept(board: Board) -> None:
    """Its host started it with a seat left: nobody can join, unless the start is called off."""
    frozen = await board.put(1, seats=3, phase=Phase.FROZEN, reveal_by=NOW)
    assert await board.told() == []
    again = replace(frozen, phase=Phase.OPEN, reveal_by=None, version=1)
    assert await board.duels.write(frozen, again)
    assert await board.told() == [frozen.id]


async def test_the_index_is_bounded(board: Board) -> None:
    """By number and by age; and it expires as a whole once nobody adds to it."""
    await board.listed.add(DuelId("p00old"), DuelMs(NOW - IDLE_MS))
    assert await board.told() == []
    for number in range(KEPT + 5):
        await board.listed.add(DuelId(f"p00n{number}"), DuelMs(NOW + number))
    kept = await board.kept()
    assert len(kept) == KEPT
    assert kept[0] == "p00n5"
    assert 0 < await board.redis.pttl(OPEN) <= IDLE_MS

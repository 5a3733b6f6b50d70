"""The outbox and the leaderboards, against the real store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import pytest
from redis.asyncio import Redis

from samedeal_server.domain.duel import Duel, DuelId, DuelMs, Phase, PlayerId, Seat, Timing
from samedeal_server.domain.tops import TopEntry, TopGame
from samedeal_server.node.leaderboards import BATCH, Leaderboards
from samedeal_server.store.client import open_client
from samedeal_server.store.clock import DuelClock
from samedeal_server.store.duels import DuelStore
from samedeal_server.store.keys import outbox_key, top_key
from samedeal_server.store.partitions import Partitions
from samedeal_server.store.tops import KEPT, TopStore, top_entry_text

LONG_MS = 60_000
AT = 1_750_000_000_000


@dataclass
class Hall:
    """Two nodes' views of one store."""

    redis: Redis
    duels: DuelStore
    clock: DuelClock
    one: TopStore
    two: TopStore

    async def put(self, *entries: TopEntry) -> None:
        for entry in entries:
            await self.redis.xadd(outbox_key("p00"), {"entry": top_entry_text(entry)})

    async def waiting(self) -> int:
        return int(await self.redis.xlen(outbox_key("p00")))

    async def names(self, table: str = "timed") -> list[str]:
        return [line.name for line in await self.one.best(table, KEPT)]


@pytest.fixture
async def hall(store_url: str) -> AsyncIterator[Hall]:
    redis = open_client(store_url)
    await redis.flushdb()
    clock = DuelClock(redis)
    await clock.measure()
    duels = DuelStore(redis, "one", Timing(), clock)
    yield Hall(redis, duels, clock, TopStore(redis, "one"), TopStore(redis, "two"))
    await duels.close()
    await redis.aclose()


def entry(number: int, score: int = 100, at_ms: int = AT, name: str | None = None) -> TopEntry:
    """A duel with one game in it."""
    game = TopGame(
        player=PlayerId(f"x{number}"),
        name=name or f"n{number}",
        score=score,
        elapsed_ms=1000,
        at_ms=DuelMs(at_ms),
        sort_value=-score,
    )
    return TopEntry(DuelId(f"p00d{number}"), "timed", "timed", (game,))


# finish.lua


async def test_the_outbox_gets_a_duel_once(hall: Hall) -> None:
    """With the result, whoever writes it and however often."""
    start = DuelMs(hall.clock.now_ms() - 400_000)
    duel = Duel(
        id=DuelId("p00d1"),
        code="ABCDEF",
        ruleset="timed",
        options={},
        duration_ms=300_000,
        hints=False,
        seats=1,
        commitment="0" * 64,
        touched_at=start,
        phase=Phase.COUNTDOWN,
        seated=(Seat(PlayerId("x1"), "n1"),),
        start_at=start,
        deadline=DuelMs(start + 300_000),
    )
    assert await hall.duels.write(None, duel, secret="s")
    assert await hall.duels.finish(duel, "{}", entry(1)) is None  # not sealed
    assert await hall.waiting() == 0
    assert await hall.duels.seal(duel, hall.clock.now_ms())
    await asyncio.gather(*(hall.duels.finish(duel, "{}", entry(1)) for _ in range(10)))
    assert await hall.waiting() == 1
    assert await hall.one.claim("p00", LONG_MS, 9) != []


async def test_a_duel_that_adds_nothing_puts_nothing_there(hall: Hall) -> None:
    """Nothing to apply, no entry."""
    duel = Duel(
        id=DuelId("p00d2"),
        code="ABCDEF",
        ruleset="timed",
        options={},
        duration_ms=300_000,
        hints=False,
        seats=1,
        commitment="0" * 64,
        touched_at=hall.clock.now_ms(),
        start_at=DuelMs(1),
        deadline=DuelMs(2),
        phase=Phase.COUNTDOWN,
    )
    assert await hall.duels.write(None, duel, secret="s")
    assert await hall.duels.seal(duel, hall.clock.now_ms())
    assert await hall.duels.finish(duel, "{}") == "{}"
    assert await hall.waiting() == 0


# claim_outbox.lua


async def test_one_node_at_a_time_and_nothing_is_lost(hall: Hall) -> None:
    """The other gets nothing until the lease runs out, and then the same entries."""
    await hall.put(entry(1), entry(2))
    first = await hall.one.claim("p00", 300, 9)
    assert len(first) == 2
    assert await hall.two.claim("p00", LONG_MS, 9) == []
    assert await hall.one.claim("p00", 300, 9) == first
    await asyncio.sleep(0.4)
    assert await hall.two.claim("p00", LONG_MS, 9) == first
    assert await hall.one.claim("p00", LONG_MS, 9) == []


async def test_the_oldest_come_first_and_an_empty_outbox_takes_no_lease(hall: Hall) -> None:
    """So many at a time."""
    assert await hall.one.claim("p00", LONG_MS, 9) == []
    await hall.put(entry(1), entry(2), entry(3))
    two = await hall.two.claim("p00", LONG_MS, 2)
    assert ['"p00d1"' in two[0][1], '"p00d2"' in two[1][1]] == [True, True]
    await hall.two.forget("p00", [entry_id for entry_id, _ in two])
    assert len(await hall.two.claim("p00", LONG_MS, 9)) == 1


# top.lua


async def test_applied_twice_is_applied_once(hall: Hall) -> None:
    """Also when others have come between."""
    await hall.one.apply(entry(1, 500))
    before = await hall.one.best("timed", KEPT)
    await hall.two.apply(entry(1, 500))
    assert await hall.one.best("timed", KEPT) == before
    await hall.one.apply(entry(2, 900))
    await hall.two.apply(entry(1, 500))
    assert await hall.names() == ["n2", "n1"]


async def test_equal_scores_stand_by_their_date(hall: Hall) -> None:
    """The earlier first, in whichever order they were applied."""
    for number, at_ms in ((1, AT + 5), (2, AT), (3, AT + 10**9), (4, 999)):
        await hall.one.apply(entry(number, 100, at_ms))
    await hall.one.apply(entry(5, 101, AT + 10**10))
    assert await hall.names() == ["n5", "n4", "n2", "n1", "n3"]


async def test_only_the_best_are_kept(hall: Hall) -> None:
    """What has fallen off does not come back when it is applied again."""
    for number in range(KEPT + 20):
        await hall.one.apply(entry(number, number))
    assert await hall.redis.zcard(top_key("timed")) == KEPT
    before = await hall.names()
    assert before[0] == f"n{KEPT + 19}"
    await hall.one.apply(entry(3, 3))
    assert await hall.names() == before


async def test_a_game_comes_back_whole(hall: Hall) -> None:
    """Blanks in names, negative scores, and none at all."""
    one = entry(1, -400, name="Ana de la O")
    await hall.one.apply(one)
    (line,) = await hall.one.best("timed", 5)
    assert (line.name, line.score, line.elapsed_ms, line.at_ms) == ("Ana de la O", -400, 1000, AT)
    unscored = replace(one.games[0], score=None, sort_value=1000)
    await hall.one.apply(replace(one, table="spanish", ruleset="spanish", games=(unscored,)))
    (line,) = await hall.one.best("spanish", 5)
    assert (line.score, line.ruleset) == (None, "spanish")


async def test_a_player_is_listed_once_for_each_duel(hall: Hall) -> None:
    """One entry for each duel and player."""
    game = entry(1, 100).games[0]
    other = replace(game, player=PlayerId("y"), name="other")
    await hall.one.apply(replace(entry(1), games=(game, other)))
    await hall.one.apply(replace(entry(1), duel=DuelId("p00d9")))
    assert sorted(await hall.names()) == ["n1", "n1", "other"]


# The consumer.


async def test_a_kill_between_applying_and_deleting_changes_nothing(hall: Hall) -> None:
    """The entry is still there, the next node applies it again, and deletes it."""
    await hall.put(entry(1, 500), entry(2, 400))
    for _id, _text in await hall.one.claim("p00", 1, 9):
        pass
    await hall.one.apply(entry(1, 500))  # killed here: nothing was deleted
    await asyncio.sleep(0.05)
    assert await Leaderboards(hall.two, Partitions(hall.redis)).empty_outbox("p00") == 2
    assert await hall.waiting() == 0
    assert await hall.names() == ["n1", "n2"]


async def test_two_consumers_at_once_list_everything_once(hall: Hall) -> None:
    """Whoever holds the lease; even if both did."""
    await hall.put(*(entry(n, n) for n in range(BATCH + 20)))
    consumers = [Leaderboards(store, Partitions(hall.redis)) for store in (hall.one, hall.two)]
    while await hall.waiting():
        await asyncio.gather(*(consumer.empty_outbox("p00") for consumer in consumers * 3))
        await hall.redis.delete("sd:{p00}:outbox:lease")
    assert await hall.names() == [f"n{n}" for n in reversed(range(BATCH + 20))]


async def test_an_entry_that_can_not_be_read_stops_nobody(hall: Hall) -> None:
    """It is logged and passed over."""
    await hall.redis.xadd(outbox_key("p00"), {"entry": "nonsense"})
    await hall.put(entry(1))
    assert await Leaderboards(hall.one, Partitions(hall.redis)).empty_outbox("p00") == 2
    assert await hall.names() == ["n1"]
    assert await hall.waiting() == 0

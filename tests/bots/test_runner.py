"""Bots against a real server: whole duels, rematches, lost lines, seats that go."""

from __future__ import annotations

import asyncio
from random import Random
from statistics import mean

import pytest

from samedeal_bots.brain import Level
from samedeal_bots.runner import BotPlayer, DuelLost, Pace, own_row, seated_bot
from samedeal_client.errors import ConnectionFailed, RequestFailed
from samedeal_protocol import Create, DuelChanged, ErrorCode, Queue


async def _open(host: BotPlayer, *, seats: int = 2, duration_ms: int = 1500) -> DuelChanged:
    request = Create(req=0, seats=seats, duration_ms=duration_ms)
    return await host.connection.request(request)


def test_pace_is_human() -> None:
    """The mean is as told, no two times are alike, and none is very long."""
    random = Random(7)
    times = [Pace(0.8).next_s(random) for _ in range(2000)]
    assert mean(times) == pytest.approx(0.8, rel=0.05)
    assert len(set(times)) > 1900
    assert max(times) <= 3 * 0.8


def test_weaker_bots_are_slower_unless_told() -> None:
    """Easy takes longer to decide; a pace that is asked for is kept by all."""
    assert Pace.of(Level.EASY).mean_s > Pace.of(Level.NORMAL).mean_s > Pace.of(Level.HARD).mean_s
    assert 0.6 <= Pace.of(Level.HARD).mean_s <= 1.0
    assert Pace.of(Level.EASY, 0.3).mean_s == 0.3


async def test_two_bots_play_a_duel_to_its_result(server_url: str) -> None:
    """Ready at once, legal moves, one result for both, and a deal that holds every check."""
    async with (
        seated_bot(server_url, Level.HARD, Random(1), pace_s=0.06) as hard,
        seated_bot(server_url, Level.EASY, Random(2), pace_s=0.06) as easy,
    ):
        await easy.connection.join((await _open(hard)).code)
        results = await asyncio.gather(hard.play_duel(), easy.play_duel())
        assert results[0].ranking == results[1].ranking
        for bot in (hard, easy):
            assert own_row(bot.connection, results[0]).moves > 3
            assert all(check.ok for check in bot.connection.fairness())


async def test_a_bot_plays_on_after_its_line_was_cut(server_url: str) -> None:
    """The connection comes back by itself; moves made before and after it count once each."""
    async with (
        seated_bot(server_url, Level.HARD, Random(1), pace_s=0.06) as one,
        seated_bot(server_url, Level.HARD, Random(2), pace_s=0.06) as other,
    ):
        await other.connection.join((await _open(one, duration_ms=4000)).code)
        playing = asyncio.gather(one.play_duel(), other.play_duel())
        while one.connection.table is None or one.connection.table.acknowledged < 3:
            await asyncio.sleep(0.01)
        before = one.connection.table.acknowledged
        link = one.connection._inner.line._link
        assert link is not None
        link._socket.transport.abort()
        result = (await playing)[0]
        assert own_row(one.connection, result).moves > before
        assert all(check.ok for check in other.connection.fairness())


async def test_a_name_that_is_taken_is_not_the_end(server_url: str) -> None:
    """A name that a bot made up gives way to another; a name that was asked for does not."""
    async with (
        seated_bot(server_url, Level.NORMAL, Random(3)) as first,
        seated_bot(server_url, Level.NORMAL, Random(3)) as second,
    ):
        assert first.connection.name != second.connection.name
        assert str(second.connection.name).startswith("Norma-")
        with pytest.raises(RequestFailed) as failed:
            async with seated_bot(server_url, Level.NORMAL, Random(3), name=first.connection.name):
                pass
        assert failed.value.code is ErrorCode.NAME_TAKEN


async def test_a_duel_that_is_called_off_ends_the_bot(server_url: str) -> None:
    """The host leaves before the start: said in words."""
    async with (
        seated_bot(server_url, Level.EASY, Random(4)) as host,
        seated_bot(server_url, Level.EASY, Random(5)) as guest,
    ):
        await guest.connection.join((await _open(host, seats=3)).code)
        playing = asyncio.create_task(guest.play_duel())
        await asyncio.sleep(0.1)
        await host.connection.leave()
        with pytest.raises(DuelLost, match="host left"):
            await playing


async def test_a_bot_that_goes_before_the_start_frees_its_seat(server_url: str) -> None:
    """Somebody else can have it at once."""
    async with seated_bot(server_url, Level.EASY, Random(6)) as host:
        code = (await _open(host)).code
        for seed in (7, 8):
            async with seated_bot(server_url, Level.EASY, Random(seed), code=code):
                pass


async def test_rematch_is_accepted_when_offered(server_url: str) -> None:
    """Same seats, a fresh deal; and who waits alone goes away."""
    async with seated_bot(server_url, Level.HARD, Random(9), pace_s=0.06) as stays:
        async with seated_bot(server_url, Level.HARD, Random(10), pace_s=0.06) as asks:
            await stays.connection.join((await _open(asks, duration_ms=800)).code)
            first, _ = await asyncio.gather(asks.play_duel(), stays.play_duel())
            accepting = asyncio.create_task(stays.accept_rematch(10))
            await asks.connection.rematch()
            assert await accepting
            second, _ = await asyncio.gather(asks.play_duel(), stays.play_duel())
            assert second.duel != first.duel
            assert second.seed != first.seed
        assert not await stays.accept_rematch(20)


async def test_nobody_asks_for_a_rematch(server_url: str) -> None:
    """The wait is bounded."""
    async with (
        seated_bot(server_url, Level.HARD, Random(9), pace_s=0.06) as one,
        seated_bot(server_url, Level.HARD, Random(10), pace_s=0.06) as other,
    ):
        await one.connection.join((await _open(other, duration_ms=800)).code)
        await asyncio.gather(one.play_duel(), other.play_duel())
        assert not await one.accept_rematch(0.3)


async def test_quick_match_brings_bots_together(server_url: str) -> None:
    """Two that queue find themselves in one duel."""
    async with (
        seated_bot(server_url, Level.HARD, Random(11)) as one,
        seated_bot(server_url, Level.HARD, Random(12)) as other,
    ):
        for bot in (one, other):
            await bot.connection.request(Queue(req=0))
        async with asyncio.timeout(20):
            await asyncio.gather(one.found_match(), other.found_match())
        assert one.connection.duel is not None
        assert other.connection.duel is not None
        assert one.connection.duel.id == other.connection.duel.id


async def test_no_server() -> None:
    """Nobody listens there."""
    with pytest.raises(ConnectionFailed):
        async with seated_bot("ws://127.0.0.1:1/ws", Level.EASY, Random(1)):
            pass

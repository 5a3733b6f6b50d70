"""The duels' clock when the store is slow: a late answer is no step of anybody's clock."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

from samedeal_server.store.client import open_client
from samedeal_server.store.clock import DuelClock
from samedeal_server.store.embedded import embedded_store


async def test_a_store_that_hung_moves_nobodys_clock(tmp_path: Path) -> None:
    """Two nodes agree before and after it; there was nothing to correct."""
    async with embedded_store(tmp_path / "s") as store, open_client(store.url) as redis:
        one, two = DuelClock(redis), DuelClock(redis)
        await one.measure()
        await two.measure()
        os.kill(store.pid, signal.SIGSTOP)
        late = asyncio.create_task(one.measure())
        await asyncio.sleep(1)
        os.kill(store.pid, signal.SIGCONT)
        await late
        assert one.correction == 0
        for _ in range(3):
            await two.measure()
            await one.measure()
        assert (one.correction, two.correction) == (0, 0)
        assert abs(one.now_ms() - two.now_ms()) < 50


async def test_a_node_that_starts_while_the_store_is_slow(tmp_path: Path) -> None:
    """Its first measurement is late and not believed: the next one is taken."""
    async with embedded_store(tmp_path / "s") as store, open_client(store.url) as redis:
        one, two = DuelClock(redis), DuelClock(redis)
        await one.measure()
        os.kill(store.pid, signal.SIGSTOP)
        late = asyncio.create_task(two.measure())
        await asyncio.sleep(1)
        os.kill(store.pid, signal.SIGCONT)
        await late
        assert abs(one.now_ms() - two.now_ms()) < 50


async def test_of_two_who_see_a_step_one_corrects_it(tmp_path: Path) -> None:
    """Also when both have seen it before either corrects."""
    async with embedded_store(tmp_path / "s") as store, open_client(store.url) as redis:
        one, two = DuelClock(redis), DuelClock(redis)
        await one.measure()
        await two.measure()
        for clock in (one, two):
            assert clock._offset is not None
            clock._offset += 3_600_000
        before = one.now_ms()
        await asyncio.gather(one.measure(), two.measure())
        assert abs(one.correction - 3_600_000) < 1000
        assert one.correction == two.correction
        await asyncio.gather(one.measure(), two.measure())
        assert abs(one.correction - 3_600_000) < 1000
        assert abs(one.now_ms() - before) < 5000
        assert abs(one.now_ms() - two.now_ms()) < 50


async def test_a_node_that_begins_on_a_wrong_time_follows_who_knows_better(tmp_path: Path) -> None:
    """Begun between a step of the store's clock and its correction: no fight over the time."""
    async with embedded_store(tmp_path / "s") as store, open_client(store.url) as redis:
        old, new = DuelClock(redis), DuelClock(redis)
        await old.measure()
        assert old._offset is not None
        old._offset += 8_000  # the store's clock was set back
        await new.measure()
        assert abs(old.now_ms() - new.now_ms()) > 7_000
        for _ in range(3):
            await old.measure()
            await new.measure()
            assert abs(old.now_ms() - new.now_ms()) < 50
            assert abs(old.correction - 8_000) < 50
            assert new.correction == old.correction

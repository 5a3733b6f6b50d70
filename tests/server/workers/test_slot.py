"""A worker's place, with processes that only pretend to be workers."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Awaitable, Callable

import pytest

from samedeal_server.workers.order import EXIT_STORE_AWAY, Order
from samedeal_server.workers.process import WorkerProcess
from samedeal_server.workers.slot import GaveUp, Slot
from support.nodes import eventually

SERVES = "import sys; print('ready', flush=True); sys.stdin.readline(); sys.stdin.read()"
DIES_AT_ONCE = "print('ready', flush=True); raise SystemExit(3)"
DOES_NOT_START = "raise SystemExit(1)"
STORE_AWAY = f"raise SystemExit({EXIT_STORE_AWAY})"
DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN);" + SERVES

ORDER = Order(settings={}, store_url="", data_dir=None, sockets=[], number=1)


class House:
    """A slot, and every process that was in it."""

    def __init__(self, *programs: str, stop_s: float = 20.0) -> None:
        """The last program is run again and again."""
        self._programs = list(programs)
        self.full = 0
        """How many times there is no room for a process."""
        self.started: list[WorkerProcess] = []
        self.buried: list[WorkerProcess] = []
        start: Callable[[int], Awaitable[WorkerProcess]] = self._start
        self.slot = Slot(1, start, self.buried.append, stop_s)

    async def _start(self, _number: int) -> WorkerProcess:
        if self.full:
            self.full -= 1
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        program = self._programs.pop(0) if len(self._programs) > 1 else self._programs[0]
        worker = await WorkerProcess.start(ORDER, os.environ, ("-c", program))
        self.started.append(worker)
        return worker

    async def stop(self, *tasks: asyncio.Task[None]) -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.slot.stop()
        assert not any(worker.lives for worker in self.started)
        assert set(self.buried) == set(self.started)


async def test_who_is_killed_is_replaced() -> None:
    """At once, and each that ended is told of."""
    house = House(SERVES)
    assert await house.slot.begin() is None
    keeping = asyncio.create_task(house.slot.keep())
    await house.started[0].kill()
    await eventually(lambda: len(house.started) == 2)
    await house.stop(keeping)


async def test_who_dies_at_once_again_and_again_is_given_up() -> None:
    """The end says how the last one died, and what to do."""
    house = House(DIES_AT_ONCE)
    assert await house.slot.begin() is None
    with pytest.raises(GaveUp, match=r"with exit code 3.*start again"):
        await house.slot.keep()
    await house.stop()


async def test_a_worker_that_does_not_start_says_so() -> None:
    """The first one's exit code is what the caller gets; there is no second try."""
    house = House(DOES_NOT_START)
    assert await house.slot.begin() == 1
    assert len(house.started) == 1
    await house.stop()


async def test_the_store_may_be_away_when_a_worker_starts_again() -> None:
    """Then it is tried again until the store is back."""
    house = House(DIES_AT_ONCE, STORE_AWAY, SERVES)
    assert await house.slot.begin() is None
    keeping = asyncio.create_task(house.slot.keep())
    await eventually(lambda: len(house.started) == 3)
    await house.stop(keeping)


async def test_a_system_without_room_for_a_process_is_tried_again() -> None:
    """It is said, and the next try comes after a while."""
    house = House(SERVES)
    assert await house.slot.begin() is None
    keeping = asyncio.create_task(house.slot.keep())
    house.full = 2
    await house.started[0].kill()
    await eventually(lambda: len(house.started) == 2)
    assert house.full == 0
    await house.stop(keeping)


async def test_exchange_brings_the_new_one_first() -> None:
    """The old worker is drained once the new one serves, and is not mourned."""
    house = House(SERVES)
    await house.slot.begin()
    keeping = asyncio.create_task(house.slot.keep())
    assert await house.slot.exchange()
    old, new = house.started
    assert not old.lives
    assert old.told_to_stop
    assert new.lives
    await asyncio.sleep(0.1)
    assert len(house.started) == 2
    await house.stop(keeping)


async def test_a_new_worker_that_does_not_start_leaves_the_old_one() -> None:
    """An exchange can't make things worse."""
    house = House(SERVES, DOES_NOT_START)
    await house.slot.begin()
    assert not await house.slot.exchange()
    assert house.started[0].lives
    await house.stop()


async def test_a_deaf_worker_is_killed_in_the_end() -> None:
    """Whoever does not drain within the time ends all the same."""
    house = House(DEAF, stop_s=0.2)
    await house.slot.begin()
    await house.stop()

"""A worker's place: somebody is in it, as far as that can be had."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from samedeal_server.workers.order import EXIT_STORE_AWAY
from samedeal_server.workers.process import WorkerProcess
from samedeal_server.workers.restarts import Restarts

__all__ = ["GaveUp", "Slot"]

_log = structlog.get_logger()

START_S: Final = 60.0
"""A worker that does not serve by then is ended: a busy machine takes 10 s to start a few."""


NO_PROCESS: Final = 71
"""As an exit code: the system has no room for another process (EX_OSERR)."""


class GaveUp(Exception):
    """A worker dies at once again and again."""

    def __init__(self, number: int, status: int) -> None:
        super().__init__(
            f"worker {number} dies again and again as soon as it is started (the last time "
            f"{_how(status)}). Its own words are above; put that right and start again."
        )


class Slot:
    """Starts a worker, starts another when it dies, and exchanges it for a new one."""

    def __init__(
        self,
        number: int,
        start: Callable[[int], Awaitable[WorkerProcess]],
        buried: Callable[[WorkerProcess], None],
        stop_s: float,
    ) -> None:
        """`number` from 1; `start` makes a process for it; `buried` is told of each that ended.

        `stop_s` is how long a worker may take to drain.
        """
        self._number = number
        self._start = start
        self._buried = buried
        self._stop_s = stop_s
        self._restarts = Restarts()
        self._changing = asyncio.Lock()
        self._worker: WorkerProcess | None = None
        self._living: set[WorkerProcess] = set()
        """With the worker: a new one that does not serve yet, an old one that drains."""

    async def begin(self) -> int | None:
        """The first worker; None once it serves, else the exit code with which it ended."""
        async with self._changing:
            return await self._fill()

    async def keep(self) -> None:
        """See that somebody is in here, for ever, after `begin`. Raises GaveUp."""
        while True:
            worker = self._worker
            assert worker is not None
            status = await worker.ended()
            async with self._changing:
                if self._worker is not worker:
                    continue  # exchanged meanwhile
                lived_s = asyncio.get_running_loop().time() - worker.started_at
                self._bury(worker)
                _log.warning(
                    "a worker died; it starts again",
                    worker=self._number,
                    pid=worker.pid,
                    how=_how(status),
                    lived_s=round(lived_s, 1),
                )
                await self._wait(lived_s, status)
                while (failed := await self._fill()) is not None:
                    await self._wait(0.0, failed)

    async def exchange(self) -> bool:
        """A new worker first, then drain the old one; False if the new one does not come up."""
        async with self._changing:
            before = self._worker
            failed = await self._fill()
        if failed is not None:
            _log.error("a new worker does not start", worker=self._number, why=_how(failed))
            return False
        if before is not None and before in self._living:
            await self._see_off(before)
        return True

    async def stop(self) -> None:
        """Drain whoever is in here. `keep` and `exchange` must have ended."""
        await asyncio.gather(*map(self._see_off, list(self._living)))

    async def _see_off(self, worker: WorkerProcess) -> None:
        if not await worker.stop(self._stop_s):
            _log.error("a worker did not stop and was killed", worker=self._number, pid=worker.pid)
        self._bury(worker)

    def _bury(self, worker: WorkerProcess) -> None:
        self._living.discard(worker)
        self._buried(worker)

    async def _wait(self, lived_s: float, status: int) -> None:
        wait_s = self._restarts.died(lived_s, store_away=status == EXIT_STORE_AWAY)
        if wait_s is None:
            raise GaveUp(self._number, status)
        await asyncio.sleep(wait_s)

    async def _fill(self) -> int | None:
        """Start a worker; None once it serves, else the exit code with which it ended."""
        try:
            worker = await self._start(self._number)
        except OSError as error:
            why = error.strerror or str(error)
            _log.error("a worker can't be started", worker=self._number, why=why)
            return NO_PROCESS
        self._living.add(worker)
        try:
            async with asyncio.timeout(START_S):
                ready = await worker.is_ready()
        except TimeoutError:
            await worker.kill()
            ready = False
        if ready:
            self._worker = worker
            return None
        status = await worker.ended()
        self._bury(worker)
        return status


def _how(status: int) -> str:
    return f"by signal {-status}" if status < 0 else f"with exit code {status}"

"""The parent of several workers: starts them, keeps them, exchanges them, drains them."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog
from prometheus_client import multiprocess

from samedeal_server.settings import Settings
from samedeal_server.workers.order import Order, without_settings
from samedeal_server.workers.process import WorkerProcess
from samedeal_server.workers.slot import GaveUp, Slot
from samedeal_server.workers.sockets import ListeningSockets

__all__ = ["Parent", "WorkersFailed"]

_log = structlog.get_logger()

METRICS: Final = "PROMETHEUS_MULTIPROC_DIR"
"""Where the workers put their figures, so that any of them can tell the sum."""

KILL_AFTER_S: Final = 15.0
"""What a draining worker may take beyond what its settings say."""


class WorkersFailed(Exception):
    """The workers could not even be started; they have said why."""

    def __init__(self, status: int) -> None:
        super().__init__(f"a worker ended with exit code {status} before it served")
        self.status = status


class Parent:
    """Workers on given sockets, until told to stop."""

    def __init__(
        self,
        settings: Settings,
        sockets: list[ListeningSockets],
        store_url: str,
        store_dir: Path | None,
        exchange: asyncio.Event,
    ) -> None:
        """One worker for each of `sockets`, which stay the caller's.

        `exchange` set: a new worker comes into each place, one after the other; none is missing
        meanwhile.
        """
        self._settings = settings
        self._sockets = sockets
        self._store_url = store_url
        self._store_dir = store_dir
        self._metrics = Path(tempfile.mkdtemp(prefix="samedeal-metrics-"))
        self._environment = {**without_settings(os.environ), METRICS: str(self._metrics)}
        stop_s = settings.drain_delay_s + 2 * settings.stop_s + KILL_AFTER_S
        self._slots = [
            Slot(number, self._start_worker, self._bury, stop_s)
            for number in range(1, len(sockets) + 1)
        ]
        self._exchange_asked = exchange

    async def run(self, stop: asyncio.Event, serving: Callable[[], Awaitable[None]]) -> None:
        """Start the workers, say that they serve, and keep them until `stop`.

        Raises WorkersFailed if they can't be started, GaveUp if they can't be kept; `close` in
        any case.
        """
        work = asyncio.create_task(self._work(serving))
        stopped = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait([work, stopped], return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                work.result()
        finally:
            work.cancel()
            stopped.cancel()
            await asyncio.gather(work, stopped, return_exceptions=True)

    async def _work(self, serving: Callable[[], Awaitable[None]]) -> None:
        for status in await asyncio.gather(*(slot.begin() for slot in self._slots)):
            if status is not None:
                raise WorkersFailed(status)
        await serving()
        try:
            async with asyncio.TaskGroup() as group:
                for slot in self._slots:
                    group.create_task(slot.keep())
                group.create_task(self._exchange_when_asked())
        except* GaveUp as gave_up:
            raise gave_up.exceptions[0] from None

    async def close(self) -> None:
        """Drain them all; returns when none is left."""
        try:
            await asyncio.gather(*(slot.stop() for slot in self._slots))
        finally:
            shutil.rmtree(self._metrics, ignore_errors=True)

    async def _exchange_when_asked(self) -> None:
        while True:
            await self._exchange_asked.wait()
            self._exchange_asked.clear()
            _log.info("exchanging the workers, one after the other")
            for slot in self._slots:
                if not await slot.exchange():
                    _log.error("the workers that run stay; the exchange has ended")
                    break
            else:
                _log.info("all workers are exchanged")

    async def _start_worker(self, number: int) -> WorkerProcess:
        order = Order(
            settings=self._settings.model_dump(mode="json"),
            store_url=self._store_url,
            data_dir=None if self._store_dir is None else str(self._store_dir),
            sockets=[sock.fileno() for sock in self._sockets[number - 1]],
            number=number,
        )
        return await WorkerProcess.start(order, self._environment)

    def _bury(self, worker: WorkerProcess) -> None:
        with suppress(OSError):
            multiprocess.mark_process_dead(worker.pid, str(self._metrics))  # type: ignore[no-untyped-call]

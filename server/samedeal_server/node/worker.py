"""A process beside the event loop, for what would hold it up."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from typing import TypeVar

import structlog

__all__ = ["Worker"]

_log = structlog.get_logger()

Q = TypeVar("Q")
A = TypeVar("A")


class Worker:
    """Works off one question after the other, in a process that is started at first use.

    A worker that died is started anew for the next question. It ends with the node, however
    that ends.
    """

    def __init__(self, name: str, max_waiting: int) -> None:
        """Of more than `max_waiting` questions at once those that are too many are not taken."""
        self._name = name
        self._max_waiting = max_waiting
        self._waiting = 0
        self._pool: ProcessPoolExecutor | None = None
        self._lifeline: Connection | None = None
        self._closed = False

    def warm_up(self) -> None:
        """Start the process, so that the first question need not wait for it."""
        if self._pool is None and not self._closed:
            self._running().submit(os.getpid)

    async def ask(self, work: Callable[[Q], A], question: Q, limit_s: float) -> A | None:
        """What `work` makes of the question; None if there was no answer within the limit.

        `work` is a function of a module, and the question can be pickled.
        """
        if self._closed or self._waiting >= self._max_waiting:
            return None
        self._waiting += 1
        pool = None
        try:
            async with asyncio.timeout(limit_s):
                pool = self._running()
                return await asyncio.wrap_future(pool.submit(work, question))
        except TimeoutError:
            return None
        except (BrokenExecutor, OSError) as error:
            if not self._closed:
                _log.warning("a worker died; it starts again", worker=self._name, error=str(error))
            self._forget(pool)
            return None
        finally:
            self._waiting -= 1

    def _running(self) -> ProcessPoolExecutor:
        """About 10 ms where the process has to be started; it works some 300 ms later."""
        if self._pool is None:
            theirs, self._lifeline = Pipe(duplex=False)
            # Not forked: a copy of the node would hold its sockets and its memory.
            self._pool = ProcessPoolExecutor(
                max_workers=1,
                mp_context=get_context("spawn"),
                initializer=_begin,
                initargs=(theirs,),
            )
            self._pool.submit(os.getpid)
            theirs.close()
        return self._pool

    def _forget(self, pool: ProcessPoolExecutor | None) -> None:
        if pool is not None and pool is self._pool:
            self._pool = None
            self._cut()
            pool.shutdown(wait=False)

    def _cut(self) -> None:
        if self._lifeline is not None:
            self._lifeline.close()
            self._lifeline = None

    async def close(self) -> None:
        """End the process, whatever it is at. Idempotent."""
        self._closed = True
        pool, self._pool = self._pool, None
        self._cut()
        if pool is not None:
            await asyncio.to_thread(pool.shutdown, wait=True, cancel_futures=True)


def _begin(lifeline: Connection) -> None:
    """In the worker: end when the other end of the pipe is gone, be it by `kill -9`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the node, which closes us
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: Connection) -> None:
    try:
        lifeline.recv_bytes()
    except (EOFError, OSError):
        pass
    os._exit(0)

"""Tasks that nobody awaits: kept, named, logged when they fail, and ended with the node."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

import structlog

__all__ = ["Background"]

_log = structlog.get_logger()

CANCEL_AGAIN_S: Final = 0.2
START_AGAIN_S: Final = 1.0
"""After which a loop that failed runs again: soon, and not so often that it fills the log."""


class Background:
    """A set of tasks; an exception in one stops no other."""

    def __init__(self) -> None:
        self._tasks: dict[asyncio.Task[None], dict[str, str]] = {}
        self._closed = False

    def start(self, work: Coroutine[Any, Any, None], name: str, **about: str) -> None:
        """Run it by the side; not at all once everything has been ended.

        `about`: duel and player, for the log.
        """
        if self._closed:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks[task] = about
        task.add_done_callback(self._done)

    def keep_up(self, loop: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
        """Run a loop that must never end; should it fail, it is logged and started again."""
        self.start(self._run_again(loop, name), name)

    async def _run_again(self, loop: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
        while True:
            try:
                await loop()
            except Exception:
                _log.exception("a loop failed; it starts again", loop=name)
            await asyncio.sleep(START_AGAIN_S)

    def _done(self, task: asyncio.Task[None]) -> None:
        about = self._tasks.pop(task, {})
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a task failed", task=task.get_name(), exc_info=error, **about)

    async def finished(self, timeout_s: float) -> None:
        """Wait for those that end by themselves, then end the rest."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=timeout_s)
        await self.cancel()

    async def cancel(self) -> None:
        """End them all.

        Until Python 3.12 `asyncio.wait_for`, which the store's library sends with, can swallow
        a cancellation: what still runs after a while is cancelled again.
        """
        self._closed = True
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(self._tasks, timeout=CANCEL_AGAIN_S)

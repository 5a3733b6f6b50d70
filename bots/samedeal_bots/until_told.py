"""Run a program's main task until it is done or the system asks it to stop; clean up once."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Coroutine
from typing import Any, Final

__all__ = ["INTERRUPTED", "run_until_told"]

INTERRUPTED: Final = 128 + signal.SIGINT
"""As shells have it."""

_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP")


def run_until_told(main: Coroutine[Any, Any, int]) -> int:
    """The exit code: main's own, or 128 and the signal that ended it.

    The first signal cancels `main`, which tidies up; impatient ones after it can't disturb that,
    nor turn the last moments of the interpreter into a traceback.
    """
    told: list[int] = []
    try:
        return asyncio.run(_run(main, told))
    finally:
        for number in set(told):
            signal.signal(number, signal.SIG_IGN)


async def _run(main: Coroutine[Any, Any, int], told: list[int]) -> int:
    task = asyncio.ensure_future(main)

    def stop(number: int) -> None:
        if not told:
            task.cancel()
        told.append(number)

    loop = asyncio.get_running_loop()
    for name in _SIGNALS:
        # Windows has neither SIGHUP nor handlers of a loop; Ctrl-C works there all the same.
        with contextlib.suppress(AttributeError, NotImplementedError):
            number = getattr(signal, name)
            loop.add_signal_handler(number, stop, number)
    try:
        return await task
    except asyncio.CancelledError:
        if not told:
            raise
        return 128 + told[0]

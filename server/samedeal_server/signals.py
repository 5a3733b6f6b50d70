"""What a server process does when it is signalled: stop, or load anew."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable

__all__ = ["handle_signals"]


def handle_signals(stop: Callable[[], None], load_anew: Callable[[], None]) -> None:
    """SIGINT and SIGTERM stop, however often they come; SIGHUP loads anew.

    A SIGHUP because the terminal was closed stops as well: nobody could stop us there any more.
    Under `nohup`, which has us ignore it, it stays ignored. From the running loop only.
    """
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    if not hasattr(signal, "SIGHUP") or signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        return
    had_terminal = _has_terminal()

    def hung_up() -> None:
        if had_terminal and not _has_terminal():
            stop()
        else:
            load_anew()

    loop.add_signal_handler(signal.SIGHUP, hung_up)


def _has_terminal() -> bool:
    """Whether this process has a terminal that controls it."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True

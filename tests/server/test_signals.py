"""Which signal does what, with and without a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import pytest

PROGRAM = """
import asyncio
from samedeal_server.signals import handle_signals

async def main():
    stop = asyncio.Event()
    handle_signals(stop.set, lambda: print("anew", flush=True))
    print("there", flush=True)
    await stop.wait()
    print("stopped", flush=True)

asyncio.run(main())
"""


@contextmanager
def running(terminal: int | None = None, *, nohup: bool = False) -> Iterator[subprocess.Popen[str]]:
    """The program, in a session of its own, with that terminal or none."""

    def prepare() -> None:
        if nohup:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        if terminal is not None:
            fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)

    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        pass_fds=() if terminal is None else (terminal,),
        preexec_fn=prepare,
    )
    try:
        assert _said(process.stdout) == "there"
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def _said(output: IO[str] | None) -> str:
    assert output is not None
    return output.readline().strip()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_both_stop(number: signal.Signals) -> None:
    """Ctrl-C and a supervisor do the same."""
    with running() as process:
        process.send_signal(number)
        assert _said(process.stdout) == "stopped"
        assert process.wait(20) == 0


def test_sighup_loads_anew_without_a_terminal() -> None:
    """As daemons do; as often as it comes."""
    with running() as process:
        for _ in range(2):
            process.send_signal(signal.SIGHUP)
            assert _said(process.stdout) == "anew"


def test_sighup_loads_anew_while_the_terminal_is_there() -> None:
    """A server in somebody's terminal can be told by another one."""
    ours, theirs = pty.openpty()
    try:
        with running(theirs) as process:
            process.send_signal(signal.SIGHUP)
            assert _said(process.stdout) == "anew"
    finally:
        os.close(theirs)
        os.close(ours)


def test_a_closed_terminal_stops() -> None:
    """Nobody could stop it there any more: no server is left behind."""
    ours, theirs = pty.openpty()
    with running(theirs) as process:
        os.close(theirs)
        os.close(ours)
        assert _said(process.stdout) == "stopped"
        assert process.wait(20) == 0


def test_under_nohup_it_stays() -> None:
    """Asked not to hear of it."""
    with running(nohup=True) as process:
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        assert _said(process.stdout) == "stopped"

"""One worker as its parent sees it: started, ready, told to stop, ended."""

from __future__ import annotations

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, Self

from samedeal_server.workers.order import READY, Order

__all__ = ["WorkerProcess"]

COMMAND: Final = ("-P", "-m", "samedeal_server.workers.child")
"""A new interpreter, never a fork; -P keeps the current directory out of its imports."""


class WorkerProcess:
    """A running or ended worker."""

    def __init__(self, process: Process, started_at: float) -> None:
        """`started_at` by the loop's clock."""
        self._process = process
        self.started_at = started_at
        self.told_to_stop = False

    @classmethod
    async def start(
        cls,
        order: Order,
        environment: Mapping[str, str],
        command: Sequence[str] = COMMAND,
    ) -> Self:
        """Start it and give it its order. Raises OSError if there is no room for a process.

        `command` is what the interpreter is told to run.
        """
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *command,
            stdin=PIPE,
            stdout=PIPE,
            pass_fds=order.sockets,
            # Signals of the terminal are for the parent, which passes them on in order.
            start_new_session=True,
            env=environment,
        )
        assert process.stdin is not None
        with suppress(OSError):  # it is dead already; who waits for it will see that
            process.stdin.write(order.line())
        return cls(process, asyncio.get_running_loop().time())

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def lives(self) -> bool:
        """Whether it has not ended, as far as is known."""
        return self._process.returncode is None

    async def is_ready(self) -> bool:
        """Wait until it serves; False if it ended before."""
        assert self._process.stdout is not None
        return await self._process.stdout.readline() == READY

    async def ended(self) -> int:
        """Wait for its end; the exit code, negative for a signal."""
        return await self._process.wait()

    def tell_to_stop(self) -> None:
        """Ask it to drain. Once or more often."""
        self.told_to_stop = True
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)

    async def stop(self, patience_s: float) -> bool:
        """Drain it, and wait; False if it had to be killed after all."""
        self.tell_to_stop()
        try:
            async with asyncio.timeout(patience_s):
                await self._process.wait()
        except TimeoutError:
            await self.kill()
            return False
        return True

    async def kill(self) -> None:
        """End it now. What it had not acknowledged is lost, nothing else."""
        self.told_to_stop = True
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

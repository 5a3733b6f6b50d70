"""The server on this machine: found, or started for as long as it is needed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from samedeal_client.address import DEFAULT_PORT
from samedeal_client.errors import ClientError
from samedeal_client.texts import _

__all__ = [
    "LocalServer",
    "NoLocalServer",
    "find_or_start",
    "is_healthy",
    "program",
    "start_bot",
]

HEALTH_S: Final = 1.0
START_S: Final = 30.0
"""The first start makes a store; a slow disk takes its time."""
STOP_S: Final = 10.0
_URL: Final = re.compile(rb"wss?://\S+")


class NoLocalServer(ClientError):
    """There is none, and none could be started; says why."""


def program(*arguments: str) -> list[str]:
    """The command line of one of our own commands, whatever the PATH is."""
    return [sys.executable, "-m", "samedeal_client.main", *arguments]


async def start_bot(code: str, level: str, url: str) -> asyncio.subprocess.Process:
    """A bot on its way to a duel, there for rematches too; ours to stop."""
    return await asyncio.create_subprocess_exec(
        *program("bot", code, "--stay", "--level", level, "--server", url),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )


@dataclass
class LocalServer:
    """A server here. `started` says whether it is ours to stop."""

    url: str
    process: asyncio.subprocess.Process | None = None
    _draining: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def started(self) -> bool:
        """Whether it was started for this program."""
        return self.process is not None

    async def stop(self) -> None:
        """Stop it if it was started here: it flushes its journals first."""
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self.process.terminate()
        try:
            async with asyncio.timeout(STOP_S):
                await self.process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()
        if self._draining is not None:
            self._draining.cancel()
            await asyncio.gather(self._draining, return_exceptions=True)


async def find_or_start(port: int = DEFAULT_PORT, command: Sequence[str] = ()) -> LocalServer:
    """The server at the usual port, or a private one. Raises `NoLocalServer`."""
    if await is_healthy(port):
        return LocalServer(f"ws://127.0.0.1:{port}/ws")
    return await _start(list(command) or program("serve", "--port", "0"))


async def is_healthy(port: int) -> bool:
    """Whether a server here answers that it is well."""
    try:
        async with asyncio.timeout(HEALTH_S):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return b" 200 " in await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError, ValueError):
        return False


async def _start(command: list[str]) -> LocalServer:
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            # Ctrl-C is for us: we stop it in order.
            start_new_session=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
    except OSError as error:
        raise NoLocalServer(error.strerror or str(error)) from error
    assert process.stdout is not None
    server = LocalServer("", process)
    said: list[bytes] = []
    try:
        async with asyncio.timeout(START_S):
            async for line in process.stdout:
                said.append(line)
                found = _URL.search(line)
                if found is not None:
                    server.url = found[0].decode("ascii", "replace")
                    break
    except TimeoutError:
        await server.stop()
        raise NoLocalServer(_("it did not say where it listens")) from None
    except BaseException:
        await server.stop()
        raise
    if not server.url:
        await process.wait()
        last = said[-1].decode("utf-8", "replace").strip() if said else ""
        raise NoLocalServer(
            last or _("it ended at once, code {code}").format(code=process.returncode)
        )
    server._draining = asyncio.create_task(_drain(process.stdout))  # noqa: SLF001 - our own
    return server


async def _drain(output: asyncio.StreamReader) -> None:
    """A full pipe would stop the server."""
    while await output.read(65536):
        pass

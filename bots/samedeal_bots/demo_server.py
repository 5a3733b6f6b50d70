"""A server process for one demo, with a store of its own that leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from samedeal_client.errors import ClientError

__all__ = ["DemoServer", "ServerFailed", "demo_server"]

START_S: Final = 30.0
STOP_S: Final = 8.0
"""The server gives its connections 5 s."""
MIN_DURATION_MS: Final = 500
STANDINGS_HZ: Final = 5
"""A demo is watched, not played: a little livelier than the usual 2."""
_URL: Final = re.compile(r"ws://\S+")


class ServerFailed(ClientError):
    """It did not start, or ended before it was told to; says what it said last."""


@dataclass(frozen=True, slots=True)
class DemoServer:
    """A running server."""

    url: str
    process: asyncio.subprocess.Process
    log: Path

    async def ends_by_itself(self) -> None:
        """Wait for what must not happen. Raises `ServerFailed`."""
        code = await self.process.wait()
        raise ServerFailed(f"the server ended by itself, code {code}{_last_words(self.log)}")


@asynccontextmanager
async def demo_server() -> AsyncIterator[DemoServer]:
    """Start it, and stop it whatever happens. Raises `ServerFailed`."""
    home = Path(tempfile.mkdtemp(prefix="samedeal-demo-"))
    try:
        process = await _start(home)
        try:
            yield DemoServer(await _url_of(process, home), process, home / "log")
        finally:
            await _stop(process)
            if process.returncode != 0:
                _end_orphaned_store(home)
    finally:
        shutil.rmtree(home, ignore_errors=True)


async def _start(home: Path) -> asyncio.subprocess.Process:
    # Nothing that is set for the user's own server may reach this one, its store least of all.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SAMEDEAL_")}
    environment |= {
        "SAMEDEAL_DATA_DIR": str(home / "data"),
        "SAMEDEAL_MIN_DURATION_MS": str(MIN_DURATION_MS),
        "SAMEDEAL_STANDINGS_HZ": str(STANDINGS_HZ),
        "SAMEDEAL_LOG_LEVEL": "warning",
        "TMPDIR": str(home),
    }
    with (home / "log").open("wb") as log:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "samedeal_client.main", "serve", "--port", "0"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            # Ctrl-C is for us: we stop it in order.
            start_new_session=True,
            env=environment,
        )


async def _url_of(process: asyncio.subprocess.Process, home: Path) -> str:
    assert process.stdout is not None
    try:
        async with asyncio.timeout(START_S):
            line = (await process.stdout.readline()).decode(errors="replace")
    except TimeoutError:
        raise ServerFailed(f"the server did not start{_last_words(home / 'log')}") from None
    found = _URL.search(line)
    if found is None:
        await process.wait()
        raise ServerFailed(f"the server did not start{_last_words(home / 'log')}")
    return found[0]


async def _stop(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(STOP_S):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _end_orphaned_store(home: Path) -> None:
    """A server that was killed could not stop its store, a session of its own."""
    pid_file = home / "data" / "store" / "valkey.pid"
    with suppress(OSError, ValueError):
        pid = int(pid_file.read_text())
        command = Path(f"/proc/{pid}/cmdline")
        if not Path("/proc/self").exists() or b"valkey" in command.read_bytes():
            os.kill(pid, signal.SIGKILL)


def _last_words(log: Path) -> str:
    with suppress(OSError):
        lines = log.read_text(errors="replace").strip().splitlines()[-5:]
        if lines:
            return ":\n  " + "\n  ".join(lines)
    return ""

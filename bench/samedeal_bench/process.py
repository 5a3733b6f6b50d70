"""What a server process costs, from /proc."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from samedeal_server.store.embedded import close_embedded, open_embedded

__all__ = ["OwnServer", "cpu_seconds", "memory_bytes", "own_server"]

_TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """User and system time of all threads of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


def memory_bytes(pid: int) -> int:
    """Resident memory."""
    match = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(match[1]) * 1024 if match else 0


@dataclass(frozen=True)
class OwnServer:
    """A server started for a bench."""

    host: str
    port: int
    pid: int | None
    """None if its CPU and memory can't be read."""


@contextmanager
def _store(folder: str) -> Iterator[str]:
    store = asyncio.run(open_embedded(Path(folder)))
    try:
        yield store.url
    finally:
        asyncio.run(close_embedded(store))


@contextmanager
def own_server(*, core: int | None, **settings: object) -> Iterator[OwnServer]:
    """Start `samedeal serve` with a store of its own, without limits on speed.

    The store is started beside the server, not by it: it must not share the server's core.
    """
    with TemporaryDirectory(prefix="samedeal-bench-") as folder, _store(folder) as store_url:
        environment = os.environ | {
            "SAMEDEAL_STORE_URL": store_url,
            "SAMEDEAL_MOVES_PER_S": "1000000",
            "SAMEDEAL_MOVES_BURST": "1000000",
            "SAMEDEAL_REQUESTS_PER_S": "100000",
            "SAMEDEAL_REQUESTS_BURST": "100000",
            "SAMEDEAL_BUSY_LAG_MS": "3600000",
            "SAMEDEAL_PLAYER_DUELS_PER_MIN": "1000000",
            "SAMEDEAL_MAX_DUELS": "1000000",
            **{f"SAMEDEAL_{name.upper()}": str(value) for name, value in settings.items()},
        }
        pin = [] if core is None else ["taskset", "-c", str(core)]
        command = [*pin, sys.executable, "-m", "samedeal_client.main", "serve", "--port", "0"]
        server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            found = re.search(r"ws://([^:/]+):(\d+)", line)
            if found is None:
                raise RuntimeError(f"the server did not start: {line!r}")
            yield OwnServer(found[1], int(found[2]), server.pid)
        finally:
            server.terminate()
            server.wait(30)

"""Nodes and the store as processes that can be killed, frozen and brought back."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from redis.asyncio import Redis

from faults.failover import FailoverStore
from faults.link import Link
from samedeal_server.store.embedded import (
    EmbeddedStore,
    StoreUnavailable,
    close_embedded,
    open_embedded,
    revive_embedded,
)

__all__ = ["MARK", "Node", "Store", "marked_processes"]

MARK: Final = "SAMEDEAL_FAULTS_RUN"
"""In the environment of every process of a run: what still has it at the end is an orphan."""

TESTS: Final = Path(__file__).parent.parent
START_S: Final = 60.0
"""For a node to listen, on a machine that is busy and with a store that is away."""
STOP_S: Final = 25.0
"""For a node that was told to stop: flush, drain, give up."""
COMPLAINT: Final = re.compile(r"Traceback|exception=|incident=")


class Store:
    """A Valkey that keeps what it has acknowledged, at one address for the whole run."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._store: EmbeddedStore
        self.up = False
        self.frozen = False

    async def start(self) -> None:
        self._store = await open_embedded(self._data_dir, start_timeout_s=START_S)
        self.up = True

    @property
    def url(self) -> str:
        return self._store.url

    def url_through(self, link: Link) -> str:
        """For a node behind that link."""
        return f"redis://127.0.0.1:{link.port}"

    def client(self) -> Redis:
        """For the harness itself, on a good line."""
        return Redis.from_url(self.url, decode_responses=True, socket_timeout=3)

    async def connect(self, protocol: object) -> object:
        """For links to it."""
        path = unquote(urlsplit(self._store.url).path)
        loop = asyncio.get_running_loop()
        return await loop.create_unix_connection(protocol, path)  # type: ignore[arg-type]

    def kill(self) -> None:
        self.up = False
        with suppress(ProcessLookupError):
            os.kill(self._store.pid, signal.SIGKILL)

    async def revive(self) -> None:
        """Again, with what its file says."""
        while True:
            with suppress(StoreUnavailable):
                self._store = await revive_embedded(self._store, start_timeout_s=START_S)
                self.up = True
                return
            await asyncio.sleep(0.1)

    def freeze(self) -> None:
        self.frozen = True
        os.kill(self._store.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        self.frozen = False
        with suppress(ProcessLookupError):
            os.kill(self._store.pid, signal.SIGCONT)

    async def stop(self) -> None:
        """Once or more often."""
        self.thaw()
        self.up = False
        await close_embedded(self._store)


class Node:
    """One `samedeal serve`, with a bad line on both sides of it."""

    def __init__(self, number: int, store: Store | FailoverStore, bug: str, logs: Path) -> None:
        self.number = number
        self._store = store
        self.to_store = Link(store.connect)
        self.to_clients = Link(self._connect)
        self.starts = 0
        self.peak_kib = 0
        """The most memory that any of its processes has had."""
        self._bug = bug
        self._log = logs / f"node-{number}.log"
        self._process: asyncio.subprocess.Process | None = None
        self._port = 0

    async def open(self, env: Mapping[str, str]) -> None:
        """Both lines, and the first process."""
        self._env = dict(env)
        await self.to_store.open()
        await self.to_clients.open()
        await self.start()

    @property
    def up(self) -> bool:
        return self._process is not None and self._process.returncode is None and self._port > 0

    async def _connect(self, protocol: object) -> object:
        if not self._port:
            raise ConnectionRefusedError
        loop = asyncio.get_running_loop()
        return await loop.create_connection(protocol, "127.0.0.1", self._port)  # type: ignore[arg-type]

    async def start(self) -> None:
        """A new process; returns once it listens. A start that the store spoils is tried again."""
        flags = ["--port", "0", "--store-url", self._store.url_through(self.to_store)]
        env = {**os.environ, **self._env, "PYTHONPATH": str(TESTS)}
        while True:
            with self._log.open("ab") as log:
                self._process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "faults.serve", self._bug, *flags),
                    stdout=asyncio.subprocess.PIPE,
                    stderr=log,
                    env=env,
                )
            self.starts += 1
            assert self._process.stdout is not None
            line = await asyncio.wait_for(self._process.stdout.readline(), START_S)
            found = re.search(rb":(\d+)/ws", line)
            if found is not None:
                self._port = int(found[1])
                return
            if await self._process.wait() != 1:
                return  # killed by another fault, or broken: who waits for it will tell
            await asyncio.sleep(0.2)

    def signal(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.returncode is None:
            self._measure(self._process.pid)
            self._process.send_signal(number)

    async def kill(self) -> None:
        self.signal(signal.SIGKILL)
        with suppress(TimeoutError):  # a child that holds its output may end a little later
            async with asyncio.timeout(STOP_S):
                await self._ended()
        self._port = 0

    async def kill_if_up(self) -> None:
        """Whatever state it is in."""
        if self._process is not None and self._process.returncode is None:
            await self.kill()

    async def stop(self) -> int:
        """Told to stop; its exit code, or -9 if it had to be killed."""
        self.signal(signal.SIGTERM)
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_S):
                return await self._ended()
        await self.kill()
        return -9

    async def _ended(self) -> int:
        assert self._process is not None
        code = await self._process.wait()
        self._port = 0
        return code

    def kill_worker(self, which: int) -> None:
        """One of its children, as `kill -9` does."""
        if self._process is None or self._process.returncode is not None:
            return
        children = _children(self._process.pid)
        if children:
            with suppress(ProcessLookupError):
                os.kill(children[which % len(children)], signal.SIGKILL)

    def _measure(self, pid: int) -> None:
        with suppress(OSError):
            status = Path(f"/proc/{pid}/status").read_text()
            found = re.search(r"VmHWM:\s+(\d+)", status)
            self.peak_kib = max(self.peak_kib, int(found[1]) if found else 0)

    def complaints(self) -> list[str]:
        """Lines of its log that say that the program itself is at fault."""
        text = self._log.read_text(errors="replace") if self._log.exists() else ""
        return [line for line in text.splitlines() if COMPLAINT.search(line)]

    async def close(self) -> None:
        await self.to_store.close()
        await self.to_clients.close()


def _children(parent: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(path.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(path.parent.name))
    return sorted(found)


def marked_processes(run: str) -> list[int]:
    """Living processes of this run, ourselves left out; Linux only, elsewhere none."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        pid = int(path.parent.name)
        with suppress(OSError):
            if pid != os.getpid() and f"{MARK}={run}".encode() in path.read_bytes().split(b"\0"):
                found.append(pid)
    return found

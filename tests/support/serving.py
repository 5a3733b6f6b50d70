"""`samedeal serve` as processes: started, watched, interrupted, killed."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

from samedeal_server.store.embedded_files import FileLock, StoreFiles
from samedeal_server.store.embedded_process import send_signal

__all__ = ["Server", "children", "free_port", "lives"]

QUICK = {
    "SAMEDEAL_MIN_DURATION_MS": "100",
    "SAMEDEAL_COUNTDOWN_S": "0.3",
    "SAMEDEAL_TELL_WINNABLE": "false",
    "SAMEDEAL_STANDINGS_HZ": "20",
    "SAMEDEAL_REQUESTS_PER_S": "500",
    "SAMEDEAL_REQUESTS_BURST": "500",
    "SAMEDEAL_MOVES_PER_S": "5000",
    "SAMEDEAL_MOVES_BURST": "5000",
    "SAMEDEAL_PLAYER_DUELS_PER_MIN": "1000000",
    "SAMEDEAL_BUSY_LAG_MS": "60000",
    "SAMEDEAL_LOG_LEVEL": "warning",
}


def free_port() -> int:
    """A port that a server can come back to after it was killed."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


class Server:
    """One process; `with` kills what is left of it, and its store if no other node has it."""

    def __init__(
        self,
        data_dir: Path,
        *flags: str,
        port: int = 0,
        wait: bool = True,
        keep_store: bool = False,
        **env: str,
    ) -> None:
        """`wait` until it says where it listens; `keep_store` for whoever comes next."""
        self.data_dir = data_dir
        self.keep_store = keep_store
        self.errors: list[str] = []
        code = "import sys; from samedeal_server.cli import main; sys.exit(main(sys.argv[1:]))"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, "--port", str(port), *flags],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **QUICK, "SAMEDEAL_DATA_DIR": str(data_dir), **env},
            start_new_session=True,  # a process group, as a shell would make for it
        )
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        stderr = self.process.stderr
        self._drain = threading.Thread(target=lambda: self.errors.extend(stderr), daemon=True)
        self._drain.start()
        self.port = 0
        if not wait:
            return
        line = self.process.stdout.readline()
        found = re.search(r":(\d+)/ws", line)
        if found is None:
            self.__exit__()
            raise AssertionError(f"no server: {line!r} {self.errors}")
        self.port = int(found[1])

    def ctrl_c(self) -> None:
        """As a terminal does: to the whole process group."""
        os.killpg(self.process.pid, signal.SIGINT)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def code(self, timeout_s: float = 20) -> int:
        """The exit code, within the time."""
        return self.process.wait(timeout_s)

    def store_pid(self) -> int:
        return int((self.data_dir / "store" / "valkey.pid").read_text())

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)  # its workers too
        self.process.wait()
        if not self.keep_store:
            end_store(self.data_dir)
        self._drain.join(5)
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()


def end_store(data_dir: Path) -> None:
    """Kill the embedded store of a directory, unless a node that lives has a share of it."""
    files = StoreFiles(data_dir / "store")
    if not files.nodes_lock.exists():
        return
    alone = FileLock.try_take(files.nodes_lock, shared=False)
    if alone is not None:
        send_signal(files, signal.SIGKILL)
        alone.release()


def lives(pid: int) -> bool:
    """Whether there is such a process; one that nobody has buried is dead."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc").is_dir()


def children(pid: int) -> set[int]:
    """Of a process that runs here; Linux tells them by thread."""
    found: set[int] = set()
    for text in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found |= {int(child) for child in text.read_text().split()}
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found

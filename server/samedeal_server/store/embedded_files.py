"""What the embedded store keeps on disk: its directory, its locks, its socket, its settings."""

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, Self

if sys.platform != "win32":  # there StoreUnavailable is all that is needed of this module
    import fcntl

__all__ = ["FileLock", "StoreFiles", "StoreUnavailable", "Sync", "private_directory", "socket_path"]

Sync = Literal["always", "everysec"]

NAME_A_STORE: Final = "or name a store with --store-url redis://HOST:6379"

SOCKET_PATH_MAX: Final = 103
"""Bytes; macOS has 104 with the closing NUL, Linux 108."""

LOG_TAIL: Final = 12
"""Lines of the store's log in an error: a failed start writes about eight."""


class StoreUnavailable(Exception):
    """The embedded store cannot be had: what happened, the end of its log, what to do."""

    def __init__(self, what: str, remedy: str, log: Sequence[str] = ()) -> None:
        super().__init__("\n".join([f"{what}.", *(f"  | {line}" for line in log), f"{remedy}."]))
        self.what, self.remedy, self.log = what, remedy, tuple(log)

    @classmethod
    def from_os_error(cls, data_dir: Path, exc: OSError) -> Self:
        return cls(
            f"The store cannot use its directory {data_dir}: {exc.strerror or exc}",
            f"Make it writable, free some space, choose another directory, {NAME_A_STORE}",
        )


class FileLock:
    """A held flock. It ends with release(), or with the last process that has it open."""

    def __init__(self, fd: int) -> None:
        self.fd = fd

    @classmethod
    def try_take(cls, path: Path, *, shared: bool = False) -> "FileLock | None":
        """None if somebody else holds it; each call counts as somebody else."""
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            return None
        except BaseException:
            os.close(fd)
            raise
        return cls(fd)

    def try_make_exclusive(self) -> bool:
        """Whether nobody shared it with us; if somebody does, it stays shared.

        The kernel lets go of the lock in between: hold another one around this.
        """
        try:
            fcntl.flock(self.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.make_shared()
            return False
        return True

    def make_shared(self) -> None:
        fcntl.flock(self.fd, fcntl.LOCK_SH | fcntl.LOCK_NB)

    @property
    def released(self) -> bool:
        return self.fd < 0

    def release(self) -> None:
        """Once or more often."""
        if not self.released:
            os.close(self.fd)
            self.fd = -1


@dataclass(frozen=True, slots=True)
class StoreFiles:
    """The files of one store, all but the socket in its data directory."""

    data_dir: Path

    @classmethod
    def prepare(cls, data_dir: Path) -> Self:
        """Make the directory, ours alone: player tokens and duel secrets are in it."""
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        data_dir = data_dir.resolve(strict=True)
        if stat.S_IMODE(data_dir.stat().st_mode) != 0o700:
            data_dir.chmod(0o700)
        return cls(data_dir)

    @property
    def start_lock(self) -> Path:
        """Exclusive, for as long as somebody starts or stops the store."""
        return self.data_dir / "start.lock"

    @property
    def nodes_lock(self) -> Path:
        """Shared by every node that uses the store; whoever gets it alone is the last."""
        return self.data_dir / "nodes.lock"

    @property
    def store_lock(self) -> Path:
        """Exclusive, held by the store process itself: two of them would corrupt the AOF."""
        return self.data_dir / "store.lock"

    @property
    def socket_link(self) -> Path:
        """Points to the socket, so that nodes with another TMPDIR find it too."""
        return self.data_dir / "valkey.sock"

    @property
    def pid_file(self) -> Path:
        return self.data_dir / "valkey.pid"

    @property
    def log_file(self) -> Path:
        return self.data_dir / "valkey.log"

    @property
    def conf_file(self) -> Path:
        return self.data_dir / "valkey.conf"

    def store_lives(self) -> bool:
        """Whether a store process has this directory, answering or not."""
        lock = FileLock.try_take(self.store_lock, shared=True)
        if lock is None:
            return True
        lock.release()
        return False

    def socket(self) -> Path | None:
        """Where the store was told to listen; None before the first start."""
        try:
            return self.socket_link.readlink()
        except FileNotFoundError:
            return None

    def pid(self) -> int | None:
        """As the store wrote it; only meaningful while `store_lives`."""
        try:
            return int(self.pid_file.read_text())
        except (FileNotFoundError, ValueError):
            return None

    def log_tail(self) -> list[str]:
        with suppress(OSError):
            return self.log_file.read_text(errors="replace").splitlines()[-LOG_TAIL:]
        return []

    def write_for_start(self, socket: Path, sync: Sync) -> None:
        """Everything the next store process reads, and nothing left of the one before.

        The link comes before the process: if we are killed in between, the next node
        still learns where the store listens.
        """
        self.pid_file.unlink(missing_ok=True)
        with suppress(FileNotFoundError):  # the log of the run before is for whoever asks why
            self.log_file.replace(self.log_file.with_suffix(".log.1"))
        self.conf_file.write_text(self._settings(socket, sync), errors="surrogateescape")
        fresh_link = self.data_dir / "valkey.sock.new"
        fresh_link.unlink(missing_ok=True)
        fresh_link.symlink_to(socket)
        fresh_link.replace(self.socket_link)

    def _settings(self, socket: Path, sync: Sync) -> str:
        settings = {
            "port": "0",
            "unixsocket": _quoted(socket),
            "unixsocketperm": "600",
            "daemonize": "yes",
            "pidfile": _quoted(self.pid_file),
            "logfile": _quoted(self.log_file),
            "dir": _quoted(self.data_dir),
            "appendonly": "yes",
            "appendfsync": sync,
            "aof-load-truncated": "yes",
            "save": '""',
            "maxmemory-policy": "noeviction",
        }
        head = "# Written anew at each start by samedeal; changes are lost.\n"
        return head + "".join(f"{key} {value}\n" for key, value in settings.items())


def socket_path(data_dir: Path, uid: int) -> Path:
    """A short path of its own for the store in `data_dir`, in a directory only `uid` enters.

    Not in XDG_RUNTIME_DIR: that vanishes at logout, while a server under nohup goes on.
    Device and inode keep apart what has the same path in two containers sharing /tmp.
    """
    where = data_dir.stat()
    key = hashlib.sha256(f"{data_dir}\0{where.st_dev}\0{where.st_ino}".encode(errors="replace"))
    name = f"{key.hexdigest()[:16]}.sock"
    directory = Path(tempfile.gettempdir()) / f"samedeal-{uid}"
    if len(os.fsencode(directory / name)) > SOCKET_PATH_MAX:
        directory = Path("/tmp") / f"samedeal-{uid}"  # noqa: S108 - checked by private_directory
    return private_directory(directory, uid) / name


def private_directory(directory: Path, uid: int) -> Path:
    """Make `directory` if it is missing; refuse one that others could have prepared for us."""
    try:
        directory.mkdir(mode=0o700, exist_ok=True)
        found = directory.lstat()
        if stat.S_ISDIR(found.st_mode) and found.st_uid == uid:
            if stat.S_IMODE(found.st_mode) != 0o700:
                directory.chmod(0o700)
            return directory
        kind = "belongs to somebody else" if stat.S_ISDIR(found.st_mode) else "is not a directory"
    except OSError as exc:
        kind = f"cannot be used: {exc.strerror or exc}"
    raise StoreUnavailable(
        f"The directory for the store's socket, {directory}, {kind}",
        f"Remove it, set TMPDIR to a directory of your own, {NAME_A_STORE}",
    )


def _quoted(path: Path) -> str:
    """As valkey.conf wants it: double quotes, backslash escapes."""
    text = str(path)
    for char, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(char, escape)
    return f'"{text}"'

"""Who we are at which server: names and secret tokens, kept in the user's config directory."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
import unicodedata
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from platformdirs import user_config_path

if sys.platform != "win32":
    import fcntl

__all__ = ["HERE", "Identities", "Identity", "config_dir", "settings_file"]

HERE: Final = "here"
"""The key of the servers that this program finds or starts: they share the store of this user."""
_FOLDER: Final = "identities"


def config_dir() -> Path:
    """Where this user's settings are; `SAMEDEAL_CONFIG_DIR` says otherwise."""
    override = os.environ.get("SAMEDEAL_CONFIG_DIR")
    return Path(override) if override else user_config_path("samedeal")


def settings_file() -> Path:
    """What the player has chosen for all games, in TOML."""
    return config_dir() / "tui.toml"


@dataclass(frozen=True, slots=True)
class Identity:
    """A player at a server. The token is the player: keep it secret."""

    server: str
    name: str
    token: str


class Identities:
    """One file for each player at each server, mode 0600, written in one piece.

    A player can be claimed by one running program on this machine at a time, so that a second
    window gets a name of its own instead of throwing the first one out.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._folder = (directory or config_dir()) / _FOLDER
        self._claims: dict[Path, int] = {}

    def find(self, server: str, name: str | None = None) -> Identity | None:
        """The player with this name at the server; without a name the one who played last."""
        if name is not None:
            return _read(self._file(server, name))
        return next((known for known in self._latest_first() if known.server == server), None)

    def neighbours(
        self, server: str, name: str | None, is_local: Callable[[str], bool]
    ) -> list[Identity]:
        """The players of other servers of this machine, the latest first, each token once.

        They may share a store with this one. Never of a server elsewhere, and only to be asked
        for a server here: a token is its player.
        """
        found: dict[str, Identity] = {}
        for known in self._latest_first():
            here = known.server == HERE or is_local(known.server)
            if here and known.server != server and (name is None or _same(known.name, name)):
                found.setdefault(known.token, known)
        return list(found.values())

    def keep(self, identity: Identity, *, behind: Identity | None = None) -> None:
        """Write the identity. Raises OSError where that can't be done.

        `behind`: as if played before that one, who is still the one to come back as.
        """
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = self._file(identity.server, identity.name)
        # mkstemp makes it 0600 before a secret is in it.
        handle, temporary = tempfile.mkstemp(dir=self._folder, prefix=".new-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                json.dump(asdict(identity), out, ensure_ascii=False)
                out.flush()
                os.fsync(out.fileno())
            if behind is not None:
                before = _modified(self._file(behind.server, behind.name)) - 1
                os.utime(temporary, (before, before))
            Path(temporary).replace(file)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
            raise

    def forget(self, identity: Identity) -> None:
        """The server does not know this player any more."""
        with contextlib.suppress(OSError):
            self._file(identity.server, identity.name).unlink()

    def claim(self, server: str, name: str) -> bool:
        """Take the player for this program; False if another running program has it.

        Where no lock can be had (no such directory, no such system call) nobody is kept out.
        """
        if sys.platform == "win32":
            return True
        lock = self._file(server, name).with_suffix(".lock")
        if lock in self._claims:
            return True
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            return True
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            return False
        self._claims[lock] = handle
        return True

    def release(self) -> None:
        """Give back all claims; the end of the program does it too."""
        claims, self._claims = self._claims, {}
        for handle in claims.values():
            os.close(handle)

    def _latest_first(self) -> list[Identity]:
        found = [(_modified(file), known) for file in self._files() if (known := _read(file))]
        return [known for _at, known in sorted(found, key=lambda pair: -pair[0])]

    def _files(self) -> list[Path]:
        try:
            return list(self._folder.glob("*.json"))
        except OSError:
            return []

    def _file(self, server: str, name: str) -> Path:
        """One file for all spellings of one name; nothing of a name goes into a path."""
        key = hashlib.sha256(f"{server}\n{_folded(name)}".encode("utf-8", "replace")).hexdigest()
        return self._folder / f"{key[:24]}.json"


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().strip()


def _same(one: str, other: str) -> bool:
    return _folded(one) == _folded(other)


def _read(file: Path) -> Identity | None:
    """Whatever else is in that directory is not ours to complain about."""
    try:
        data: Any = json.loads(file.read_text(encoding="utf-8"))
        identity = Identity(**data)
    except (OSError, ValueError, TypeError):
        return None
    fields = (identity.server, identity.name, identity.token)
    return identity if all(isinstance(field, str) for field in fields) else None


def _modified(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0

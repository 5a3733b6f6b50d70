"""How friends get into a duel: what they type, and from where that works."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Final

from samedeal_client.address import is_local
from samedeal_client.errors import ClientError, RequestFailed
from samedeal_client.texts import _
from samedeal_protocol import ErrorCode

__all__ = ["join_command", "lost_code_words", "program_name", "reach_words", "serve_command"]

_PROGRAM: Final = "samedeal"


def program_name(argv0: str | None = None) -> str:
    """What one types for this program here: its path where the shell would not find it.

    `argv0` is how it was started; else as it was.
    """
    started = Path(sys.argv[0] if argv0 is None else argv0)
    if started.name != _PROGRAM or shutil.which(_PROGRAM) or not started.exists():
        return _PROGRAM
    here = Path.cwd()
    path = started.absolute()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def join_command(code: str, address: str) -> str:
    """What friends type; a server of this machine is joined with the program of this machine."""
    program = program_name() if is_local(address) else _PROGRAM
    return " ".join((program, "play", "join", code, "--server", address))


def serve_command() -> str:
    """What lets friends in from elsewhere."""
    return " ".join((program_name(), "serve", "--host", "0.0.0.0"))  # noqa: S104


def reach_words(address: str) -> list[str]:
    """That nobody elsewhere gets there, and what to do; nothing where they may."""
    if not is_local(address):
        return []
    return [
        _("That works on this machine only. For friends elsewhere, a server of yours:"),
        serve_command(),
    ]


def lost_code_words(error: ClientError | ValueError, *, private: bool) -> str:
    """What the server refused; that its code is of another server, where this one is all new."""
    if private and isinstance(error, RequestFailed) and error.code is ErrorCode.NO_SUCH_DUEL:
        return _(
            "no duel has that code on the server that was started here just now: ask your friend "
            "for the address, and add --server ADDRESS"
        )
    return str(error)

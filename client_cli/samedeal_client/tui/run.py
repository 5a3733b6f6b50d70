"""Starts the full-screen client and closes everything behind it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from typing import Final

from rich.console import Console

from samedeal_client.plain.choosing import DEFAULT
from samedeal_client.plain.client import Wish
from samedeal_client.tui.app import SameDeal
from samedeal_client.tui.context import Context
from samedeal_client.tui.session import Session
from samedeal_client.tui.settings import BadSettings, Settings, load_settings
from samedeal_client.tui.shell import Shell

__all__ = ["leave_on_signals", "own_context", "play_full_screen"]

BAD_SETTINGS: Final = 2
FLUSH_S: Final = 1.0
"""Longer than an answer takes; nobody waits for a server that is away."""
FLUSH_LOOKS: Final = 50
_LETTERS_ONLY: Final = ("vt100", "vt102", "vt220", "ansi")
"""Terminals without box lines and suits, whatever the locale says."""


async def play_full_screen(wish: Wish) -> int:
    """Play until the person has enough; the exit code."""
    try:
        settings = load_settings()
    except BadSettings as error:
        print(f"samedeal play: {error}", file=sys.stderr)  # noqa: T201
        return BAD_SETTINGS
    context = own_context(wish, settings)
    session = context.session
    app = SameDeal(context)
    leave_on_signals(app)
    try:
        code = await app.run_async()
        return code if code is not None else (app.return_code or 0)
    finally:
        await _flush(session)
        await session.aclose()


def own_context(wish: Wish, settings: Settings | None = None) -> Context:
    """What this player and this terminal like. Raises `BadSettings`."""
    _forget_size()
    return Context(
        Session(wish),
        wish,
        load_settings() if settings is None else settings,
        signs=not wish.ascii_only and _shows_signs(),
        colour=not os.environ.get("NO_COLOR"),
        few_colours=Console().color_system == "standard",
        game=wish.game or DEFAULT,
    )


def _shows_signs() -> bool:
    """Whether the terminal takes box lines and suits, as far as its locale and type tell."""
    environment = os.environ.get
    locale = next(filter(None, map(environment, ("LC_ALL", "LC_CTYPE", "LANG"))), "")
    name, _dot, charset = locale.partition(".")
    if charset.partition("@")[0].lower().replace("-", "") not in ("", "utf8") or (
        not charset and name in ("C", "POSIX")
    ):
        return False
    try:
        "╭─♠".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return environment("TERM", "") not in _LETTERS_ONLY


def _forget_size() -> None:
    """The window's own size counts, whatever a shell has exported."""
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)


async def _flush(session: Session) -> None:
    """A move that was played just before the end still gets to the server."""
    if not session.open:
        return
    connection = session.connection
    for _look in range(FLUSH_LOOKS):
        if not connection.up or connection.table is None or not connection.table.pending:
            return
        await asyncio.sleep(FLUSH_S / FLUSH_LOOKS)


def leave_on_signals(app: Shell) -> None:
    """As politely as one leaves by a key."""
    loop = asyncio.get_running_loop()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        with contextlib.suppress(AttributeError, NotImplementedError):
            number = getattr(signal, name)
            loop.add_signal_handler(number, app.leave_now, 128 + number)

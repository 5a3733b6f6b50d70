"""Starts the full-screen client and closes everything behind it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from typing import Final

from samedeal_client.plain.choosing import DEFAULT
from samedeal_client.plain.client import Wish
from samedeal_client.tui.app import SameDeal
from samedeal_client.tui.context import Context
from samedeal_client.tui.session import Session
from samedeal_client.tui.settings import BadSettings, load_settings

__all__ = ["play_full_screen"]

BAD_SETTINGS: Final = 2


async def play_full_screen(wish: Wish) -> int:
    """Play until the person has enough; the exit code."""
    try:
        settings = load_settings()
    except BadSettings as error:
        print(f"samedeal play: {error}", file=sys.stderr)  # noqa: T201
        return BAD_SETTINGS
    session = Session(wish)
    context = Context(
        session,
        wish,
        settings,
        signs=not wish.ascii_only and _shows_signs(),
        colour=not os.environ.get("NO_COLOR"),
        game=wish.game or DEFAULT,
    )
    app = SameDeal(context)
    _leave_on_signals(app)
    try:
        code = await app.run_async()
        return code if code is not None else (app.return_code or 0)
    finally:
        await session.aclose()


def _shows_signs() -> bool:
    """Whether the terminal takes box lines and suits."""
    try:
        "╭─♠".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return os.environ.get("TERM", "") not in ("vt100", "vt220", "ansi")


def _leave_on_signals(app: SameDeal) -> None:
    loop = asyncio.get_running_loop()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        with contextlib.suppress(AttributeError, NotImplementedError):
            number = getattr(signal, name)
            loop.add_signal_handler(number, app.leave_now, 128 + number)

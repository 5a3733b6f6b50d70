"""`samedeal replay`: step through a finished game."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from samedeal_client.address import is_code
from samedeal_client.commands.arguments import CommandParser, full_screen_here, read_file
from samedeal_client.errors import ClientError
from samedeal_client.plain.style import Style, printable, style_for
from samedeal_client.plain.terminal import Terminal
from samedeal_client.replay.fetch import fetch_record
from samedeal_client.replay.line import look_through, player_index
from samedeal_client.replay.reel import Reel, Replay
from samedeal_client.replay.source import MAX_FILE_BYTES, replay_of
from samedeal_client.replay.words import film_lines, film_name, moment_lines, replay_title
from samedeal_client.rules_words import rules_error_words
from samedeal_client.texts import _
from samedeal_rules import MalformedRecord

__all__ = ["main"]

NO_LIMIT: Final = 10_000
"""Columns of an output that nobody looks at."""


def main(argv: Sequence[str]) -> int:
    """Show it; exit 1 if it can't be had."""
    arguments = _parser().parse_args(argv)
    try:
        replay = replay_of(_data(arguments))
        reel = Reel(replay, focus=_focus(replay, arguments.player))
    except MalformedRecord as error:
        return _fail(_("this is no record of a game: {why}").format(why=rules_error_words(error)))
    except OSError as error:
        why = error.strerror or str(error)
        return _fail(f"{arguments.record}: {why}")
    except (ClientError, ValueError) as error:
        return _fail(printable(str(error)))
    style = style_for(sys.stdout, ascii_only=arguments.ascii)
    style = replace(style, sentences=arguments.sentences)
    if arguments.at is None and sys.stdin.isatty() and sys.stdout.isatty():
        return _looked_at(reel, style, arguments)
    print("\n".join(_printed(reel, style, arguments)))
    return 0


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="samedeal replay",
        description=_(
            "Step through a finished game. Without a terminal: the whole game, or one moment."
        ),
    )
    parser.add_argument(
        "record",
        metavar="FILE|CODE",
        help=_(
            "a game record or a saved duel (- is stdin), or the code of a finished duel, which "
            "its server is asked for"
        ),
    )
    parser.add_argument("--at", metavar="N", type=_moment, help=_("only after move N, or at M:SS"))
    parser.add_argument("--player", metavar="NAME", help=_("whose game; else the winner's first"))
    parser.add_argument("--open", action="store_true", help=_("show face-down cards too"))
    parser.add_argument(
        "--server", metavar="ADDRESS", help=_("where the duel was played; else as for play")
    )
    parser.add_argument("--name", help=_("as whom to ask for it; else as last time"))
    parser.add_argument("--plain", action="store_true", help=_("line by line"))
    parser.add_argument(
        "--sentences",
        action="store_true",
        help=_("line by line in full sentences, for screen readers"),
    )
    parser.add_argument(
        "--ascii", action="store_true", help=_("letters instead of signs for suits")
    )
    return parser


def _moment(text: str) -> tuple[bool, int]:
    """Whether it is a time, and the number or the milliseconds."""
    minutes, colon, seconds = text.partition(":")
    parts = [minutes, seconds] if colon else [minutes]
    if not all(part.isascii() and part.isdecimal() and len(part) < 8 for part in parts):
        raise argparse.ArgumentTypeError(_("must be the number of a move, or a time like 1:30"))
    return bool(colon), int(minutes) * 60_000 + int(seconds) * 1000 if colon else int(minutes)


def _data(arguments: argparse.Namespace) -> bytes:
    """Raises OSError, `ClientError`, `ValueError`."""
    name: str = arguments.record
    if name == "-" or Path(name).exists():
        return read_file(name, MAX_FILE_BYTES)
    if not is_code(name):
        missing = _("there is no file {name}, and it is no code of a duel either")
        raise ClientError(missing.format(name=repr(name)))
    return asyncio.run(fetch_record(name, arguments.server, arguments.name))


def _focus(replay: Replay, player: str | None) -> int:
    """Raises `ClientError`."""
    if player is None:
        return 0
    found = player_index(replay.films, player)
    if found is None:
        names = ", ".join(map(film_name, replay.films))
        raise ClientError(_("nobody there is called that; there are: {names}").format(names=names))
    return found


def _looked_at(reel: Reel, style: Style, arguments: argparse.Namespace) -> int:
    """On the full screen where there is one, else line by line; the exit code."""
    if arguments.plain or arguments.sentences or not full_screen_here():
        asyncio.run(_look(reel, style, opened=arguments.open))
        return 0
    # Only here: nothing else has to wait for Textual to be imported.
    from samedeal_client.tui.replay.app import replay_full_screen

    look = replay_full_screen(reel, opened=arguments.open, ascii_only=arguments.ascii)
    try:
        return asyncio.run(look)
    except ValueError as error:
        return _fail(str(error))


async def _look(reel: Reel, style: Style, *, opened: bool) -> None:
    terminal = Terminal(sys.stdin, sys.stdout, style)
    terminal.say(replay_title(reel.replay))
    await look_through(terminal, reel, opened=opened)


def _printed(reel: Reel, style: Style, arguments: argparse.Namespace) -> Iterator[str]:
    yield replay_title(reel.replay)
    if arguments.at is not None:
        timed, value = arguments.at
        reel = reel.seek(value) if timed else reel.jump(value)
        yield from moment_lines(reel, style, 0, opened=arguments.open)
        return
    films = [reel.film] if arguments.player is not None else reel.replay.films
    for film in films:
        yield ""
        yield f"{film_name(film)}:"
        yield from film_lines(film, style)
        last = Reel(replace(reel.replay, films=(film,))).jump(film.last)
        yield from moment_lines(last, style, NO_LIMIT, opened=arguments.open)


def _fail(why: str) -> int:
    print(f"samedeal replay: {why}", file=sys.stderr)
    return 1

"""`samedeal top`: the leaderboards of a server."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, get_args

from samedeal_client.address import server_address
from samedeal_client.commands.arguments import CommandParser
from samedeal_client.errors import ClientError, ConnectionLost, RequestFailed
from samedeal_client.link import Link, LinkClosed
from samedeal_client.local_server import find_or_start
from samedeal_client.plain.style import printable
from samedeal_client.texts import N_, _, number
from samedeal_protocol import MAX_TOP_ROWS, Error, GetTop, TopList, TopRow, TopTable

__all__ = ["TABLES", "WHAT_COUNTS", "ask_top", "main", "top_lines"]

TABLES: Final[tuple[TopTable, ...]] = get_args(TopTable)
TITLES: Final = {
    "classic": N_("Klondike, FreeCell and Spider, cleared, by score"),
    "timed": N_("timed Klondike, by score"),
    "spanish": N_("Spanish Klondike, cleared, by time"),
}
WHAT_COUNTS: Final = N_(
    "Quick matches and practice alone count, by each game's own rules and time; "
    "no bots, no chosen deals."
)
ANSWER_S: Final = 10.0
"""A leaderboard is read at once; who waits longer waits for a store that is away."""


def main(argv: Sequence[str]) -> int:
    """Show them; exit 1 if no server tells."""
    arguments = _parser().parse_args(argv)
    tables = TABLES if arguments.table is None else (arguments.table,)
    try:
        lists = asyncio.run(ask_top(arguments.server, tables, arguments.count))
    except (ClientError, ValueError) as error:
        print(f"samedeal top: {printable(str(error))}", file=sys.stderr)
        return 1
    if arguments.json:
        print("\n".join(top.model_dump_json(exclude={"type", "req"}) for top in lists))
    else:
        print("\n\n".join("\n".join(top_lines(top)) for top in lists))
        print("\n" + _(WHAT_COUNTS))
    return 0


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="samedeal top",
        description=_("The best games of quick matches and of practice alone."),
    )
    parser.add_argument(
        "table",
        nargs="?",
        choices=TABLES,
        metavar="TABLE",
        help=_("{names}; else all").format(names=", ".join(TABLES)),
    )
    parser.add_argument("--count", type=_count, default=5, metavar="N", help=_("lines; else 5"))
    parser.add_argument(
        "--server", metavar="ADDRESS", help=_("host:port or ws://...; else one here")
    )
    parser.add_argument("--json", action="store_true", help=_("one line of JSON for each table"))
    return parser


def _count(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text[:9]) <= MAX_TOP_ROWS:
        raise argparse.ArgumentTypeError(
            _("must be a number from 1 to {most}").format(most=MAX_TOP_ROWS)
        )
    return int(text)


async def ask_top(server: str | None, tables: Sequence[TopTable], count: int) -> list[TopList]:
    """Without a hello: looking makes no player. Raises `ClientError` and `ValueError`."""
    named = server or os.environ.get("SAMEDEAL_SERVER")
    async with contextlib.AsyncExitStack() as stack:
        if named:
            url = server_address(named)
        else:
            local = await find_or_start()
            stack.push_async_callback(local.stop)
            url = local.url
        link = await stack.enter_async_context(Link(url))
        return [await _answer(link, GetTop(req=0, table=table, count=count)) for table in tables]


async def _answer(link: Link, request: GetTop) -> TopList:
    link.send(request)
    try:
        async with asyncio.timeout(ANSWER_S):
            while True:
                answer = await link.receive()
                if isinstance(answer, Error):
                    raise RequestFailed(answer)
                if isinstance(answer, TopList):
                    return answer
    except TimeoutError:
        raise ConnectionLost(_("no answer from the server")) from None
    except LinkClosed as closed:
        raise ConnectionLost(_("the line broke: {why}").format(why=closed)) from None


def top_lines(top: TopList) -> list[str]:
    """A title, and a line for each game."""
    title = f"{top.table}: " + _(TITLES[top.table])
    if not top.rows:
        return [title, "  " + _("nobody yet")]
    width = max(len(printable(row.name)) for row in top.rows)
    return [title, *(_line(row, width) for row in top.rows)]


def _line(row: TopRow, width: int) -> str:
    name = printable(row.name).ljust(width)
    score = "" if row.score is None else number(row.score)
    tenths = row.elapsed_ms // 100
    time = f"{tenths // 600}:{tenths % 600 // 10:02}.{tenths % 10}"
    return (
        f"  {row.place:>3}  {name}  {score:>8}  {time:>7}  {printable(row.ruleset):<10}"
        f"  {_date(row.at_ms)}"
    )


def _date(at_ms: int) -> str:
    """Where the reader is."""
    try:
        return f"{datetime.fromtimestamp(at_ms / 1000, tz=UTC).astimezone():%Y-%m-%d}"
    except (ValueError, OverflowError, OSError):
        return "?"

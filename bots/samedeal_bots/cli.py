"""`samedeal bot`: seats a bot in a duel."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from random import Random
from typing import Final

from pydantic import ValidationError

from samedeal_bots.brain import Level
from samedeal_bots.runner import DEFAULT_PACE_S, BotPlayer, DuelLost, own_row, seated_bot
from samedeal_bots.until_told import INTERRUPTED, run_until_told
from samedeal_client.address import DEFAULT_PORT, server_address
from samedeal_client.errors import ClientError, ConnectionFailed
from samedeal_protocol import MAX_SEATS, Create, Queue, Result

__all__ = ["main"]

REMATCH_S: Final = 300.0
"""How long `--stay` waits for somebody to ask for another duel."""


def main(argv: Sequence[str]) -> int:
    """Play; 0 after a result, 1 if there was none, 2 for a command line that makes no sense."""
    parser = _parser()
    wish = parser.parse_intermixed_args(argv)
    wish.code = "".join(wish.code)
    if sum((bool(wish.code), wish.quick, wish.create)) != 1:
        parser.error("say where: the CODE of a duel, or --quick, or --create")
    try:
        wish.server = server_address(
            wish.server or os.environ.get("SAMEDEAL_SERVER") or f"127.0.0.1:{DEFAULT_PORT}"
        )
    except ValueError as error:
        parser.error(str(error))
    try:
        return run_until_told(_play(wish))
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="samedeal bot",
        description="Seat a bot in a duel. It sees only what a player sees.",
    )
    parser.add_argument("code", nargs="*", metavar="CODE", help="the code of the duel")
    parser.add_argument("--quick", action="store_true", help="quick match instead of a code")
    parser.add_argument("--create", action="store_true", help="open a duel and say its code")
    parser.add_argument(
        "--level", type=Level, choices=list(Level), default=Level.NORMAL, help="default: normal"
    )
    parser.add_argument("--name", help="what it is called; else it makes a name up")
    parser.add_argument(
        "--server",
        metavar="URL",
        help=f"host:port or ws://...; else $SAMEDEAL_SERVER or 127.0.0.1:{DEFAULT_PORT}",
    )
    parser.add_argument(
        "--pace",
        type=_pace,
        metavar="SECONDS",
        help=f"between moves, on average; else {DEFAULT_PACE_S} for hard, more for the others",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="for the bot's own chance")
    parser.add_argument("--stay", action="store_true", help="accept rematches")
    parser.add_argument("--ruleset", default="timed", help="for --quick and --create")
    parser.add_argument(
        "--seats", type=int, default=2, metavar="N", help="for --quick and --create; default: 2"
    )
    return parser


def _pace(text: str) -> float:
    pace = float(text)
    if not 0.05 <= pace <= 60:
        # Below, the server takes it for a flood; above, it is no race.
        raise argparse.ArgumentTypeError("must be from 0.05 to 60 seconds")
    return pace


async def _play(wish: argparse.Namespace) -> int:
    try:
        async with seated_bot(
            wish.server,
            wish.level,
            Random(wish.seed),
            name=wish.name,
            pace_s=wish.pace,
            code=wish.code or None,
        ) as player:
            if wish.quick or wish.create:
                await _find_place(player, wish)
            else:
                _say(f"{player.connection.name} has sat down; Ctrl-C takes it away")
            await _play_on(player, wish)
    except ValidationError as error:
        return _fail(_first_words(error))
    except ConnectionFailed as error:
        return _fail(f"no server at {wish.server}: {error}")
    except ClientError as error:
        return _fail(str(error))
    return 0


async def _find_place(player: BotPlayer, wish: argparse.Namespace) -> None:
    connection = player.connection
    if wish.create:
        duel = await connection.request(Create(req=0, ruleset=wish.ruleset, seats=wish.seats))
        middle = len(duel.code) // 2
        _say(f"{connection.name} waits in duel {duel.code[:middle]} {duel.code[middle:]}")
    else:
        await connection.request(Queue(req=0, ruleset=wish.ruleset, seats=wish.seats))
        await player.found_match()


async def _play_on(player: BotPlayer, wish: argparse.Namespace) -> None:
    while True:
        try:
            _say(_outcome(player, await player.play_duel()))
        except DuelLost:
            if not wish.quick:
                raise
            await _find_place(player, wish)  # a match that did not start: wait for another
            continue
        if not wish.stay or not await player.accept_rematch(REMATCH_S):
            return


def _outcome(player: BotPlayer, result: Result) -> str:
    row = own_row(player.connection, result)
    points = f"{row.up} cards up" if row.score is None else f"{row.score:,} points"
    return f"{row.name}: place {row.place} of {result.total}, {points}"


def _first_words(error: ValidationError) -> str:
    """A code, name or number that can't even be sent."""
    first = error.errors(include_url=False)[0]
    field = str(first["loc"][0]) if first["loc"] else "value"
    if field == "code":
        return "no duel has that code; read it out again"
    if field == "seats":
        return f"--seats must be from 1 to {MAX_SEATS}; for --quick from 2 to 16"
    return f"--{field} can't be that: {first['msg'].lower()}"


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


def _fail(message: str) -> int:
    print(f"samedeal bot: {message}", file=sys.stderr)  # noqa: T201
    return 1

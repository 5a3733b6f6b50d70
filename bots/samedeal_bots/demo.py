"""`samedeal demo`: a server, bots, a short duel, live standings, the checked result."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Final

from samedeal_bots.brain import SLOWNESS, Level
from samedeal_bots.demo_race import Race, clock_text, code_text
from samedeal_bots.demo_report import show_checks, show_ranking
from samedeal_bots.demo_screen import Screen
from samedeal_bots.demo_server import DemoServer, demo_server
from samedeal_bots.runner import DEFAULT_PACE_S, BotPlayer, seated_bot
from samedeal_bots.until_told import INTERRUPTED, run_until_told
from samedeal_client.connection import Connection
from samedeal_client.errors import ClientError
from samedeal_protocol import Create, DuelChanged, Result
from samedeal_rules import RULESETS
from samedeal_rules.duel_record import parse_duel_record

__all__ = ["main"]

MIXED: Final = (Level.HARD, Level.NORMAL, Level.EASY, Level.HARD)
NAMES: Final = ("Hardy", "Norma", "Eddy", "Hazel", "Otto", "Wanda", "Ruby", "Jack")
"""The levels' first letters in the usual four; nobody else is on this server."""
MOVES: Final = 75
"""So many moves make a race, however short the duel is."""
LEAST_PACE_S: Final = 0.08
"""Faster, and the server takes it for a flood at times."""
GIVE_UP_S: Final = 5.0
OVERTIME_S: Final = 60.0
"""For all that is not the duel itself; on a slow machine it takes 10."""
SIT_DOWN_S: Final = 0.4
"""Between two arrivals, so that one can read along."""


def main(argv: Sequence[str]) -> int:
    """Show it; 0 if everything went well and the deal was verified."""
    wish = _parser().parse_args(argv)
    if wish.save is not None and not wish.save.parent.is_dir():
        print(f"samedeal demo: there is no directory {wish.save.parent}", file=sys.stderr)  # noqa: T201
        return 2
    try:
        with Screen(sys.stdout, plain=wish.plain, colour=not wish.no_color) as screen:
            code = run_until_told(_demo(wish, screen))
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code > 128:
        print("\nStopped; the server is gone and nothing is left behind.", file=sys.stderr)  # noqa: T201
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="samedeal demo",
        description="Bots race a short duel on a server of their own; the result is verified.",
    )
    parser.add_argument("--ruleset", choices=list(RULESETS), default="timed", help="default: timed")
    parser.add_argument("--bots", type=_bots, default=4, metavar="N", help="2 to 8; default: 4")
    parser.add_argument(
        "--seconds", type=_seconds, default=20.0, metavar="S", help="of the duel; default: 20"
    )
    parser.add_argument(
        "--level", choices=["mixed", *Level], default="mixed", help="of the bots; default: mixed"
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the record of the duel")
    parser.add_argument("--plain", action="store_true", help="lines only, nothing redrawn")
    parser.add_argument("--no-color", action="store_true", help="as with NO_COLOR=1")
    return parser


def _bots(text: str) -> int:
    bots = int(text)
    if not 2 <= bots <= len(NAMES):
        raise argparse.ArgumentTypeError(f"must be from 2 to {len(NAMES)}")
    return bots


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 1 <= seconds <= 600:
        raise argparse.ArgumentTypeError("must be from 1 to 600")
    return seconds


async def _demo(wish: argparse.Namespace, screen: Screen) -> int:
    screen.say("", f"  {screen.paint('Same Deal', 'bold')}: {_title(wish)}", "")
    try:
        async with asyncio.timeout(wish.seconds + OVERTIME_S), demo_server() as server:
            return await _while_it_runs(server, wish, screen)
    except TimeoutError:
        return _fail(screen, "it took far longer than it should")
    except ClientError as error:
        return _fail(screen, str(error))


def _title(wish: argparse.Namespace) -> str:
    return f"{wish.bots} bots race on the same cards for {wish.seconds:g} seconds"


async def _while_it_runs(server: DemoServer, wish: argparse.Namespace, screen: Screen) -> int:
    """The show, unless the server ends before it."""
    show = asyncio.create_task(_Demo(wish, screen).run(server.url))
    end = asyncio.create_task(server.ends_by_itself())
    try:
        await asyncio.wait({show, end}, return_when=asyncio.FIRST_COMPLETED)
        if end.done():
            end.result()
        return await show
    finally:
        show.cancel()
        end.cancel()
        await asyncio.gather(show, end, return_exceptions=True)


class _Demo:
    def __init__(self, wish: argparse.Namespace, screen: Screen) -> None:
        self._wish = wish
        self._screen = screen
        levels = cycle(MIXED if wish.level == "mixed" else [Level(wish.level)])
        self._levels = dict(zip(NAMES[: wish.bots], levels, strict=False))
        self._bots: list[BotPlayer] = []
        self._playing: list[asyncio.Task[Result]] = []

    async def run(self, url: str) -> int:
        async with AsyncExitStack() as stack:
            self._screen.say(f"  Server   {url}", "           its own process and its own store")
            audience = await stack.enter_async_context(
                Connection(url, name="Audience", give_up_s=GIVE_UP_S)
            )
            stack.push_async_callback(self._end_bots)
            seating = asyncio.create_task(self._seat_bots(url, stack, audience))
            try:
                result = await self._watch(audience, seating)
            finally:
                seating.cancel()
                await asyncio.gather(seating, return_exceptions=True)
            await asyncio.gather(*self._playing)
            return self._report(result, await audience.record())

    async def _seat_bots(self, url: str, stack: AsyncExitStack, audience: Connection) -> None:
        """The first opens the duel, the others come by its code; all play from then on."""
        code: str | None = None
        for name, level in self._levels.items():
            bot = await stack.enter_async_context(
                seated_bot(
                    url,
                    level,
                    Random(),
                    name=name,
                    pace_s=self._pace(level),
                    give_up_s=GIVE_UP_S,
                    code=code,
                )
            )
            if code is None:
                code = (await self._create(bot)).code
                await audience.watch(code)
            self._bots.append(bot)
            self._playing.append(asyncio.create_task(bot.play_duel()))
            await asyncio.sleep(SIT_DOWN_S)

    async def _create(self, host: BotPlayer) -> DuelChanged:
        wish = self._wish
        return await host.connection.request(
            Create(
                req=0,
                ruleset=wish.ruleset,
                seats=wish.bots,
                duration_ms=round(wish.seconds * 1000),
            )
        )

    def _pace(self, level: Level) -> float:
        pace: float = min(self._wish.seconds / MOVES, DEFAULT_PACE_S)
        return max(LEAST_PACE_S, pace) * SLOWNESS[level]

    async def _watch(self, audience: Connection, seating: asyncio.Task[None]) -> Result:
        def check() -> None:
            for task in (seating, *self._playing):
                if task.done():
                    task.result()

        while audience.duel is None:
            check()
            await asyncio.sleep(0.02)
        screen, duel = self._screen, audience.duel
        screen.say(
            f"  Duel     {screen.paint(code_text(duel.code), 'bold')}: {duel.ruleset},"
            f" {clock_text(duel.duration_ms or 0)}, {duel.seats} seats",
            f"  Promise  {duel.commitment}",
            "           the SHA-256 of a secret that, with a number from each player,",
            "           makes the deal: nobody chooses it, nobody can change it any more",
            "",
        )
        race = Race(screen, audience, self._levels, check)
        await race.show_seats()
        screen.say("")
        await race.show_countdown()
        await race.show_standings()
        assert audience.result is not None
        return audience.result

    def _report(self, result: Result, text: str) -> int:
        screen = self._screen
        show_ranking(screen, result, parse_duel_record(text), self._levels)
        ok = show_checks(screen, result, text, [bot.connection for bot in self._bots])
        if self._wish.save is not None:
            try:
                self._wish.save.write_bytes(text.encode())
            except OSError as error:
                return _fail(screen, f"can't write {self._wish.save}: {error.strerror or error}")
            screen.say(f"  Saved in {self._wish.save}; check it: samedeal verify {self._wish.save}")
        if not ok:
            return _fail(screen, "something about this duel is wrong, see above")
        screen.say("  Same deal for all, chosen by nobody, and every point accounted for.")
        screen.say(f"  {screen.paint('Your turn: make play', 'bold')}")
        return 0

    async def _end_bots(self) -> None:
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)


def _fail(screen: Screen, why: str) -> int:
    screen.keep()
    print(f"samedeal demo: {why}", file=sys.stderr)  # noqa: T201
    return 1

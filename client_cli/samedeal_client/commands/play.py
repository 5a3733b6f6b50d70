"""`samedeal play`: the terminal client. Chooses a front end and starts it."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
from collections.abc import Mapping, Sequence
from typing import Final

from samedeal_client.commands.arguments import CommandParser, full_screen_here, rule_option
from samedeal_client.plain.choosing import DEFAULT, Choice
from samedeal_client.plain.client import LEVELS, Wish, play_plain
from samedeal_client.rules_words import rules_error_words
from samedeal_client.texts import _
from samedeal_rules import OptionValue, UnknownRuleset, find_ruleset

__all__ = ["main"]

INTERRUPTED: Final = 130
"""128 + SIGINT, as shells have it."""


def main(argv: Sequence[str]) -> int:
    """Play; the exit code."""
    arguments = _parser().parse_intermixed_args(argv)
    wish = _wish(arguments)
    if not sys.stdin or sys.stdin.closed or not sys.stdout:
        print(_("samedeal play: it needs an input and an output"), file=sys.stderr)
        return 2
    try:
        if not (arguments.plain or arguments.sentences) and full_screen_here():
            # Only here: nothing else has to wait for Textual to be imported.
            from samedeal_client.tui.run import play_full_screen

            return asyncio.run(play_full_screen(wish))
        return asyncio.run(_until_told(wish))
    except KeyboardInterrupt:
        print()
        print(_("Interrupted. `samedeal play` brings you back to a duel that still runs."))
        return INTERRUPTED


async def _until_told(wish: Wish) -> int:
    """Play; SIGTERM and SIGHUP end it as politely as Ctrl-C does."""
    told: list[int] = []
    task = asyncio.ensure_future(play_plain(wish))

    def stop(number: int) -> None:
        told.append(number)
        task.cancel()

    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGHUP"):
        with contextlib.suppress(AttributeError, NotImplementedError):
            number = getattr(signal, name)
            loop.add_signal_handler(number, stop, number)
    try:
        return await task
    except asyncio.CancelledError:
        if not told:
            raise
        return 128 + told[0]


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="samedeal play",
        description=_("Play in the terminal. Without an action there is a menu."),
        epilog=_("actions: bot, create, join CODE, open, watch CODE, quick, practice"),
    )
    parser.add_argument(
        "action",
        nargs="?",
        choices=("bot", "create", "join", "open", "watch", "quick", "practice"),
        metavar="ACTION",
        help=_("bot, create, join, open (duels that anybody may join), watch, quick or practice"),
    )
    parser.add_argument("code", nargs="*", metavar="CODE", help=_("for join and watch"))
    parser.add_argument(
        "--server",
        metavar="ADDRESS",
        help=_("host:port or ws://...; else SAMEDEAL_SERVER from the environment, else one here"),
    )
    parser.add_argument("--name", help=_("who you are; else as last time"))
    _add_game(parser)
    parser.add_argument("--level", choices=LEVELS, help=_("of the bot"))
    parser.add_argument("--plain", action="store_true", help=_("the line client, for any terminal"))
    parser.add_argument(
        "--sentences",
        action="store_true",
        help=_("the line client in full sentences, for screen readers"),
    )
    parser.add_argument(
        "--ascii", action="store_true", help=_("letters instead of signs for suits")
    )
    parser.add_argument("--yes", action="store_true", help=_("don't ask before what costs points"))
    return parser


def _add_game(parser: argparse.ArgumentParser) -> None:
    """Which game, and how."""
    parser.add_argument(
        "--ruleset",
        metavar="RULESET",
        help=_("for create, bot, quick and practice: samedeal rules"),
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=rule_option,
        metavar="NAME=VALUE",
        help=_("a rule to change, for example draw=1; may be given several times"),
    )
    parser.add_argument("--seats", type=int, metavar="N", help=_("for create and quick; else 2"))
    parser.add_argument("--duration", type=_seconds, metavar="S", help=_("seconds"))
    parser.add_argument(
        "--untimed", action="store_true", help=_("practice without a time limit (not timed)")
    )
    parser.add_argument("--seed", metavar="TEXT", help=_("a chosen deal; everybody is told"))
    parser.add_argument(
        "--winnable", action="store_true", help=_("only a deal that can be won (Klondike)")
    )
    parser.add_argument(
        "--listed", action="store_true", help=_("for create: anybody may find the duel and join")
    )


def _wish(arguments: argparse.Namespace) -> Wish:
    code = "".join(arguments.code)
    if arguments.action not in ("join", "watch") and code:
        _parser().error(_("a code goes with join or watch"))
    options = dict(arguments.option)
    try:
        game = _game(arguments.ruleset, options)
    except UnknownRuleset as error:
        _parser().error(rules_error_words(error))
    if options and arguments.action == "quick":
        _parser().error(_("quick match is by each game's own rules: --option is for the others"))
    _check_combination(arguments, game or DEFAULT)
    return Wish(
        action=arguments.action,
        code=code or None,
        server=arguments.server,
        name=arguments.name,
        game=game,
        seats=2 if arguments.seats is None else arguments.seats,
        duration_s=arguments.duration,
        seed=arguments.seed,
        winnable=arguments.winnable,
        listed=arguments.listed,
        untimed=arguments.untimed,
        level=arguments.level,
        ascii_only=arguments.ascii,
        sentences=arguments.sentences,
        sure=arguments.yes,
    )


def _check_combination(arguments: argparse.Namespace, game: Choice) -> None:
    """What would be dropped without a word is refused instead."""
    alone = arguments.action == "practice"
    if arguments.seats not in (None, 1) and alone:
        _parser().error(_("practice is for one: --seats is for create and quick"))
    if arguments.seats not in (None, 2) and arguments.action == "bot":
        _parser().error(_("a race with a bot is for two: --seats is for create and quick"))
    if arguments.listed and arguments.action not in (None, "create"):
        _parser().error(_("--listed is for create: who else may come in is decided there"))
    if not arguments.untimed:
        return
    if not alone:
        _parser().error(_("--untimed is for practice: others would wait for you"))
    if arguments.duration is not None:
        _parser().error(_("--untimed and --duration: leave one of them out"))
    if not find_ruleset(game.ruleset, game.options)[1].may_be_untimed:
        clock = _(
            "{game} is always played against the clock: --untimed needs another --ruleset, "
            "for example klondike-1"
        )
        _parser().error(clock.format(game=game.ruleset))


def _seconds(text: str) -> float:
    """Seconds as typed; the server says which it takes."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds < 1e9:
        raise argparse.ArgumentTypeError(_("must be a number of seconds above 0"))
    return seconds


def _game(ruleset: str | None, options: Mapping[str, OptionValue]) -> Choice | None:
    """None where nothing was said about it. Raises `UnknownRuleset`."""
    if ruleset is None and not options:
        return None
    name = ruleset or DEFAULT.ruleset
    return Choice(name, find_ruleset(name, options)[0])

"""The program `samedeal`: finds the command and stays polite whatever happens to its output."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint, entry_points, version
from typing import Final

from samedeal_client.identity import settings_file
from samedeal_client.texts import (
    N_,
    UnknownLanguage,
    _,
    chosen_language,
    language_setting,
    speaking,
)

__all__ = ["main"]

GROUP: Final = "samedeal.commands"

COMMANDS: Final = {
    "play": N_("play in the terminal: a friend, a bot, or the clock"),
    "serve": N_("run a server node"),
    "bot": N_("seat a bot in a duel"),
    "demo": N_("watch four bots race on a server of their own"),
    "rules": N_("the rules and points of a game, in English or Spanish"),
    "deal": N_("show the deal of a seed"),
    "judge": N_("replay game records: each move, and the score item by item"),
    "replay": N_("step through a finished game"),
    "top": N_("show the leaderboards"),
    "verify": N_("check a finished duel: the deal, every move, every point"),
    "bench": N_("put load on a running server (in a checkout only)"),
}
"""One line for each, kept here so that the help need not import every package."""

USAGE_ERROR: Final = 2
INTERRUPTED: Final = 130
"""128 + SIGINT, as shells have it."""
PIPE_CLOSED: Final = 141
"""128 + SIGPIPE: what a program that does not catch the signal ends with."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    _survive_any_encoding()
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        with speaking(chosen_language(os.environ, language_setting(settings_file()))):
            code = _run(arguments)
        print(end="", flush=True)  # noqa: T201  (a closed pipe shows here; no stdout is no error)
    except UnknownLanguage as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _abandon_stdout()
        return PIPE_CLOSED
    return code


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_help())  # noqa: T201
        return 0 if arguments else USAGE_ERROR
    name, *rest = arguments
    if name == "--version":
        print(f"samedeal {version('samedeal')}")  # noqa: T201
        return 0
    found = entry_points(group=GROUP, name=name)
    if not found:
        return _fail(
            _("there is no command {name}; there are: {names}").format(
                name=repr(name), names=", ".join(_names())
            )
        )
    try:
        command = _load(next(iter(found)))
    except ModuleNotFoundError as error:
        return _fail(
            _("the command {name} is not installed here (there is no {module})").format(
                name=repr(name), module=error.name
            )
        )
    return command(rest)


def _load(entry: EntryPoint) -> Callable[[Sequence[str]], int]:
    command: Callable[[Sequence[str]], int] = entry.load()
    return command


def _names() -> list[str]:
    """Commands in the order of the help; those that others added come last."""
    found = {entry.name for entry in entry_points(group=GROUP)}
    return [name for name in COMMANDS if name in found] + sorted(found - COMMANDS.keys())


def _help() -> str:
    words = {name: _(text) for name, text in COMMANDS.items()}
    lines = [f"  {name:<8} {words.get(name, '')}".rstrip() for name in _names()]
    return "\n".join(
        [
            _("usage: samedeal COMMAND [...]"),
            "",
            _("Solitaire duels: everybody races on the same, verifiable deal."),
            "",
            *lines,
            "",
            _("samedeal COMMAND --help says more; samedeal --version says which this is."),
        ]
    )


def _fail(message: str) -> int:
    print(f"samedeal: {message}", file=sys.stderr)  # noqa: T201
    return USAGE_ERROR


def _survive_any_encoding() -> None:
    """A sign that the terminal can't show becomes a question mark, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _abandon_stdout() -> None:
    """The reader is gone (`| head`); nothing more may be written, not even at exit."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)


if __name__ == "__main__":
    sys.exit(main())

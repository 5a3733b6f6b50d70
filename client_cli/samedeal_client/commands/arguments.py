"""What several commands take: options of a ruleset, and files by name."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from samedeal_client.texts import N_, _
from samedeal_rules import OptionValue

__all__ = ["CommandParser", "full_screen_here", "read_file", "rule_option"]

_HEADINGS: Final = {"options": N_("options"), "positional arguments": N_("arguments")}
"""What argparse calls the parts of a help, and what we do."""


class CommandParser(argparse.ArgumentParser):
    """A parser whose help speaks the person's language, as far as it is not Python's own errors."""

    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            add_help=False,
            formatter_class=_Formatter,
        )
        self.add_argument("-h", "--help", action="help", help=_("show this help"))

    def parse_known_intermixed_args(
        self, args: Any = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """The usage is taken first: argparse would cut it by the length of its English head."""
        if self.usage is None:
            self.usage = self.format_usage().removeprefix(_("usage: "))
        return super().parse_known_intermixed_args(args, namespace)


class _Formatter(argparse.HelpFormatter):
    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, prefix or _("usage: "))

    def start_section(self, heading: str | None) -> None:
        super().start_section(_(_HEADINGS[heading]) if heading in _HEADINGS else heading)


def full_screen_here() -> bool:
    """Whether there is a terminal that can show a whole screen."""
    capable = os.environ.get("TERM", "") not in ("", "dumb")
    return capable and sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()


def rule_option(text: str) -> tuple[str, OptionValue]:
    """`NAME=VALUE` as typed: true and false, whole numbers, else text.

    Raises `argparse.ArgumentTypeError`. What the rules make of it is theirs to say.
    """
    name, sign, value = text.partition("=")
    if not sign:
        raise argparse.ArgumentTypeError(_("must be NAME=VALUE, for example draw=1"))
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.isascii() and value.isdecimal() else value


def read_file(name: str, most: int) -> bytes:
    """A file, or stdin for `-`: a byte more than `most` at the most.

    So a file without end is refused by who parses it, not read for ever. Raises OSError.
    """
    if name == "-":
        return sys.stdin.buffer.read(most + 1)
    with Path(name).open("rb") as file:
        return file.read(most + 1)

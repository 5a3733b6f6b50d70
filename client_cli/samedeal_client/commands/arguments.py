"""What several commands take: options of a ruleset, and files by name."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from samedeal_client.texts import _
from samedeal_rules import OptionValue

__all__ = ["full_screen_here", "read_file", "rule_option"]


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

"""Options of a game as they stand on a command line."""

from __future__ import annotations

import argparse

from samedeal_rules import OptionValue

__all__ = ["option_argument"]


def option_argument(text: str) -> tuple[str, OptionValue]:
    """`draw=1` as a name and a value: true, false, a number, or text as it stands."""
    name, sign, value = text.partition("=")
    if not sign:
        raise argparse.ArgumentTypeError("must be NAME=VALUE, for example draw=1")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.isascii() and value.isdecimal() else value

"""`samedeal rules`: the rules and points of a game, as the engine plays it."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import Final

from samedeal_client.commands.arguments import rule_option
from samedeal_client.plain.words import game_title
from samedeal_rules import RULESETS, UnknownRuleset, find_ruleset
from samedeal_rules.describe import LANGUAGES, describe, summary
from samedeal_rules.describe_text import WIDTH, markdown_lines, plain_lines

__all__ = ["MIN_WIDTH", "language_of", "main"]

_LOCALE: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The first of these that is set says the language."""
MIN_WIDTH: Final = 50
"""In a narrower window lines are broken by the terminal."""


def main(argv: Sequence[str]) -> int:
    """Print the rules; without a ruleset the list of them."""
    arguments = _parser().parse_args(argv)
    language = arguments.lang or language_of(os.environ)
    if arguments.ruleset is None:
        width = max(map(len, RULESETS))
        for name, ruleset in RULESETS.items():
            print(f"  {name:<{width}}  {summary(ruleset, language)}".rstrip())
        return 0
    try:
        options, ruleset = find_ruleset(arguments.ruleset, dict(arguments.option))
    except UnknownRuleset as error:
        print(f"samedeal rules: {error}", file=sys.stderr)
        return 2
    described = describe(ruleset, language, RULESETS[ruleset.name])
    described = described.called(game_title(ruleset.name, options))
    if arguments.markdown:
        lines = markdown_lines(described, level=1)
    else:
        columns = shutil.get_terminal_size((WIDTH, 24)).columns
        lines = plain_lines(described, max(MIN_WIDTH, min(WIDTH, columns)))
    print("\n".join(lines))
    return 0


def language_of(environment: Mapping[str, str]) -> str:
    """The locale's language, if there is a catalogue for it; else English."""
    locale = next((environment[name] for name in _LOCALE if environment.get(name)), "")
    language = locale[:2].lower()
    return language if language in LANGUAGES else "en"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="samedeal rules",
        description="The rules and points of a game, from the values that the engine plays by.",
    )
    parser.add_argument("ruleset", nargs="?", metavar="RULESET", help=", ".join(RULESETS))
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=rule_option,
        metavar="NAME=VALUE",
        help="a rule to change, for example draw=1; may be given several times",
    )
    parser.add_argument("--lang", choices=sorted(LANGUAGES), help="else the locale's")
    parser.add_argument("--markdown", action="store_true", help="for a document")
    return parser

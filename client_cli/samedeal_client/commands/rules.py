"""`samedeal rules`: the rules and points of a game, as the engine plays it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from typing import Final

from samedeal_client.commands.arguments import CommandParser, rule_option
from samedeal_client.plain.words import game_title
from samedeal_client.rules_words import rules_error_words, rules_language
from samedeal_client.texts import _
from samedeal_rules import RULESETS, UnknownRuleset, find_ruleset
from samedeal_rules.describe import LANGUAGES, describe, summary
from samedeal_rules.describe_text import WIDTH, markdown_lines, plain_lines

__all__ = ["MIN_WIDTH", "main"]

MIN_WIDTH: Final = 50
"""In a narrower window lines are broken by the terminal."""


def main(argv: Sequence[str]) -> int:
    """Print the rules; without a ruleset the list of them."""
    arguments = _parser().parse_args(argv)
    language = arguments.lang or rules_language()
    if arguments.ruleset is None:
        width = max(map(len, RULESETS))
        for name, ruleset in RULESETS.items():
            print(f"  {name:<{width}}  {summary(ruleset, language)}".rstrip())
        return 0
    try:
        options, ruleset = find_ruleset(arguments.ruleset, dict(arguments.option))
    except UnknownRuleset as error:
        print(f"samedeal rules: {rules_error_words(error)}", file=sys.stderr)
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


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="samedeal rules",
        description=_("The rules and points of a game, from the values that the engine plays by."),
    )
    parser.add_argument("ruleset", nargs="?", metavar="RULESET", help=", ".join(RULESETS))
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=rule_option,
        metavar="NAME=VALUE",
        help=_("a rule to change, for example draw=1; may be given several times"),
    )
    parser.add_argument("--lang", choices=sorted(LANGUAGES), help=_("else the locale's"))
    parser.add_argument("--markdown", action="store_true", help=_("for a document"))
    return parser

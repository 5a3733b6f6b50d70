"""`samedeal deal`: the deal of a seed, offline."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence

from samedeal_client.commands.arguments import CommandParser, rule_option
from samedeal_client.plain.words import game_title
from samedeal_client.rules_words import rules_error_words
from samedeal_client.texts import _
from samedeal_rules import RULESETS, Board, OptionValue, Ruleset, UnknownRuleset, deal, find_ruleset

__all__ = ["main"]


def main(argv: Sequence[str]) -> int:
    """Show the whole deal, face-down cards too: who has the seed has the deal."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    try:
        options, ruleset = find_ruleset(arguments.ruleset, dict(arguments.option))
        seed = None if arguments.seed is None else _as_typed(arguments.seed)
        if ruleset.deal_number is not None:
            seed = None  # such a deal has a number instead
        elif seed is None:
            parser.error(_("a seed is needed: --seed TEXT"))
    except UnknownRuleset as error:
        print(f"samedeal deal: {rules_error_words(error)}", file=sys.stderr)
        return 2
    except UnicodeError:
        print("samedeal deal: " + _("the seed is not valid text"), file=sys.stderr)
        return 2
    board = deal(ruleset, seed)
    if arguments.json:
        print(json.dumps(_data(ruleset, options, seed, board)))
    else:
        print(_text(ruleset, options, seed, board))
    return 0


def _parser() -> CommandParser:
    parser = CommandParser(prog="samedeal deal", description=_("Show the deal of a seed."))
    parser.add_argument(
        "--ruleset", default="timed", help=_("one of: {names}").format(names=", ".join(RULESETS))
    )
    parser.add_argument(
        "--seed", metavar="TEXT", help=_("any text; not needed for a numbered deal")
    )
    parser.add_argument(
        "--option",
        action="extend",
        nargs="+",
        default=[],
        type=rule_option,
        metavar="NAME=VALUE",
        help=_("rules to change, for example draw=1; may be given several times"),
    )
    parser.add_argument("--json", action="store_true", help=_("one line of JSON"))
    return parser


def _as_typed(argument: str) -> str:
    """What stood on the command line, also where the locale could not read it (LANG=C)."""
    return argument.encode(errors="surrogateescape").decode()


def _data(
    ruleset: Ruleset, options: Mapping[str, OptionValue], seed: str | None, board: Board
) -> dict[str, object]:
    names = ruleset.deck.names
    data: dict[str, object] = {
        "ruleset": ruleset.name,
        "options": dict(options),
        "seed": seed,
        "tableau": [[names[card] for card in column] for column in board.columns],
        "stock": [names[card] for card in board.stock],
    }
    if board.reserve:
        data["reserve"] = [names[card] for card in board.reserve]
    return data


def _text(
    ruleset: Ruleset, options: Mapping[str, OptionValue], seed: str | None, board: Board
) -> str:
    names = ruleset.deck.names
    title = game_title(ruleset.name, options)
    if seed is not None:
        title += _(", seed {seed}").format(seed=repr(seed))
    lines = [title, ""]
    lines.append("".join(f"{f't{index + 1}':^5}" for index in range(len(board.columns))).rstrip())
    lines += [_row(names, board, row) for row in range(max(map(len, board.columns)))]
    if any(board.down):
        lines += ["", _("(cards in brackets lie face down)")]
    if board.stock:
        cards = " ".join(names[card] for card in board.stock)
        lines += ["", _("stock, next card first: {cards}").format(cards=cards)]
    if board.reserve:
        cards = " ".join(names[card] for card in board.reserve)
        lines += ["", _("reserve, v1 first: {cards}").format(cards=cards)]
    return "\n".join(lines)


def _row(names: tuple[str, ...], board: Board, row: int) -> str:
    cells = [""] * len(board.columns)
    for index, column in enumerate(board.columns):
        if row < len(column):
            name = names[column[row]]
            cells[index] = f"[{name}]" if row < board.down[index] else name
    return "".join(f"{cell:^5}" for cell in cells).rstrip()

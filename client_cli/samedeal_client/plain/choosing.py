"""Which game, and with what changed: asked with a line on each."""

from __future__ import annotations

import difflib
import textwrap
from argparse import ArgumentTypeError
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from samedeal_client.commands.arguments import rule_option
from samedeal_client.plain.terminal import Terminal
from samedeal_client.plain.words import game_title
from samedeal_rules import RULESETS, OptionValue, Ruleset, UnknownRuleset, find_ruleset
from samedeal_rules.describe import describe, option_values, summary

__all__ = ["DEFAULT", "Choice", "choose", "options_typed"]


@dataclass(frozen=True)
class Choice:
    """A game with its options, as they go into a request."""

    ruleset: str = "timed"
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """As it is told: `klondike-1 draw=3`."""
        return game_title(self.ruleset, self.options)


DEFAULT: Final = Choice()
WIDTH: Final = 78
INDENT: Final = " " * 6


async def choose(terminal: Terminal, last: Choice, *, options: bool = True) -> Choice | None:
    """Ask for a game and, where it has any, its options; None if what was typed is none.

    Enter takes what was played last, options included.
    """
    names = list(RULESETS)
    width = max(map(len, names))
    for number, (name, ruleset) in enumerate(RULESETS.items(), 1):
        terminal.say(f"  {number}  {name:<{width}}  {summary(ruleset)}")
    line = await terminal.ask(f"Which game [{last.title if options else last.ruleset}]: ")
    if not line:
        return last if options else Choice(last.ruleset)
    typed = line.lower()
    name = names[int(typed) - 1] if typed in map(str, range(1, len(names) + 1)) else typed
    if name not in RULESETS:
        near = difflib.get_close_matches(name, names, 1)
        terminal.say(f"There is no such game{f'; {near[0]}?' if near else '.'}")
        return None
    if not options or not RULESETS[name].options:
        return Choice(name)
    return await _with_options(terminal, RULESETS[name])


async def _with_options(terminal: Terminal, ruleset: Ruleset) -> Choice | None:
    section = next(part for part in describe(ruleset).sections if len(part.head) > 2)
    terminal.say("Its options:")
    for option, row in zip(ruleset.options, section.rows, strict=True):
        default = f" [{row[2]}]" if row[2] else ""
        words = textwrap.wrap(
            _plain(row[3]), WIDTH, initial_indent=INDENT, subsequent_indent=INDENT
        )
        terminal.say(f"  {option.name}: {option_values(option)}{default}", *words)
    example = f"{ruleset.options[0].name}={option_values(ruleset.options[0]).split(',')[0]}"
    line = await terminal.ask(f"Change what (for example {example}) [nothing]: ")
    if not line:
        return Choice(ruleset.name)
    try:
        options = find_ruleset(ruleset.name, options_typed(line))[0]
    except (UnknownRuleset, ArgumentTypeError) as error:
        terminal.say(f"{error}.")
        return None
    return Choice(ruleset.name, options)


def options_typed(line: str) -> dict[str, OptionValue]:
    """`draw=1 redeals=0`. Raises ArgumentTypeError for what is no NAME=VALUE."""
    return dict(rule_option(text) for text in line.lower().replace(",", " ").split())


def _plain(text: str) -> str:
    return text.replace("`", "").replace("*", "")

"""Which game, and with what changed: asked with a line on each."""

from __future__ import annotations

import difflib
import textwrap
from argparse import ArgumentTypeError
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from samedeal_client.commands.arguments import rule_option
from samedeal_client.plain.terminal import Terminal
from samedeal_client.plain.words import game_title
from samedeal_client.rules_words import rules_error_words, rules_language
from samedeal_client.texts import _
from samedeal_rules import RULESETS, OptionValue, Ruleset, UnknownRuleset, find_ruleset
from samedeal_rules.describe import describe, option_values, summary
from samedeal_rules.winnable import can_solve

__all__ = ["DEFAULT", "Choice", "choose"]


@dataclass(frozen=True)
class Choice:
    """A game with its options, as they go into a request."""

    ruleset: str = "timed"
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    winnable: bool = False
    """Only a deal that can be won."""
    untimed: bool = False
    """Without a time limit, in a practice."""

    @property
    def title(self) -> str:
        """As it is told, and typed: `klondike-1 draw=3 winnable`."""
        words = [WINNABLE] * self.winnable + [UNTIMED] * self.untimed
        return " ".join([game_title(self.ruleset, self.options), *words])


WINNABLE: Final = "winnable"
UNTIMED: Final = "untimed"
DEFAULT: Final = Choice()
WIDTH: Final = 78
INDENT: Final = " " * 6


async def choose(
    terminal: Terminal, last: Choice, *, options: bool = True, alone: bool = False
) -> Choice | None:
    """Ask for a game and, where it has any, its options; None if what was typed is none.

    Enter takes what was played last, options included. `alone`: for a practice.
    """
    last = replace(last, untimed=last.untimed and alone)
    names = list(RULESETS)
    width = max(map(len, names))
    for number, (name, ruleset) in enumerate(RULESETS.items(), 1):
        terminal.say(f"  {number}  {name:<{width}}  {summary(ruleset, rules_language())}")
    default = last.title if options else last.ruleset
    line = await terminal.ask(_("Which game [{default}]: ").format(default=default))
    if not line:
        return last if options else Choice(last.ruleset)
    typed = line.lower()
    name = names[int(typed) - 1] if typed in map(str, range(1, len(names) + 1)) else typed
    if name not in RULESETS:
        near = difflib.get_close_matches(name, names, 1)
        if near:
            terminal.say(_("There is no such game; {near}?").format(near=near[0]))
        else:
            terminal.say(_("There is no such game."))
        return None
    words = _words_of(RULESETS[name], alone=alone)
    if not options or not (RULESETS[name].options or words):
        return Choice(name)
    return await _with_options(terminal, RULESETS[name], words)


def _words_of(ruleset: Ruleset, *, alone: bool) -> dict[str, str]:
    """What may be asked for by one word, and what it means; not an option of the rules."""
    words = {}
    if can_solve(ruleset):
        words[WINNABLE] = _("only a deal that can be won (where the server has the solver)")
    if alone and ruleset.may_be_untimed:
        words[UNTIMED] = _("no time limit: the clock counts up; on no leaderboard")
    return words


async def _with_options(
    terminal: Terminal, ruleset: Ruleset, words: Mapping[str, str]
) -> Choice | None:
    terminal.say(_("Its options:"))
    if ruleset.options:
        terminal.say(*_option_lines(ruleset))
    terminal.say(*(f"  {word}: {meaning}" for word, meaning in words.items()))
    examples = [
        f"{option.name}={option_values(option).split(',')[0]}" for option in ruleset.options
    ]
    example = (examples or list(words))[0]
    line = await terminal.ask(
        _("Change what (for example {example}) [nothing]: ").format(example=example)
    )
    if not line:
        return Choice(ruleset.name)
    typed = line.lower().replace(",", " ").split()
    asked = {word for word in words if word in typed}
    try:
        changes = dict(rule_option(text) for text in typed if text not in asked)
        options = find_ruleset(ruleset.name, changes)[0]
    except UnknownRuleset as error:
        terminal.say(f"{rules_error_words(error)}.")
        return None
    except ArgumentTypeError as error:
        terminal.say(f"{error}.")
        return None
    return Choice(ruleset.name, options, WINNABLE in asked, UNTIMED in asked)


def _option_lines(ruleset: Ruleset) -> Iterator[str]:
    section = next(
        part for part in describe(ruleset, rules_language()).sections if len(part.head) > 2
    )
    for option, row in zip(ruleset.options, section.rows, strict=True):
        default = f" [{row[2]}]" if row[2] else ""
        yield f"  {option.name}: {option_values(option)}{default}"
        yield from textwrap.wrap(
            _plain(row[3]), WIDTH, initial_indent=INDENT, subsequent_indent=INDENT
        )


def _plain(text: str) -> str:
    return text.replace("`", "").replace("*", "")

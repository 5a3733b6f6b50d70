"""A ruleset is a value: numbers, masks and a few small functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from samedeal_rules.board import Board
from samedeal_rules.cards import Card, Deck
from samedeal_rules.errors import UnknownRuleset
from samedeal_rules.scoring import Scoring

__all__ = ["Automatic", "Option", "OptionValue", "Ruleset", "Unlimited"]

Unlimited = Literal["unlimited"]
OptionValue = int | str | bool

Automatic = Callable[[Board, int], Iterator[int]]
"""One sweep: yields the piles whose card goes up by itself, told the mask of exempt cards.

The board changes between two yields; the sweep sees it.
"""


@dataclass(frozen=True, slots=True)
class Option:
    """Something that a duel may change about a ruleset (rules, section 6)."""

    name: str
    values: tuple[OptionValue, ...]
    apply: Callable[[Ruleset, OptionValue], Ruleset]


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Everything that tells one game from another."""

    name: str
    deck: Deck
    deal: Callable[[Sequence[Card]], Board]
    """Lays out a shuffled deck."""
    stacks: tuple[int, ...]
    """For each card, the mask of cards that may lie on it in a column; also what makes a run."""
    fills_empty: int
    """The mask of cards that may begin an empty column."""
    draw: int
    """Cards turned from the stock at a time."""
    redeals: int | None
    """How often the waste may become the stock again; None is without limit."""
    turns_by_hand: bool
    gives_back: bool
    """Whether a foundation's top card may go back to a column."""
    automatic: Automatic | None
    scoring: Scoring
    undo_depth: int | None
    """How many accepted moves can be taken back; None is all of them."""
    duration_ms: int
    """The default length of a duel."""
    hints: bool
    """Whether hints are allowed unless the duel says otherwise."""
    options: tuple[Option, ...]

    def defaults(self) -> dict[str, OptionValue]:
        """The value that each option has when it is left out."""
        current: Mapping[str, OptionValue] = {
            "draw": self.draw,
            "redeals": "unlimited" if self.redeals is None else self.redeals,
        }
        return {option.name: current[option.name] for option in self.options}

    def changed(self, options: Mapping[str, object]) -> tuple[dict[str, OptionValue], Ruleset]:
        """The canonical options (defaults left out, keys sorted) and the ruleset they make.

        Raises `UnknownRuleset` for an option or a value that this ruleset does not have.
        """
        known = {option.name: option for option in self.options}
        defaults = self.defaults()
        canonical: dict[str, OptionValue] = {}
        ruleset = self
        for name in sorted(options):
            option = known.get(name)
            if option is None:
                have = ", ".join(known) or "none"
                raise UnknownRuleset(f"{self.name} has no such option; it has: {have}")
            value = _one_of(option, options[name], self.name)
            if value != defaults[name]:
                canonical[name] = value
                ruleset = option.apply(ruleset, value)
        return canonical, ruleset


def _one_of(option: Option, value: object, ruleset: str) -> OptionValue:
    for allowed in option.values:
        if type(value) is type(allowed) and value == allowed:
            return allowed
    allowed_text = ", ".join(map(str, option.values))
    raise UnknownRuleset(f"{option.name} in {ruleset} can be: {allowed_text}")

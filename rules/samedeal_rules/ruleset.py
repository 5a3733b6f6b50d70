"""A ruleset is a value: numbers, masks and a few small functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from samedeal_rules.board import Board
from samedeal_rules.cards import Card, Deck
from samedeal_rules.errors import UnknownRuleset
from samedeal_rules.ranking import CLASSIC_TOP, Leaderboard, Rank, by_score
from samedeal_rules.scoring import Scoring
from samedeal_rules.wording import Wording

__all__ = ["Automatic", "Option", "OptionValue", "Ruleset", "Unlimited"]

Unlimited = Literal["unlimited"]
OptionValue = int | str | bool

Automatic = Callable[[Board, int], Iterator[int]]
"""One sweep: yields the piles whose card goes up by itself, told the mask of exempt cards.

The board changes between two yields; the sweep sees it.
"""


@dataclass(frozen=True, slots=True)
class Option:
    """Something that a duel may change about a ruleset (rules, sections 3, 5 and 6)."""

    name: str
    values: tuple[OptionValue, ...]
    """What it can be; where `allows` decides, examples."""
    read: Callable[[Ruleset], OptionValue | None]
    """The value in force in a ruleset; None if there is none to name."""
    apply: Callable[[Ruleset, OptionValue], Ruleset]
    allows: Callable[[object], bool] | None = None
    """For an option with too many values to list."""
    excludes: tuple[str, ...] = ()
    """Options that make no sense beside any but the default value of this one."""

    def accept(self, value: object, ruleset: str) -> OptionValue:
        """The value, if it is one that this option has. Raises `UnknownRuleset`."""
        if self.allows is not None:
            if isinstance(value, int | str) and self.allows(value):
                return value
        else:
            for allowed in self.values:
                if type(value) is type(allowed) and value == allowed:  # True is not 1
                    return allowed
        allowed_text = ", ".join(str(value).lower() for value in self.values)
        raise UnknownRuleset(
            Wording(
                "{option} in {game} can be: {values}",
                option=self.name,
                game=ruleset,
                values=allowed_text,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """Everything that tells one game from another."""

    name: str
    deck: Deck
    deal: Callable[[Sequence[Card]], Board]
    """Lays out a shuffled deck."""
    stacks: tuple[int, ...]
    """For each card, the mask of cards that may lie on it in a column."""
    runs: tuple[int, ...]
    """For each card, the mask of cards that make a run with it, to be moved together."""
    fills_empty: int
    """The mask of cards that may begin an empty column."""
    draw: int = 0
    """Cards turned from the stock at a time; 0 in a game without one."""
    draws_to_columns: bool = False
    """Whether drawn cards go one on each column (Spider) instead of to a waste."""
    redeals: int | None = 0
    """How often the waste may become the stock again; None is without limit."""
    turns_by_hand: bool = False
    """Whether an uncovered card stays face down until the player turns it."""
    gives_back: bool = False
    """Whether a foundation's top card may go back to a column."""
    limit: Callable[[Board, int], int] | None = None
    """How many cards may move at once to a column; None is without limit."""
    automatic: Automatic | None = None
    leaves: Callable[[Board, int], bool] | None = None
    """Whether the end of a column is a run that leaves the table; then there are no foundations."""
    scoring: Scoring
    scored: bool = True
    """Whether there are points at all; without, the score is None (null) everywhere."""
    rank: Rank = by_score
    """Who is before whom in a duel."""
    top: Leaderboard = CLASSIC_TOP
    """Where its best games are listed."""
    undo_depth: int | None
    """How many accepted moves can be taken back; None is all of them."""
    duration_ms: int = 300_000
    """The default length of a duel."""
    may_be_untimed: bool = True
    """Whether a practice may have no time limit."""
    hints: bool = True
    """Whether hints are allowed unless the duel says otherwise."""
    options: tuple[Option, ...] = ()
    deal_number: int | None = None
    """The number of the Microsoft deal that is dealt whatever the seed."""

    @property
    def has_waste(self) -> bool:
        """Whether there is a stock that is turned to a waste."""
        return self.draw > 0 and not self.draws_to_columns

    def defaults(self) -> dict[str, OptionValue]:
        """The value that each option has when it is left out."""
        current = {option.name: option.read(self) for option in self.options}
        return {name: value for name, value in current.items() if value is not None}

    def changed(self, options: Mapping[str, object]) -> tuple[dict[str, OptionValue], Ruleset]:
        """The canonical options (defaults left out, keys sorted) and the ruleset they make.

        Raises `UnknownRuleset` for an option or a value that this ruleset does not have, and for
        options that exclude each other.
        """
        known = {option.name: option for option in self.options}
        defaults = self.defaults()
        canonical: dict[str, OptionValue] = {}
        ruleset = self
        for name in sorted(options):
            option = known.get(name)
            if option is None:
                if not known:
                    nothing = Wording("{game} has no such option; it has: none", game=self.name)
                    raise UnknownRuleset(nothing)
                have = Wording(
                    "{game} has no such option; it has: {options}",
                    game=self.name,
                    options=", ".join(known),
                )
                raise UnknownRuleset(have)
            value = option.accept(options[name], self.name)
            if value != defaults.get(name):
                _check_excluded(option, value, options)
                canonical[name] = value
                ruleset = option.apply(ruleset, value)
        return canonical, ruleset


def _check_excluded(option: Option, value: OptionValue, options: Mapping[str, object]) -> None:
    for name in option.excludes:
        if name in options:
            text = str(value).lower()
            raise UnknownRuleset(
                Wording(
                    "{option} {value} and {other} can't be set together",
                    option=option.name,
                    value=text,
                    other=name,
                )
            )

"""What of a Klondike's rules the model needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

from samedeal_rules import Ruleset
from samedeal_rules.cards import stacking
from samedeal_rules.klondike import alternating_down, kings
from samedeal_rules.rulesets.klondike import KLONDIKE_1
from samedeal_rules.rulesets.timed import TIMED

__all__ = ["STEADY_PASS", "Numbers", "understands"]

_SWEEPS: Final = (TIMED.automatic, KLONDIKE_1.automatic, None)


def understands(ruleset: Ruleset) -> bool:
    """Whether the model plays this ruleset as the engine does: any Klondike with four suits."""
    deck = ruleset.deck
    masks = stacking(deck, alternating_down)
    return (
        not deck.sets
        and ruleset.stacks == ruleset.runs == masks
        and ruleset.fills_empty == kings(deck)
        and ruleset.automatic in _SWEEPS
        and ruleset.limit is None
        and ruleset.leaves is None
        and not ruleset.draws_to_columns
    )


@dataclass(frozen=True, slots=True)
class Numbers:
    """What of a ruleset the model needs."""

    stacks: tuple[int, ...]
    fills_empty: int
    draw: int
    redeals: int
    """Redeals allowed."""
    sibling: int
    """Turns a card into the other one of its rank and colour (exclusive or)."""
    sends_up: bool
    """Whether cards go up by themselves once all of the rank below are up."""
    finishes: bool
    """Whether all goes up by itself once nothing is hidden any more."""
    turns_by_hand: bool
    gives_back: bool
    once: bool
    """Whether only the first arrival of a card counts."""
    card_up: tuple[int, ...]
    taken_back: int
    """For a card that comes back from its foundation."""
    redeal_points: tuple[int, ...]
    """By the number of the pass that the redeal begins; the last one goes on for ever."""

    @classmethod
    def of(cls, ruleset: Ruleset) -> Self:
        """Read them off a ruleset.

        Where clearing the table is what counts, cards up and redeals get the prices below.
        """
        once = ruleset.scoring.card_up_once
        redeals = ruleset.redeals
        price = 0 if redeals is None else _SCARCE_REDEAL
        return cls(
            stacks=ruleset.stacks,
            fills_empty=ruleset.fills_empty,
            draw=ruleset.draw,
            redeals=_WITHOUT_LIMIT if redeals is None else redeals,
            sibling=(3 if len(set(ruleset.deck.red) & {0, 3}) == 0 else 1) << 4,
            sends_up=ruleset.automatic is TIMED.automatic,
            finishes=ruleset.automatic is KLONDIKE_1.automatic,
            turns_by_hand=ruleset.turns_by_hand,
            gives_back=ruleset.gives_back,
            once=once,
            card_up=ruleset.scoring.card_up if once else (0, *[_UP] * 13),
            taken_back=0 if once else -_UP,
            redeal_points=tuple(
                ruleset.scoring.redeal(begun) if once else price for begun in range(STEADY_PASS)
            ),
        )


_UP: Final = 200
"""For a card up, on the scale of worth.py, in a game that is about clearing the table."""
_SCARCE_REDEAL: Final = -60
_WITHOUT_LIMIT: Final = 1_000_000
STEADY_PASS: Final = 8
"""Prices of passes do not change any more from here on."""

"""Decks: which cards there are, what they are called, which lie on which."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NewType

__all__ = [
    "FACE_DOWN",
    "FRENCH",
    "SPANISH_40",
    "SPANISH_48",
    "UNKNOWN",
    "Card",
    "Deck",
    "rank_of",
    "stacking",
    "suit_of",
]

Card = NewType("Card", int)
"""`suit << 4 | rank`; suits count from 0 in the deck's order, ranks from 1 (ace).

Ranks are positions, so the next higher card is always rank + 1, whatever is printed on it.
"""

UNKNOWN: Final = Card(0)
"""A card that the viewer of a board may not know. It fits nowhere and nothing fits on it."""

FACE_DOWN: Final = "##"
"""How a card that lies face down, or that the viewer does not know, is written (rules, 9)."""

_CODES: Final = 64
"""Card codes are below this, so that a set of cards is one 64-bit mask."""


def rank_of(card: Card) -> int:
    """1 (ace) to the deck's highest rank; 0 for an unknown card."""
    return card & 15


def suit_of(card: Card) -> int:
    """0 to 3, in the deck's order."""
    return card >> 4


@dataclass(frozen=True)
class Deck:
    """A pack of cards and its words (rules, sections 5, 8 and 9)."""

    name: str
    suits: str
    """One letter a suit, in canonical order."""
    ranks: str
    """One sign a rank, ascending."""
    red: frozenset[int]
    """The suits of the first of the two colours."""
    sets: tuple[str, ...] = ()
    """The suits of each set of cards, in canonical order; empty means one set of all suits."""

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Canonical order: set after set, its suits in order, ranks ascending in each."""
        suits = map(self.suits.index, "".join(self.sets or (self.suits,)))
        top = len(self.ranks) + 1
        return tuple(Card(suit << 4 | rank) for suit in suits for rank in range(1, top))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Text of each card by its code; `##` where there is no card."""
        names = [FACE_DOWN] * _CODES
        for card in self.cards:
            names[card] = self.ranks[rank_of(card) - 1] + self.suits[suit_of(card)]
        return tuple(names)

    @cached_property
    def codes(self) -> dict[str, Card]:
        """Card of each text, `##` included."""
        names = self.names
        return {names[card]: card for card in (UNKNOWN, *self.cards)}


FRENCH: Final = Deck(name="french", suits="CDHS", ranks="A23456789TJQK", red=frozenset({1, 2}))
SPANISH_40: Final = Deck(name="spanish-40", suits="OCEB", ranks="1234567SCR", red=frozenset({0, 1}))
SPANISH_48: Final = Deck(
    name="spanish-48", suits="OCEB", ranks="123456789SCR", red=frozenset({0, 1})
)


def stacking(deck: Deck, fits: Callable[[Deck, Card, Card], bool]) -> tuple[int, ...]:
    """For each card code, the mask of the cards that may lie on it.

    `fits(deck, upper, lower)` says whether `upper` may lie on `lower`. A test is then
    `stacking[lower] >> upper & 1`: a look-up instead of a call for each move.
    """
    masks = [0] * _CODES
    for lower in deck.cards:
        for upper in deck.cards:
            if fits(deck, upper, lower):
                masks[lower] |= 1 << upper
    return tuple(masks)

"""Cards and piles by their names, as one says them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from samedeal_client.plain.style import SPANISH_RANKS, SPANISH_SUITS
from samedeal_client.texts import N_, _
from samedeal_rules import UNKNOWN, Card, Deck
from samedeal_rules.cards import rank_of, suit_of

__all__ = ["card_words", "cards_words", "pile_words", "rank_words", "suit_words"]

_RANKS: Final = {"A": N_("ace"), "T": "10", "J": N_("jack"), "Q": N_("queen"), "K": N_("king")}
_SUITS: Final = {
    "CDHS": (N_("clubs"), N_("diamonds"), N_("hearts"), N_("spades")),
    "".join(SPANISH_SUITS): tuple(SPANISH_SUITS.values()),
}
"""By the letters of a deck's suits."""
_SPANISH: Final = "".join(SPANISH_SUITS)
"""The suits of the deck whose cards have Spanish names in any language."""


def suit_words(deck: Deck, suit: int) -> str:
    """`hearts`, `oros`."""
    return _(_SUITS[deck.suits][suit])


def rank_words(deck: Deck, rank: int) -> str:
    """`ace`, `10`, `caballo`; ranks count from 1."""
    sign = deck.ranks[rank - 1]
    if deck.suits == _SPANISH:
        return SPANISH_RANKS.get(sign, sign)
    return _(_RANKS[sign]) if sign in _RANKS else sign


def card_words(deck: Deck, card: Card) -> str:
    """`queen of hearts`, `caballo de espadas`."""
    if card == UNKNOWN:
        return _("a face-down card")
    rank, suit = rank_words(deck, rank_of(card)), suit_words(deck, suit_of(card))
    if deck.suits == _SPANISH:
        return f"{rank} de {suit}"
    return _("{rank} of {suit}").format(rank=rank, suit=suit)


def cards_words(deck: Deck, cards: Sequence[Card]) -> str:
    """All of them, a comma between each two."""
    return ", ".join(card_words(deck, card) for card in cards)


def pile_words(deck: Deck, pile: str) -> str:
    """A pile by its notation: `column 3` for t3, `the waste` for w."""
    kind, number = pile[:1], pile[1:]
    if kind == "w":
        return _("the waste")
    if kind == "f":
        if number in deck.suits and number:
            suit = suit_words(deck, deck.suits.index(number))
            return _("the foundation of {suit}").format(suit=suit)
        return _("its foundation")
    words = {
        "t": N_("column {number}"),
        "c": N_("cell {number}"),
        "v": N_("place {number} of the reserve"),
    }
    return _(words[kind]).format(number=number)

"""The numbered FreeCell deals that everybody knows from Windows."""

from __future__ import annotations

from typing import Final

from samedeal_rules.cards import FRENCH, Card

__all__ = ["HIGHEST_DEAL", "LOWEST_DEAL", "microsoft_cards"]

LOWEST_DEAL: Final = 1
HIGHEST_DEAL: Final = 1_000_000


def microsoft_cards(number: int) -> list[Card]:
    """The 52 cards of a Microsoft deal in the order in which they are dealt, row by row.

    `pysol-cards` counts its cards from the last one dealt. Its shuffle is imported here and nowhere
    else: who plays no such deal does not need it.
    """
    from pysol_cards.cards import createCards
    from pysol_cards.random import shuffle
    from pysol_cards.random_base import RandomBase

    dealt = shuffle(createCards(1), number, RandomBase.DEALS_MS)
    return [
        FRENCH.codes["A23456789TJQK"[card.rank - 1] + card.suit_s()] for card in reversed(dealt)
    ]

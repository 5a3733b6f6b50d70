"""How things look on this terminal: signs that it can show, colour only where it helps."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TextIO

from samedeal_rules import Card, Deck

__all__ = ["SPANISH_RANKS", "SPANISH_SUITS", "Style", "printable", "style_for"]

_SIGNS: Final = {"CDHS": "♣♦♥♠"}
"""By the letters of the suits. Unicode has no signs for oros, copas, espadas and bastos that
are one column wide: those stay letters, in their colours."""
_RED: Final = "\x1b[31m"
_GREEN: Final = "\x1b[32m"
_GREEN_SUITS: Final = "EB"
"""Espadas and bastos; clubs and spades have the colour of the text."""
SPANISH_SUITS: Final = {"O": "oros", "C": "copas", "E": "espadas", "B": "bastos"}
SPANISH_RANKS: Final = {"1": "as", "S": "sota", "C": "caballo", "R": "rey"}
"""Those that are not numbers."""
_WITH_NAMES: Final = "OCEB"
"""The letters of the pack whose cards have names of their own."""
_BOLD: Final = "\x1b[1m"
_DIM: Final = "\x1b[2m"
_PLAIN: Final = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Style:
    """What may be written. The default is the plainest: letters, no colour."""

    signs: bool = False
    """Suits as signs, else as letters."""
    colour: bool = False
    clears: bool = False
    """Whether the line of the prompt can be wiped before something is written over it."""
    sentences: bool = False
    """Said in full sentences, for who listens; else laid out in columns."""

    def suit(self, deck: Deck, suit: int) -> str:
        """A suit alone."""
        return self._coloured(deck, suit, self._suit(deck, suit))

    def suit_named(self, deck: Deck, suit: int) -> str:
        """A suit where a name is better than a letter: `♥`, `H`, `oros`."""
        text = self._suit(deck, suit)
        name = SPANISH_SUITS[text] if deck.suits == _WITH_NAMES else text
        return self._coloured(deck, suit, name)

    def card(self, deck: Deck, card: Card) -> str:
        """Two signs wide, whatever the colour: `T♥`, `TH`, `##`."""
        name = deck.names[card]
        if not card:
            return f"{_DIM}{name}{_PLAIN}" if self.colour else name
        suit = card >> 4
        return self._coloured(deck, suit, name[0] + self._suit(deck, suit))

    def named(self, deck: Deck, text: str) -> str:
        """A card by its notation, as the server writes it; other text stays as it is."""
        card = deck.codes.get(text)
        return self.card(deck, card) if card else text

    def spoken(self, deck: Deck, text: str) -> str:
        """As `named`; a Spanish card with its name: `CE (caballo de espadas)`."""
        if deck.suits != _WITH_NAMES or not deck.codes.get(text):
            return self.named(deck, text)
        rank = SPANISH_RANKS.get(text[0], text[0])
        return f"{self.named(deck, text)} ({rank} de {SPANISH_SUITS[text[1]]})"

    def strong(self, text: str) -> str:
        """What one looks for first."""
        return f"{_BOLD}{text}{_PLAIN}" if self.colour else text

    def _suit(self, deck: Deck, suit: int) -> str:
        signs = _SIGNS.get(deck.suits) if self.signs else None
        return (signs or deck.suits)[suit]

    def _coloured(self, deck: Deck, suit: int, text: str) -> str:
        if not self.colour:
            return text
        if suit in deck.red:
            return f"{_RED}{text}{_PLAIN}"
        return f"{_GREEN}{text}{_PLAIN}" if deck.suits[suit] in _GREEN_SUITS else text


def style_for(
    out: TextIO, *, ascii_only: bool = False, environment: Mapping[str, str] = os.environ
) -> Style:
    """What this output can show."""
    signs = not ascii_only
    try:
        _SIGNS["CDHS"].encode(out.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        signs = False
    term = environment.get("TERM", "dumb")
    capable = out.isatty() and term not in ("", "dumb")
    return Style(signs, capable and not environment.get("NO_COLOR"), capable)


def printable(text: str) -> str:
    """Text from elsewhere, fit for a terminal: no control signs, whatever it came with."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)

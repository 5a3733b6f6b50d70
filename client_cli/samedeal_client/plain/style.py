"""How things look on this terminal: signs that it can show, colour only where it helps."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TextIO

from samedeal_rules import Card, Deck

__all__ = ["Style", "printable", "style_for"]

_SIGNS: Final = {"french": "♣♦♥♠"}
_RED: Final = "\x1b[31m"
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

    def suit(self, deck: Deck, suit: int) -> str:
        """A suit alone."""
        signs = _SIGNS.get(deck.name) if self.signs else None
        text = (signs or deck.suits)[suit]
        return f"{_RED}{text}{_PLAIN}" if self.colour and suit in deck.red else text

    def card(self, deck: Deck, card: Card) -> str:
        """Two signs wide, whatever the colour: `T♥`, `TH`, `##`."""
        name = deck.names[card]
        if not card:
            return f"{_DIM}{name}{_PLAIN}" if self.colour else name
        signs = _SIGNS.get(deck.name) if self.signs else None
        text = name[0] + signs[card >> 4] if signs else name
        return f"{_RED}{text}{_PLAIN}" if self.colour and card >> 4 in deck.red else text

    def named(self, deck: Deck, text: str) -> str:
        """A card by its notation, as the server writes it; other text stays as it is."""
        card = deck.codes.get(text)
        return self.card(deck, card) if card else text

    def strong(self, text: str) -> str:
        """What one looks for first."""
        return f"{_BOLD}{text}{_PLAIN}" if self.colour else text


def style_for(
    out: TextIO, *, ascii_only: bool = False, environment: Mapping[str, str] = os.environ
) -> Style:
    """What this output can show."""
    signs = not ascii_only
    try:
        _SIGNS["french"].encode(out.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        signs = False
    term = environment.get("TERM", "dumb")
    capable = out.isatty() and term not in ("", "dumb")
    return Style(signs, capable and not environment.get("NO_COLOR"), capable)


def printable(text: str) -> str:
    """Text from elsewhere, fit for a terminal: no control signs, whatever it came with."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)

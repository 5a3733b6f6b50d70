"""How cards are written and framed: signs or letters, colours or marks. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from samedeal_client.plain.card_words import card_words
from samedeal_client.plain.style import SPANISH_SUITS
from samedeal_rules import Card, Deck
from samedeal_rules.cards import rank_of, suit_of

__all__ = ["BACKS", "Frame", "Look"]

_SIGNS: Final = {"CDHS": "♣♦♥♠"}
_MARKED_SIGNS: Final = {"CDHS": "♣♢♡♠"}
"""Without colour: red suits as outlines, black ones filled."""
_LONG_RANKS: Final = {"T": "10"}
_FOUR_INKS: Final = {
    "CDHS": ("green", "blue", "red", "black"),
    "OCEB": ("gold", "red", "blue", "green"),
}
"""French as poker programs have it; Spanish as the printed pack."""
BACKS: Final = {"mist": "░", "brick": "▒", "cross": "╳", "dots": "∙", "plain": " "}
"""Card backs by name."""
_ASCII_BACK: Final = "#"


@dataclass(frozen=True, slots=True)
class Frame:
    """The lines around a card."""

    top_left: str
    across: str
    top_right: str
    down: str
    bottom_left: str
    bottom_right: str


_FRAMES: Final = {
    "plain": Frame(*"╭─╮│╰╯"),
    "selected": Frame(*"╔═╗║╚╝"),
    "target": Frame(*"┏━┓┃┗┛"),
    "hinted": Frame(*"┏┅┓┇┗┛"),
    "empty": Frame(*"┌╌┐╎└┘"),
}
_ASCII_FRAMES: Final = {
    "plain": Frame(*"+-+|++"),
    "selected": Frame(*"******"),
    "target": Frame(*"^^^^^^"),
    "hinted": Frame(*"!!!!!!"),
    "empty": Frame(*".....'"),
}


@dataclass(frozen=True, slots=True)
class Look:
    """What the terminal can show and the player likes."""

    signs: bool = True
    """Suits as signs and frames as lines, else letters and ASCII."""
    colour: bool = True
    """Without it the sign tells red from black: outlined or filled, small letter or capital."""
    four: bool = False
    """A colour for each suit."""
    back: str = "mist"

    def suit(self, deck: Deck, suit: int) -> str:
        """One character."""
        signs = _SIGNS if self.colour else _MARKED_SIGNS
        if self.signs and deck.suits in signs:
            return signs[deck.suits][suit]
        letter = deck.suits[suit]
        return letter.lower() if suit in deck.red and not self.colour else letter

    def rank(self, deck: Deck, card: Card) -> str:
        """One character, or two for the ten."""
        rank = deck.ranks[rank_of(card) - 1]
        return _LONG_RANKS.get(rank, rank)

    def text(self, deck: Deck, card: Card) -> str:
        """Two or three characters: `K♥`, `10♠`, `Kh`, `SC`."""
        return self.rank(deck, card) + self.suit(deck, suit_of(card))

    def named(self, deck: Deck, text: str) -> str:
        """A card by its notation, as the server writes it; other text stays as it is."""
        card = deck.codes.get(text)
        return self.text(deck, card) if card else text

    def told(self, deck: Deck, card: Card) -> str:
        """A card in a sentence: `10♥`; a Spanish one by its name, `caballo de espadas`."""
        return card_words(deck, card) if self.suit_name(deck, 0) else self.text(deck, card)

    def spoken(self, deck: Deck, text: str) -> str:
        """As `told`, by the notation; other text stays as it is."""
        card = deck.codes.get(text)
        return self.told(deck, card) if card else text

    def ink(self, deck: Deck, suit: int) -> str:
        """The name of the colour that a suit is written in."""
        if self.four:
            return _FOUR_INKS[deck.suits][suit]
        if suit in deck.red:
            return "red"
        return "green" if deck.suits in ("OCEB",) else "black"

    def suit_name(self, deck: Deck, suit: int) -> str:
        """`oros`; empty for suits that their signs tell."""
        return SPANISH_SUITS.get(deck.suits[suit], "") if deck.suits == "OCEB" else ""

    def frame(self, state: str) -> Frame:
        """For `plain`, `selected`, `target`, `hinted` and `empty`: all different without colour."""
        return (_FRAMES if self.signs else _ASCII_FRAMES)[state]

    @property
    def fill(self) -> str:
        """What a card's back is filled with."""
        return BACKS.get(self.back, BACKS["mist"]) if self.signs else _ASCII_BACK

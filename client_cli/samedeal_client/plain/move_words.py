"""Moves as one says them: which cards, from where, to where. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from samedeal_client.plain.card_words import card_words, pile_words
from samedeal_client.texts import _, _n
from samedeal_rules import UNKNOWN, Card, Deck, Game, Move, parse_move
from samedeal_rules.moves import Kind
from samedeal_rules.piles import take

__all__ = ["CardNamer", "advice_words", "carried_cards", "carry_words"]

CardNamer = Callable[[Deck, Card], str]
"""How a card is named: `3♥`, `3 of hearts`."""


def advice_words(game: Game, move: str, named: CardNamer = card_words) -> str:
    """What to do: `3♥ from column 6 to column 5`, `draw`; a text that is no move stays as it is."""
    deck = game.ruleset.deck
    parsed = parse_move(move, deck.suits)
    if parsed is None:
        return move
    if parsed.kind is Kind.CARRY:
        return carry_words(deck, move, carried_cards(game, move), named)
    return _other_words(game, parsed, move)


def carry_words(deck: Deck, move: str, cards: Sequence[Card], named: CardNamer = card_words) -> str:
    """`3♥ and 2 cards on it from column 6 to column 5`; the cards, if known, lowest first."""
    source, _dash, target = move.partition("-")
    where = pile_words(deck, source.partition("*")[0])
    to = pile_words(deck, target)
    if not cards:
        return _("from {source} to {target}").format(source=where, target=to)
    first = named(deck, cards[0])
    more = len(cards) - 1
    if more:
        first = _n("{card} and {count} card on it", "{card} and {count} cards on it", more).format(
            card=first, count=more
        )
    return _("{cards} from {source} to {target}").format(cards=first, source=where, target=to)


def carried_cards(game: Game, text: str) -> list[Card]:
    """The cards that a move will carry, the lowest first; none where one can't be known."""
    move = parse_move(text, game.ruleset.deck.suits)
    if move is None or move.kind is not Kind.CARRY:
        return []
    try:
        cards = take(game.board.copy(), move.source, move.size)
    except IndexError:
        return []
    return [] if UNKNOWN in cards else cards


def _other_words(game: Game, move: Move, text: str) -> str:
    if move.kind is Kind.DRAW:
        return _("deal a row") if game.ruleset.draws_to_columns else _("draw")
    if move.kind is Kind.REDEAL:
        return _("turn the waste over")
    if move.kind is Kind.TURN:
        return _("turn the card of column {number}").format(number=move.source + 1)
    return _("take back") if move.kind is Kind.UNDO else text

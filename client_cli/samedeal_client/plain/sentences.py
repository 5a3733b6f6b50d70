"""The game in full sentences, for who listens to a terminal instead of looking at it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from samedeal_client.plain.board_text import item_words, pass_text, state_words
from samedeal_client.plain.card_words import (
    card_words,
    cards_words,
    pile_words,
    rank_words,
    suit_words,
)
from samedeal_client.plain.move_words import carry_words
from samedeal_client.plain.style import printable
from samedeal_client.plain.words import Outcome
from samedeal_client.texts import _, _n, decimal, number
from samedeal_protocol import PlayerState, PointsEarned, RankingRow, StandingRow
from samedeal_rules import ITEMS, Card, Deck, Game, parse_move
from samedeal_rules.board import EMPTY, RUN_LENGTH
from samedeal_rules.moves import Kind

__all__ = [
    "column_sentence",
    "move_sentences",
    "ranking_sentences",
    "standings_sentence",
    "standings_sentences",
    "table_sentences",
]

REASONS_TOLD: Final = 3
"""Points for more things than that are told as a sum: nobody remembers so many."""
PLACES_TOLD: Final = 3
"""Places of the standings that are told besides one's own when somebody passes somebody."""


def table_sentences(game: Game) -> list[str]:
    """The whole table: what is above the columns, then each column from its end."""
    board = game.board
    lines = [*_above(game)]
    lines += [column_sentence(game, index) for index in range(len(board.columns))]
    left = pass_text(game)
    return [*lines, _sentence(left)] if left else lines


def column_sentence(game: Game, index: int) -> str:
    """`Column 3, from its end: 6 of clubs, 7 of hearts, then 2 face-down cards.`"""
    board, deck = game.board, game.ruleset.deck
    column, down = board.columns[index], board.down[index]
    if not column:
        return _("Column {number} is empty.").format(number=index + 1)
    face_up = cards_words(deck, column[down:][::-1])
    covered = _n("{count} face-down card", "{count} face-down cards", down).format(count=down)
    if not face_up:
        words = _("Column {number}: {covered}.")
    elif down:
        words = _("Column {number}, from its end: {cards}, then {covered}.")
    else:
        words = _("Column {number}, from its end: {cards}.")
    return words.format(number=index + 1, cards=face_up, covered=covered)


def move_sentences(
    game: Game, move: str, cards: Sequence[Card], outcome: Outcome, standing: str
) -> list[str]:
    """What a move did, everything that it set off, and how one stands then.

    `game` is the one after the move, `cards` are those that it carried, if they are known.
    """
    deck = game.ruleset.deck
    lines = [*_moved(game, move, cards, outcome), *_set_off(deck, outcome)]
    if outcome.points:
        lines.append(_earned(deck, outcome.points))
        lines.append(_("You have {standing}.").format(standing=standing))
    return lines


def standings_sentences(rows: Sequence[StandingRow], you: int | None) -> list[str]:
    """One for each player."""
    return [
        _sentence(", ".join([_placed(row, you), *filter(None, [state_words(row.state)])]))
        for row in rows
    ]


def standings_sentence(rows: Sequence[StandingRow], you: int | None) -> str:
    """The first places and one's own, when they have changed."""
    told = [row for index, row in enumerate(rows) if index < PLACES_TOLD or row.seat == you]
    places = "; ".join(_placed(row, you) for row in told)
    return _("Standings: {places}.").format(places=places)


def ranking_sentences(rows: Sequence[RankingRow], you: int | None) -> list[str]:
    """The end: for each player the place, how it ended, and what the points were for."""
    lines = []
    for row in rows:
        how = state_words(row.ended) or row.ended.value
        if row.ended is not PlayerState.TIMEOUT:
            seconds = decimal(row.ended_ms / 1000)
            how = _("{how} after {seconds} s").format(how=how, seconds=seconds)
        moves = _n("{count} move", "{count} moves", row.moves).format(count=row.moves)
        lines.append(_sentence(", ".join((_placed(row, you), how, moves))))
        items = [(name, row.items[name]) for name in ITEMS if name in row.items]
        if items:
            reasons = "; ".join(f"{item_words(name)} {number(value)}" for name, value in items)
            lines.append(_("Points: {reasons}.").format(reasons=reasons))
    return lines


# The table.


def _above(game: Game) -> Iterator[str]:
    board, deck, ruleset = game.board, game.ruleset.deck, game.ruleset
    if ruleset.leaves:
        gone, runs = len(board.gone), len(deck.cards) // RUN_LENGTH
        yield _("Runs gone: {gone} of {all}.").format(gone=gone, all=runs)
    else:
        piles = "; ".join(
            _foundation(deck, suit, rank) for suit, rank in enumerate(board.foundations)
        )
        yield _("Foundations: {piles}.").format(piles=piles)
    if ruleset.draw:
        count = len(board.stock)
        stock = _n("Stock: {count} card.", "Stock: {count} cards.", count)
        yield stock.format(count=count)
    if ruleset.has_waste:
        yield _waste(deck, board.waste)
    for index, card in enumerate(board.cells):
        words = _("Cell {number}: {card}.")
        yield words.format(number=index + 1, card=_place(deck, card))
    for index, card in enumerate(board.reserve):
        words = _("Place {number} of the reserve: {card}.")
        yield words.format(number=index + 1, card=_place(deck, card))


def _foundation(deck: Deck, suit: int, rank: int) -> str:
    if not rank:
        return _("{suit} empty").format(suit=suit_words(deck, suit))
    words = _("{suit} up to {rank}")
    return words.format(suit=suit_words(deck, suit), rank=rank_words(deck, rank))


def _waste(deck: Deck, waste: Sequence[Card]) -> str:
    if not waste:
        return _("The waste is empty.")
    words = _n("Waste: {count} card, {card}.", "Waste: {count} cards, {card} on top.", len(waste))
    return words.format(count=len(waste), card=card_words(deck, waste[-1]))


def _place(deck: Deck, card: Card) -> str:
    return _("empty") if card == EMPTY else card_words(deck, card)


# A move.


def _moved(game: Game, text: str, cards: Sequence[Card], outcome: Outcome) -> Iterator[str]:
    deck = game.ruleset.deck
    move = parse_move(text, deck.suits)
    if move is None:
        return
    if move.kind is Kind.DRAW:
        yield _drawn(game, outcome)
    elif move.kind is Kind.REDEAL:
        yield _("The waste goes back into the stock.")
        yield _sentence(pass_text(game))
    elif move.kind is Kind.UNDO:
        yield _("The last move is taken back.")
    elif move.kind is Kind.CARRY:
        yield _sentence(carry_words(deck, text, cards))


def _drawn(game: Game, outcome: Outcome) -> str:
    deck = game.ruleset.deck
    cards = cards_words(deck, [deck.codes.get(text, EMPTY) for text in outcome.drawn])
    if game.ruleset.draws_to_columns:
        return _("Dealt, from column 1 on: {cards}.").format(cards=cards)
    words = _n("Drawn: {cards}.", "Drawn: {cards}; the last is on top.", len(outcome.drawn))
    return words.format(cards=cards)


def _set_off(deck: Deck, outcome: Outcome) -> Iterator[str]:
    for pile, text in outcome.turned:
        card = card_words(deck, deck.codes.get(text, EMPTY))
        where = pile_words(deck, pile)
        yield _sentence(_("{pile} turns up {card}").format(pile=where, card=card))
    for pile, letter in outcome.runs:
        suit = suit_words(deck, deck.suits.index(letter)) if letter in deck.suits else letter
        where = pile_words(deck, pile)
        yield _sentence(_("the run of {suit} leaves {pile}").format(suit=suit, pile=where))
    if outcome.auto:
        cards = cards_words(deck, [deck.codes.get(text, EMPTY) for _pile, text in outcome.auto])
        words = _n("{cards} goes up by itself", "{cards} go up by themselves", len(outcome.auto))
        yield _sentence(words.format(cards=cards))


def _earned(deck: Deck, earned: Sequence[PointsEarned]) -> str:
    total = sum(points.points for points in earned)
    told = _n("{points} point", "{points} points", abs(total)).format(points=number(total))
    if len(earned) > REASONS_TOLD:
        return _sentence(told)
    reasons = []
    for points in earned:
        code = deck.codes.get(points.what)
        reasons.append(card_words(deck, code) if code else item_words(points.item))
    return _sentence(_("{points} for {reasons}").format(points=told, reasons=", ".join(reasons)))


# Standings.


def _placed(row: StandingRow | RankingRow, you: int | None) -> str:
    """`place 2, you, 1,200 points, 12 cards up`."""
    who = _("you") if row.seat == you else printable(row.name)
    parts = [_("place {number}").format(number=row.place), who]
    if row.score is not None:
        parts.append(
            _n("{points} point", "{points} points", abs(row.score)).format(points=number(row.score))
        )
    up = _n("{count} card up", "{count} cards up", row.up).format(count=row.up)
    return ", ".join([*parts, up])


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."

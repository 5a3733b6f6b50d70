"""From what the wire says to a game on a view."""

from __future__ import annotations

from collections.abc import Iterable

from samedeal_client.texts import _
from samedeal_protocol import Applied, Snapshot
from samedeal_rules import ITEMS, Board, Card, Deck, Ended, Game, Ruleset
from samedeal_rules.board import EMPTY

__all__ = ["BrokenSnapshot", "game_from_snapshot", "learn"]


class BrokenSnapshot(Exception):
    """The server described a table that can't be: its fault, or not our protocol."""


def game_from_snapshot(snapshot: Snapshot, ruleset: Ruleset) -> Game:
    """The game that a snapshot shows, as a view. Its history starts empty.

    Raises `BrokenSnapshot` if it contradicts itself.
    """
    board, deck = snapshot.board, ruleset.deck
    try:
        view = Board(
            [_cards(deck, column) for column in board.columns],
            list(board.down),
            _cards(deck, board.waste) + _cards(deck, board.stock),
            drawn=len(board.waste),
            redeals=board.redeals,
            foundations=list(board.foundations),
            cells=_places(deck, board.cells),
            reserve=_places(deck, board.reserve),
            gone=[deck.suits.index(suit) for suit in board.runs],
        )
        deadline = snapshot.deadline
        duration_ms = None if deadline is None else deadline - snapshot.start_at
        game = Game(ruleset, view, duration_ms)
        for item, points in snapshot.items.items():
            game.items[ITEMS.index(item)] = points
        game.scored = _mask(deck, snapshot.scored)
        game.exempt = _mask(deck, snapshot.exempt)
    except (KeyError, ValueError):
        raise BrokenSnapshot(_("a card or an item that this game does not have")) from None
    game.score = snapshot.score or 0
    if snapshot.ended is not None and snapshot.ended.value in [how.value for how in Ended]:
        game.ended, game.ended_ms = Ended(snapshot.ended.value), snapshot.ended_ms
    lengths = zip(view.down, view.columns, strict=False)
    if len(view.down) != len(view.columns) or any(down > len(column) for down, column in lengths):
        raise BrokenSnapshot(_("more cards face down than there are"))
    if view.checksum(deck.names) != snapshot.checksum:
        raise BrokenSnapshot(_("the checksum is another board's"))
    return game


def learn(game: Game, answer: Applied) -> None:
    """Write what a move turned up or drew into the view, before that move is played on it.

    Raises LookupError or ValueError for what does not fit this table.
    """
    codes = game.ruleset.deck.codes
    turned = [(int(pile[1:]) - 1, codes[card]) for pile, card in answer.turned]
    if any(pile[0] != "t" for pile, _card in answer.turned):
        raise ValueError("only columns turn")
    game.board.learn(turned, [codes[card] for card in answer.drawn])


def _cards(deck: Deck, texts: Iterable[str]) -> list[Card]:
    codes = deck.codes
    return [codes[text] for text in texts]


def _places(deck: Deck, texts: Iterable[str | None]) -> list[Card]:
    """Cells or places of the reserve; null is empty."""
    return [EMPTY if text is None else deck.codes[text] for text in texts]


def _mask(deck: Deck, texts: Iterable[str]) -> int:
    mask = 0
    for text in texts:
        mask |= 1 << deck.codes[text]
    return mask

"""One player's game: a board, its score, and what can be undone."""

from __future__ import annotations

from enum import StrEnum

from samedeal_rules.board import Board
from samedeal_rules.cards import Card, rank_of, suit_of
from samedeal_rules.errors import IllegalMove, RuleKey
from samedeal_rules.history import (
    FIRST_ARRIVAL,
    FIRST_OF_MOVE,
    ITEM_BITS,
    TAKEN_BACK,
    Deed,
    History,
    Verb,
)
from samedeal_rules.legality import carried, check_carry, check_turn
from samedeal_rules.moves import FOUNDATION, FROM_FOUNDATION, WASTE, Kind, Move, pile_text
from samedeal_rules.ruleset import Ruleset
from samedeal_rules.scoring import CARDS_UP, ITEMS, PASSES, TURNED, UNDO, Closing, Item, Points

__all__ = ["Ended", "Game", "Played"]


class Ended(StrEnum):
    """How a player's game ended; the values are those of `judge` and of the wire."""

    CLEARED = "cleared"
    FINISH = "finish"
    TIMEOUT = "timeout"


class Played:
    """What one accepted move set off, in order."""

    __slots__ = ("automatic", "drawn", "points", "turned")

    def __init__(self) -> None:
        self.turned: list[tuple[int, Card]] = []
        """Column (from 0) and card, for each card turned up in a column."""
        self.drawn: list[Card] = []
        """Cards that came to the waste, the last one on top."""
        self.automatic: list[tuple[int, Card]] = []
        """Pile and card, for each card that went up by itself."""
        self.points: list[Points] = []


class Game:
    """A player's game: the fold of its moves over the deal.

    Time is an argument: `ms` counts from the start of the duel. Works the same on a view,
    where a move that needs an unknown card is refused as `card_unknown`.
    """

    __slots__ = (
        "board",
        "duration_ms",
        "ended",
        "ended_ms",
        "exempt",
        "history",
        "items",
        "ruleset",
        "score",
        "scored",
        "undoable",
    )

    def __init__(self, ruleset: Ruleset, board: Board, duration_ms: int) -> None:
        self.ruleset = ruleset
        self.board = board
        self.duration_ms = duration_ms
        self.ended: Ended | None = None
        self.ended_ms: int | None = None
        self.score = 0
        """May be negative; always the sum of `items`."""
        self.items = [0] * len(ITEMS)
        """Points by reason, in the order of `ITEMS`."""
        self.scored = 0
        """The mask of cards that have scored on a foundation."""
        self.exempt = 0
        """The mask of cards taken back from a foundation: they never go up by themselves again."""
        self.history = History()
        self.undoable = 0
        """Moves that `u` can still take back."""

    def ledger(self) -> dict[str, int]:
        """Points by reason; reasons without points are left out. Adds up to the score."""
        return {name: points for name, points in zip(ITEMS, self.items, strict=True) if points}

    def copy(self) -> Game:
        """An independent game that can be played ahead; its history starts empty."""
        game = Game(self.ruleset, self.board.copy(), self.duration_ms)
        game.ended, game.ended_ms = self.ended, self.ended_ms
        game.score, game.items = self.score, self.items.copy()
        game.scored, game.exempt = self.scored, self.exempt
        return game

    def play(self, move: Move, ms: int) -> Played:
        """Play a move received `ms` after the start. Raises `IllegalMove`; then nothing changed.

        About 2 microseconds for a draw, 4 for a card that goes up.
        """
        if self.ended is not None:
            raise IllegalMove(RuleKey.GAME_OVER)
        if ms >= self.duration_ms:
            raise IllegalMove(RuleKey.TIME_OVER)
        kind = move.kind
        played = Played()
        if kind is Kind.CARRY:
            self._carry(move, played)
        elif kind is Kind.DRAW:
            self._draw(played)
        elif kind is Kind.TURN:
            self._turn(move.source, played)
        elif kind is Kind.REDEAL:
            self._redeal(played)
        elif kind is Kind.UNDO:
            self._undo(played)
            return played
        else:
            self._close(Ended.FINISH, ms, played)
            return played
        if self.ruleset.automatic is not None:
            self._sweep(played)
        depth = self.ruleset.undo_depth
        if depth is None or self.undoable < depth:
            self.undoable += 1
        if self.board.cards_up == len(self.ruleset.deck.cards):
            self._close(Ended.CLEARED, ms, played)
        return played

    def run_out(self) -> None:
        """The countdown has ended: nothing more is scored. Does nothing to an ended game."""
        if self.ended is None:
            self.ended, self.ended_ms = Ended.TIMEOUT, self.duration_ms

    # Moves. Each checks everything before it changes anything.

    def _draw(self, played: Played) -> None:
        board = self.board
        count = min(self.ruleset.draw, len(board.talon) - board.drawn)
        if count == 0:
            raise IllegalMove(RuleKey.STOCK_EMPTY)
        played.drawn = board.talon[board.drawn : board.drawn + count]
        board.drawn += count
        self.history.add(Verb.DRAW, size=count, marks=FIRST_OF_MOVE)

    def _redeal(self, played: Played) -> None:
        board = self.board
        if board.drawn < len(board.talon):
            raise IllegalMove(RuleKey.STOCK_NOT_EMPTY)
        if board.drawn == 0:
            raise IllegalMove(RuleKey.WASTE_EMPTY)
        allowed = self.ruleset.redeals
        if allowed is not None and board.redeals >= allowed:
            raise IllegalMove(RuleKey.NO_REDEALS_LEFT)
        board.drawn = 0
        board.redeals += 1
        points = self.ruleset.scoring.redeal(board.redeals + 1)
        self._score(PASSES, points, "", played)
        self.history.add(Verb.REDEAL, marks=FIRST_OF_MOVE | PASSES, points=points)

    def _turn(self, index: int, played: Played) -> None:
        check_turn(self.ruleset, self.board, index)
        board = self.board
        board.down[index] -= 1
        card = board.columns[index][-1]
        played.turned.append((index, card))
        points = self.ruleset.scoring.turned
        self._score(TURNED, points, pile_text(index, self.ruleset.deck.suits), played)
        self.history.add(Verb.TURN, index, marks=FIRST_OF_MOVE | TURNED, points=points)

    def _carry(self, move: Move, played: Played) -> None:
        check_carry(self.ruleset, self.board, move)
        if move.target == FOUNDATION:
            self._raise_card(move.source, FIRST_OF_MOVE, played)
            return
        board = self.board
        cards = carried(board, move)
        _take(board, move.source, move.size)
        board.columns[move.target] += cards
        marks = FIRST_OF_MOVE
        if move.source >= FROM_FOUNDATION and not self.exempt >> cards[0] & 1:
            self.exempt |= 1 << cards[0]
            marks |= TAKEN_BACK
        self.history.add(Verb.CARRY, move.source, move.target, move.size, marks)

    def _raise_card(self, source: int, marks: int, played: Played) -> Card:
        """The end card of a column, or the top of the waste, to its foundation."""
        board = self.board
        card = _take(board, source, 1)[0]
        board.foundations[suit_of(card)] += 1
        scoring = self.ruleset.scoring
        points = 0
        if not self.scored >> card & 1:
            self.scored |= 1 << card
            marks |= FIRST_ARRIVAL
            points = scoring.card_up[rank_of(card)]
        elif not scoring.card_up_once:
            points = scoring.card_up[rank_of(card)]
        self._score(CARDS_UP, points, self.ruleset.deck.names[card], played)
        target = FROM_FOUNDATION + suit_of(card)
        self.history.add(Verb.CARRY, source, target, 1, marks | CARDS_UP, points)
        return card

    def _sweep(self, played: Played) -> None:
        """Automatic moves, sweep after sweep, until nothing moves."""
        sweep = self.ruleset.automatic
        assert sweep is not None
        moved = True
        while moved:
            moved = False
            for pile in sweep(self.board, self.exempt):
                played.automatic.append((pile, self._raise_card(pile, 0, played)))
                moved = True

    def _close(self, how: Ended, ms: int, played: Played) -> None:
        self.ended, self.ended_ms = how, ms
        closing = Closing(how is Ended.CLEARED, ms, self.duration_ms)
        for item, points in self.ruleset.scoring.closing(closing):
            self._score(item, points, "", played)

    def _score(self, item: Item, points: int, what: str, played: Played) -> None:
        if points:
            self.items[item] += points
            self.score += points
            played.points.append(Points(item, points, what))

    # Undo: the exact inverse, deed by deed, then the price.

    def _undo(self, played: Played) -> None:
        if self.undoable == 0:
            nothing = len(self.history) == 0
            raise IllegalMove(RuleKey.NOTHING_TO_UNDO if nothing else RuleKey.UNDO_DEPTH)
        back = [0] * len(ITEMS)
        for deed in self.history.pop_move():
            back[deed.marks & ITEM_BITS] -= deed.points
            self._revert(deed)
        self.undoable -= 1
        for item, points in enumerate(back):
            self._score(item, points, "", played)
        self._score(UNDO, self.ruleset.scoring.undo, "", played)

    def _revert(self, deed: Deed) -> None:
        board = self.board
        if deed.verb == Verb.CARRY:
            cards = _take(board, deed.target, deed.size)
            _give(board, deed.source, cards)
            if deed.marks & FIRST_ARRIVAL:
                self.scored &= ~(1 << cards[0])
            if deed.marks & TAKEN_BACK:
                self.exempt &= ~(1 << cards[0])
        elif deed.verb == Verb.TURN:
            board.down[deed.source] += 1
        elif deed.verb == Verb.DRAW:
            board.drawn -= deed.size
        elif deed.verb == Verb.REDEAL:
            board.drawn = len(board.talon)
            board.redeals -= 1


def _take(board: Board, pile: int, count: int) -> list[Card]:
    """Remove the last `count` cards of a pile, in the order in which they lay."""
    if pile == WASTE:
        board.drawn -= 1
        return [board.talon.pop(board.drawn)]
    if pile >= FROM_FOUNDATION:
        suit = pile - FROM_FOUNDATION
        card = Card(suit << 4 | board.foundations[suit])
        board.foundations[suit] -= 1
        return [card]
    column = board.columns[pile]
    cards = column[-count:]
    del column[-count:]
    return cards


def _give(board: Board, pile: int, cards: list[Card]) -> None:
    """Put cards on a pile: the inverse of `_take`."""
    if pile == WASTE:
        board.talon.insert(board.drawn, cards[0])
        board.drawn += 1
    elif pile >= FROM_FOUNDATION:
        board.foundations[suit_of(cards[0])] += 1
    else:
        board.columns[pile] += cards

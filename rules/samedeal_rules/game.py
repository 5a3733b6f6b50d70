"""One player's game: a board, its score, and what can be undone."""

from __future__ import annotations

from enum import StrEnum
from math import inf

from samedeal_rules.board import RUN_LENGTH, Board
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
from samedeal_rules.legality import check_carry, check_draw, check_redeal, check_turn
from samedeal_rules.moves import (
    CELL,
    FOUNDATION,
    FROM_FOUNDATION,
    RESERVE,
    WASTE,
    Kind,
    Move,
    pile_text,
)
from samedeal_rules.piles import give, take
from samedeal_rules.ruleset import Ruleset
from samedeal_rules.scoring import (
    CARDS_UP,
    FOUNDATION_TO_TABLEAU,
    ITEMS,
    PASSES,
    RUNS,
    TURNED,
    UNDO,
    WASTE_TO_TABLEAU,
    Closing,
    Item,
    Points,
)

__all__ = ["Ended", "Game", "Played"]


class Ended(StrEnum):
    """How a player's game ended; the values are those of `judge` and of the wire."""

    CLEARED = "cleared"
    FINISH = "finish"
    TIMEOUT = "timeout"


class Played:
    """What one accepted move set off, in order."""

    __slots__ = ("automatic", "drawn", "points", "runs", "turned")

    def __init__(self) -> None:
        self.turned: list[tuple[int, Card]] = []
        """Column (from 0) and card, for each card turned up in a column."""
        self.drawn: list[Card] = []
        """Cards that came to the waste, the last one on top; in Spider to each column in turn."""
        self.automatic: list[tuple[int, Card]] = []
        """Pile and card, for each card that went up by itself."""
        self.runs: list[tuple[int, int]] = []
        """Column (from 0) and suit, for each run that left the table (Spider)."""
        self.points: list[Points] = []


class Game:
    """A player's game: the fold of its moves over the deal.

    Time is an argument: `ms` counts from the start of the duel. Works the same on a view,
    where a move that needs an unknown card is refused as `card_unknown`.
    """

    __slots__ = (
        "board",
        "deadline_ms",
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

    def __init__(self, ruleset: Ruleset, board: Board, duration_ms: int | None) -> None:
        self.ruleset = ruleset
        self.board = board
        self.duration_ms = duration_ms
        """None in a practice without a time limit."""
        self.deadline_ms: float = inf if duration_ms is None else duration_ms
        self.ended: Ended | None = None
        self.ended_ms: int | None = None
        self.score = 0
        """May be negative; always the sum of `items`. What to show is `points`."""
        self.items = [0] * len(ITEMS)
        """Points by reason, in the order of `ITEMS`."""
        self.scored = 0
        """The mask of cards that have scored on a foundation."""
        self.exempt = 0
        """The mask of cards taken back from a foundation: they never go up by themselves again."""
        self.history = History()
        self.undoable = 0
        """Moves that `u` can still take back."""

    @property
    def points(self) -> int | None:
        """The score; None in a game without points (rules, section 5)."""
        return self.score if self.ruleset.scored else None

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
        if ms >= self.deadline_ms:
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
        board = self.board
        # The last column is rarely empty: nearly always that is all there is to look at.
        if not board.columns[-1] and board.cards_up == len(self.ruleset.deck.cards):
            self._close(Ended.CLEARED, ms, played)
        return played

    def run_out(self, last_ms: int = 0) -> None:
        """The countdown has ended: nothing more is scored. Does nothing to an ended game.

        A game without a time limit that was closed ends at `last_ms`, its last move's time.
        """
        if self.ended is None:
            self.ended = Ended.TIMEOUT
            self.ended_ms = last_ms if self.duration_ms is None else self.duration_ms

    # Moves. Each checks everything before it changes anything.

    def _draw(self, played: Played) -> None:
        board, ruleset = self.board, self.ruleset
        count = min(ruleset.draw, len(board.talon) - board.drawn)
        if count == 0 or ruleset.draws_to_columns:
            check_draw(ruleset, board)
            self._deal_row(count, played)
            return
        played.drawn = board.talon[board.drawn : board.drawn + count]
        board.drawn += count
        self.history.add(Verb.DRAW, size=count, marks=FIRST_OF_MOVE)

    def _deal_row(self, count: int, played: Played) -> None:
        """One card on each of the first `count` columns; what it completes leaves."""
        board = self.board
        played.drawn = board.talon[:count]
        del board.talon[:count]
        for column, card in zip(board.columns, played.drawn, strict=False):
            column.append(card)
        self.history.add(Verb.DEAL, size=count, marks=FIRST_OF_MOVE)
        for index in range(count):
            self._let_leave(index, played)

    def _redeal(self, played: Played) -> None:
        board = self.board
        check_redeal(self.ruleset, board)
        board.drawn = 0
        board.redeals += 1
        points = self.ruleset.scoring.redeal(board.redeals + 1)
        points = self._score(PASSES, points, "", played)
        self.history.add(Verb.REDEAL, marks=FIRST_OF_MOVE | PASSES, points=points)

    def _turn(self, index: int, played: Played) -> None:
        check_turn(self.ruleset, self.board, index)
        self._turn_up(index, FIRST_OF_MOVE, played)

    def _turn_up(self, index: int, marks: int, played: Played) -> None:
        board = self.board
        board.down[index] -= 1
        card = board.columns[index][-1]
        played.turned.append((index, card))
        points = self.ruleset.scoring.turned
        points = self._score(TURNED, points, pile_text(index, self.ruleset.deck.suits), played)
        self.history.add(Verb.TURN, index, marks=marks | TURNED, points=points)

    def _uncover(self, index: int, played: Played) -> None:
        """An uncovered face-down card turns by itself, where the ruleset says so."""
        down = self.board.down[index]
        if down and down == len(self.board.columns[index]):
            self._turn_up(index, 0, played)

    def _let_leave(self, index: int, played: Played) -> None:
        """A complete run at the end of a column leaves the table, where the ruleset says so."""
        ruleset, board = self.ruleset, self.board
        if ruleset.leaves is None or not ruleset.leaves(board, index):
            return
        suit = suit_of(take(board, index, RUN_LENGTH)[0])
        board.gone.append(suit)
        played.runs.append((index, suit))
        what = pile_text(index, ruleset.deck.suits)
        points = self._score(RUNS, ruleset.scoring.run, what, played)
        self.history.add(Verb.LEAVE, index, suit, RUN_LENGTH, RUNS, points)
        self._uncover(index, played)

    def _carry(self, move: Move, played: Played) -> None:
        check_carry(self.ruleset, self.board, move)
        if move.target == FOUNDATION:
            self._raise_card(move.source, FIRST_OF_MOVE, played)
            return
        board, source, target = self.board, move.source, move.target
        cards = take(board, source, move.size)
        give(board, target, cards)
        marks, points = FIRST_OF_MOVE, 0
        if source >= WASTE and target < CELL:
            marks, points = self._leave_pile(source, cards[0], played)
        self.history.add(Verb.CARRY, source, target, move.size, marks, points)
        if not self.ruleset.turns_by_hand:
            if source < CELL:
                self._uncover(source, played)
            if target < CELL:
                self._let_leave(target, played)

    def _leave_pile(self, source: int, card: Card, played: Played) -> tuple[int, int]:
        """Marks and points of a card that came to a column from waste, foundation or reserve."""
        scoring, name = self.ruleset.scoring, self.ruleset.deck.names[card]
        if source == WASTE:
            points = self._score(WASTE_TO_TABLEAU, scoring.waste_to_tableau, name, played)
            return FIRST_OF_MOVE | WASTE_TO_TABLEAU, points
        if source >= RESERVE:
            return FIRST_OF_MOVE, 0
        marks = FIRST_OF_MOVE | FOUNDATION_TO_TABLEAU
        if not self.exempt >> card & 1:
            self.exempt |= 1 << card
            marks |= TAKEN_BACK
        return marks, self._score(
            FOUNDATION_TO_TABLEAU, scoring.foundation_to_tableau, name, played
        )

    def _raise_card(self, source: int, marks: int, played: Played) -> Card:
        """The end card of a column, or the card of another pile, to its foundation."""
        board = self.board
        card = take(board, source, 1)[0]
        board.foundations[suit_of(card)] += 1
        scoring = self.ruleset.scoring
        points = 0
        if not self.scored >> card & 1:
            self.scored |= 1 << card
            marks |= FIRST_ARRIVAL
            points = scoring.card_up[rank_of(card)]
        elif not scoring.card_up_once:
            points = scoring.card_up[rank_of(card)]
        points = self._score(CARDS_UP, points, self.ruleset.deck.names[card], played)
        target = FROM_FOUNDATION + suit_of(card)
        self.history.add(Verb.CARRY, source, target, 1, marks | CARDS_UP, points)
        if source < CELL and not self.ruleset.turns_by_hand:
            self._uncover(source, played)
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
        closing = Closing(how is Ended.CLEARED, ms, self.duration_ms, self.ruleset.draw)
        for item, points in self.ruleset.scoring.closing(closing):
            self._score(item, points, "", played)

    def _score(self, item: Item, points: int, what: str, played: Played) -> int:
        """Add points, cut so that the score stays above the floor; those really added."""
        if points < 0:
            floor = self.ruleset.scoring.floor
            if floor is not None and self.score + points < floor:
                points = floor - self.score
        if points:
            self._add(item, points, what, played)
        return points

    def _add(self, item: Item, points: int, what: str, played: Played) -> None:
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
            if points:
                self._add(item, points, "", played)
        self._score(UNDO, self.ruleset.scoring.undo, "", played)

    def _revert(self, deed: Deed) -> None:
        board = self.board
        if deed.verb == Verb.CARRY:
            cards = take(board, deed.target, deed.size)
            give(board, deed.source, cards)
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
        elif deed.verb == Verb.DEAL:
            board.talon[:0] = [column.pop() for column in board.columns[: deed.size]]
        elif deed.verb == Verb.LEAVE:
            board.gone.pop()
            ranks = range(deed.size, 0, -1)
            give(board, deed.source, [Card(deed.target << 4 | rank) for rank in ranks])

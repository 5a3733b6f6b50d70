"""A small, fast model of Klondike tables for looking ahead; agrees with the engine.

Only what may be known is in it: a face-down card is a number in `down`, and an uncovered one
is a wall (its column is out of play until the real card has been turned, or turns itself).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from samedeal_bots.klondike_numbers import Numbers
from samedeal_rules import UNKNOWN, Card, Game, Move
from samedeal_rules.moves import DRAW

__all__ = [
    "Column",
    "Key",
    "State",
    "settled",
    "wanted_cards",
]

Column = tuple[Card, ...]
Key = tuple[object, ...]


class State:
    """A table somewhere on a line from the root. Never changed once it is made."""

    __slots__ = (
        "columns",
        "down",
        "drawn",
        "exempt",
        "foundations",
        "gained",
        "hidden",
        "length",
        "moves",
        "parent",
        "redeals",
        "reserve",
        "scored",
        "talon",
        "walled",
    )

    columns: tuple[Column, ...]
    """Face-up cards only."""
    down: tuple[int, ...]
    hidden: tuple[Column, ...] | None
    """The face-down cards of a supposed table; None where they are unknown."""
    talon: tuple[Card, ...]
    drawn: int
    redeals: int
    reserve: tuple[Card, ...]
    """By place; 0 where the card was taken."""
    foundations: tuple[int, ...]
    exempt: int
    scored: int
    gained: int
    """Points since the root."""
    length: int
    """Moves since the root."""
    parent: State | None
    moves: tuple[Move, ...]
    """From the parent to here."""
    walled: bool
    """Whether the stock's next card is unknown."""

    @classmethod
    def of(cls, game: Game) -> State:
        """The root: what the view shows."""
        board = game.board
        root = cls()
        root.columns = tuple(
            tuple(column[down:]) for column, down in zip(board.columns, board.down, strict=True)
        )
        root.down = tuple(board.down)
        root.hidden = None
        root.talon = tuple(board.talon)
        root.drawn, root.redeals = board.drawn, board.redeals
        root.reserve = tuple(board.reserve)
        root.foundations = tuple(board.foundations)
        root.exempt, root.scored = game.exempt, game.scored
        root.gained = root.length = 0
        root.parent, root.moves = None, ()
        root.walled = UNKNOWN in root.talon
        return root

    def supposed(self, root: State, cards: Sequence[Card], numbers: Numbers) -> State:
        """This table, were the unknown cards these: those of the columns, then of the stock.

        `root` is a table before or at this one, to which the order of the cards belongs.
        """
        rest = iter(cards)
        hidden = tuple(tuple(islice(rest, count)) for count in root.down)
        whole = State()
        for name in State.__slots__:
            setattr(whole, name, getattr(self, name))
        whole.hidden = hidden
        talon = tuple([card or next(rest) for card in self.talon])
        whole.walled = False
        return settled(
            whole, numbers, (), list(self.columns), list(self.foundations), self.exempt,
            self.scored, self.gained, talon, self.drawn, self.redeals,
        )  # fmt: skip

    def after_draw(self, numbers: Numbers) -> State:
        """After a draw; of cards that are not known, too."""
        drawn = min(self.drawn + numbers.draw, len(self.talon))
        return settled(
            self, numbers, (DRAW,), list(self.columns), list(self.foundations), self.exempt,
            self.scored, self.gained, self.talon, drawn, self.redeals,
        )  # fmt: skip

    def unknown_cards(self, deck: Sequence[Card]) -> list[Card]:
        """The cards that lie face down or were never seen, in canonical order."""
        known = {*self.talon, *self.reserve}
        for column in self.columns:
            known.update(column)
        tops = self.foundations
        return [c for c in deck if c not in known and tops[c >> 4] < c & 15]

    @property
    def key(self) -> Key:
        """The same for the same table."""
        return self.key_at(self.drawn, self.redeals)

    def key_at(self, drawn: int, redeals: int) -> Key:
        """The key after draws and redeals that brought nothing with them."""
        return (self.columns, self.talon, self.reserve, drawn, redeals, self.foundations)

    def line(self) -> list[Move]:
        """The moves from the root to here."""
        moves: list[Move] = []
        state: State | None = self
        while state is not None:
            moves[:0] = state.moves
            state = state.parent
        return moves

    def path(self) -> list[State]:
        """The states from the root to here."""
        states: list[State] = []
        state: State | None = self
        while state is not None:
            states.append(state)
            state = state.parent
        return states[::-1]


def wanted_cards(foundations: tuple[int, ...] | list[int], exempt: int) -> int:
    """The mask of cards that go up by themselves."""
    clubs, diamonds, hearts, spades = foundations
    lowest = min(clubs, diamonds, hearts, spades)
    wanted = 0
    if clubs == lowest:
        wanted = 1
    if diamonds == lowest:
        wanted |= 1 << 16
    if hearts == lowest:
        wanted |= 1 << 32
    if spades == lowest:
        wanted |= 1 << 48
    return (wanted << lowest + 1) & ~exempt


def settled(
    parent: State,
    numbers: Numbers,
    moves: tuple[Move, ...],
    columns: list[Column],
    foundations: list[int],
    exempt: int,
    scored: int,
    gained: int,
    talon: tuple[Card, ...],
    drawn: int,
    redeals: int,
) -> State:
    """The new state after the automatic moves, whose order makes no difference to it."""
    state = State()
    down, hidden, turns = parent.down, parent.hidden, 0
    while True:
        if hidden is not None and () in columns:
            bare = sum(down)
            down, hidden = _turned_up(columns, down, hidden)
            turns += numbers.turns_by_hand * (bare - sum(down))
        if not numbers.sends_up:
            break
        wanted = wanted_cards(foundations, exempt)
        for index, column in enumerate(columns):
            if column and wanted >> column[-1] & 1:
                card = column[-1]
                columns[index] = column[:-1]
                break
        else:
            if not drawn or not wanted >> talon[drawn - 1] & 1:
                break
            drawn -= 1
            card = talon[drawn]
            talon = talon[:drawn] + talon[drawn + 1 :]
        foundations[card >> 4] += 1
        if not scored >> card & 1:
            scored |= 1 << card
            gained += numbers.card_up[card & 15]
    if numbers.finishes and drawn == len(talon) <= 1 and not any(down):
        gained += numbers.card_up[1] * (_DECK_SIZE - sum(foundations))
        foundations = [_KING] * len(foundations)
        columns, talon, drawn = [()] * len(columns), (), 0
    state.columns, state.foundations = tuple(columns), tuple(foundations)
    state.down, state.hidden, state.reserve = down, hidden, parent.reserve
    state.talon, state.drawn, state.redeals = talon, drawn, redeals
    state.exempt, state.scored, state.gained = exempt, scored, gained
    state.length = parent.length + len(moves) + turns
    state.parent, state.moves, state.walled = parent, moves, parent.walled
    return state


def _turned_up(
    columns: list[Column], down: tuple[int, ...], hidden: tuple[Column, ...]
) -> tuple[tuple[int, ...], tuple[Column, ...]]:
    """What lies face down once the uncovered cards of a supposed table are turned."""
    for index, column in enumerate(columns):
        if not column and hidden[index]:
            columns[index] = hidden[index][-1:]
            hidden = (*hidden[:index], hidden[index][:-1], *hidden[index + 1 :])
            down = (*down[:index], down[index] - 1, *down[index + 1 :])
    return down, hidden


_DECK_SIZE: Final = 52
_KING: Final = 13
"""What a foundation ends with where the last cards go up by themselves."""

"""A small, fast model of Klondike tables for looking ahead; agrees with the engine.

Only what may be known is in it: a face-down card is a number in `down`, and an uncovered one
is a wall (its column is out of play until the real card has been turned, or turns itself).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Self

from samedeal_rules import UNKNOWN, Card, Game, Move, Ruleset
from samedeal_rules.cards import stacking
from samedeal_rules.klondike import alternating_down, kings
from samedeal_rules.moves import DRAW
from samedeal_rules.rulesets.klondike import KLONDIKE_1
from samedeal_rules.rulesets.timed import TIMED

__all__ = [
    "STEADY_PASS",
    "Column",
    "Key",
    "Numbers",
    "State",
    "settled",
    "understands",
    "wanted_cards",
]

Column = tuple[Card, ...]
Key = tuple[object, ...]


_SWEEPS: Final = (TIMED.automatic, KLONDIKE_1.automatic, None)


def understands(ruleset: Ruleset) -> bool:
    """Whether the model plays this ruleset as the engine does: any Klondike with four suits."""
    deck = ruleset.deck
    masks = stacking(deck, alternating_down)
    return (
        not deck.sets
        and ruleset.stacks == ruleset.runs == masks
        and ruleset.fills_empty == kings(deck)
        and ruleset.automatic in _SWEEPS
        and ruleset.limit is None
        and ruleset.leaves is None
        and not ruleset.draws_to_columns
    )


@dataclass(frozen=True, slots=True)
class Numbers:
    """What of a ruleset the model needs."""

    stacks: tuple[int, ...]
    fills_empty: int
    draw: int
    redeals: int
    """Redeals allowed."""
    sibling: int
    """Turns a card into the other one of its rank and colour (exclusive or)."""
    sends_up: bool
    """Whether cards go up by themselves once all of the rank below are up."""
    finishes: bool
    """Whether all goes up by itself once nothing is hidden any more."""
    turns_by_hand: bool
    gives_back: bool
    once: bool
    """Whether only the first arrival of a card counts."""
    card_up: tuple[int, ...]
    taken_back: int
    """For a card that comes back from its foundation."""
    redeal_points: tuple[int, ...]
    """By the number of the pass that the redeal begins; the last one goes on for ever."""

    @classmethod
    def of(cls, ruleset: Ruleset) -> Self:
        """Read them off a ruleset.

        Where clearing the table is what counts, cards up and redeals get the prices below.
        """
        once = ruleset.scoring.card_up_once
        redeals = ruleset.redeals
        price = 0 if redeals is None else _SCARCE_REDEAL
        return cls(
            stacks=ruleset.stacks,
            fills_empty=ruleset.fills_empty,
            draw=ruleset.draw,
            redeals=_WITHOUT_LIMIT if redeals is None else redeals,
            sibling=(3 if len(set(ruleset.deck.red) & {0, 3}) == 0 else 1) << 4,
            sends_up=ruleset.automatic is TIMED.automatic,
            finishes=ruleset.automatic is KLONDIKE_1.automatic,
            turns_by_hand=ruleset.turns_by_hand,
            gives_back=ruleset.gives_back,
            once=once,
            card_up=ruleset.scoring.card_up if once else (0, *[_UP] * 13),
            taken_back=0 if once else -_UP,
            redeal_points=tuple(
                ruleset.scoring.redeal(begun) if once else price for begun in range(STEADY_PASS)
            ),
        )


_UP: Final = 200
"""For a card up, on the scale of worth.py, in a game that is about clearing the table."""
_SCARCE_REDEAL: Final = -60
_WITHOUT_LIMIT: Final = 1_000_000
STEADY_PASS: Final = 8
"""Prices of passes do not change any more from here on."""


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
    """The new state, once the automatic moves have been made.

    Their order does not matter here: whatever goes up does so in the end.
    """
    state = State()
    down, hidden = parent.down, parent.hidden
    turns = 0
    moved = True
    while moved:
        moved = False
        if hidden is not None and () in columns:
            for index, column in enumerate(columns):
                if not column and hidden[index]:
                    turns += numbers.turns_by_hand
                    columns[index] = hidden[index][-1:]
                    hidden = (*hidden[:index], hidden[index][:-1], *hidden[index + 1 :])
                    down = (*down[:index], down[index] - 1, *down[index + 1 :])
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
        moved = True
    if numbers.finishes and drawn == len(talon) <= 1 and not any(down):
        for suit, top in enumerate(foundations):
            gained += numbers.card_up[1] * (_KING - top)
            foundations[suit] = _KING
        columns, talon, drawn = [()] * len(columns), (), 0
    state.columns, state.foundations = tuple(columns), tuple(foundations)
    state.down, state.hidden = down, hidden
    state.talon, state.drawn, state.redeals = talon, drawn, redeals
    state.reserve = parent.reserve
    state.exempt, state.scored, state.gained = exempt, scored, gained
    state.length = parent.length + len(moves) + turns
    state.parent, state.moves, state.walled = parent, moves, parent.walled
    return state


_KING: Final = 13
"""What a foundation ends with where the last cards go up by themselves."""

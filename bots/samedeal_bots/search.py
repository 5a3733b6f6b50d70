"""A small, fast model of Klondike tables for looking ahead; agrees with the engine.

Only what may be known is in it: a face-down card is a number in `down`, and an uncovered one
is a wall (its column is out of play until the real card has been turned).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final, Self

from samedeal_rules import UNKNOWN, Card, Game, Move, Ruleset
from samedeal_rules.moves import (
    DRAW,
    FOUNDATION,
    FROM_FOUNDATION,
    REDEAL,
    WASTE,
    column_move,
)
from samedeal_rules.rulesets.timed import TIMED

__all__ = ["Numbers", "State", "children", "understands"]

Column = tuple[Card, ...]
Key = tuple[object, ...]


def understands(ruleset: Ruleset) -> bool:
    """Whether the model plays this ruleset as the engine does: `timed` with any draw, redeals."""
    same = ("deck", "stacks", "fills_empty", "turns_by_hand", "gives_back", "automatic")
    return all(getattr(ruleset, name) == getattr(TIMED, name) for name in same) and (
        ruleset.scoring.card_up_once
    )


@dataclass(frozen=True, slots=True)
class Numbers:
    """What of a ruleset the model needs."""

    stacks: tuple[int, ...]
    fills_empty: int
    draw: int
    redeals: int
    """Redeals allowed."""
    card_up: tuple[int, ...]
    redeal_points: tuple[int, ...]
    """By the number of the pass that the redeal begins; the last one goes on for ever."""

    @classmethod
    def of(cls, ruleset: Ruleset) -> Self:
        """Read them off a ruleset."""
        return cls(
            stacks=ruleset.stacks,
            fills_empty=ruleset.fills_empty,
            draw=ruleset.draw,
            redeals=_WITHOUT_LIMIT if ruleset.redeals is None else ruleset.redeals,
            card_up=ruleset.scoring.card_up,
            redeal_points=tuple(ruleset.scoring.redeal(begun) for begun in range(_STEADY_PASS)),
        )


_carry = lru_cache(maxsize=None)(column_move)
"""There are few different moves; making one costs more than looking it up."""

_WITHOUT_LIMIT: Final = 1_000_000
_STEADY_PASS: Final = 8
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
        return _settled(
            whole, numbers, (), list(self.columns), list(self.foundations), self.exempt,
            self.scored, self.gained, talon, self.drawn, self.redeals,
        )  # fmt: skip

    def after_draw(self, numbers: Numbers) -> State:
        """After a draw; of cards that are not known, too."""
        drawn = min(self.drawn + numbers.draw, len(self.talon))
        return _settled(
            self, numbers, (DRAW,), list(self.columns), list(self.foundations), self.exempt,
            self.scored, self.gained, self.talon, drawn, self.redeals,
        )  # fmt: skip

    def unknown_cards(self, deck: Sequence[Card]) -> list[Card]:
        """The cards that lie face down or were never seen, in canonical order."""
        known = set(self.talon)
        for column in self.columns:
            known.update(column)
        tops = self.foundations
        return [c for c in deck if c not in known and tops[c >> 4] < c & 15]

    @property
    def key(self) -> Key:
        """The same for the same table."""
        return (self.columns, self.talon, self.drawn, self.redeals, self.foundations)

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


def children(state: State, numbers: Numbers) -> Iterator[State]:
    """Tables one purposeful step further: a move, or draws (and a redeal) and a move.

    Steps that can serve nothing are left out: a run that neither uncovers anything of use nor
    makes room, a card back from a foundation that nothing can be put on.
    """
    columns, foundations = state.columns, state.foundations
    targets = _targets(state, numbers)
    fits = 0
    for _, mask in targets:
        fits |= mask
    movable = _worth_making_room_for(state)
    for source, column in enumerate(columns):
        if not column:
            continue
        end = column[-1]
        if foundations[end >> 4] + 1 == end & 15:
            yield _moved(state, numbers, _carry(source, FOUNDATION), (end,))
        size = len(column)
        for start, card in enumerate(column):
            if not fits >> card & 1:
                continue
            if start == 0:
                if not state.down[source] and numbers.fills_empty >> card & 1:
                    continue  # a king that already lies at the bottom
            else:
                left = column[start - 1]
                sibling = Card((3 - (card >> 4)) << 4 | card & 15)
                if foundations[left >> 4] + 1 != left & 15 and not movable >> sibling & 1:
                    continue
            for target, mask in targets:
                if mask >> card & 1 and target != source:
                    move = _carry(source, target, size - start)
                    yield _moved(state, numbers, move, column[start:])
    if state.talon:
        yield from _from_talon(state, numbers, targets, fits)
    if max(foundations) > 1:
        yield from _back(state, numbers, targets, movable)


def _back(
    state: State, numbers: Numbers, targets: list[tuple[int, int]], movable: int
) -> Iterator[State]:
    """Cards back from foundations: those that a card worth moving, or another of them, fits on."""
    tops = [Card(suit << 4 | rank) for suit, rank in enumerate(state.foundations) if rank > 1]
    for card in tops:
        if numbers.stacks[card] & movable:
            movable |= 1 << card
    for card in tops:
        if numbers.stacks[card] & movable:
            for target, mask in targets:
                if mask >> card & 1:
                    move = _carry(FROM_FOUNDATION + (card >> 4), target)
                    yield _moved(state, numbers, move, (card,))


def _targets(state: State, numbers: Numbers) -> list[tuple[int, int]]:
    """Columns with the mask of cards that may go there; of empty columns the first."""
    targets = []
    room = True
    for index, column in enumerate(state.columns):
        if column:
            mask = numbers.stacks[column[-1]]
            if mask:
                targets.append((index, mask))
        elif room and not state.down[index]:
            targets.append((index, numbers.fills_empty))
            room = False
    return targets


def _worth_making_room_for(state: State) -> int:
    """The mask of cards that it helps to move: on face-down cards, alone, or in the talon."""
    mask = 0
    for column in state.columns:
        if column:
            mask |= 1 << column[0]
    for card in state.talon:
        mask |= 1 << card
    return mask & ~1


def _moved(state: State, numbers: Numbers, move: Move, cards: Column) -> State:
    """After a carry that does not touch the talon."""
    columns = list(state.columns)
    foundations = list(state.foundations)
    exempt, scored, gained = state.exempt, state.scored, state.gained
    if move.source < FROM_FOUNDATION:
        columns[move.source] = columns[move.source][: -len(cards)]
    else:
        foundations[move.source - FROM_FOUNDATION] -= 1
        exempt |= 1 << cards[0]
    if move.target == FOUNDATION:
        card = cards[0]
        foundations[card >> 4] += 1
        if not scored >> card & 1:
            scored |= 1 << card
            gained += numbers.card_up[card & 15]
    else:
        columns[move.target] += cards
    return _settled(
        state, numbers, (move,), columns, foundations, exempt, scored, gained,
        state.talon, state.drawn, state.redeals,
    )  # fmt: skip


def _from_talon(
    state: State, numbers: Numbers, targets: list[tuple[int, int]], fits: int
) -> Iterator[State]:
    """Cards of the talon that can be used: after no, some or all draws, or in the next pass."""
    talon, foundations = state.talon, state.foundations
    count = len(talon)
    at, redeals, price = state.drawn, state.redeals, 0
    before: tuple[Move, ...] = ()
    seen = 0
    wanted = _wanted(foundations, state.exempt)
    while True:
        if at and not seen >> at & 1:
            seen |= 1 << at
            card = talon[at - 1]
            if before and wanted >> card & 1:
                yield _by_itself(state, numbers, before, at, redeals, price)
                return
            if foundations[card >> 4] + 1 == card & 15:
                yield _taken(state, numbers, before, at, redeals, price, FOUNDATION)
            if fits >> card & 1:
                for target, mask in targets:
                    if not mask >> card & 1:
                        continue
                    yield _taken(state, numbers, before, at, redeals, price, target)
        if at < count:
            if state.walled:
                return
            at = min(at + numbers.draw, count)
            before = (*before, DRAW)
        else:
            if redeals > state.redeals or redeals >= numbers.redeals:
                return
            redeals += 1
            price = numbers.redeal_points[min(redeals + 1, _STEADY_PASS - 1)]
            before = (*before, REDEAL)
            at = 0


def _taken(
    state: State,
    numbers: Numbers,
    before: tuple[Move, ...],
    at: int,
    redeals: int,
    gained: int,
    target: int,
) -> State:
    """After `before` has brought the waste to `at` cards and its top was moved."""
    talon = state.talon
    card = talon[at - 1]
    columns, foundations, scored = list(state.columns), list(state.foundations), state.scored
    gained += state.gained
    if target == FOUNDATION:
        foundations[card >> 4] += 1
        if not scored >> card & 1:
            scored |= 1 << card
            gained += numbers.card_up[card & 15]
    else:
        columns[target] += (card,)
    moves = (*before, _carry(WASTE, target))
    return _settled(
        state, numbers, moves, columns, foundations, state.exempt, scored, gained,
        talon[: at - 1] + talon[at:], at - 1, redeals,
    )  # fmt: skip


def _by_itself(
    state: State, numbers: Numbers, before: tuple[Move, ...], at: int, redeals: int, gained: int
) -> State:
    """After draws of which the last sent cards up by themselves."""
    return _settled(
        state, numbers, before, list(state.columns), list(state.foundations), state.exempt,
        state.scored, state.gained + gained, state.talon, at, redeals,
    )  # fmt: skip


def _wanted(foundations: tuple[int, ...] | list[int], exempt: int) -> int:
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


def _settled(
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
    moved = True
    while moved:
        moved = False
        if hidden is not None and () in columns:
            for index, column in enumerate(columns):
                if not column and hidden[index]:
                    columns[index] = hidden[index][-1:]
                    hidden = (*hidden[:index], hidden[index][:-1], *hidden[index + 1 :])
                    down = (*down[:index], down[index] - 1, *down[index + 1 :])
        wanted = _wanted(foundations, exempt)
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
    state.columns, state.foundations = tuple(columns), tuple(foundations)
    state.down, state.hidden = down, hidden
    state.talon, state.drawn, state.redeals = talon, drawn, redeals
    state.exempt, state.scored, state.gained = exempt, scored, gained
    state.length = parent.length + len(moves)
    state.parent, state.moves, state.walled = parent, moves, parent.walled
    return state

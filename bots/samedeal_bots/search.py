"""What may be done on a table of the model: the steps that a search goes through."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from samedeal_bots.klondike_numbers import STEADY_PASS, Numbers
from samedeal_bots.model import Column, State, settled, wanted_cards
from samedeal_rules import Card, Move
from samedeal_rules.moves import (
    DRAW,
    FOUNDATION,
    FROM_FOUNDATION,
    REDEAL,
    RESERVE,
    WASTE,
    column_move,
)

__all__ = ["children"]

_carry = lru_cache(maxsize=None)(column_move)
"""There are few different moves; making one costs more than looking it up."""


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
                sibling = card ^ numbers.sibling
                if foundations[left >> 4] + 1 != left & 15 and not movable >> sibling & 1:
                    continue
            for target, mask in targets:
                if mask >> card & 1 and target != source:
                    move = _carry(source, target, size - start)
                    yield _moved(state, numbers, move, column[start:])
    if state.talon:
        yield from _from_talon(state, numbers, targets, fits)
    if state.reserve:
        yield from _from_reserve(state, numbers, targets, fits)
    if numbers.gives_back and max(foundations) > 1:
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
    for card in state.talon + state.reserve:
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
        gained += numbers.taken_back
    if move.target == FOUNDATION:
        card = cards[0]
        foundations[card >> 4] += 1
        if not numbers.once or not scored >> card & 1:
            scored |= 1 << card
            gained += numbers.card_up[card & 15]
    else:
        columns[move.target] += cards
    return settled(
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
    wanted = wanted_cards(foundations, state.exempt) if numbers.sends_up else 0
    while True:
        if at and not seen >> at & 1:
            seen |= 1 << at
            card = talon[at - 1]
            if before and wanted and wanted >> card & 1:
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
            price = numbers.redeal_points[min(redeals + 1, STEADY_PASS - 1)]
            before = (*before, REDEAL)
            at = 0


def _from_reserve(
    state: State, numbers: Numbers, targets: list[tuple[int, int]], fits: int
) -> Iterator[State]:
    """Cards of the reserve, all of which are in play."""
    for place, card in enumerate(state.reserve):
        if not card:
            continue
        piles = [target for target, mask in targets if mask >> card & 1]
        if state.foundations[card >> 4] + 1 == card & 15:
            piles.append(FOUNDATION)
        for target in piles:
            columns, foundations = list(state.columns), list(state.foundations)
            gained = state.gained
            if target == FOUNDATION:
                foundations[card >> 4] += 1
                gained += numbers.card_up[card & 15]
            else:
                columns[target] += (card,)
            after = settled(
                state, numbers, (_carry(RESERVE + place, target),), columns, foundations,
                state.exempt, state.scored, gained, state.talon, state.drawn, state.redeals,
            )  # fmt: skip
            after.reserve = (*state.reserve[:place], Card(0), *state.reserve[place + 1 :])
            yield after


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
        if not numbers.once or not scored >> card & 1:
            scored |= 1 << card
            gained += numbers.card_up[card & 15]
    else:
        columns[target] += (card,)
    moves = (*before, _carry(WASTE, target))
    return settled(
        state, numbers, moves, columns, foundations, state.exempt, scored, gained,
        talon[: at - 1] + talon[at:], at - 1, redeals,
    )  # fmt: skip


def _by_itself(
    state: State, numbers: Numbers, before: tuple[Move, ...], at: int, redeals: int, gained: int
) -> State:
    """After draws of which the last sent cards up by themselves."""
    return settled(
        state, numbers, before, list(state.columns), list(state.foundations), state.exempt,
        state.scored, state.gained + gained, state.talon, at, redeals,
    )  # fmt: skip

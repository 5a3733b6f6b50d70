"""The strong player: plans on what it knows, and weighs plans by supposing what it does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from random import Random
from typing import Final

from samedeal_bots.klondike_numbers import Numbers
from samedeal_bots.model import Key, State
from samedeal_bots.search import children
from samedeal_bots.worth import WEIGHTS, Outlook, Weights, worth
from samedeal_rules import Card, Game, Move
from samedeal_rules.moves import END, Kind, turn_move

__all__ = ["EFFORT", "Effort", "Hard"]


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work a decision may be, in tables looked at (20 microseconds each)."""

    plan: int = 500
    """For finding what can be done up to the next unknown card."""
    options: int = 3
    """Plans that are weighed against each other (and against drawing an unknown card)."""
    rounds: int = 2
    """Suppositions tried on all of them, and then as many again on the best two."""
    suppose: int = 300
    """For how far each plan leads under one supposition."""
    last: int = 4000
    """For a last look before giving up, where giving up early is worth nothing."""


EFFORT: Final = Effort()
"""At most 500 + (4 + 2) x 2 x 300 = 4100 tables: some 90 ms, for one decision in ten."""

_FIRST_PACE_MS: Final = 800
"""Taken for the time of a move until some moves have shown it."""

_PACE_AFTER: Final = 8


class Hard:
    """Turns cards at once, follows a plan to its end or to the first unknown card, then thinks.

    A plan must lead to a table worth more than the one it begins on, and never over a table
    that was already on: so it can't go in circles.
    """

    def __init__(self, random: Random, weights: Weights = WEIGHTS, effort: Effort = EFFORT) -> None:
        self._random = random
        self._weights = weights
        self._effort = effort
        self._plan: list[tuple[Key, Move]] = []
        self._visited: set[Key] = set()
        self._started_ms: int | None = None
        self._decisions = 0

    def choose(self, game: Game, elapsed_ms: int) -> Move | None:
        """See `Brain`."""
        pace_ms = self._pace(elapsed_ms)
        board = game.board
        for index, column in enumerate(board.columns):
            if column and board.down[index] == len(column) and game.ruleset.turns_by_hand:
                return turn_move(index)
        root = State.of(game)
        self._visited.add(root.key)
        if not self._plan or self._plan[0][0] != root.key:
            outlook = Outlook.of(self._weights, (game.deadline_ms - elapsed_ms) / pace_ms)
            numbers = Numbers.of(game.ruleset)
            chosen = self._choose(root, numbers, outlook, game.ruleset.deck.cards)
            if chosen is None:
                return END
            self._plan = _steps(chosen, numbers)
        return self._plan.pop(0)[1]

    def _pace(self, elapsed_ms: int) -> float:
        if self._started_ms is None:
            self._started_ms = elapsed_ms
        self._decisions += 1
        if self._decisions <= _PACE_AFTER:
            return _FIRST_PACE_MS
        return max(1.0, (elapsed_ms - self._started_ms) / (self._decisions - 1))

    def _choose(
        self, root: State, numbers: Numbers, outlook: Outlook, deck: Sequence[Card]
    ) -> State | None:
        """Where to go from here; None if there is nothing left worth going for."""
        options = self._options(root, numbers, outlook, self._effort.plan)
        if not options and not root.walled and not numbers.once:
            options = self._options(root, numbers, outlook, self._effort.last)
        if root.walled:
            # What comes up is not known: a plan of its own, even where nothing else is to do.
            options.append(root.after_draw(numbers))
        if len(options) > 1:
            return self._best(root, options, numbers, outlook, deck)
        return options[0] if options else None

    def _options(self, root: State, numbers: Numbers, outlook: Outlook, most: int) -> list[State]:
        """Plans worth more than staying, best first: to an uncovered card, or without one.

        Best-first search that goes on behind uncovered cards as well (their columns are out of
        play there): a plan is as good as the best it leads to.
        """
        floor = worth(root, outlook) + 1
        best: dict[State | None, tuple[float, State]] = {None: (floor, root)}
        seen = {root.key} | self._visited
        heap: list[tuple[float, int, State, State | None]] = [(-floor, 0, root, None)]
        made = 0
        while heap and made < most:
            _, _, state, uncovered = heappop(heap)
            for child in children(state, numbers):
                key = child.key
                if key in seen or child.length > outlook.moves_left:
                    continue
                seen.add(key)
                made += 1
                value = worth(child, outlook)
                behind = uncovered or (child if _uncovers(child) else None)
                if behind not in best or value > best[behind][0]:
                    best[behind] = (value, child)
                heappush(heap, (-value, made, child, behind))
        plans = [(value, wall or end) for wall, (value, end) in best.items() if value > floor]
        plans.sort(key=lambda plan: -plan[0])
        return [state for _, state in plans[: self._effort.options]]

    def _best(
        self,
        root: State,
        options: list[State],
        numbers: Numbers,
        outlook: Outlook,
        deck: Sequence[Card],
    ) -> State:
        """The one that leads furthest, on average, if the unknown cards are dealt at random."""
        unknown = root.unknown_cards(deck)
        reached = [0.0] * len(options)
        entrants = list(range(len(options)))
        for _ in range(2):
            for _ in range(self._effort.rounds):
                self._random.shuffle(unknown)
                for entrant in entrants:
                    supposed = options[entrant].supposed(root, unknown, numbers)
                    reached[entrant] += self._reach(supposed, numbers, outlook)
            entrants = sorted(entrants, key=lambda entrant: -reached[entrant])[:2]
        return options[max(entrants, key=lambda entrant: reached[entrant])]

    def _reach(self, start: State, numbers: Numbers, outlook: Outlook) -> float:
        """The most that greedy best-first search comes to on a table without unknown cards."""
        best = worth(start, outlook)
        seen = {start.key}
        heap = [(-best, 0, start)]
        made = 0
        while heap and made < self._effort.suppose:
            for child in children(heappop(heap)[2], numbers):
                key = child.key
                if key in seen or child.length > outlook.moves_left:
                    continue
                seen.add(key)
                made += 1
                value = worth(child, outlook)
                if value > best:
                    best = value
                heappush(heap, (-value, made, child))
        return best


def _uncovers(state: State) -> bool:
    return any(d and not column for column, d in zip(state.columns, state.down, strict=True))


def _steps(end: State, numbers: Numbers) -> list[tuple[Key, Move]]:
    """Each move on the way with the table on which it is to be played."""
    steps: list[tuple[Key, Move]] = []
    for before, after in pairwise(end.path()):
        drawn, redeals = before.drawn, before.redeals
        for move in after.moves:
            steps.append((before.key_at(drawn, redeals), move))
            if move.kind is Kind.DRAW:
                drawn = min(drawn + numbers.draw, len(before.talon))
            elif move.kind is Kind.REDEAL:
                drawn, redeals = 0, redeals + 1
    return steps

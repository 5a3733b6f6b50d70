"""The player of Spider: brings order as far as it can see, and deals when there is no more."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from random import Random
from typing import Final

from samedeal_bots.spider_table import (
    EMPTY_COLUMN,
    Column,
    Table,
    following,
    moved,
    table_of,
)
from samedeal_rules import Game, Move, legal_moves
from samedeal_rules.moves import DRAW, END

__all__ = ["SPIDER_EASY", "SPIDER_HARD", "SPIDER_NORMAL", "Foresight", "Spider", "order"]


@dataclass(frozen=True, slots=True)
class Foresight:
    """How far a plan looks, in tables made (15 microseconds each)."""

    tables: int
    last: int
    """Before it gives up."""
    haze: float = 0
    """How wrong a table may be judged, at most."""


SPIDER_HARD: Final = Foresight(2000, 6000)
SPIDER_NORMAL: Final = Foresight(60, 200)
SPIDER_EASY: Final = Foresight(8, 20, haze=30)

_GONE: Final = 120.0
"""A run that has left the table. These weights were tuned on 24 deals that no test uses."""
_FACE_DOWN: Final = 12.0
_DEEP: Final = 3.0
"""More for each further face-down card of a column."""
_IN_SUIT: Final = 4.0
"""A card on the next higher one of its suit."""
_LONG: Final = 0.5
"""More for each further card of the same run."""
_IN_SEQUENCE: Final = 0.0
_OUT_OF_SEQUENCE: Final = -6.0
_ROOM: Final = 8.0
"""An empty column."""
_MOVE: Final = 0.1
"""Less for each move, so that of two ways to the same the shorter is gone."""


@lru_cache(maxsize=50_000)
def _column_order(column: Column) -> float:
    down = column[0]
    if len(column) == 1:
        if not down:
            return _ROOM
        down -= 1
    value = -_FACE_DOWN * down - _DEEP * down * (down - 1) / 2
    run = 0
    if column[0] and len(column) > 1:
        value += _OUT_OF_SEQUENCE
    for lower, upper in pairwise(column[1:]):
        if lower == upper + 1:
            run += 1
            value += _IN_SUIT + _LONG * run
        else:
            run = 0
            value += _IN_SEQUENCE if lower & 15 == (upper & 15) + 1 else _OUT_OF_SEQUENCE
    return value


def order(table: Table) -> float:
    """How near a table is to being cleared, as far as one can see."""
    return sum(map(_column_order, table.columns)) + _GONE * table.gone


class Spider:
    """Goes to the best table within sight, up to the first card that turns, then looks again.

    A plan must lead to a better table and over none that was on already; with none left it
    fills the empty columns and deals. So no table comes twice.
    """

    def __init__(self, random: Random, foresight: Foresight) -> None:
        self._random = random
        self._foresight = foresight
        self._plan: list[Table] = []
        self._visited: set[tuple[Column, ...]] = set()
        self._dealing = 0
        """Cards in the stock as long as it is about to deal."""

    def choose(self, game: Game, elapsed_ms: int) -> Move | None:
        """See `Brain`."""
        board = game.board
        root = table_of(board)
        self._visited.add(root.key)
        if (
            not self._plan
            or self._plan[0].parent is None
            or (self._plan[0].parent.columns != root.columns)
        ):
            self._plan = []
            if self._dealing != len(board.talon) or not board.talon:
                self._plan = self._look(root, self._foresight.tables)
            if not self._plan and board.talon:
                self._dealing = len(board.talon)
                return self._deal(game, root)
            if not self._plan:
                self._plan = self._look(root, self._foresight.last)
            if not self._plan:
                return END
        return self._plan.pop(0).move

    def _deal(self, game: Game, root: Table) -> Move:
        """A deal, or what is best to fill an empty column with before it."""
        if DRAW in legal_moves(game.ruleset, game.board):
            return DRAW
        free = root.columns.index(EMPTY_COLUMN)
        fills = [
            moved(root, move.source, free, move.size)
            for move in legal_moves(game.ruleset, game.board)
            if move.target == free
            and (root.columns[move.source][0] or len(root.columns[move.source]) > move.size + 1)
        ]
        new = [table for table in fills if table.key not in self._visited]
        return max(new or fills, key=order).move or END

    def _look(self, root: Table, tables: int) -> list[Table]:
        """Best-first; the way to the best table found, if it is better than this one.

        Looks on behind cards that turn (their columns are out of play there): a way is as good
        as the best it leads to, and is gone as far as to the first of them.
        """
        best, goal = order(root) + _MOVE, root
        seen = self._visited.copy()
        heap: list[tuple[float, int, Table]] = [(0, 0, root)]
        made = 0
        haze = self._foresight.haze
        while heap and made < tables:
            for table in following(heappop(heap)[2]):
                key = table.key
                if key in seen:
                    continue
                seen.add(key)
                made += 1
                value = order(table) - _MOVE * table.length
                if haze:
                    value += self._random.uniform(-haze, 0)
                if value > best:
                    best, goal = value, table
                heappush(heap, (-value, made, table))
        return (goal.uncovered or goal).line()

"""The player of FreeCell: one plan for the whole game where its search reaches that far."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from random import Random
from typing import Final

from samedeal_bots.freecell_table import DECK_SIZE, Table, following, sorted_out, table_of
from samedeal_rules import Card, Game, Move
from samedeal_rules.moves import END

__all__ = ["FREECELL_EASY", "FREECELL_HARD", "FREECELL_NORMAL", "Costs", "FreeCell", "Reach"]

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Costs:
    """What makes a table hard to clear. Tuned on Microsoft deals 1 to 100."""

    below: float = 1
    """A card that is not up."""
    above: float = 2
    """A card that lies on a lower one of its column."""
    out_of_sequence: float = 1
    """A card that makes no sequence with the one it lies on."""
    cell: float = 2
    """A cell that is taken."""
    buried: float = 1
    """A card on one that is next for its foundation."""
    room: float = 2
    """An empty column (a gain)."""
    move: float = 0.5
    """A move made; more makes for shorter plans, and a search that takes longer."""


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a plan looks, in tables made (20 microseconds each)."""

    tables: int
    """For one search."""
    at_once: int = 4000
    """In one decision: some 80 ms; the search goes on at the next."""
    tries: tuple[Costs, ...] = (Costs(),)
    """Searches one after the other, until one of them clears the table."""
    haze: float = 0
    """How wrong a table may be judged, at most."""
    thorough: bool = False
    """Whether a table from which no way was found has none: then only cards up count."""


_OTHER: Final = Costs(cell=1, move=0.1, out_of_sequence=2)

FREECELL_HARD: Final = Reach(20_000, tries=(Costs(), _OTHER), thorough=True)
FREECELL_NORMAL: Final = Reach(400)
FREECELL_EASY: Final = Reach(25, haze=4)


class FreeCell:
    """Searches best-first for a way to clear the table, waiting while it does, and goes it.

    Where none is found it goes to the best table found, if that is better than the present one
    (or has more cards up), and plans anew. No table comes twice, as none is planned twice.
    """

    def __init__(self, random: Random, reach: Reach) -> None:
        self._random = random
        self._reach = reach
        self._plan: list[Table] = []
        self._search: _Search | None = None
        self._tried = 0
        self._visited: set[Key] = set()

    def choose(self, game: Game, elapsed_ms: int) -> Move | None:
        """See `Brain`."""
        root = table_of(game.board)
        self._visited.add(root.key)
        if not self._plan or not _same(self._plan[0].parent, root):
            self._plan = []
            if self._search is None or not _same(self._search.root, root):
                self._tried = 0
                self._search = self._begin(root, game.exempt)
            if not self._search.go_on(self._reach.at_once):
                return None
            goal = self._search.goal
            more = self._tried + 1 < len(self._reach.tries)
            if more and not (goal is not None and goal.cleared):
                self._tried += 1
                self._search = self._begin(root, game.exempt)
                return None
            self._search = None
            if goal is None:
                return END
            self._plan = goal.line()
        return self._plan.pop(0).move

    def _begin(self, root: Table, exempt: int) -> _Search:
        costs = self._reach.tries[self._tried]
        return _Search(root, exempt, costs, self._reach, self._random, self._visited)


def _same(one: Table | None, other: Table) -> bool:
    return one is not None and one.columns == other.columns and one.cells == other.cells


class _Search:
    """Best-first, from one table."""

    def __init__(
        self,
        root: Table,
        exempt: int,
        costs: Costs,
        reach: Reach,
        random: Random,
        visited: set[Key],
    ) -> None:
        self.root = root
        self.goal: Table | None = None
        """Once it is over: where to go."""
        self._exempt = exempt
        self._costs = costs
        self._reach = reach
        self._random = random
        self._seen: set[Key] = visited | {root.key}
        self._heap: list[tuple[float, int, Table]] = [(0, 0, root)]
        self._made = 0
        self._least = _cost(root, costs)
        self._best: Table | None = None
        self._highest: Table | None = None

    def go_on(self, tables: int) -> bool:
        """Look at so many more; whether it is over."""
        enough = min(self._reach.tables, self._made + tables)
        while self._heap and self._made < enough:
            for table in following(heappop(self._heap)[2], self._exempt):
                key = table.key
                if key in self._seen:
                    continue
                self._seen.add(key)
                self._made += 1
                if table.cleared:
                    self.goal = table
                    return True
                self._judge(table)
        if self._heap and self._made < self._reach.tables:
            return False
        one, other = self._best, self._highest
        self.goal = (other or one) if self._reach.thorough else (one or other)
        return True

    def _judge(self, table: Table) -> None:
        cost = _cost(table, self._costs)
        if self._reach.haze:
            cost += self._random.uniform(0, self._reach.haze)
        if cost < self._least:
            self._least, self._best = cost, table
        if table.up > (self._highest or self.root).up:
            self._highest = table
        priority = cost + self._costs.move * table.length
        heappush(self._heap, (priority, self._made, table))


def _cost(table: Table, costs: Costs) -> float:
    """How much there is in the way of clearing the table."""
    cost = costs.below * (DECK_SIZE - table.up)
    cost += costs.cell * (len(table.cells) - table.cells.count(Card(0)))
    wanted = [suit << 4 | top + 1 for suit, top in enumerate(table.tops)]
    for column in table.columns:
        if not column:
            cost -= costs.room
            continue
        above, breaks = sorted_out(column)
        cost += costs.above * above + costs.out_of_sequence * breaks
        for card in wanted:
            if card in column:
                cost += costs.buried * (len(column) - 1 - column.index(Card(card)))
    return cost

"""FreeCell tables for looking ahead: all cards are known, so a plan can reach to the end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from samedeal_rules import Board, Card, Move, Ruleset
from samedeal_rules.moves import CELL, FOUNDATION, column_move
from samedeal_rules.rulesets.freecell import FREECELL

__all__ = ["DECK_SIZE", "Table", "following", "plays_freecell", "sorted_out", "table_of"]

DECK_SIZE: Final = 52

_SAME: Final = (
    "deck", "stacks", "runs", "fills_empty", "draw", "gives_back", "limit", "automatic", "leaves",
)  # fmt: skip


def plays_freecell(ruleset: Ruleset) -> bool:
    """Whether tables here follow this ruleset: `freecell` with any deal."""
    return all(getattr(ruleset, name) == getattr(FREECELL, name) for name in _SAME)


Column = tuple[Card, ...]


class Table:
    """A table on a line from the root. Never changed once it is made."""

    __slots__ = ("cells", "columns", "length", "move", "parent", "tops", "up")

    def __init__(
        self,
        columns: tuple[Column, ...],
        cells: tuple[Card, ...],
        tops: tuple[int, ...],
        parent: Table | None = None,
        move: Move | None = None,
    ) -> None:
        self.columns = columns
        self.cells = cells
        self.tops = tops
        """The rank on top of each foundation."""
        self.up = sum(tops)
        self.parent = parent
        self.move = move
        """From the parent to here."""
        self.length: int = 0 if parent is None else parent.length + 1

    @property
    def key(self) -> tuple[frozenset[Column], frozenset[Card]]:
        """The same for tables that differ only in the order of columns and cells."""
        return frozenset(self.columns), frozenset(self.cells)

    @property
    def cleared(self) -> bool:
        """Whether all cards are up."""
        return self.up == DECK_SIZE

    def line(self) -> list[Table]:
        """The tables after the root, up to this one."""
        tables: list[Table] = []
        table = self
        while table.parent is not None:
            tables.append(table)
            table = table.parent
        return tables[::-1]


def table_of(board: Board) -> Table:
    """The root of what can be done from here."""
    return Table(tuple(map(tuple, board.columns)), tuple(board.cells), tuple(board.foundations))


_carry = lru_cache(maxsize=None)(column_move)
_STACKS: Final = FREECELL.stacks


@lru_cache(maxsize=50_000)
def _run_length(column: Column) -> int:
    """How many cards at the end are in sequence."""
    length = 1
    while length < len(column) and _STACKS[column[-length - 1]] >> column[-length] & 1:
        length += 1
    return length


def following(table: Table, exempt: int) -> Iterator[Table]:
    """Tables one sensible move further; of empty columns and cells only the first is used.

    Nothing comes back from a foundation: so cards up never get fewer on the way.
    """
    columns, cells, tops = table.columns, table.cells, table.tops
    room = cells.count(Card(0)) + 1
    empty = columns.count(())
    free = columns.index(()) if empty else None
    for source, column in enumerate(columns):
        if not column:
            continue
        end = column[-1]
        if tops[end >> 4] + 1 == end & 15:
            yield _moved(table, exempt, _carry(source, FOUNDATION))
        run = _run_length(column)
        first = column[-run] & 15
        most = room << empty
        for target, other in enumerate(columns):
            if other and target != source:
                under = other[-1]
                size = (under & 15) - (end & 15)
                fits = 0 < size <= most and (under & 15) <= first + 1
                if fits and _STACKS[under] >> column[-size] & 1:
                    yield _moved(table, exempt, _carry(source, target, size))
        if free is not None:
            size = min(run, room << (empty - 1))
            if size < len(column):
                yield _moved(table, exempt, _carry(source, free, size))
                if size > 1:
                    yield _moved(table, exempt, _carry(source, free, 1))
        if room > 1:
            yield _moved(table, exempt, _carry(source, CELL + cells.index(Card(0))))
    for index, card in enumerate(cells):
        if not card:
            continue
        if tops[card >> 4] + 1 == card & 15:
            yield _moved(table, exempt, _carry(CELL + index, FOUNDATION))
        for target, other in enumerate(columns):
            if other and _STACKS[other[-1]] >> card & 1:
                yield _moved(table, exempt, _carry(CELL + index, target))
        if free is not None:
            yield _moved(table, exempt, _carry(CELL + index, free))


def _moved(table: Table, exempt: int, move: Move) -> Table:
    """After a move and the automatic moves that follow it."""
    columns, cells, tops = list(table.columns), table.cells, list(table.tops)
    _, source, target, size = move
    if source < CELL:
        column = columns[source]
        cards = column[-size:]
        columns[source] = column[:-size]
    else:
        cards = (cells[source - CELL],)
        cells = _placed(cells, source - CELL, Card(0))
    if target == FOUNDATION:
        tops[cards[0] >> 4] += 1
    elif target < CELL:
        columns[target] += cards
    else:
        cells = _placed(cells, target - CELL, cards[0])
    cells = _swept(columns, cells, tops, exempt)
    return Table(tuple(columns), cells, tuple(tops), table, move)


def _placed(cells: tuple[Card, ...], index: int, card: Card) -> tuple[Card, ...]:
    return (*cells[:index], card, *cells[index + 1 :])


def _swept(
    columns: list[Column], cells: tuple[Card, ...], tops: list[int], exempt: int
) -> tuple[Card, ...]:
    """What the table no longer needs goes up; in which order does not matter to the result."""
    while True:
        red, black = min(tops[1], tops[2]), min(tops[0], tops[3])
        safe = 0
        for suit, top in enumerate(tops):
            if top < 2 or top <= (black if suit in (1, 2) else red):
                safe |= 1 << (suit << 4 | top + 1)
        safe &= ~exempt
        for index, column in enumerate(columns):
            if column and safe >> column[-1] & 1:
                tops[column[-1] >> 4] += 1
                columns[index] = column[:-1]
                break
        else:
            for index, card in enumerate(cells):
                if card and safe >> card & 1:
                    tops[card >> 4] += 1
                    cells = _placed(cells, index, Card(0))
                    break
            else:
                return cells


@lru_cache(maxsize=50_000)
def sorted_out(column: Column) -> tuple[int, int]:
    """Cards that lie on a lower one in the column, and neighbours that are not in sequence."""
    above = breaks = 0
    lowest = 99
    for at, card in enumerate(column):
        rank = card & 15
        if rank > lowest:
            above += 1
        else:
            lowest = rank
        if at and not _STACKS[column[at - 1]] >> card & 1:
            breaks += 1
    return above, breaks

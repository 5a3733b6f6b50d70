"""Spider tables for looking ahead, as far as what is known goes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from samedeal_rules import Board, Move, Ruleset
from samedeal_rules.board import RUN_LENGTH
from samedeal_rules.moves import column_move
from samedeal_rules.rulesets.spider import SPIDER_1, SPIDER_2, SPIDER_4

__all__ = ["EMPTY_COLUMN", "Column", "Table", "following", "moved", "plays_spider", "table_of"]

_SAME: Final = (
    "deck", "stacks", "runs", "fills_empty", "draws_to_columns", "leaves", "limit", "automatic",
)  # fmt: skip


def plays_spider(ruleset: Ruleset) -> bool:
    """Whether tables here follow this ruleset: Spider with one, two or four suits."""
    return any(
        all(getattr(ruleset, name) == getattr(spider, name) for name in _SAME)
        for spider in (SPIDER_1, SPIDER_2, SPIDER_4)
    )


Column = tuple[int, ...]
"""How many cards lie face down, then those that lie face up. Where only face-down cards are,
one of them is about to turn, and nobody knows to what: nothing can be done there."""

EMPTY_COLUMN: Final[Column] = (0,)


class Table:
    """A table on a line from the root. Never changed once it is made."""

    __slots__ = ("columns", "gone", "length", "move", "parent", "uncovered")

    def __init__(
        self, columns: tuple[Column, ...], gone: int, parent: Table | None, move: Move | None
    ) -> None:
        self.columns = columns
        self.gone = gone
        """Runs that have left the table."""
        self.parent = parent
        self.move = move
        """From the parent to here."""
        self.length: int = 0 if parent is None else parent.length + 1
        self.uncovered: Table | None = None
        """The first table on the line with a card that is about to turn."""
        if parent is not None:
            hides = any(column[0] and len(column) == 1 for column in columns)
            self.uncovered = parent.uncovered or (self if hides else None)

    @property
    def key(self) -> tuple[Column, ...]:
        """The same for tables that differ only in the order of columns."""
        return tuple(sorted(self.columns))

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
    columns = tuple(
        (down, *column[down:]) for column, down in zip(board.columns, board.down, strict=True)
    )
    return Table(columns, len(board.gone), None, None)


_carry = lru_cache(maxsize=None)(column_move)


@lru_cache(maxsize=50_000)
def _run_length(column: Column) -> int:
    """How many cards at the end are in sequence and of one suit."""
    length = 1
    while length < len(column) - 1 and column[-length - 1] == column[-length] + 1:
        length += 1
    return length


def following(table: Table) -> Iterator[Table]:
    """Tables one sensible move further; of empty columns only the first is used."""
    columns = table.columns
    free = columns.index(EMPTY_COLUMN) if EMPTY_COLUMN in columns else None
    ends = [column[-1] & 15 if len(column) > 1 else 0 for column in columns]
    for source, column in enumerate(columns):
        if len(column) == 1:
            continue
        run = _run_length(column)
        lowest = column[-1] & 15
        for target, rank in enumerate(ends):
            size = rank - lowest
            if 0 < size <= run and target != source:
                yield moved(table, source, target, size)
        if free is not None and (run + 1 < len(column) or column[0]):
            yield moved(table, source, free, run)


def moved(table: Table, source: int, target: int, size: int) -> Table:
    """After a run was moved, and has left the table if that completed it."""
    columns = list(table.columns)
    column = columns[source]
    grown = columns[target] + column[-size:]
    columns[source] = column[:-size]
    gone = table.gone
    if grown[-1] & 15 == 1 and _run_length(grown) == RUN_LENGTH:
        grown = grown[:-RUN_LENGTH]
        gone += 1
    columns[target] = grown
    return Table(tuple(columns), gone, table, _carry(source, target, size))

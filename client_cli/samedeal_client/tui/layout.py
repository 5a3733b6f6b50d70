"""Where everything on the table lies, for a window of any size. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from samedeal_rules import Board, Ruleset

__all__ = [
    "MIN_HEIGHT",
    "MIN_WIDTH",
    "ColumnRow",
    "Layout",
    "Shape",
    "lay_out",
    "plan_column",
    "spread",
]

MIN_WIDTH: Final = 50
"""Ten columns of Spider, five characters each."""
MIN_HEIGHT: Final = 12
"""Of the table alone: piles of two rows, labels, and some of each column."""
_WIDTHS: Final = (9, 8, 7, 6, 5)
"""Of a card, the widest first; the ten of hearts and its frame need five."""
_MAX_GAP: Final = 3
_TALL_FROM: Final = ((32, 5), (26, 4), (16, 3), (0, 2))
"""From how many rows on cards are how tall: a column of 19 must always fit."""
_SPREAD_FROM: Final = 4
"""Rows of a card from which covered cards may take two."""
_RESERVE_PITCH: Final = 4
_RESERVE_IN_A_ROW: Final = 12


@dataclass(frozen=True, slots=True)
class Shape:
    """What piles a game has."""

    columns: int
    cells: int = 0
    stock: bool = False
    waste: bool = False
    foundations: int = 4
    runs: int = 0
    """Spider: runs that leave the table; then there are no foundations."""
    reserve: int = 0

    @classmethod
    def of(cls, ruleset: Ruleset, board: Board) -> Shape:
        """The shape of a table."""
        leaves = ruleset.leaves is not None
        return cls(
            columns=len(board.columns),
            cells=len(board.cells),
            stock=ruleset.draw > 0,
            waste=ruleset.has_waste,
            foundations=0 if leaves else len(ruleset.deck.suits),
            runs=len(ruleset.deck.cards) // len(ruleset.deck.ranks) if leaves else 0,
            reserve=len(board.reserve),
        )


@dataclass(frozen=True, slots=True)
class Layout:
    """Positions in characters, from the top left of the table."""

    width: int
    height: int
    card_width: int
    card_height: int
    pitch: int
    """From one column to the next."""
    left: int
    """Where the first column begins."""
    info_y: int
    """The line of words under the piles."""
    reserve_y: int
    """Labels of the reserve; its cards are in the row below, and so on."""
    reserve_in_a_row: int
    numbers_y: int
    columns_y: int

    @property
    def rows(self) -> int:
        """Rows for the columns."""
        return self.height - self.columns_y

    def x(self, column: int) -> int:
        """Where a column begins."""
        return self.left + column * self.pitch

    def reserve_at(self, place: int) -> tuple[int, int]:
        """Where a place of the reserve is; its label is above it."""
        row, index = divmod(place, self.reserve_in_a_row)
        return self.left + index * _RESERVE_PITCH, self.reserve_y + 2 * row + 1


def lay_out(shape: Shape, width: int, height: int) -> Layout:
    """The roomiest layout that fits; one for the smallest size where nothing does."""
    width, height = max(width, MIN_WIDTH), max(height, MIN_HEIGHT)
    columns = max(shape.columns, 1)
    card_width = next((w for w in _WIDTHS if columns * (w + 1) - 1 <= width), _WIDTHS[-1])
    card_height = next(tall for rows, tall in _TALL_FROM if height >= rows)
    if card_width < _WIDTHS[0] - 2:
        card_height = min(card_height, 3)  # a tall narrow card looks like a fence
    room = (width - columns * card_width) // columns
    pitch = card_width + max(0, min(_MAX_GAP, room))
    left = max(0, (width - (columns * pitch - (pitch - card_width))) // 2)
    info_y = card_height
    reserve_y = info_y + 1
    lines = -(-shape.reserve // _RESERVE_IN_A_ROW)
    in_a_row = -(-shape.reserve // lines) if lines else 1
    numbers_y = reserve_y + 2 * lines
    return Layout(
        width=width,
        height=height,
        card_width=card_width,
        card_height=card_height,
        pitch=pitch,
        left=left,
        info_y=info_y,
        reserve_y=reserve_y,
        reserve_in_a_row=in_a_row,
        numbers_y=numbers_y,
        columns_y=numbers_y + 1,
    )


@dataclass(frozen=True, slots=True)
class ColumnRow:
    """One card of a column, or several squeezed into one row."""

    y: int
    first: int
    """Index in the column of the card, or of the first of those squeezed."""
    count: int = 1
    height: int = 1


def spread(columns: Iterable[tuple[int, int]], rows: int, card_height: int) -> int:
    """Rows for each covered face-up card: two where every column has room for that.

    `columns` are lengths and how many of their cards lie face down.
    """
    if card_height < _SPREAD_FROM:
        return 1
    longest = max((down + 2 * max(0, length - 1 - down) for length, down in columns), default=0)
    return 2 if longest + card_height <= rows else 1


def plan_column(
    length: int, down: int, rows: int, card_height: int, step: int = 1
) -> list[ColumnRow]:
    """Which card is in which row. The end card is always there, whole where that can be.

    Covered face-up cards take `step` rows, if they all have room. Too long a column first squeezes
    its face-down cards, then the end card's height, then the covered face-up cards below the first
    of them.
    """
    if length == 0:
        return []
    covered = length - 1
    hidden = min(down, covered)
    shown = covered - hidden
    end = card_height
    hidden_rows = hidden
    too_many = covered + end - rows
    if too_many > 0 and hidden:
        hidden_rows = max(1, hidden - too_many)
    end = max(1, min(end, rows - hidden_rows - shown))
    shown_rows = max(0, min(shown, rows - hidden_rows - end))
    plan = _squeezed(0, hidden, hidden_rows, at_front=True)
    plan += _squeezed(hidden, shown, shown_rows, at_front=False)
    placed, y = [], 0
    for first, count in plan:
        height = step if first >= hidden else 1
        placed.append(ColumnRow(y, first, count, height))
        y += height
    return [*placed, ColumnRow(y, covered, 1, end)]


def _squeezed(start: int, count: int, rows: int, *, at_front: bool) -> list[tuple[int, int]]:
    """Spread `count` cards over `rows` rows: one row takes what is too many."""
    if count <= rows:
        return [(start + index, 1) for index in range(count)]
    if rows <= 0:
        return []
    many = count - rows + 1
    squeezed = 0 if at_front or rows == 1 else 1
    plan, at = [], start
    for row in range(rows):
        size = many if row == squeezed else 1
        plan.append((at, size))
        at += size
    return plan

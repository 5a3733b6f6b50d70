"""Things to choose, one below the other: arrows choose a row and step through its values. Pure."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace

from samedeal_client.tui.canvas import Line, Seg
from samedeal_client.tui.look import Look
from samedeal_rules import OptionValue

__all__ = ["Row", "row_lines", "stepped"]


@dataclass(frozen=True, slots=True)
class Row:
    """Something to choose: its values, how they are called, and which is in force."""

    name: str
    label: str
    values: tuple[OptionValue, ...]
    names: tuple[str, ...]
    at: int = 0
    help: str = ""

    @property
    def value(self) -> OptionValue:
        """The one in force."""
        return self.values[self.at]

    @property
    def words(self) -> str:
        """As it is shown."""
        return self.names[self.at]


def stepped(rows: Sequence[Row], index: int, by: int) -> list[Row]:
    """The rows after the value of one was stepped on."""
    row = rows[index]
    changed = replace(row, at=(row.at + by) % len(row.values))
    return [*rows[:index], changed, *rows[index + 1 :]]


def row_lines(rows: Sequence[Row], at: int, look: Look, width: int) -> list[Line]:
    """All rows, the one chosen marked; below them what it means."""
    lines: list[Line] = []
    longest = max(len(row.label) for row in rows)
    left, right = ("‹", "›") if look.signs else ("<", ">")
    for index, row in enumerate(rows):
        here = index == at
        value = f"{left} {row.words} {right}" if here else f"  {row.words}"
        mark = ">" if here else " "
        label = f"  {mark} {row.label.ljust(longest)}   "
        lines.append(
            [Seg(label, "strong" if here else "text"), Seg(value, "key" if here else "text")]
        )
    lines.append([])
    help_lines = textwrap.wrap(rows[at].help, max(20, width - 6))
    return [*lines, *([Seg(f"    {text}", "dim")] for text in help_lines)]

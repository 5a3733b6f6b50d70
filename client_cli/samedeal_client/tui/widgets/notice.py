"""The line of news under the table: as many rows as its words need."""

from __future__ import annotations

import textwrap
from typing import Final

from samedeal_client.tui.canvas import Line, Seg
from samedeal_client.tui.palette import Palette
from samedeal_client.tui.widgets.lines import Lines

__all__ = ["MOST_ROWS", "NoticeLine", "notice_lines"]

MOST_ROWS: Final = 3
"""The table keeps the rest: it is what one plays on."""


def notice_lines(words: str, kind: str, width: int) -> list[Line]:
    """Words in rows of the window's width, a blank at either side; one row if there are none."""
    rows = textwrap.wrap(words, max(1, width - 2)) or [""]
    return [[Seg(f" {row}", kind)] for row in rows[:MOST_ROWS]]


class NoticeLine(Lines):
    """Takes one row while nothing longer is said."""

    def __init__(self, palette: Palette) -> None:
        super().__init__(palette, id="notice")
        self._said = ("", "text")

    def tell(self, words: str, kind: str) -> None:
        """Say this from now on."""
        self._said = (words, kind)
        self._wrap()

    def on_resize(self) -> None:
        """Other rows for another width."""
        self._wrap()

    def _wrap(self) -> None:
        if self.size.width:
            lines = notice_lines(*self._said, self.size.width)
            self.styles.height = len(lines)
            self.show(lines)

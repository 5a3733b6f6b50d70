"""A widget that shows lines of segments: the pure drawing meets the screen here."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from samedeal_client.tui.canvas import Line
from samedeal_client.tui.palette import Palette

__all__ = ["Lines"]


class Lines(Widget):
    """Draws only rows that have changed."""

    def __init__(self, palette: Palette, *, id: str | None = None, ground: str = "text") -> None:  # noqa: A002
        super().__init__(id=id)
        self.palette = palette
        self._ground = ground
        self._rows: list[Line] = []
        self._strips: dict[int, Strip] = {}

    def show(self, rows: Sequence[Line]) -> None:
        """Show these lines; what stayed the same is not drawn again."""
        old, new = self._rows, list(rows)
        changed = [
            y
            for y in range(max(len(old), len(new)))
            if y >= len(old) or y >= len(new) or old[y] != new[y]
        ]
        if not changed:
            return
        self._rows = new
        for y in changed:
            self._strips.pop(y, None)
        first, last = changed[0], changed[-1]
        self.refresh(self._band(first, last))

    def repaint(self, palette: Palette) -> None:
        """The same lines in other colours."""
        self.palette = palette
        self._strips.clear()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One row, from the cache if it has not changed."""
        strip = self._strips.get(y)
        width = self.size.width
        if strip is None or strip.cell_length != width:
            style = self.palette.style
            line = self._rows[y] if y < len(self._rows) else []
            strip = Strip([Segment(text, style(role)) for text, role in line])
            strip = strip.adjust_cell_length(width, style(self._ground))
            self._strips[y] = strip
        return strip

    def _band(self, first: int, last: int) -> Region:
        return Region(0, first, self.size.width, last - first + 1)

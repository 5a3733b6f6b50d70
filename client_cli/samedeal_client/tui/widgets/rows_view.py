"""Rows to choose from, clickable: a click chooses a row, the next ones change it."""

from __future__ import annotations

from textual import events
from textual.message import Message

from samedeal_client.tui.palette import Palette
from samedeal_client.tui.widgets.lines import Lines

__all__ = ["RowsView"]


class RowsView(Lines):
    """Shows what its screen draws; knows only where the rows begin."""

    class Clicked(Message):
        """A row was clicked."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, palette: Palette, *, first_row: int = 0) -> None:
        super().__init__(palette, id="page")
        self._first_row = first_row

    def on_click(self, event: events.Click) -> None:
        """Tell which row; the screen knows whether there is one."""
        if event.y >= self._first_row:
            self.post_message(self.Clicked(event.y - self._first_row))

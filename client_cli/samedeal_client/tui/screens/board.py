"""The table as it was at the end."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from samedeal_client.texts import _
from samedeal_client.tui.canvas import Seg
from samedeal_client.tui.context import Context
from samedeal_client.tui.screens.base import BaseScreen
from samedeal_client.tui.spots import Marks
from samedeal_client.tui.widgets.lines import Lines
from samedeal_client.tui.widgets.table_view import TableView

__all__ = ["BoardScreen"]


class BoardScreen(BaseScreen):
    """Only to look at."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,b,enter,space", "app.pop_screen", show=False)
    ]

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._table = TableView(context.palette, context.look)
        self._foot = Lines(context.palette, id="notice")

    def compose(self) -> ComposeResult:
        """Table and key."""
        yield self._table
        yield self._foot

    def on_mount(self) -> None:
        """As it lies."""
        table = self.context.connection.table
        self._table.show_game(table.confirmed if table is not None else None, Marks())
        self._foot.show([[Seg(" " + _("ESC  back"), "dim")]])

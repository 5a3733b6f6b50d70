"""The settings, with cards that show what they do."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Static

from samedeal_client.texts import _
from samedeal_client.tui.context import Context
from samedeal_client.tui.logo import logo_lines
from samedeal_client.tui.rows import row_lines, stepped
from samedeal_client.tui.screens.base import BaseScreen
from samedeal_client.tui.settings import Settings, settings_file
from samedeal_client.tui.settings_rows import changed_settings, settings_rows
from samedeal_client.tui.widgets.lines import Lines
from samedeal_client.tui.widgets.rows_view import RowsView

__all__ = ["PreferencesScreen"]


class PreferencesScreen(BaseScreen):
    """What is changed shows at once, and is kept when one goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "row(-1)", show=False),
        Binding("down,j,tab", "row(1)", show=False),
        Binding("left,h", "value(-1)", show=False),
        Binding("right,l,space", "value(1)", show=False),
        Binding("escape,q,enter", "back", show=False),
    ]

    class Changed(Message):
        """Other settings; `keep` when the player goes back."""

        def __init__(self, settings: Settings, *, keep: bool) -> None:
            super().__init__()
            self.settings, self.keep = settings, keep

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._rows = settings_rows(context.settings)
        self._at = 0
        self._logo = Lines(context.palette, id="logo")
        self._page = RowsView(context.palette)

    def compose(self) -> ComposeResult:
        """Sample cards, rows, keys."""
        yield self._logo
        yield self._page
        keys = _("Keys are changed in {file}").format(file=settings_file())
        words = _("↑ ↓  choose      ← →  change      ESC  back")
        yield Static(f"{keys}\n{words}", markup=False, classes="foot")

    def on_mount(self) -> None:
        """The first drawing."""
        self._draw()

    def on_resize(self) -> None:
        """Wrapped anew."""
        self._draw()

    def repaint(self) -> None:
        """In the colours just chosen."""
        self._logo.repaint(self.context.palette)
        self._page.repaint(self.context.palette)
        self._draw()

    def on_rows_view_clicked(self, message: RowsView.Clicked) -> None:
        """The first click chooses the row, the next one steps on."""
        if message.index == self._at:
            self.action_value(1)
        elif message.index < len(self._rows):
            self._at = message.index
            self._draw()

    def action_row(self, by: int) -> None:
        """Another row."""
        self._at = (self._at + by) % len(self._rows)
        self._draw()

    def action_value(self, by: int) -> None:
        """Another value, at once."""
        self._rows = stepped(self._rows, self._at, by)
        settings = changed_settings(self.context.settings, self._rows)
        self.post_message(self.Changed(settings, keep=False))

    def action_back(self) -> None:
        """Keep it."""
        settings = changed_settings(self.context.settings, self._rows)
        self.post_message(self.Changed(settings, keep=True))

    def _draw(self) -> None:
        self._logo.show(logo_lines(self.size.width, self.context.look))
        self._page.show(row_lines(self._rows, self._at, self.context.look, self.size.width))

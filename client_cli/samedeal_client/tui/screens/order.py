"""The choices for one game, and the start."""

from __future__ import annotations

import textwrap
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Static

from samedeal_client.rules_words import rules_language
from samedeal_client.texts import _
from samedeal_client.tui.canvas import Line, Seg
from samedeal_client.tui.context import Context
from samedeal_client.tui.orders import check, rows_for
from samedeal_client.tui.rows import Row, row_lines, stepped
from samedeal_client.tui.screens.base import BaseScreen
from samedeal_client.tui.widgets.rows_view import RowsView
from samedeal_rules import RULESETS
from samedeal_rules.describe import describe, summary

__all__ = ["OrderScreen"]


class OrderScreen(BaseScreen):
    """Arrows choose and change; ENTER starts."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "row(-1)", show=False),
        Binding("down,j,tab", "row(1)", show=False),
        Binding("left,h", "value(-1)", show=False),
        Binding("right,l,space", "value(1)", show=False),
        Binding("enter", "go", show=False),
        Binding("escape,q", "back", show=False),
    ]

    class Placed(Message):
        """Rows as they were chosen; none is the way back."""

        def __init__(self, ruleset: str, purpose: str, rows: list[Row] | None) -> None:
            super().__init__()
            self.ruleset, self.purpose, self.rows = ruleset, purpose, rows

    def __init__(self, context: Context, ruleset: str, purpose: str) -> None:
        super().__init__(context)
        self._ruleset, self._purpose = ruleset, purpose
        self._rows = rows_for(RULESETS[ruleset], purpose)
        self._at = 0
        self._said = ""
        self._page = RowsView(context.palette, first_row=2)

    def compose(self) -> ComposeResult:
        """Title, rows, keys."""
        title = describe(RULESETS[self._ruleset], rules_language()).title
        start, back = _("ENTER  start"), _("ESC  back")
        yield Static(title, markup=False, classes="title")
        yield self._page
        with Horizontal(classes="foot"):
            yield Static(f"[@click=screen.go]{start}[/]", classes="answer")
            yield Static(_("↑ ↓  choose      ← →  change"), markup=False, classes="answer")
            yield Static(f"[@click=screen.back]{back}[/]", classes="answer")

    def on_mount(self) -> None:
        """The first drawing."""
        self._draw()

    def on_resize(self) -> None:
        """Words are wrapped anew."""
        self._draw()

    def on_rows_view_clicked(self, message: RowsView.Clicked) -> None:
        """The first click chooses the row, the next one steps on."""
        if message.index == self._at:
            self.action_value(1)
        elif message.index < len(self._rows):
            self._at = message.index
            self._draw()

    def say(self, words: str) -> None:
        """Why nothing has started."""
        self._said = words
        self._draw()

    def action_row(self, by: int) -> None:
        """Another row."""
        self._at = (self._at + by) % len(self._rows)
        self._draw()

    def action_value(self, by: int) -> None:
        """Another value."""
        self._rows = stepped(self._rows, self._at, by)
        self._draw()

    def action_go(self) -> None:
        """Start, if the choices go together."""
        if not check(self._ruleset, self._rows, self._purpose):
            self.post_message(self.Placed(self._ruleset, self._purpose, self._rows))

    def action_back(self) -> None:
        """To the games."""
        self.post_message(self.Placed(self._ruleset, self._purpose, None))

    def _draw(self) -> None:
        language = rules_language()
        lines: list[Line] = [[Seg("  " + summary(RULESETS[self._ruleset], language), "dim")], []]
        lines += row_lines(self._rows, self._at, self.context.look, self.size.width)
        wrong = check(self._ruleset, self._rows, self._purpose)
        if wrong:
            lines += [[], [Seg("  " + wrong, "bad")]]
        if self._said:
            words = textwrap.wrap(self._said, max(20, self.size.width - 4))
            lines += [[], *([Seg(f"  {row}", "warn")] for row in words)]
        self._page.show(lines)

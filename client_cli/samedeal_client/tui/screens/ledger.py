"""Our points, one by one; or the standings, where they have no room at the side."""

from __future__ import annotations

import textwrap
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from samedeal_client.plain.board_text import item_words
from samedeal_client.plain.words import NO_POINTS
from samedeal_client.texts import _, number, signed
from samedeal_client.tui.canvas import Line, Seg
from samedeal_client.tui.context import Context
from samedeal_client.tui.panel_text import panel_lines
from samedeal_client.tui.widgets.lines import Lines
from samedeal_rules import ITEMS

__all__ = ["LEDGER_WIDTH", "LedgerScreen"]

LEDGER_WIDTH: Final = 44
"""Columns inside the box, see `#ledger`."""


class LedgerScreen(ModalScreen[None]):
    """Any of its keys goes back to the table."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,p,s,enter,space", "dismiss", show=False),
    ]

    def __init__(self, context: Context, *, standings: bool = False) -> None:
        super().__init__()
        self.context = context
        self._standings = standings
        self._page = Lines(context.palette, id="result")

    def compose(self) -> ComposeResult:
        """A box with lines."""
        with Vertical(classes="box", id="ledger"):
            yield self._page

    def on_mount(self) -> None:
        """As it is now."""
        lines = self._places() if self._standings else self._points()
        lines += [[], [Seg(_("ESC  back"), "dim")]]
        self._page.styles.height = len(lines)
        self._page.show(lines)

    def _places(self) -> list[Line]:
        return panel_lines(self.context.panel(), LEDGER_WIDTH, 16)

    def _points(self) -> list[Line]:
        table = self.context.connection.table
        if table is None:
            return []
        game = table.confirmed
        lines: list[Line] = [[Seg(_("Your points"), "title")], []]
        if game.points is None:
            return lines + [[Seg(row, "text")] for row in textwrap.wrap(_(NO_POINTS), LEDGER_WIDTH)]
        ledger = game.ledger()
        for item in ITEMS:
            if item in ledger:
                kind = "loss" if ledger[item] < 0 else "gain"
                words = item_words(item)
                lines.append([Seg(f"{signed(ledger[item]):>9}  ", kind), Seg(words, "text")])
        return [*lines, [Seg(f"{number(game.points):>9}  ", "strong"), Seg(_("in all"), "text")]]

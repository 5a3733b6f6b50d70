"""A duel that somebody else plays: clock and standings."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from samedeal_client.texts import _
from samedeal_client.tui.canvas import Seg
from samedeal_client.tui.context import Context
from samedeal_client.tui.panel_text import panel_lines
from samedeal_client.tui.screens.base import BaseScreen
from samedeal_client.tui.screens.lobby import LobbyScreen
from samedeal_client.tui.titles import duel_words
from samedeal_client.tui.widgets.lines import Lines
from samedeal_protocol import DuelPhase

__all__ = ["WatchScreen"]

_WIDTH = 60


class WatchScreen(BaseScreen):
    """Numbers only: cards are for who plays."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,escape,m", "leave", show=False)]

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._status = Lines(context.palette, id="status")
        self._page = Lines(context.palette, id="page")
        self._keys = Lines(context.palette, id="notice")

    def compose(self) -> ComposeResult:
        """Title, page, key."""
        yield self._status
        yield self._page
        yield self._keys

    def on_mount(self) -> None:
        """The first drawing."""
        self.tick()

    def on_resize(self) -> None:
        """Wide or narrow."""
        self.tick()

    def news(self) -> None:
        """Standings came."""
        self.tick()

    def tick(self) -> None:
        """Draw it."""
        duel = self.context.connection.duel
        if duel is None:
            return
        words = duel_words(duel)
        if duel.phase is not DuelPhase.RUNNING:
            words += "   " + _("It has not started yet.")
        self._status.show([[Seg(f" {words}", "dim")]])
        width = min(_WIDTH, self.size.width)
        left = (self.size.width - width) // 2
        lines = panel_lines(self.context.panel(), width, max(3, self._page.size.height - 1))
        self._page.show([[], *([Seg(" " * left, "text"), *line] for line in lines)])
        self._keys.show([[Seg(" q ", "key"), Seg(_("stop watching"), "dim")]])

    def action_leave(self) -> None:
        """Back to the menu."""
        self.post_message(LobbyScreen.Asked("leave"))

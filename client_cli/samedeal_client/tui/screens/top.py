"""The leaderboards of this server."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message

from samedeal_client.commands.top import TABLES, WHAT_COUNTS, ask_top, top_lines
from samedeal_client.errors import ClientError, ConnectionFailed
from samedeal_client.plain.style import printable
from samedeal_client.texts import _
from samedeal_client.tui.canvas import Line, Seg
from samedeal_client.tui.context import Context
from samedeal_client.tui.screens.base import BaseScreen
from samedeal_client.tui.titles import server_gone_words
from samedeal_client.tui.widgets.lines import Lines
from samedeal_protocol import TopList

__all__ = ["TopScreen"]

_ROWS = 10


class TopScreen(BaseScreen):
    """The best ten of each; asked for on a line of its own."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter", "back", show=False)]

    class Came(Message):
        """What the server told, or why it did not."""

        def __init__(self, lists: Sequence[TopList], words: str = "") -> None:
            super().__init__()
            self.lists, self.words = lists, words

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._page = Lines(context.palette, id="result")
        self._foot = Lines(context.palette, id="notice")

    def compose(self) -> ComposeResult:
        """A page that scrolls."""
        with VerticalScroll(id="scroll"):
            yield self._page
        yield self._foot

    def on_mount(self) -> None:
        """Ask."""
        self.query_one(VerticalScroll).focus()
        self._show([[], [Seg("   " + _("Asking the server ..."), "dim")]])
        self._foot.show([[Seg(" " + _("ESC  back"), "dim")]])
        self.run_worker(self._ask())

    async def _ask(self) -> None:
        try:
            lists = await ask_top(self.context.session.url, TABLES, _ROWS)
        except ConnectionFailed:
            self.post_message(self.Came((), server_gone_words()))
        except (ClientError, ValueError) as error:
            self.post_message(self.Came((), printable(str(error)) + "."))
        else:
            self.post_message(self.Came(lists))

    def on_top_screen_came(self, message: Came) -> None:
        """Show them."""
        lines: list[Line] = []
        for top in message.lists:
            title, *rows = top_lines(top)
            lines += [[], [Seg(f"   {title}", "title")]]
            lines += [[Seg(f"   {row}", "text")] for row in rows]
        if message.lists:
            words = textwrap.wrap(_(WHAT_COUNTS), max(20, self.size.width - 6))
            lines += [[], *([Seg(f"   {row}", "dim")] for row in words)]
        if message.words:
            words = textwrap.wrap(message.words, max(20, self.size.width - 6))
            lines += [[], *([Seg(f"   {row}", "bad")] for row in words)]
        self._show(lines)

    def action_back(self) -> None:
        """To the menu."""
        self.app.pop_screen()

    def _show(self, lines: list[Line]) -> None:
        self._page.styles.height = len(lines) + 1
        self._page.show(lines)

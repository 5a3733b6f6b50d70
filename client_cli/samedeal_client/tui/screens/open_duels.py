"""Duels that anybody may join, as they come and go."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from samedeal_client.errors import ClientError
from samedeal_client.plain.open_duels import open_lines
from samedeal_client.plain.style import printable
from samedeal_client.texts import _
from samedeal_client.tui.context import Context
from samedeal_client.tui.screens.base import BaseScreen
from samedeal_protocol import OpenRow

__all__ = ["OpenScreen"]

EVERY_S: Final = 3.0
"""How often the list is read: a seat that is offered waits for longer, and servers keep what they
tell for a second."""


class OpenScreen(BaseScreen):
    """ENTER or a click takes a seat."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", show=False),
        Binding("j", "down", show=False),
        Binding("k", "up", show=False),
    ]

    class Came(Message):
        """What the server told, or why it did not."""

        def __init__(self, rows: Sequence[OpenRow], words: str = "") -> None:
            super().__init__()
            self.rows, self.words = rows, words

    class Chosen(Message):
        """A duel to join, by its code."""

        def __init__(self, code: str) -> None:
            super().__init__()
            self.code = code

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        asking = Option("  " + _("Asking the server ..."), disabled=True)
        self._list = OptionList(asking, id="open", markup=False)
        self._said = Static("", markup=False, id="said")

    def compose(self) -> ComposeResult:
        """Title, duels, what went wrong, keys."""
        yield Static(_("Open duels"), markup=False, classes="title")
        yield self._list
        yield self._said
        yield Static(_("ENTER  join      ESC  back"), markup=False, classes="foot")

    def on_mount(self) -> None:
        """Ask, again and again."""
        self._list.focus()
        self.run_worker(self._follow())

    def say(self, words: str) -> None:
        """The seat was somebody else's meanwhile, or the like."""
        self._said.update(words)

    def on_open_screen_came(self, message: Came) -> None:
        """Show them; the one that was chosen stays so, wherever it is now."""
        if message.words:
            self.say(message.words)
            return
        at = self._list.highlighted
        chosen = None if at is None else self._list.get_option_at_index(at).id
        self._list.clear_options()
        if not message.rows:
            self._list.add_option(Option("  " + self._nobody(), disabled=True))
            return
        lines = zip(message.rows, open_lines(message.rows), strict=True)
        self._list.add_options([Option(f"  {line}", id=row.code) for row, line in lines])
        codes = [row.code for row in message.rows]
        self._list.highlighted = codes.index(chosen) if chosen in codes else 0

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """ENTER or a click."""
        self.say("")
        self.post_message(self.Chosen(str(event.option.id)))

    def action_back(self) -> None:
        """To the menu."""
        self.app.pop_screen()

    def action_down(self) -> None:
        """As the arrow key."""
        self._list.action_cursor_down()

    def action_up(self) -> None:
        """As the arrow key."""
        self._list.action_cursor_up()

    async def _follow(self) -> None:
        while True:
            try:
                self.post_message(self.Came(await self.context.connection.open_duels()))
            except ClientError as error:
                self.post_message(self.Came((), printable(str(error)) + "."))
            await asyncio.sleep(EVERY_S)

    def _nobody(self) -> str:
        words = (
            _("Nobody waits for players just now."),
            _("Create a duel that anybody may join, or try a quick match."),
        )
        return " ".join(words)

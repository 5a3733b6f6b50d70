"""Something is under way that takes a moment."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Static

from samedeal_client.tui.context import Context
from samedeal_client.tui.logo import logo_lines
from samedeal_client.tui.screens.base import BaseScreen
from samedeal_client.tui.widgets.lines import Lines

__all__ = ["WaitScreen"]


class WaitScreen(BaseScreen):
    """The name of the game, and what is being waited for."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "give_up", show=False)]

    class GivenUp(Message):
        """The player does not want to wait any longer."""

    def __init__(self, context: Context, words: str) -> None:
        super().__init__(context)
        self._logo = Lines(context.palette, id="logo")
        self._words = Static(words, markup=False, classes="centre")

    def compose(self) -> ComposeResult:
        """Logo and words."""
        yield self._logo
        yield self._words

    def on_resize(self) -> None:
        """The logo stays in the middle."""
        self._logo.show(logo_lines(self.size.width, self.context.look))

    def action_give_up(self) -> None:
        """The app knows whether there is anything to give up."""
        self.post_message(self.GivenUp())

    def say(self, words: str) -> None:
        """Something else is being waited for."""
        self._words.update(words)

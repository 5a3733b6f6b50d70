"""The window is too small for a table."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static

from samedeal_client.texts import _

__all__ = ["SmallScreen"]


class SmallScreen(ModalScreen[None]):
    """Says so; the duel goes on behind it, and one can leave."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "quit_small", show=False, priority=True)]

    class Quitting(Message):
        """`q` here: there is no room to ask."""

    def __init__(self, needed: tuple[int, int], *, running: bool) -> None:
        super().__init__()
        self._needed, self._clock_runs = needed, running

    def compose(self) -> ComposeResult:
        """What matters most first: the rest is cut where it has to be."""
        width, height = self._needed
        words = _("Enlarge the window; q leaves") + "\n"
        words += _("It needs {width} x {height}.").format(width=width, height=height)
        if self._clock_runs:
            words += " " + _("The clock runs on.")
        yield Static(words, markup=False, id="small")

    def action_quit_small(self) -> None:
        """The app knows whether a duel runs."""
        self.post_message(self.Quitting())

    def say(self, words: str) -> None:
        """Another line."""
        self.query_one(Static).update(words)

    def on_key(self, event: events.Key) -> None:
        """Nothing else may be played unseen."""
        event.stop()

"""A question with yes or no, over the screen that asks."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from samedeal_client.texts import _, says_yes
from samedeal_client.tui.context import Context

__all__ = ["AskScreen"]


class AskScreen(ModalScreen[bool]):
    """`y`, or what yes begins with in the language spoken; `n` or ESC is no.

    Never ENTER or SPACE: those are pressed at a table without looking.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,escape,q", "no", show=False),
    ]

    def __init__(self, context: Context, question: str) -> None:
        super().__init__()
        self.context = context
        self._question = question

    def compose(self) -> ComposeResult:
        """The question and its keys."""
        yes, no = _("y  yes"), _("n  no")
        with Vertical(classes="box"):
            yield Static(self._question, markup=False, classes="question")
            with Horizontal(classes="answers"):
                yield Static(f"[@click=screen.yes]{yes}[/]", classes="answer")
                yield Static(f"[@click=screen.no]{no}[/]", classes="answer")

    def on_key(self, event: events.Key) -> None:
        """Yes, in one letter."""
        if event.character and says_yes(event.character):
            event.stop()
            self.dismiss(True)

    def action_yes(self) -> None:
        """By a click."""
        self.dismiss(True)

    def action_no(self) -> None:
        """Tell who asked."""
        self.dismiss(False)

"""A question with yes or no, over the screen that asks."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from samedeal_client.texts import _
from samedeal_client.tui.context import Context

__all__ = ["AskScreen"]


class AskScreen(ModalScreen[bool]):
    """`y` or ENTER is yes, `n` or ESC is no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,s,enter", "answer(True)", "yes", show=False),
        Binding("n,escape,q", "answer(False)", "no", show=False),
    ]

    def __init__(self, context: Context, question: str) -> None:
        super().__init__()
        self.context = context
        self._question = question

    def compose(self) -> ComposeResult:
        """The question and its keys."""
        with Vertical(classes="box"):
            yield Static(self._question, markup=False, classes="question")
            yield Static(_("y  yes      n  no"), markup=False, classes="answers")

    def action_answer(self, sure: bool) -> None:
        """Tell who asked."""
        self.dismiss(sure)

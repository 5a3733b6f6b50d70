"""One line to be typed: a name, a code."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from samedeal_client.texts import _

__all__ = ["TypingScreen"]


class TypingScreen(ModalScreen[str | None]):
    """ENTER takes what stands there, ESC goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "back", show=False, priority=True),
    ]

    def __init__(self, title: str, words: str = "", *, default: str = "", why: str = "") -> None:
        super().__init__()
        self._title_words, self._words = title, words
        self._default, self._why = default, why

    def compose(self) -> ComposeResult:
        """Title, words, what was wrong before, the line."""
        with Vertical(classes="box"):
            yield Static(self._title_words, markup=False, classes="question")
            if self._words:
                yield Static(self._words, markup=False, classes="words")
            if self._why:
                yield Static(self._why, markup=False, classes="why")
            yield Input(value=self._default, max_length=64, id="line")
            yield Static(_("ENTER  go on      ESC  back"), markup=False, classes="answers")

    def on_mount(self) -> None:
        """Type at once."""
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """What stands there, or nothing at all."""
        text = event.value.strip()
        if text:
            self.dismiss(text)

    def action_cancel(self) -> None:
        """Back."""
        self.dismiss(None)

"""Which game: each with what it is, in a line."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from samedeal_client.rules_words import rules_language
from samedeal_client.texts import _
from samedeal_client.tui.context import Context
from samedeal_client.tui.screens.base import BaseScreen
from samedeal_rules import RULESETS
from samedeal_rules.describe import describe, summary

__all__ = ["GamesScreen"]


class GamesScreen(BaseScreen):
    """The games; what was played last is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(number), f"take({number - 1})", show=False)
            for number in range(1, len(RULESETS) + 1)
        ),
        Binding("escape,q", "back", show=False),
    ]

    class Chosen(Message):
        """A game, for a purpose; no game is the way back."""

        def __init__(self, ruleset: str | None, purpose: str) -> None:
            super().__init__()
            self.ruleset, self.purpose = ruleset, purpose

    def __init__(self, context: Context, purpose: str, title: str) -> None:
        super().__init__(context)
        self._purpose, self._title_words = purpose, title
        self._list = OptionList(*_options(), id="games")

    def compose(self) -> ComposeResult:
        """Title, games, keys."""
        yield Static(self._title_words, markup=False, classes="title")
        yield self._list
        yield Static(_("ENTER  choose      ESC  back"), markup=False, classes="foot")

    def on_mount(self) -> None:
        """What was played last."""
        names = list(RULESETS)
        last = self.context.game.ruleset
        self._list.highlighted = names.index(last) if last in names else 0
        self._list.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """ENTER or a click."""
        self.post_message(self.Chosen(str(event.option.id), self._purpose))

    def action_take(self, index: int) -> None:
        """A number."""
        self.post_message(self.Chosen(list(RULESETS)[index], self._purpose))

    def action_back(self) -> None:
        """To the menu."""
        self.post_message(self.Chosen(None, self._purpose))


def _options() -> list[Option]:
    options = []
    for number, (name, ruleset) in enumerate(RULESETS.items(), 1):
        words = describe(ruleset, rules_language())
        line = summary(ruleset, rules_language())
        text = Text.assemble(
            (f" {number}  ", "bold"),
            (words.title, "bold"),
            (f"   {name}", "dim"),
            "\n",
            f"    {line}",
        )
        options.append(Option(text, id=name))
    return options

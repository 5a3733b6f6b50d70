"""The menu."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from samedeal_client.texts import N_, _
from samedeal_client.tui.context import Context
from samedeal_client.tui.logo import logo_lines
from samedeal_client.tui.screens.base import BaseScreen
from samedeal_client.tui.titles import server_gone_words
from samedeal_client.tui.widgets.lines import Lines

__all__ = ["ENTRIES", "MenuScreen"]

ENTRIES: Final = (
    ("bot", N_("Race a bot now"), N_("the quickest way to a first game")),
    ("create", N_("Create a duel"), N_("and tell your friends its code")),
    ("join", N_("Join a duel"), N_("with the code that somebody told you")),
    ("quick", N_("Quick match"), N_("with whoever else is waiting")),
    ("practice", N_("Practise alone"), N_("against the clock and your best, or without a limit")),
    ("watch", N_("Watch a duel"), N_("its standings, live")),
    ("open", N_("Open duels"), N_("those that anybody may join")),
    ("top", N_("Leaderboards"), N_("the best games at this server")),
    ("settings", N_("Settings"), N_("colours, cards, questions, language")),
    ("rules", N_("Rules"), N_("what is allowed, and what it is worth")),
    ("quit", N_("Quit"), ""),
)


class MenuScreen(BaseScreen):
    """What there is to do; a number or ENTER takes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(number % 10), f"take({number - 1})", show=False)
            for number in range(1, len(ENTRIES))
        ),
        Binding("q", f"take({len(ENTRIES) - 1})", show=False),
        Binding("question_mark,f1", f"take({len(ENTRIES) - 2})", show=False),
        Binding("j", "down", show=False),
        Binding("k", "up", show=False),
    ]

    class Chosen(Message):
        """An entry, by its name."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, context: Context, words: str = "") -> None:
        super().__init__(context)
        self._logo = Lines(context.palette, id="logo")
        self._said = Static(words, markup=False, id="said")
        self._server = Static(self._server_words(), markup=False, id="server")
        self._up = context.connection.up
        width = max(len(_(title)) for _name, title, _words in ENTRIES)
        self._list = OptionList(*(_option(n, width) for n in range(len(ENTRIES))), id="menu")

    def compose(self) -> ComposeResult:
        """Logo, entries, and which server this is."""
        yield self._logo
        yield self._list
        yield self._said
        yield self._server

    def on_mount(self) -> None:
        """The first entry is chosen."""
        self._list.highlighted = 0
        self._list.focus()

    def tick(self) -> None:
        """The server may be gone, or back."""
        up = self.context.connection.up
        if up is not self._up:
            self._up = up
            self._server.update(self._server_words())
            self._server.set_class(not up, "gone")

    def on_resize(self) -> None:
        """The logo for this width."""
        self._logo.show(logo_lines(self.size.width, self.context.look))

    def repaint(self) -> None:
        """Other colours."""
        self._logo.repaint(self.context.palette)
        self.on_resize()

    def say(self, words: str) -> None:
        """Something went wrong, or a duel is over."""
        self._said.update(words)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """ENTER or a click."""
        self.post_message(self.Chosen(str(event.option.id)))

    def action_take(self, index: int) -> None:
        """A number."""
        self.post_message(self.Chosen(ENTRIES[index][0]))

    def action_down(self) -> None:
        """As the arrow key."""
        self._list.action_cursor_down()

    def action_up(self) -> None:
        """As the arrow key."""
        self._list.action_cursor_up()

    def _server_words(self) -> str:
        session = self.context.session
        if not session.connection.up:
            return server_gone_words()
        name = session.connection.name or ""
        if session.private:
            words = _(
                "You are {name}, at a private server here ({address}) that stops when you leave."
            )
        else:
            words = _("You are {name}, at the server {address}.")
        return words.format(name=name, address=session.address)


def _option(index: int, width: int) -> Option:
    name, title, words = ENTRIES[index]
    key = str((index + 1) % 10) if index < len(ENTRIES) - 1 else "q"
    text = Text.assemble(
        (f" {key}  ", "bold"),
        (_(title).ljust(width), "bold"),
        "   ",
        (_(words), "dim") if words else "",
    )
    return Option(text, id=name)

"""Before the start: who is here, how friends join, the countdown."""

from __future__ import annotations

import textwrap
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message

from samedeal_client.invitation import join_command, reach_words
from samedeal_client.plain.style import printable
from samedeal_client.plain.words import chosen_deal_words, code_spoken, seat_name
from samedeal_client.server_words import note_words
from samedeal_client.texts import _
from samedeal_client.tui.actions import Group
from samedeal_client.tui.canvas import Line, Seg
from samedeal_client.tui.context import Context
from samedeal_client.tui.panel_text import big_text
from samedeal_client.tui.screens.base import BaseScreen, bindings_of
from samedeal_client.tui.titles import duel_words
from samedeal_client.tui.widgets.key_bar import KeyBar
from samedeal_client.tui.widgets.lines import Lines
from samedeal_protocol import DuelChanged, DuelPhase

__all__ = ["LobbyScreen"]


class LobbyScreen(BaseScreen):
    """Seats fill, players get ready, three, two, one."""

    groups: ClassVar[tuple[str, ...]] = (Group.LOBBY, Group.ANYWHERE)
    BINDINGS: ClassVar[list[BindingType]] = bindings_of(*groups)

    class Asked(Message):
        """`ready`, `start` or `leave`."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._page = Lines(context.palette, id="page")
        self._keys = KeyBar(context.palette)
        self._said = ""

    def compose(self) -> ComposeResult:
        """A page and the keys."""
        yield self._page
        yield self._keys

    def on_mount(self) -> None:
        """The first drawing."""
        self.news()

    def on_resize(self) -> None:
        """Everything stays in the middle."""
        self.news()

    def news(self) -> None:
        """Somebody came, left, or is ready."""
        self.tick()

    def tick(self) -> None:
        """Draw it; the widget finds out what has changed."""
        duel = self.context.connection.duel
        if duel is None:
            return
        width = self.size.width
        lines = [_centred(line, width) for line in self._lines(duel)]
        top = max(1, (self._page.size.height - len(lines)) // 3)
        self._page.show([[] for _ in range(top)] + lines)
        alone = duel.seats == 1
        names = ["ready", "back", "help"] if alone else ["ready", "start", "copy", "back", "help"]
        self._keys.offer(self.key_bar(names))

    def repaint(self) -> None:
        """Other colours."""
        self._page.repaint(self.context.palette)
        self._keys.repaint(self.context.palette)

    def say(self, words: str) -> None:
        """A line at the end of the page."""
        self._said = words
        self.tick()

    def action_ready(self) -> None:
        """We are ready."""
        self.post_message(self.Asked("ready"))

    def action_start(self) -> None:
        """The host starts with those who are ready."""
        self.post_message(self.Asked("start"))

    def action_leave(self) -> None:
        """Give the seat back."""
        self.post_message(self.Asked("leave"))

    def action_copy(self) -> None:
        """What friends type, into the clipboard of the terminal."""
        self.app.copy_to_clipboard(self._command())
        self.say(_("Copied, if your terminal allows it."))

    def _command(self) -> str:
        duel = self.context.connection.duel
        code = duel.code if duel is not None else ""
        return join_command(code, self.context.session.address)

    def _lines(self, duel: DuelChanged) -> list[Line]:
        lines: list[Line] = [[Seg(duel_words(duel), "strong")], []]
        if duel.phase is DuelPhase.COUNTDOWN and duel.start_at is not None:
            left = duel.start_at - self.context.connection.server_now_ms()
            second = max(0, -(-left // 1000))
            lines += [
                [Seg(row, "clock")] for row in big_text(str(second), signs=self.context.look.signs)
            ]
            lines += [[], [Seg(_("The same cards for everybody. Get ready!"), "text")]]
            return [*lines, *self._told()]
        if duel.seats > 1 and self.context.inviting:
            lines += self._invitation(duel)
        if duel.chosen_seed:
            lines += [[Seg(chosen_deal_words(duel), "warn")], []]
        lines += _seats(duel)
        lines += [[], [Seg(self._advice(duel), "text")]]
        if duel.note:
            lines.append([Seg(printable(note_words(duel.note)) + ".", "warn")])
        return [*lines, *self._told()]

    def _told(self) -> list[Line]:
        return [[Seg(text, "good")] for text in textwrap.wrap(self._said, self.size.width - 2)]

    def _invitation(self, duel: DuelChanged) -> list[Line]:
        return [
            [Seg(_("Tell your friends the code"), "dim")],
            [Seg(f"  {code_spoken(duel.code)}  ", "clock")],
            [Seg(self._command(), "text")],
            *([Seg(words, "dim")] for words in reach_words(self.context.session.address)),
            [],
        ]

    def _advice(self, duel: DuelChanged) -> str:
        mine = next((seat for seat in duel.players if seat.seat == duel.you), None)
        ready, key = mine is not None and mine.ready, self.context.key("ready")
        if duel.phase is DuelPhase.FROZEN:
            return _("All are ready; the deal is being fixed.")
        if not ready and duel.ready_by is not None:
            left = max(0, duel.ready_by - self.context.connection.server_now_ms()) // 1000
            return _("Press {key} when you are ready, within {seconds} s.").format(
                key=key, seconds=left
            )
        if not ready:
            return _("Press {key} when you are ready.").format(key=key)
        if duel.seated < duel.seats:
            return _("You are ready. It starts when all seats are taken and ready.")
        return _("You are ready; the others are not yet.")


def _seats(duel: DuelChanged) -> list[Line]:
    words = _("{seated} of {seats} seats taken").format(seated=duel.seated, seats=duel.seats)
    lines: list[Line] = [[Seg(words, "dim")]] if duel.seats > 1 else []
    for seat in duel.players:
        name = seat_name(seat)
        state = _("ready") if seat.ready else _("not ready yet")
        if not seat.connected:
            state = _("away")
        host = _(", host") if seat.seat == duel.host and duel.seats > 1 else ""
        role = "mine" if seat.seat == duel.you else "text"
        lines.append(
            [
                Seg(f"{name:<24.24}", role),
                Seg(f"{state}{host}".ljust(20), "good" if seat.ready else "dim"),
            ]
        )
    return lines


def _centred(line: Line, width: int) -> Line:
    length = sum(len(seg.text) for seg in line)
    return [Seg(" " * max(0, (width - length) // 2), "text"), *line]

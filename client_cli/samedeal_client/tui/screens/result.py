"""The end of a duel: places, every point with its reason, and what was checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.message import Message

from samedeal_client.plain.board_text import item_words, state_words
from samedeal_client.plain.style import printable
from samedeal_client.plain.words import fairness_lines, known_words
from samedeal_client.texts import _, _n, decimal, number, signed
from samedeal_client.tui.actions import Group
from samedeal_client.tui.canvas import Line, Seg
from samedeal_client.tui.context import Context
from samedeal_client.tui.race import Tone
from samedeal_client.tui.screens.base import BaseScreen, bindings_of
from samedeal_client.tui.titles import game_words
from samedeal_client.tui.widgets.key_bar import KeyBar
from samedeal_client.tui.widgets.lines import Lines
from samedeal_protocol import PlayerState, RankingRow, Result
from samedeal_rules import ITEMS

__all__ = ["ResultScreen"]


class ResultScreen(BaseScreen):
    """Rematch, save, look at the table again, or the menu."""

    groups: ClassVar[tuple[str, ...]] = (Group.RESULT, Group.ANYWHERE)
    BINDINGS: ClassVar[list[BindingType]] = bindings_of(*groups)

    class Asked(Message):
        """`rematch`, `replay`, `save`, `board` or `menu`."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._page = Lines(context.palette, id="result")
        self._said = Lines(context.palette, id="notice")
        self._keys = KeyBar(context.palette)

    def compose(self) -> ComposeResult:
        """A page that scrolls, and the keys."""
        with VerticalScroll(id="scroll"):
            yield self._page
        yield self._said
        yield self._keys

    def on_mount(self) -> None:
        """The first drawing."""
        self.query_one(VerticalScroll).focus()
        self.news()

    def news(self) -> None:
        """The result stays; a wish for a rematch may come."""
        connection = self.context.connection
        result, duel = connection.result, connection.duel
        if result is None:
            return
        you = duel.you if duel is not None else None
        lines = list(_page(result, you))
        if self.context.new_best:
            lines += [[], [Seg(" " + _("A new best of yours!"), "good")]]
        lines += [[]]
        checks = connection.fairness()
        wrong = {at for at, check in enumerate(checks, 1) if check.ok is False}
        for at, text in enumerate(fairness_lines(checks, connection.called_off)):
            role = "strong" if at == 0 else "bad" if at in wrong else "text"
            lines.append([Seg(" " + text, role)])
        self._page.styles.height = len(lines) + 1
        self._page.show(lines)
        if duel is not None and duel.rematch:
            self.say(
                _("Somebody asks for a rematch: {key} takes part.").format(
                    key=self.context.key("rematch")
                ),
                Tone.GOOD,
            )
        names = ["rematch", "replay", "save", "board", "menu", "help"]
        if you is None:
            names = ["replay", "save", "menu", "help"]
        self._keys.offer(self.key_bar(names))

    def repaint(self) -> None:
        """Other colours."""
        for lines in (self._page, self._said, self._keys):
            lines.repaint(self.context.palette)

    def say(self, words: str, kind: str = Tone.PLAIN) -> None:
        """A line over the keys."""
        self._said.show([[Seg(f" {words}", kind)]])

    def action_rematch(self) -> None:
        """Again."""
        self.post_message(self.Asked("rematch"))

    def action_replay(self) -> None:
        """Move by move."""
        self.post_message(self.Asked("replay"))

    def action_save(self) -> None:
        """The record, into a file here."""
        self.post_message(self.Asked("save"))

    def action_board(self) -> None:
        """The table once more."""
        self.post_message(self.Asked("board"))

    def action_menu(self) -> None:
        """Away from here."""
        self.post_message(self.Asked("menu"))


def _page(result: Result, you: int | None) -> Iterator[Line]:
    mine = next((row for row in result.ranking if row.seat == you), None)
    title = game_words(result.ruleset, result.options)
    yield []
    yield [Seg(f" {_head(mine, result)}", "title"), Seg(f"   {title}", "dim")]
    yield []
    for row in result.ranking:
        yield from _row(row, mine=row.seat == you)
    for text in known_words(result.winnable):
        yield []
        yield [Seg(" " + text, "text")]


def _head(mine: RankingRow | None, result: Result) -> str:
    if mine is None or result.total < 2:
        return _("The result")
    if mine.place == 1:
        first = sum(row.place == 1 for row in result.ranking)
        return _("You won!") if first == 1 else _("A draw for the first place!")
    return _("You are number {place} of {total}.").format(place=mine.place, total=result.total)


def _row(row: RankingRow, *, mine: bool) -> Iterator[Line]:
    role = "mine" if mine else "strong"
    score = "" if row.score is None else f"{number(row.score):>9}"
    name = printable(row.name)
    moves = _n("{count} move", "{count} moves", row.moves).format(count=row.moves)
    how = state_words(row.ended) or row.ended.value
    if row.ended is not PlayerState.TIMEOUT:
        how = _("{how} after {seconds} s").format(how=how, seconds=decimal(row.ended_ms / 1000))
    up = _("{count} up").format(count=row.up)
    yield [Seg(f" {row.place:>2}. {'*' if mine else ' '}{name:<20.20}{score}", role)]
    yield [Seg(f"      {up}, {how}, {moves}", "text")]
    for item in ITEMS:
        if item in row.items:
            points = row.items[item]
            kind = "loss" if points < 0 else "gain"
            words = item_words(item)
            yield [Seg(f"{signed(points):>35}  ", kind), Seg(words, "dim")]

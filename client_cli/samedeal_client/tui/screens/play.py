"""The table in play."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.timer import Timer

from samedeal_client.errors import ClientError
from samedeal_client.plain.move_words import advice_words
from samedeal_client.plain.words import hint_words
from samedeal_client.texts import _
from samedeal_client.tui.actions import Group, shown_now
from samedeal_client.tui.canvas import Seg
from samedeal_client.tui.context import Context
from samedeal_client.tui.hand import Hand, marks_of
from samedeal_client.tui.keystrokes import move_keys
from samedeal_client.tui.mover import Mover
from samedeal_client.tui.panel_text import panel_lines, status_line
from samedeal_client.tui.race import Notice, Tone
from samedeal_client.tui.screens.ask import AskScreen
from samedeal_client.tui.screens.base import BaseScreen, bindings_of
from samedeal_client.tui.screens.ledger import LedgerScreen
from samedeal_client.tui.spots import STOCK
from samedeal_client.tui.titles import duel_words, leave_words
from samedeal_client.tui.walk import step
from samedeal_client.tui.widgets.key_bar import KeyBar
from samedeal_client.tui.widgets.lines import Lines
from samedeal_client.tui.widgets.notice import NoticeLine
from samedeal_client.tui.widgets.table_view import TableView
from samedeal_protocol import Hinted
from samedeal_rules import Game, parse_move
from samedeal_rules.moves import CELL, FOUNDATION, RESERVE, WASTE

__all__ = ["PlayScreen"]

PANEL_FROM: Final = 76
"""Columns of the window from which there is room for a panel."""
WIDE_FROM: Final = 110
PANEL_WIDTH: Final = 26
WIDE_PANEL_WIDTH: Final = 34
SECOND_CLICK_S: Final = 0.22
"""So long a click waits for the second of a double click, where the two mean different things."""
CALM_S: Final = 0.7
"""After a draw, so long a click on the emptied stock is no redeal: it was meant to draw."""
BELLS_S: Final = (30, 10, 5)
"""Seconds left at which the bell rings."""
_CELL_KEYS: Final = (("waste", "w"), ("cell_2", "e"), ("redeal", "r"), ("cell_4", "t"))


class PlayScreen(BaseScreen):
    """Keys and clicks become moves; moves show at once, the server confirms them."""

    groups: ClassVar[tuple[str, ...]] = (Group.TABLE, Group.PILE, Group.DUEL, Group.ANYWHERE)
    BINDINGS: ClassVar[list[BindingType]] = bindings_of(*groups)

    class HintCame(Message):
        """The server's answer."""

        def __init__(self, hinted: Hinted | None, words: str = "") -> None:
            super().__init__()
            self.hinted, self.words = hinted, words

    class Leaving(Message):
        """The player wants to go."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        palette = context.palette
        self._table = TableView(palette, context.look)
        self._panel = Lines(palette, id="panel")
        self._status = Lines(palette, id="status")
        self._notice = NoticeLine(palette)
        self._keys = KeyBar(palette)
        self._mover = Mover(context, self)
        self._cursor: int | None = None
        self._said = Notice("")
        self._clicked: Timer | None = None
        self._drawn_at = 0.0
        self._rung = 10**9

    def compose(self) -> ComposeResult:
        """Table and panel side by side; status, notice and keys as wide as the window."""
        yield self._status
        with Horizontal(id="middle"):
            yield self._table
            yield self._panel
        yield self._notice
        yield self._keys

    def on_mount(self) -> None:
        """The first drawing."""
        self._fit(self.size.width)
        self.news()

    def on_resize(self, event: events.Resize) -> None:
        """The panel needs a wide window."""
        self._fit(event.size.width)
        self.news()

    @property
    def game(self) -> Game | None:
        """The table as it will be once all moves on their way are taken."""
        return self._mover.game

    # Drawing.

    def news(self) -> None:
        """Draw what has changed."""
        game, keys = self.game, self.context.settings.keys
        notice = self.context.race.notice
        if notice.at_ms > self._said.at_ms:
            self._said = notice
            if notice.kind == "bad":
                self._mover.hand = Hand(hint=self._mover.hand.hint)
        if game is not None:
            cell_keys = "".join(keys.get(name, key)[:1] for name, key in _CELL_KEYS)
            marks = marks_of(self._mover.hand, game, self._cursor)
            self._table.show_game(game, marks, cell_keys)
        duel = self.context.connection.duel
        hints = duel is not None and duel.hints
        group = Group.DUEL if self._mover.over else Group.TABLE
        names = [action.id for action in shown_now(game, group, hints=hints)]
        if self._mover.over:
            names.insert(1, "standings")  # there is room for it now
        self._keys.offer(self.key_bar(names))
        self.tick()

    def tick(self) -> None:
        """Clock, panel and notice."""
        view, duel = self.context.panel(), self.context.connection.duel
        title = duel_words(duel) if duel is not None else ""
        width = self._panel.size.width
        if self._panel.display and width:
            self._panel.show(panel_lines(view, width, self._panel.size.height))
            self._status.show([[Seg(f" {title}", "dim")]])
        else:
            self._status.show([status_line(view, title, self.size.width)])
        self._notice.tell(self._said.text, self._said.kind)
        self._ring(view.clock_ms if view.late else None)

    def repaint(self) -> None:
        """Other colours or cards."""
        for lines in (self._table, self._panel, self._status, self._notice, self._keys):
            lines.repaint(self.context.palette)
        self._table.look = self.context.look
        self.news()

    def say(self, words: str, kind: str = Tone.PLAIN) -> None:
        """A line under the table."""
        self._said = Notice(words, kind, self.context.connection.server_now_ms())
        self._notice.tell(words, kind)

    def put(self, question: str, then: Callable[[bool], None]) -> None:
        """Ask over the table."""
        screen = AskScreen(self.context, question)
        self.app.push_screen(screen, lambda sure: then(bool(sure)))

    def _fit(self, width: int) -> None:
        self._panel.display = width >= PANEL_FROM
        self._panel.styles.width = WIDE_PANEL_WIDTH if width >= WIDE_FROM else PANEL_WIDTH

    def _ring(self, left_ms: int | None) -> None:
        if left_ms is None:
            return
        due = [second for second in BELLS_S if left_ms <= second * 1000 and second < self._rung]
        if due:
            self._rung = min(due)
            if self.context.settings.bell:
                self.app.bell()

    # Keys.

    def action_pile(self, pile: int) -> None:
        """A column's key."""
        self._mover.press(pile)

    def action_zero(self) -> None:
        """Column ten where there is one, else the foundations."""
        ten = self.game is not None and len(self.game.board.columns) >= CELL
        self._mover.press(CELL - 1 if ten else FOUNDATION)

    def action_waste(self) -> None:
        """The waste; in a game with cells the first of them has this key."""
        self._mover.press(CELL if self._has_cells() else WASTE)

    def action_cell(self, index: int) -> None:
        """A cell's key."""
        self._mover.press(CELL + index)

    def on_key(self, event: events.Key) -> None:
        """Capital letters are the places of the reserve."""
        letter = event.character or ""
        if self.game is not None and len(letter) == 1 and "A" <= letter <= "T":
            place = ord(letter) - ord("A")
            if place < len(self.game.board.reserve):
                event.stop()
                self._mover.press(RESERVE + place)

    def action_draw(self) -> None:
        """Draw; never a redeal."""
        self._drawn_at = time.monotonic()
        self._mover.play("d")

    def action_redeal(self) -> None:
        """Turn the waste over; in a game with cells the third of them has this key."""
        if self._has_cells():
            self.action_cell(2)
        else:
            self._mover.play("r")

    def action_undo(self) -> None:
        """Take the last move back."""
        self._mover.play("u")

    def action_finish(self) -> None:
        """End our game."""
        self._mover.play("end")

    def action_best(self) -> None:
        """What is chosen, to its best place; without a choice the pile that the arrows are on."""
        if self._mover.hand.picked is None and self._cursor == STOCK:
            self.action_draw()
        else:
            self._mover.best(self._cursor)

    def action_up(self) -> None:
        """One card up."""
        self._mover.up()

    def action_step(self, by: int) -> None:
        """The arrows walk over the piles."""
        if self.game is not None:
            self._cursor = step(self.game, self._cursor, by)
            self.news()

    def action_choose(self) -> None:
        """Choose the pile that the arrows are on."""
        if self._cursor == STOCK:
            self.action_draw()
        elif self._cursor is not None:
            self._mover.press(self._cursor)

    def action_drop(self) -> None:
        """Let go."""
        self._cursor = None
        self._mover.let_go()

    def action_points(self) -> None:
        """The ledger."""
        self.app.push_screen(LedgerScreen(self.context))

    def action_standings(self) -> None:
        """Who is where, where the window has no room for it at the side."""
        self.app.push_screen(LedgerScreen(self.context, standings=True))

    def action_hint(self) -> None:
        """Ask the server; the answer comes as a message."""
        duel = self.context.connection.duel
        if duel is not None and not duel.hints:
            self.say(_("This duel has no hints."))
        else:
            self.run_worker(self._ask_hint(), group="hint", exclusive=True)

    async def _ask_hint(self) -> None:
        try:
            self.post_message(self.HintCame(await self.context.connection.hint()))
        except ClientError as error:
            self.post_message(self.HintCame(None, str(error)))

    def on_play_screen_hint_came(self, message: HintCame) -> None:
        """Show it on the table, and say it."""
        hinted = message.hinted
        if hinted is None:
            self.say(message.words + ".", Tone.WARN)
            return
        self._mover.hand = Hand(hint=hinted.move)
        if hinted.answer == "stuck":
            words = _("The table is stuck: nothing helps any more. {undo} takes back, {end} ends.")
            keys = {"undo": self.context.key("undo"), "end": self.context.key("finish")}
            self.say(words.format(**keys), Tone.WARN)
        elif hinted.move is None:
            self.say(hint_words(hinted), Tone.WARN)
        else:
            self.say(self._hint_told(hinted.move), Tone.GOOD)
        self.news()

    def _hint_told(self, text: str) -> str:
        """The move in words, and the keys that play it."""
        game = self.game
        move = parse_move(text, game.ruleset.deck.suits) if game is not None else None
        if game is None or move is None:
            return text
        words = advice_words(game, text, self.context.look.told)
        keys = move_keys(move, self.context.key)
        return _("Try: {move} ({keys})").format(move=words, keys=keys)

    def action_leave(self) -> None:
        """Leave the duel, after asking."""
        duel, game = self.context.connection.duel, self.game
        if duel is not None and game is not None:
            scored = game.ruleset.scored
            self.put(leave_words(duel, scored=scored, over=self._mover.over), self._left)

    def _left(self, sure: bool) -> None:
        if sure:
            self.app.post_message(self.Leaving())

    def _has_cells(self) -> bool:
        return self.game is not None and bool(self.game.board.cells)

    # The mouse.

    def on_table_view_clicked(self, message: TableView.Clicked) -> None:
        """A click on a card: up at once; elsewhere after a moment, as it may be a double click."""
        self._stop_clicked()
        if message.spot.pile == STOCK:
            self._click_stock()
        elif message.chain == 2 and not message.choose:
            self._mover.double_click(message.spot)
        else:
            choose = message.choose or self.context.settings.click == "choose"
            wanted = self._mover.click(message.spot, choose=choose)
            if wanted is not None:
                self._clicked = self.set_timer(SECOND_CLICK_S, lambda: self._mover.take(wanted))

    def on_table_view_dragged(self, message: TableView.Dragged) -> None:
        """Just these cards, to there."""
        if STOCK not in (message.source.pile, message.target.pile):
            self._mover.drag(message.source, message.target)

    def _click_stock(self) -> None:
        game = self.game
        if game is None:
            return
        if game.board.drawn < len(game.board.talon):
            self.action_draw()
        elif time.monotonic() - self._drawn_at < CALM_S:
            self.say(_("The stock is empty: click again to redeal."))
        else:
            self._mover.play("r")

    def _stop_clicked(self) -> None:
        if self._clicked is not None:
            self._clicked.stop()
            self._clicked = None

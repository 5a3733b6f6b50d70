"""A finished duel on the full screen: step, play at speed, jump."""

from __future__ import annotations

import time
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message

from samedeal_client.replay.line import moment_typed, player_index
from samedeal_client.replay.reel import Reel
from samedeal_client.texts import _
from samedeal_client.tui.actions import Group
from samedeal_client.tui.canvas import Seg
from samedeal_client.tui.context import Context
from samedeal_client.tui.replay.lines import standing_line, tables_lines, time_line
from samedeal_client.tui.replay.playback import Playback
from samedeal_client.tui.screens.base import BaseScreen, bindings_of
from samedeal_client.tui.screens.typing import TypingScreen
from samedeal_client.tui.titles import game_words
from samedeal_client.tui.widgets.key_bar import KeyBar
from samedeal_client.tui.widgets.lines import Lines
from samedeal_rules import Ruleset

__all__ = ["ReplayScreen"]

FRAME_S: Final = 0.1
"""Ten pictures a second: cards don't move more smoothly than that."""
_KEYS: Final = (
    "replay_next",
    "replay_back",
    "replay_play",
    "replay_leave",
    "replay_player",
    "replay_jump",
    "replay_faster",
    "replay_slower",
    "replay_open",
    "help",
)
_ALONE: Final = frozenset({"replay_player"})
"""What makes no sense with one player."""


class ReplayScreen(BaseScreen):
    """Says only that somebody wants to leave; the app knows where to."""

    groups: ClassVar[tuple[str, ...]] = (Group.REPLAY, Group.ANYWHERE)
    BINDINGS: ClassVar[list[BindingType]] = bindings_of(*groups)

    class Leaving(Message):
        """Enough of it."""

    def __init__(self, context: Context, reel: Reel, *, opened: bool = False) -> None:
        super().__init__(context)
        self._playback = Playback(reel, opened=opened)
        self._status = Lines(context.palette, id="status")
        self._tables = Lines(context.palette, id="table", ground="felt")
        self._time = Lines(context.palette, id="notice")
        self._keys = KeyBar(context.palette)
        self._drawn_at = 0.0

    @property
    def reel(self) -> Reel:
        """What is looked at."""
        return self._playback.reel

    @property
    def running(self) -> bool:
        """Whether it plays by itself."""
        return self._playback.running

    @property
    def ruleset(self) -> Ruleset:
        """Of the game that was played."""
        return self.reel.film.ruleset

    def compose(self) -> ComposeResult:
        """Standing, tables, time, keys."""
        yield self._status
        yield self._tables
        yield self._time
        yield self._keys

    def on_mount(self) -> None:
        """The deal."""
        alone = len(self.reel.replay.films) == 1
        self._keys.offer(self.key_bar(name for name in _KEYS if not (alone and name in _ALONE)))
        self.set_interval(FRAME_S, self._next_picture)
        self._draw()

    def on_resize(self) -> None:
        """More or fewer tables fit."""
        self._draw()

    def repaint(self) -> None:
        """Other colours."""
        for lines in (self._status, self._tables, self._time, self._keys):
            lines.repaint(self.context.palette)
        self._draw()

    # Keys.

    def action_go(self, by: int) -> None:
        """Some moves on or back; it holds there."""
        self._show(self._playback.at(self.reel.step(by)))

    def action_deal(self) -> None:
        """To the deal."""
        self._show(self._playback.at(self.reel.jump(0)))

    def action_end(self) -> None:
        """To the end of the game in focus."""
        self._show(self._playback.at(self.reel.jump(self.reel.film.last)))

    def action_play(self) -> None:
        """Run, or hold."""
        self._drawn_at = time.monotonic()
        self._show(self._playback.toggled())

    def action_pace(self, by: int) -> None:
        """Faster or slower."""
        self._show(self._playback.paced(by))

    def action_player(self) -> None:
        """The next player's game."""
        self._show(self._playback.seen_by(self.reel.focus + 1))

    def action_open(self) -> None:
        """Face-down cards too, or not."""
        self._show(self._playback.turned())

    def action_jump(self) -> None:
        """Ask where to."""
        words = _("The number of a move, a time like 1:30, or a player's name.")
        self.app.push_screen(TypingScreen(_("Where to?"), words), self._jumped)

    def action_leave(self) -> None:
        """Back."""
        self.post_message(self.Leaving())

    # How it works.

    def _jumped(self, typed: str | None) -> None:
        if typed is None:
            return
        found = player_index(self.reel.replay.films, typed)
        moved = moment_typed(self.reel, typed) if found is None else None
        if found is not None:
            self._show(self._playback.seen_by(found))
        elif moved is not None:
            self._show(self._playback.at(moved))
        else:
            self.app.bell()

    def _next_picture(self) -> None:
        if not self._playback.running:
            return
        now = time.monotonic()
        passed, self._drawn_at = now - self._drawn_at, now
        self._show(self._playback.passed(passed))

    def _show(self, playback: Playback) -> None:
        self._playback = playback
        self._draw()

    def _draw(self) -> None:
        width, height = self._tables.size
        if not width or not height:
            return
        look, replay = self.context.look, self.reel.replay
        title = f" {game_words(replay.ruleset, replay.options)} "
        self._status.show(
            [[Seg(title, "dim"), *standing_line(self.reel, max(0, self.size.width - len(title)))]]
        )
        self._tables.show(tables_lines(self._playback, width, height, look))
        self._time.show([time_line(self._playback, self.size.width, look)])

"""What the app does whatever is played: themes, too small windows, Ctrl-C, the way out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from traceback import format_exc
from typing import Any, ClassVar, Final

from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.screen import Screen

from samedeal_client.state import OVER
from samedeal_client.texts import _
from samedeal_client.tui.actions import ACTIONS, Group
from samedeal_client.tui.context import Context
from samedeal_client.tui.layout import MIN_WIDTH
from samedeal_client.tui.report import write_report
from samedeal_client.tui.screens.base import BaseScreen
from samedeal_client.tui.screens.small import SmallScreen
from samedeal_client.tui.settings import Settings
from samedeal_client.tui.themes import theme_name, themes
from samedeal_protocol import DuelPhase

__all__ = ["INTERRUPTED", "Shell"]

MIN_WINDOW: Final = (MIN_WIDTH, 16)
"""Below it only a line is shown."""
INTERRUPTED: Final = 130
"""128 + SIGINT, as shells have it."""
CALM_AFTER_S: Final = 3
"""So long a first Ctrl-C in a running game waits for a second."""
_STARTING: Final = (DuelPhase.FROZEN, DuelPhase.COUNTDOWN)
_BASE: Final = 1
"""Textual's own blank screen is below ours."""


class Shell(App[int]):
    """Returns the exit code."""

    CSS_PATH = Path(__file__).with_name("app.tcss")
    ENABLE_COMMAND_PALETTE = True
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "interrupt", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(self, context: Context) -> None:
        super().__init__(ansi_color=None if context.palette.ground else True)
        self.context = context
        self.left: str | None = None
        """The duel that the player has turned away from."""
        self._small: SmallScreen | None = None
        self._interrupts = 0
        for theme in themes():
            self.register_theme(theme)
        self.theme = theme_name(context.palette)

    # Screens.

    def show_screen(self, screen: BaseScreen) -> None:
        """Instead of whatever is there, questions over it included."""
        while len(self.screen_stack) > _BASE + 1:
            self.pop_screen()
        self._small = None
        self.switch_screen(screen)
        self._check_size(self.size)

    @property
    def base(self) -> Any:
        """The screen below all questions."""
        return self.screen_stack[_BASE] if len(self.screen_stack) > _BASE else self.screen

    def _tick(self) -> None:
        if self.context.session.open:
            self.each("tick")

    def each(self, what: str) -> None:
        """Tell the base screen: `news` or `tick`."""
        screen = self.base
        if isinstance(screen, BaseScreen) and screen.is_mounted:
            getattr(screen, what)()

    def use_settings(self, settings: Settings) -> None:
        """Other colours or cards, on every screen."""
        self.context.settings = settings
        self.theme = theme_name(self.context.palette)
        for screen in self.screen_stack:
            if isinstance(screen, BaseScreen):
                screen.repaint()

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The command palette: what the screen's keys do."""
        groups = screen.groups if isinstance(screen, BaseScreen) else ()
        for action in ACTIONS:
            if action.group in groups and action.group != Group.PILE:
                does = partial(screen.run_action, action.run)
                yield SystemCommand(_(action.label), _(action.help), does)

    # How it ends.

    @property
    def playing(self) -> bool:
        """Whether our own game runs."""
        if not self.context.session.open:
            return False
        connection = self.context.connection
        duel, table = connection.duel, connection.table
        if duel is None or table is None or duel.phase in OVER or duel.id == self.left:
            return False
        return table.confirmed.ended is None

    @property
    def starting(self) -> bool:
        """Whether a start that we are in is under way: leaving now may call it off."""
        duel = self.context.connection.duel if self.context.session.open else None
        if duel is None or duel.you is None or duel.id == self.left:
            return False
        return duel.phase in _STARTING

    def action_interrupt(self) -> None:
        """Ctrl-C: at once where nothing is lost; in a running game the second one."""
        self._interrupts += 1
        if (self.playing or self.starting) and self._interrupts == 1:
            self.set_timer(CALM_AFTER_S, self._calm)
            screen = self.base
            words = _(
                "Ctrl-C again leaves; the duel goes on, and `samedeal play` comes back to it."
            )
            if self.starting:
                words = _("Ctrl-C again leaves; then there may be no start for the others.")
            if hasattr(screen, "say"):
                screen.say(words)
            return
        self.leave_now(INTERRUPTED)

    def _calm(self) -> None:
        self._interrupts = 0

    def leave_now(self, code: int) -> None:
        """Out, whatever is under way; a running game goes on without us."""
        words = None
        if self.playing:
            words = _("The duel goes on: `samedeal play` brings you back.")
        self.exit(code, return_code=code, message=words)

    def _fatal_error(self) -> None:
        """An error of ours: the terminal as it was, a line, and a report in a file.

        Textual would print a traceback with all local variables, tokens among them.
        """
        where = write_report(format_exc())
        words = _(
            "samedeal play: something went wrong, and it is our fault. A report is in {file}."
        )
        self._exit_renderables.append(words.format(file=where))
        if self.playing:
            words = _("The duel goes on: `samedeal play` brings you back.")
            self._exit_renderables[-1] = f"{self._exit_renderables[-1]}\n{words}"
        self._close_messages_no_wait()

    def on_small_screen_quitting(self, _message: SmallScreen.Quitting) -> None:
        """As Ctrl-C: in a running game only the second one leaves."""
        if self._small is not None:
            self._small.say(_("q again leaves"))
        self._interrupts += 1
        if not self.playing or self._interrupts > 1:
            self.leave_now(0)
        else:
            self.set_timer(CALM_AFTER_S, self._calm)

    def on_resize(self, event: events.Resize) -> None:
        """Too small, or large enough again."""
        self._check_size(event.size)

    def _check_size(self, size: Size) -> None:
        width, height = size
        small = width < MIN_WINDOW[0] or height < MIN_WINDOW[1]
        if small and self._small is None:
            self._small = SmallScreen(MIN_WINDOW, running=self.playing)
            self.push_screen(self._small)
        elif not small and self._small is not None:
            if self.screen is self._small:
                self.pop_screen()
            self._small = None

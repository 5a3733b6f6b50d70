"""A replay by itself: `samedeal replay` on a terminal."""

from __future__ import annotations

from samedeal_client.plain.client import Wish
from samedeal_client.replay.reel import Reel
from samedeal_client.tui.context import Context
from samedeal_client.tui.replay.screen import ReplayScreen
from samedeal_client.tui.run import leave_on_signals, own_context
from samedeal_client.tui.screens.rules import RulesScreen
from samedeal_client.tui.shell import Shell

__all__ = ["ReplayApp", "replay_full_screen"]


class ReplayApp(Shell):
    """One screen. Needs no server."""

    def __init__(self, context: Context, reel: Reel, *, opened: bool = False) -> None:
        super().__init__(context)
        self._screen = ReplayScreen(context, reel, opened=opened)

    def on_mount(self) -> None:
        """Show it."""
        self.set_keymap(self.context.settings.keys)
        self.push_screen(self._screen)
        self._check_size(self.size)

    def action_help(self) -> None:
        """The rules of the game."""
        if not isinstance(self.screen, RulesScreen):
            self.push_screen(RulesScreen(self.context, self._screen.ruleset, self._screen.groups))

    def on_replay_screen_leaving(self, _message: ReplayScreen.Leaving) -> None:
        """There is nothing else here."""
        self.exit(0)


async def replay_full_screen(reel: Reel, *, opened: bool, ascii_only: bool) -> int:
    """Look at it until the person has enough; the exit code. Raises `BadSettings`."""
    app = ReplayApp(own_context(Wish(ascii_only=ascii_only)), reel, opened=opened)
    leave_on_signals(app)
    code = await app.run_async()
    return code if code is not None else (app.return_code or 0)

"""The full-screen client: screens follow the duel, workers talk to the server."""

from __future__ import annotations

from typing import Any, Final

from textual.message import Message

from samedeal_client import events as facts
from samedeal_client.entry import NoEntry
from samedeal_client.errors import ClientError, ConnectionFailed
from samedeal_client.invitation import lost_code_words
from samedeal_client.plain.choosing import Choice
from samedeal_client.plain.style import printable
from samedeal_client.plain.words import game_title
from samedeal_client.texts import N_, _
from samedeal_client.tui import race
from samedeal_client.tui.bests import best_of, keep_best
from samedeal_client.tui.context import Context
from samedeal_client.tui.doings import make_duel, reel_of, save_record, wished_order
from samedeal_client.tui.messages import Failed, Heard, LineEnded
from samedeal_client.tui.orders import Purpose, level_of, order_of
from samedeal_client.tui.replay.screen import ReplayScreen
from samedeal_client.tui.scene import Scene, gone_words, scene_of
from samedeal_client.tui.screens.base import BaseScreen
from samedeal_client.tui.screens.board import BoardScreen
from samedeal_client.tui.screens.games import GamesScreen
from samedeal_client.tui.screens.lobby import LobbyScreen
from samedeal_client.tui.screens.menu import MenuScreen
from samedeal_client.tui.screens.open_duels import OpenScreen
from samedeal_client.tui.screens.order import OrderScreen
from samedeal_client.tui.screens.play import PlayScreen
from samedeal_client.tui.screens.preferences import PreferencesScreen
from samedeal_client.tui.screens.result import ResultScreen
from samedeal_client.tui.screens.rules import RulesScreen
from samedeal_client.tui.screens.top import TopScreen
from samedeal_client.tui.screens.typing import TypingScreen
from samedeal_client.tui.screens.wait import WaitScreen
from samedeal_client.tui.screens.watch import WatchScreen
from samedeal_client.tui.settings import save_settings
from samedeal_client.tui.shell import Shell
from samedeal_client.tui.titles import back_words, server_gone_words
from samedeal_protocol import Cancel, DuelChanged, Queue, Result
from samedeal_rules import RULESETS

__all__ = ["SameDeal"]

TICK_S: Final = 0.25
"""How often the clock is looked at; it is drawn when its text changes."""
_TITLES: Final = {
    Purpose.BOT: N_("Race a bot: which game?"),
    Purpose.CREATE: N_("Create a duel: which game?"),
    Purpose.PRACTICE: N_("Practise alone: which game?"),
    "quick": N_("Quick match: which game?"),
    "rules": N_("Rules of which game?"),
}


class SameDeal(Shell):
    """Returns the exit code."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._scene: Scene | None = None
        self._queued = False
        """Whether opponents are being waited for."""
        self._told = ""
        self._duel = ""
        self._back = False
        """Whether something else was wished than the duel that we are back in."""
        self._seated = False
        """Whether we had a seat in that duel when it came."""

    # The start.

    def on_mount(self) -> None:
        """Find a server, say who we are, then what was wished."""
        self.set_keymap(self.context.settings.keys)
        self.push_screen(WaitScreen(self.context, _("Looking for a server ...")))
        self.set_interval(TICK_S, self._tick)
        self.run_worker(self._begin(), group="begin", exit_on_error=True)

    def tell(self, words: str) -> None:
        """Something to say with the next question for a name."""
        self._told = words

    async def ask_name(self, default: str | None) -> str | None:
        """Ask on a screen of its own; for who opens the session."""
        session = self.context.session
        where = _("A private server was started for you.") if session.private else session.address
        title, why = _("What shall others call you?"), self._told
        self._told = ""
        self.base.say("")  # the server is found
        screen = TypingScreen(title, where, default=default or "", why=why)
        return await self.push_screen_wait(screen)

    async def _begin(self) -> None:
        session = self.context.session
        try:
            await session.find_server()
            await session.enter(self)
        except NoEntry:
            self.exit(0)
            return
        except ConnectionFailed as error:
            words = _(
                "no game at {address}: {why}.\nIs the address right, and does a server run there?"
            )
            why = printable(str(error))
            self._fail(words.format(address=session.address, why=why))
            return
        except (ClientError, ValueError) as error:
            self._fail(printable(str(error)))
            return
        self.run_worker(self._listen(), group="listen")
        self.post_message(self.Entered())

    def _fail(self, words: str) -> None:
        self.exit(1, return_code=1, message=f"samedeal play: {words}")

    class Entered(Message):
        """The line stands."""

    def on_same_deal_entered(self, _message: Entered) -> None:
        """Back into a duel that runs, else the wish of the command line, else the menu."""
        connection, wish = self.context.connection, self.context.wish
        if connection.place == "duel":
            self._back = wish.action is not None
            return  # `duel` follows, and the scene with it
        if wish.action is None:
            self.follow()
        else:
            self._wished(wish.action)

    def _wished(self, action: str) -> None:
        context, wish = self.context, self.context.wish
        order = wished_order(context, action)
        if action in (Purpose.BOT, Purpose.CREATE, Purpose.PRACTICE):
            self._ask(make_duel(context, order, action, wish.level or "normal"))
        elif action in ("join", "watch") and wish.code:
            self._enter_duel(action, wish.code)
        elif action == "quick":
            self._queue(order.ruleset)
        else:
            self._scene_menu()
            self._menu_chosen(action)

    async def _listen(self) -> None:
        """Pass on what comes; touches no widget."""
        async for event in self.context.connection.events():
            self.post_message(Heard(event))
        self.post_message(LineEnded(_("The connection has ended.")))

    # What comes.

    def on_heard(self, message: Heard) -> None:
        """Fold it, and let the screen follow."""
        event, connection, context = message.event, self.context.connection, self.context
        ruleset, duel = context.ruleset(), connection.duel
        if duel is not None and duel.id != self._duel:
            self._begin_duel(duel)
        context.race = race.hear(
            context.race,
            event,
            connection.server_now_ms(),
            context.look,
            ruleset.deck if ruleset is not None else None,
            duel.you if duel is not None else None,
        )
        if isinstance(event, Result) and duel is not None and duel.seats == 1:
            row = next((row for row in event.ranking if row.seat == duel.you), None)
            stands = None if row is None else row.up if row.score is None else row.score
            title = game_title(duel.ruleset, duel.options)
            context.new_best = stands is not None and keep_best(title, stands)
        if isinstance(event, facts.Replaced):
            self.exit(0, message=_("You are connected from elsewhere now; this window has ended."))
            return
        self.follow()
        self.each("news")

    def _begin_duel(self, duel: DuelChanged) -> None:
        """Nothing of the last one is news any more; a match that was waited for begins at once."""
        self._duel, self.context.race = duel.id, race.Race()
        self._seated = duel.you is not None
        alone = duel.seats == 1 and self._seated
        title = game_title(duel.ruleset, duel.options)
        self.context.best = best_of(title) if alone else None
        self.context.new_best = False
        if self._queued:
            self._queued = False
            self._ask(self.context.connection.ready())

    def on_line_ended(self, message: LineEnded) -> None:
        """Nothing more will come."""
        self.exit(1, return_code=1, message=message.words)

    def on_wait_screen_given_up(self, _message: WaitScreen.GivenUp) -> None:
        """No more waiting for opponents."""
        if self._queued:
            self._queued = False
            self._ask(self.context.connection.request(Cancel(req=0)))
            self._scene_menu()

    def on_failed(self, message: Failed) -> None:
        """Say it where the player is."""
        if self._scene is None:
            self._scene_menu()
        screen: Any = self.screen
        if hasattr(screen, "say"):
            screen.say(message.words)
        else:
            self.notify(message.words, markup=False)

    def follow(self) -> None:
        """Show the scene that the duel is in."""
        connection = self.context.connection
        duel = connection.duel
        left = duel is not None and duel.id == self.left
        scene = scene_of(duel, connection.result, table=connection.table is not None, left=left)
        if duel is not None and not left and (words := gone_words(duel, seated=self._seated)):
            self.left = duel.id
            self._scene_menu()
            self.post_message(Failed(words))
            return
        if scene is self._scene or (scene is Scene.MENU and self._scene is None and self._queued):
            return
        screens = {
            Scene.MENU: MenuScreen,
            Scene.LOBBY: LobbyScreen,
            Scene.TABLE: PlayScreen,
            Scene.WATCH: WatchScreen,
            Scene.RESULT: ResultScreen,
        }
        self._scene = scene
        self.show_screen(screens[scene](self.context))
        if self._back and duel is not None and scene in (Scene.TABLE, Scene.LOBBY):
            self._back = False
            self.post_message(Failed(back_words(duel, self.context.key("leave"))))

    def _scene_menu(self) -> None:
        self._scene = Scene.MENU
        self.show_screen(MenuScreen(self.context))

    # What is asked for.

    def on_menu_screen_chosen(self, message: MenuScreen.Chosen) -> None:
        """An entry of the menu."""
        self._menu_chosen(message.name)

    def _menu_chosen(self, name: str) -> None:
        if name in _TITLES:
            title = _(_TITLES[name])
            self.push_screen(GamesScreen(self.context, name, title))
        elif name in ("join", "watch"):
            words = _("Six letters and digits, as somebody told you.")
            title = _("The code of the duel")
            self.push_screen(TypingScreen(title, words), lambda code: self._typed(name, code))
        elif name == "open":
            self.push_screen(OpenScreen(self.context))
        elif name == "top":
            self.push_screen(TopScreen(self.context))
        elif name == "settings":
            self.action_settings()
        elif name == "quit":
            self.exit(0)

    def on_open_screen_chosen(self, message: OpenScreen.Chosen) -> None:
        """A seat in one of the open duels."""
        self._enter_duel("join", message.code)

    def _typed(self, name: str, code: str | None) -> None:
        if code:
            self._enter_duel(name, code)

    def on_games_screen_chosen(self, message: GamesScreen.Chosen) -> None:
        """A game for a duel, a queue, or to read about."""
        if message.ruleset is None:
            self.pop_screen()
        elif message.purpose == "rules":
            self.push_screen(RulesScreen(self.context, RULESETS[message.ruleset]))
        elif message.purpose == "quick":
            self._queue(message.ruleset)
        else:
            self.push_screen(OrderScreen(self.context, message.ruleset, message.purpose))

    def on_order_screen_placed(self, message: OrderScreen.Placed) -> None:
        """A duel as it was chosen."""
        if message.rows is None:
            self.pop_screen()
            return
        order = order_of(message.ruleset, message.rows, message.purpose)
        self.context.game = Choice(order.ruleset, order.options)
        level = level_of(message.rows)
        self._ask(make_duel(self.context, order, message.purpose, level))

    def on_preferences_screen_changed(self, message: PreferencesScreen.Changed) -> None:
        """Show it at once; keep it when the player goes back."""
        self.use_settings(message.settings)
        if message.keep:
            self.pop_screen()
            try:
                save_settings(message.settings)
            except OSError as error:
                why = error.strerror or str(error)
                self.post_message(Failed(_("The settings can't be kept: {why}.").format(why=why)))

    def on_lobby_screen_asked(self, message: LobbyScreen.Asked) -> None:
        """Ready, start, or leave."""
        connection = self.context.connection
        if message.what == "ready":
            self._ask(connection.ready())
        elif message.what == "start":
            self._ask(connection.start())
        else:
            self._leave()

    def on_play_screen_leaving(self, _message: PlayScreen.Leaving) -> None:
        """Out of a running duel."""
        self._leave()

    def on_result_screen_asked(self, message: ResultScreen.Asked) -> None:
        """Rematch, save, board, menu."""
        if message.what == "rematch":
            self._ask(self.context.connection.rematch())
        elif message.what == "replay":
            self._ask(self._look_again())
        elif message.what == "save":
            self._ask(self._save())
        elif message.what == "board":
            self.push_screen(BoardScreen(self.context))
        elif message.what == "menu":
            self._turn_away()
            self.follow()

    async def _save(self) -> None:
        self.post_message(Failed(await save_record(self.context)))

    async def _look_again(self) -> None:
        self.push_screen(ReplayScreen(self.context, await reel_of(self.context)))

    def on_replay_screen_leaving(self, _message: ReplayScreen.Leaving) -> None:
        """Back to the result."""
        if isinstance(self.screen, ReplayScreen):
            self.pop_screen()

    def action_help(self) -> None:
        """The rules of the game at hand."""
        screen = self.screen if isinstance(self.screen, BaseScreen) else self.base
        ruleset = self.context.ruleset() or RULESETS[self.context.game.ruleset]
        if isinstance(screen, ReplayScreen):
            ruleset = screen.ruleset
        if not isinstance(self.screen, RulesScreen):
            self.push_screen(RulesScreen(self.context, ruleset, screen.groups))

    def action_settings(self) -> None:
        """Over whatever is there; a duel goes on behind it."""
        if not isinstance(self.screen, PreferencesScreen):
            self.push_screen(PreferencesScreen(self.context))

    # How it asks.

    def _enter_duel(self, action: str, code: str) -> None:
        connection = self.context.connection
        self.context.inviting = True
        self.left = None  # one may come back to a duel that one has left
        self._ask(connection.join(code) if action == "join" else connection.watch(code))

    def _queue(self, ruleset: str) -> None:
        self._queued = True
        words = _("Waiting for an opponent in {game}. ESC stops waiting.").format(game=ruleset)
        self.show_screen(WaitScreen(self.context, words))
        self._scene = None
        self._ask(
            self.context.connection.request(
                Queue(req=0, ruleset=ruleset, seats=self.context.wish.seats)
            )
        )

    def _leave(self) -> None:
        self._turn_away()
        self._ask(self.context.connection.leave())
        self.follow()

    def _turn_away(self) -> None:
        duel = self.context.connection.duel
        self.left = duel.id if duel is not None else None

    def _ask(self, request: Any) -> None:
        """In a worker; what the server refuses is said, and nothing else happens."""
        self.run_worker(self._answered(request), group="ask")

    async def _answered(self, request: Any) -> None:
        if not self.context.connection.up:
            self.post_message(Failed(server_gone_words()))
        try:
            await request
        except (ClientError, ValueError) as error:
            words = lost_code_words(error, private=self.context.session.private)
            self.post_message(Failed(f"{printable(words)}."))

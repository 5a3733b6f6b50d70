"""The line client: a menu, one duel after another, and everything closed behind it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final

from samedeal_client.address import server_address
from samedeal_client.connection import Connection
from samedeal_client.entry import enter
from samedeal_client.errors import ClientError, ConnectionFailed
from samedeal_client.identity import HERE, Identities
from samedeal_client.invitation import lost_code_words, serve_command
from samedeal_client.local_server import LocalServer, find_or_start, start_bot
from samedeal_client.order import Order
from samedeal_client.plain.choosing import DEFAULT, Choice, choose
from samedeal_client.plain.entry import LineGreeter
from samedeal_client.plain.herald import Herald
from samedeal_client.plain.open_duels import choose_open
from samedeal_client.plain.room import Outcome, Room
from samedeal_client.plain.style import printable, style_for
from samedeal_client.plain.terminal import Terminal
from samedeal_client.plain.words import LOBBY
from samedeal_client.state import OVER
from samedeal_client.texts import N_, _, is_word
from samedeal_protocol import Cancel, Create, DuelPhase, Queue

__all__ = ["Wish", "play_plain"]

MENU: Final = N_("""
  1  race a bot now
  2  create a duel and invite friends
  3  join a duel by code
  4  quick match: whoever comes
  5  practise alone
  6  watch a duel by code
  7  look at open duels, and join one
  q  quit""")
LEVEL_WORDS: Final = {"easy": N_("easy"), "normal": N_("normal"), "hard": N_("hard")}
LEVELS: Final = tuple(LEVEL_WORDS)


@dataclass(frozen=True)
class Wish:
    """What the command line asked for."""

    action: str | None = None
    """bot, create, join, open, watch, quick, practice; None shows the menu."""
    code: str | None = None
    server: str | None = None
    name: str | None = None
    game: Choice | None = None
    """None is asked for in the menu, else the default."""
    seats: int = 2
    duration_s: float | None = None
    seed: str | None = None
    winnable: bool = False
    """Only a deal that can be won."""
    listed: bool = False
    """Anybody may find it and join."""
    untimed: bool = False
    """No time limit, where there is one seat."""
    level: str | None = None
    ascii_only: bool = False
    sentences: bool = False
    """In full sentences, for who listens."""
    sure: bool = False
    """Don't ask before what costs."""


async def play_plain(wish: Wish) -> int:
    """Play until the person has enough; the exit code."""
    style = replace(style_for(sys.stdout, ascii_only=wish.ascii_only), sentences=wish.sentences)
    terminal = Terminal(sys.stdin, sys.stdout, style)
    terminal.say(_("Same Deal: everybody races on the same cards."))
    url = ""
    async with contextlib.AsyncExitStack() as stack:
        try:
            url, key, started = await _find_server(terminal, wish, stack)
            identities = Identities()
            stack.callback(identities.release)
            connection = await enter(LineGreeter(terminal), identities, url, key, wish.name)
            stack.push_async_callback(connection.aclose)
        except ConnectionFailed as error:
            where = url.removesuffix("/ws")
            terminal.say(
                _("samedeal play: no game at {where}: {why}.").format(
                    where=where, why=printable(str(error))
                ),
                _("Is the address right, and does a server run there?"),
            )
            return 1
        except (ClientError, ValueError) as error:
            terminal.say(f"samedeal play: {printable(str(error))}")
            return 1
        client = _Client(connection, terminal, wish, private=started)
        stack.push_async_callback(client.close)
        return await client.run()


async def _find_server(
    terminal: Terminal, wish: Wish, stack: contextlib.AsyncExitStack
) -> tuple[str, str, bool]:
    """Address, key of the identities, and whether it was started for us."""
    named = wish.server or os.environ.get("SAMEDEAL_SERVER")
    if named:
        url = server_address(named)
        return url, url, False
    local: LocalServer = await find_or_start()
    stack.push_async_callback(local.stop)
    address = local.url.removesuffix("/ws")
    if local.started:
        terminal.say(
            _("A private server was started for you at {address};").format(address=address),
            _("it stops when you leave. (For friends elsewhere: {command})").format(
                command=serve_command()
            ),
        )
    else:
        terminal.say(_("Using the server that runs here, {address}.").format(address=address))
    return local.url, HERE, local.started


class _Client:
    """From the menu into duels and back."""

    def __init__(
        self, connection: Connection, terminal: Terminal, wish: Wish, *, private: bool
    ) -> None:
        self._connection = connection
        self._terminal = terminal
        self._wish = wish
        self._private = private
        self._game = wish.game or DEFAULT
        self._herald = Herald(connection, terminal)
        self._room: Room | None = None
        self._news = asyncio.Event()
        self._gone = False
        self._bots: list[asyncio.subprocess.Process] = []
        self._listening = asyncio.create_task(self._listen())

    async def close(self) -> None:
        """Our bots go when we go."""
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)
        for bot in self._bots:
            with contextlib.suppress(ProcessLookupError):
                bot.terminate()

    async def run(self) -> int:
        """The command line's wish, then what is asked for; the exit code."""
        self._terminal.say(_("Hello, {name}.").format(name=printable(self._connection.name or "")))
        code = 0
        if self._connection.place == "duel":
            await self._wait_for(self._placed)
        if self._seated():
            self._terminal.say(_("You are in a duel: back to it."))
            if self._wish.action is not None:
                self._terminal.say(_("q leaves it; then start the other from the menu."))
            duel = self._connection.duel
            if duel is not None and duel.seats == 1 and duel.phase in LOBBY:
                self._terminal.say(_("r starts it."))
            outcome = await self._stay(ready=False)
        elif self._wish.action is not None:
            outcome, code = await self._wished(self._wish.action)
        else:
            outcome = Outcome.MENU
        while outcome is not Outcome.QUIT and not self._gone:
            if outcome is Outcome.REMATCH:
                outcome = await self._attempt(self._rematch)
            elif self._wish.action is not None and not self._terminal.interactive:
                break
            else:
                outcome = await self._menu()
        self._terminal.say(_("Goodbye."))
        return code

    async def _wished(self, action: str) -> tuple[Outcome, int]:
        code = self._wish.code
        actions: dict[str, Callable[[], Awaitable[Outcome]]] = {
            "bot": lambda: self._race_bot(self._wish.level or "normal"),
            "create": self._create,
            "join": lambda: self._join(code),
            "open": self._open,
            "watch": lambda: self._watch(code),
            "quick": self._quick,
            "practice": self._practise,
        }
        try:
            return await actions[action](), 0
        except ClientError as error:
            words = lost_code_words(error, private=self._private)
            self._terminal.say(f"{printable(words)}.")
            return (Outcome.MENU if self._terminal.interactive else Outcome.QUIT), 1

    async def _menu(self) -> Outcome:
        self._terminal.say(_(MENU))
        line = await self._terminal.ask("> ")
        if line is None or is_word(line, N_("q quit exit")):
            return Outcome.QUIT
        actions: dict[str, Callable[[], Awaitable[Outcome]]] = {
            "1": self._ask_level,
            "2": self._ask_seats,
            "3": lambda: self._join(None),
            "4": self._ask_quick,
            "5": self._ask_practice,
            "6": lambda: self._watch(None),
            "7": self._open,
        }
        action = actions.get(line)
        if action is None:
            if line:
                self._terminal.say(_("A number from 1 to 7, or q."))
            return Outcome.MENU
        return await self._attempt(action)

    async def _attempt(self, action: Callable[[], Awaitable[Outcome]]) -> Outcome:
        try:
            return await action()
        except (ClientError, ValueError) as error:
            words = lost_code_words(error, private=self._private)
            self._terminal.say(f"{printable(words)}.")
            return Outcome.MENU

    # What there is to do.

    async def _ask_level(self) -> Outcome:
        words = {name: _(LEVEL_WORDS[name]) for name in LEVELS}
        line = await self._terminal.ask(
            _("How strong: {levels} [{default}]: ").format(
                levels=", ".join(words.values()), default=words["normal"]
            )
        )
        level = (line or "normal").lower()
        found = [name for name in LEVELS if name.startswith(level) or words[name].startswith(level)]
        if not found:
            self._terminal.say(_("There is no such level."))
            return Outcome.MENU
        if not await self._game_chosen():
            return Outcome.MENU
        return await self._race_bot(found[0])

    async def _race_bot(self, level: str) -> Outcome:
        duel = await self._connection.request(self._new_duel(2))
        bot = await start_bot(duel.code, level, self._connection.url)
        self._bots.append(bot)
        self._terminal.say(_("The bot is on its way."))
        return await self._stay(ready=True, inviting=False)

    async def _game_chosen(self, *, options: bool = True, alone: bool = False) -> bool:
        """Ask for the game, unless the command line named one."""
        if self._wish.game is not None:
            return True
        game = await choose(self._terminal, self._game, options=options, alone=alone)
        self._game = game or self._game
        return game is not None

    async def _ask_seats(self) -> Outcome:
        if not await self._game_chosen():
            return Outcome.MENU
        typed = await self._terminal.ask(
            _("How many players [2] (and `open`, if anybody may join): ")
        )
        words = (typed or "").split()
        listed = any(is_word(word, N_("open listed")) for word in words)
        numbers = [word for word in words if not is_word(word, N_("open listed"))]
        try:
            seats = int("".join(numbers) or 2)
        except ValueError:
            self._terminal.say(_("That is no number."))
            return Outcome.MENU
        await self._connection.request(self._new_duel(seats, listed=listed or self._wish.listed))
        return await self._stay(ready=False)

    async def _create(self) -> Outcome:
        wish = self._wish
        await self._connection.request(self._new_duel(wish.seats, listed=wish.listed))
        return await self._stay(ready=False)

    async def _ask_practice(self) -> Outcome:
        chosen = await self._game_chosen(alone=True)
        return await self._practise() if chosen else Outcome.MENU

    async def _ask_quick(self) -> Outcome:
        chosen = await self._game_chosen(options=False)
        return await self._quick() if chosen else Outcome.MENU

    async def _practise(self) -> Outcome:
        await self._connection.request(self._new_duel(1))
        return await self._stay(ready=True)

    async def _join(self, code: str | None) -> Outcome:
        code = code or await self._terminal.ask(_("The code of the duel: "))
        if not code:
            return Outcome.MENU
        await self._connection.join(code)
        return await self._stay(ready=False)

    async def _open(self) -> Outcome:
        code = await choose_open(self._terminal, await self._connection.open_duels())
        return await self._join(code) if code else Outcome.MENU

    async def _watch(self, code: str | None) -> Outcome:
        code = code or await self._terminal.ask(_("The code of the duel: "))
        if not code:
            return Outcome.MENU
        await self._connection.watch(code)
        return await self._stay(ready=False)

    async def _quick(self) -> Outcome:
        former = self._connection.duel
        ruleset, seats = self._game.ruleset, self._wish.seats
        try:
            queue = Queue(req=0, ruleset=ruleset, seats=seats)
        except ValueError:
            raise ClientError(_("quick match is for 2 to 16 players")) from None
        await self._connection.request(queue)
        self._terminal.say(
            _("Waiting for an opponent in {game}. Enter (or Ctrl-C) stops waiting.").format(
                game=ruleset
            )
        )
        waiting = asyncio.create_task(self._wait_for(lambda: self._matched(former)))
        typing = asyncio.create_task(self._terminal.ask("")) if self._terminal.interactive else None
        tasks = [task for task in (waiting, typing) if task is not None]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if not self._matched(former):
            await self._connection.request(Cancel(req=0))
            return Outcome.MENU
        return await self._stay(ready=True)

    async def _rematch(self) -> Outcome:
        await self._connection.rematch()
        return await self._stay(ready=False)

    # How it works.

    def _placed(self) -> bool:
        """The duel that we came back to is known, and the table too if it runs."""
        duel = self._connection.duel
        if duel is None:
            return False
        return duel.phase is not DuelPhase.RUNNING or self._connection.table is not None

    def _seated(self) -> bool:
        """In a duel that is not over. (One that is over holds nobody back.)"""
        duel = self._connection.duel
        return duel is not None and duel.you is not None and duel.phase not in OVER

    def _matched(self, former: object) -> bool:
        return self._gone or (self._connection.duel is not None and self._connection.duel != former)

    async def _stay(self, *, ready: bool, inviting: bool = True) -> Outcome:
        self._herald.inviting = inviting
        room = Room(self._connection, self._terminal, self._herald, ask=not self._wish.sure)
        self._room = room
        try:
            if ready:
                await room.ready()
            return await room.run()
        finally:
            self._room = None

    async def _listen(self) -> None:
        async for event in self._connection.events():
            if self._room is not None:
                self._room.hear(event)
            else:
                self._herald.hear(event)
            self._news.set()
        self._gone = True
        self._news.set()

    async def _wait_for(self, condition: Callable[[], bool]) -> None:
        while not condition() and not self._gone:
            self._news.clear()
            await self._news.wait()

    def _new_duel(self, seats: int, *, listed: bool = False) -> Create:
        wish = self._wish
        return Order(
            self._game.ruleset,
            self._game.options,
            seats,
            duration_s=wish.duration_s,
            untimed=wish.untimed or self._game.untimed,
            seed=wish.seed,
            winnable=wish.winnable or self._game.winnable,
            listed=listed,
        ).request()

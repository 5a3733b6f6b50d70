"""One duel in the line client: from the seats filling to the result."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from enum import Enum, auto
from pathlib import Path
from typing import Final

from samedeal_client import events as facts
from samedeal_client.connection import Connection
from samedeal_client.errors import ClientError
from samedeal_client.events import Event
from samedeal_client.plain.help_text import help_lines
from samedeal_client.plain.herald import Herald
from samedeal_client.plain.playing import Playing
from samedeal_client.plain.style import printable
from samedeal_client.plain.terminal import Terminal
from samedeal_client.plain.words import LOBBY, LOBBY_HELP, OVER_HELP, WATCHED_HELP
from samedeal_client.record_file import record_name, write_record
from samedeal_client.replay.line import look_through, player_index
from samedeal_client.replay.reel import Reel
from samedeal_client.replay.source import replay_of
from samedeal_client.rules_words import rules_error_words
from samedeal_client.texts import N_, _, is_word, says_yes
from samedeal_protocol import Applied, DuelChanged, DuelPhase, Result, Snapshot
from samedeal_rules import MalformedRecord

__all__ = ["Outcome", "Room"]

TICK_S: Final = 0.2


class Outcome(Enum):
    """What the person wants after a duel."""

    MENU = auto()
    REMATCH = auto()
    QUIT = auto()


class Room:
    """Reads what is typed while a duel lasts, and passes what happens to who says it."""

    def __init__(
        self, connection: Connection, terminal: Terminal, herald: Herald, *, ask: bool
    ) -> None:
        self._connection = connection
        self._terminal = terminal
        self._herald = herald
        self._playing = Playing(connection, terminal, ask=ask, put=self._ask)
        self._said_ready = False
        self._seated = False
        self._changed = asyncio.Event()
        self._over = asyncio.Event()
        """The duel is gone or the line has ended: nothing typed makes sense any more."""
        self._outcome = Outcome.MENU

    @property
    def duel(self) -> DuelChanged | None:
        """The duel as it is now."""
        return self._connection.duel

    async def run(self) -> Outcome:
        """Until the person leaves, or there is nothing to stay for."""
        self._catch_up()
        ticking = asyncio.create_task(self._tick())
        try:
            while not self._over.is_set():
                await self._wait_for_sense()
                if self._over.is_set():
                    break
                line = await self._ask(self._prompt)
                if self._over.is_set():
                    break
                outcome = await self._end_of_input() if line is None else await self._take(line)
                if outcome is not None:
                    return outcome
        finally:
            ticking.cancel()
            await asyncio.gather(ticking, return_exceptions=True)
        return self._outcome

    def _catch_up(self) -> None:
        """What came before we did."""
        if self.duel is not None:
            self._seated = self.duel.you is not None
            self._herald.duel_changed(self.duel)
        if self._connection.table is not None:
            self._herald.table_shown(self._playing)
        if self._connection.result is not None:
            self._playing.ended = True
            self._herald.result(self._connection.result)

    def hear(self, event: Event) -> None:
        """Something happened."""
        if isinstance(event, DuelChanged):
            if self._seated and event.you is None:
                self._terminal.say(_("Your seat was given up."))
                self._over.set()
            self._seated = event.you is not None
            if event.phase in LOBBY and self._me_ready(event) is False:
                self._said_ready = False
            self._herald.duel_changed(event)
            if event.phase is DuelPhase.ABORTED:
                self._over.set()
        elif isinstance(event, Snapshot):
            self._playing.snapshot()
            self._herald.table_shown(self._playing)
        elif isinstance(event, Applied):
            self._playing.applied(event)
            if event.ended is not None and self.duel is not None and self.duel.seated > 1:
                self._terminal.say(_("The others may still play: s shows the standings."))
        elif isinstance(event, facts.MovesFell):
            self._playing.fell(event)
        elif isinstance(event, Result):
            self._playing.ended = True
            self._herald.result(event)
        else:
            self._herald.hear(event)
            if isinstance(event, facts.Replaced | facts.Ended):
                self._outcome = Outcome.QUIT
                self._over.set()
        if self._connection.duel is None:
            self._over.set()
        self._changed.set()

    # What is typed.

    async def _take(self, line: str) -> Outcome | None:
        """A refusal of the server is an answer, not the end."""
        try:
            return await self._typed(line)
        except ClientError as error:
            self._terminal.say(f"{printable(str(error))}.")
            return None

    async def _typed(self, line: str) -> Outcome | None:
        word, _blank, rest = line.partition(" ")
        word = word.lower()
        if not word:
            return None
        if self._connection.result is not None:
            return await self._typed_after(word, rest.strip())
        if is_word(word, N_("q quit leave")):
            return await self._leave()
        if is_word(word, N_("s standings")):
            self._herald.say_standings()
        elif self.duel is not None and self.duel.you is None:
            self._terminal.say(_("You are watching: s standings, q leave."))
        elif self._connection.table is not None:
            await self._typed_playing(word, line)
        else:
            await self._typed_lobby(word)
        return None

    async def _typed_playing(self, word: str, line: str) -> None:
        if is_word(word, N_("b board")):
            self._playing.show_board(line.partition(" ")[2].strip())
        elif is_word(word, N_("t time")):
            self._playing.show_time()
        elif is_word(word, N_("p points")):
            self._playing.show_points()
        elif is_word(word, N_("? help")):
            self._terminal.say(*help_lines(self._playing.table.ruleset))
        elif self._playing.ended:
            self._terminal.say(_("Your game has ended: s standings, p points, b board, q leave."))
        elif is_word(word, N_("h hint")):
            self._terminal.say(self._playing.hint_told(await self._connection.hint()))
        elif not await self._playing.typed(line):
            self._terminal.say(_("That is no move: ? shows how they are written."))

    async def _typed_lobby(self, word: str) -> None:
        if is_word(word, N_("r ready")):
            await self.ready()
        elif is_word(word, N_("start")):
            await self._connection.start()
        elif is_word(word, N_("? h help")):
            self._terminal.say(_(LOBBY_HELP))
        else:
            self._terminal.say(_("Not now: r ready, start (the host), s who is here, q leave."))

    async def _typed_after(self, word: str, rest: str) -> Outcome | None:
        if is_word(word, N_("q quit")):
            return Outcome.QUIT
        if is_word(word, N_("m menu")):
            return Outcome.MENU
        watched = self.duel is None or self.duel.you is None
        if is_word(word, N_("r rematch")) and not watched:
            return Outcome.REMATCH
        if is_word(word, N_("save")):
            await self._save(rest)
        elif is_word(word, N_("replay")):
            await self._look_again()
        elif is_word(word, N_("s standings")) and self._connection.result is not None:
            self._herald.result(self._connection.result)
        elif is_word(word, N_("b board")) and self._connection.table is not None:
            self._playing.show_board()
        else:
            self._terminal.say(_(WATCHED_HELP) if watched else _(OVER_HELP))
        return None

    async def ready(self) -> None:
        """Say that we are ready; refusals in words."""
        try:
            await self._connection.ready()
            self._said_ready = True
            if self.duel is not None and self.duel.phase in LOBBY:
                self._terminal.say(_("You are ready."))
        except ClientError as error:
            self._terminal.say(f"{error}.")

    async def _leave(self) -> Outcome | None:
        running = self._connection.table is not None and not self._playing.ended
        if running and self._terminal.interactive:
            answer = await self._ask(self._leaving_question())
            if answer is not None and not says_yes(answer):
                return None
        await self._go_away()
        return Outcome.MENU

    def _leaving_question(self) -> str:
        if self.duel is not None and self.duel.duration_ms is None:
            return _("Leave the practice? It ends, and your score stands as it is. y/n > ")
        return _("Leave the running duel? Your score stands as it is. y/n > ")

    async def _end_of_input(self) -> Outcome:
        """Nobody types any more: leave politely. A person's running game goes on without them."""
        running = self._connection.table is not None and not self._playing.ended
        if self._connection.result is None and self._terminal.interactive and running:
            self._terminal.say(_("The duel runs on: `samedeal play` brings you back."))
        elif self._connection.result is None:
            self._terminal.say(_("The input has ended: leaving."))
            await self._go_away()
        return Outcome.QUIT

    async def _go_away(self) -> None:
        with contextlib.suppress(ClientError):
            await self._connection.leave()

    async def _save(self, name: str) -> None:
        code = self.duel.code if self.duel is not None else None
        text = await self._connection.record()
        self._terminal.say(write_record(Path(name or record_name(code)), text))

    async def _look_again(self) -> None:
        """The whole duel, move by move, beginning with our own game."""
        text = await self._connection.record()
        try:
            replay = replay_of(text.encode())
        except MalformedRecord as error:
            raise ClientError(rules_error_words(error)) from None
        mine = player_index(replay.films, self._connection.name or "")
        await look_through(self._terminal, Reel(replay).look_at(mine or 0))

    # How it waits.

    async def _ask(self, prompt: str | Callable[[], str]) -> str | None:
        """A line; empty when the room is over before one comes."""
        asking = asyncio.create_task(self._terminal.ask(prompt))
        over = asyncio.create_task(self._over.wait())
        try:
            await asyncio.wait((asking, over), return_when=asyncio.FIRST_COMPLETED)
            return asking.result() if asking.done() else ""
        finally:
            asking.cancel()
            over.cancel()
            await asyncio.gather(asking, over, return_exceptions=True)

    async def _wait_for_sense(self) -> None:
        """A script's next line waits until it can mean something; a person may always type."""
        while not self._terminal.interactive and not self._over.is_set() and not self._sense():
            self._changed.clear()
            await self._changed.wait()

    def _sense(self) -> bool:
        if self._connection.result is not None or self.duel is None:
            return True
        if self._connection.table is not None:
            return not self._playing.ended and self.duel.phase is DuelPhase.RUNNING
        return self.duel.you is not None and self.duel.phase in LOBBY and not self._said_ready

    def _prompt(self) -> str:
        playing = self._connection.table is not None and not self._playing.ended
        return self._playing.prompt() if playing else "> "

    def _me_ready(self, duel: DuelChanged) -> bool | None:
        return next((seat.ready for seat in duel.players if seat.seat == duel.you), None)

    async def _tick(self) -> None:
        while True:
            self._herald.tick(playing=not self._playing.ended)
            await asyncio.sleep(TICK_S)

"""A bot at a table: joins in through the client's connection and plays at a human pace."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from random import Random
from typing import Final

from samedeal_bots.brain import SLOWNESS, Brain, Level, brain
from samedeal_client.connection import Connection
from samedeal_client.errors import ClientError, ConnectionClosed, MoveRefused, RequestFailed
from samedeal_client.events import Event, Reconnected
from samedeal_protocol import DuelChanged, DuelPhase, ErrorCode, RankingRow, Result, Seat
from samedeal_rules import IllegalMove, Move, move_text

__all__ = ["DEFAULT_PACE_S", "BotPlayer", "DuelLost", "Pace", "own_row", "seated_bot"]

PROGRAM: Final = "samedeal-bot 0.1"

DEFAULT_PACE_S: Final = 0.8
"""Between two moves of a hard bot, on average; a practised player makes one a second."""

BEFORE_START: Final = (DuelPhase.OPEN, DuelPhase.READY_CHECK)

_FIRST_LOOK: Final = 2.0
"""The first move takes so many times as long: everybody looks at the deal first."""
_LONGEST: Final = 3.0
"""No move takes more than so many times the mean."""
_NOTHING_TO_DO_S: Final = 0.5
_ASK_EVERY_S: Final = 5.0
_PATIENCE: Final = 5
"""So many refusals in a row, and the bot rests until the end: it would only repeat itself."""

NAMES: Final = {Level.EASY: "Eddy", Level.NORMAL: "Norma", Level.HARD: "Hardy"}
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz"
_NAME_TRIES: Final = 8
_NAME_TROUBLE: Final = (ErrorCode.NAME_TAKEN, ErrorCode.LOOKALIKE_NAME)


class DuelLost(ClientError):
    """The duel will not be played to its result from this seat; says why."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Human times between moves: a mean with jitter, never regular."""

    mean_s: float

    @classmethod
    def of(cls, level: Level, pace_s: float | None = None) -> Pace:
        """As told; else what suits the level."""
        return cls(DEFAULT_PACE_S * SLOWNESS[level] if pace_s is None else pace_s)

    def next_s(self, random: Random) -> float:
        """How long until the next move."""
        return min(random.gammavariate(4, self.mean_s / 4), _LONGEST * self.mean_s)


@asynccontextmanager
async def seated_bot(
    url: str,
    level: Level,
    random: Random,
    *,
    name: str | None = None,
    pace_s: float | None = None,
    give_up_s: float | None = None,
    code: str | None = None,
) -> AsyncIterator[BotPlayer]:
    """A bot on a connection of its own, with a seat in the duel with this code, if told.

    Without a name it makes one up, and another if that is taken or too like somebody's.
    Raises `ConnectionFailed` or `RequestFailed`.
    """
    for left in reversed(range(_NAME_TRIES)):
        called = name or NAMES[level] + "-" + "".join(random.choices(_LETTERS, k=3))
        connection = Connection(url, name=called, program=PROGRAM, bot=True, give_up_s=give_up_s)
        try:
            await connection.__aenter__()
            if code is not None:
                await connection.join(code)
            break
        except RequestFailed as error:
            await connection.aclose()
            if name is not None or error.code not in _NAME_TROUBLE or not left:
                raise
        except BaseException:
            await connection.aclose()
            raise
    player = BotPlayer(connection, level, Pace.of(level, pace_s), random)
    try:
        yield player
    finally:
        await player.give_seat_back()
        await connection.aclose()


class BotPlayer:
    """Plays one duel after the other on a connection; the only reader of its events."""

    def __init__(self, connection: Connection, level: Level, pace: Pace, random: Random) -> None:
        self.connection = connection
        self.level = level
        self._pace = pace
        self._random = random
        self._events = connection.events()
        self._ready_for: tuple[str, str] | None = None

    async def play_duel(self) -> Result:
        """Be ready at once, play the duel that the connection sits in, return its result.

        Raises `DuelLost` if it is called off or the seat is gone, `ConnectionClosed` if there
        is no way back to the server.
        """
        playing: asyncio.Task[None] | None = None
        try:
            while True:
                result = self.connection.result
                if result is not None:
                    return result
                duel = self._our_duel()
                if duel.phase in BEFORE_START:
                    await self._get_ready(duel)
                if playing is None and self.connection.table is not None:
                    playing = asyncio.create_task(self._play(brain(self.level, self._seed())))
                if playing is not None and playing.done():
                    playing.result()  # raises what went wrong in it, if anything
                await self._next_event()
        finally:
            if playing is not None:
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)

    async def found_match(self) -> None:
        """Wait until quick match has put us into a duel."""
        while self.connection.duel is None or self.connection.duel.phase is DuelPhase.ABORTED:
            await self._next_event()

    async def accept_rematch(self, wait_s: float) -> bool:
        """Wait for somebody to ask for a rematch and sit down in it.

        False if nobody did in that time, or nobody else is there any more.
        """
        asking = asyncio.create_task(self._ask_who_is_here())
        try:
            async with asyncio.timeout(wait_s):
                while not await self._rematch_if_offered():
                    await self._next_event()
        except (TimeoutError, ClientError):
            return False
        finally:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        return True

    async def _ask_who_is_here(self) -> None:
        """Nobody is told who goes away from a finished duel; the answer comes as an event."""
        while True:
            await asyncio.sleep(_ASK_EVERY_S)
            duel = self.connection.duel
            if duel is not None:
                await self.connection.watch(duel.code)

    async def give_seat_back(self) -> None:
        """Before the start: somebody else may want the seat."""
        duel = self.connection.duel
        if duel is None or duel.you is None or duel.phase not in BEFORE_START:
            return
        with suppress(ClientError, TimeoutError):
            async with asyncio.timeout(1):
                await self.connection.leave()

    async def _rematch_if_offered(self) -> bool:
        duel = self.connection.duel
        if duel is None:
            raise DuelLost("the duel is gone")
        if duel.rematch is not None:
            await self.connection.rematch()
            return True
        others = [seat for seat in duel.players if seat.seat != duel.you]
        if not any(seat.connected for seat in others):
            raise DuelLost("the others have left")
        return False

    async def _next_event(self) -> None:
        """What an event did shows in the connection's state; that is what is looked at."""
        event: Event | None = await anext(self._events, None)
        if event is None:
            raise ConnectionClosed("the connection to the server has ended")
        if isinstance(event, Reconnected):
            self._ready_for = None

    def _our_duel(self) -> DuelChanged:
        duel = self.connection.duel
        if duel is None:
            raise DuelLost("the seat is gone")
        if duel.phase is DuelPhase.ABORTED:
            raise DuelLost(f"the duel was called off: {duel.note or 'no reason given'}")
        if duel.you is None:
            raise DuelLost(f"the seat is gone: {duel.note or 'no reason given'}")
        return duel

    async def _get_ready(self, duel: DuelChanged) -> None:
        seat = _seat_of(duel)
        check = (duel.id, duel.commitment)
        if (seat is not None and seat.ready) or self._ready_for == check:
            return
        self._ready_for = check
        try:
            await self.connection.ready()
        except RequestFailed:
            self._ready_for = None  # the duel moved on meanwhile; what it is now comes as an event

    # At the table.

    async def _play(self, mind: Brain) -> None:
        """Move until our game ends. Each answer is awaited: the pace is slower than the line."""
        loop = asyncio.get_running_loop()
        due = loop.time() + _FIRST_LOOK * self._pace.next_s(self._random)
        refused = 0
        while refused < _PATIENCE:
            move = await self._decide(mind)
            if move is None:
                if self._ended():
                    return
                await asyncio.sleep(_NOTHING_TO_DO_S)
                continue
            await asyncio.sleep(max(0.0, due - loop.time()))
            due = loop.time() + self._pace.next_s(self._random)
            refused = 0 if await self._make(move) else refused + 1

    async def _decide(self, mind: Brain) -> Move | None:
        """In a thread, on a copy: a hard thought takes 0.1 s, and the line must not wait for it."""
        table, duel = self.connection.table, self.connection.duel
        if table is None or duel is None or duel.start_at is None:
            return None
        elapsed = max(0, self.connection.server_now_ms() - duel.start_at)
        return await asyncio.to_thread(mind.choose, table.ahead.copy(), elapsed)

    async def _make(self, move: Move) -> bool:
        table = self.connection.table
        if table is None:
            return False
        try:
            await self.connection.play_and_wait(move_text(move, table.ruleset.deck.suits))
        except (MoveRefused, IllegalMove):
            return False
        except ClientError:
            return True  # the game is over; the result or the end of the line says how
        return True

    def _ended(self) -> bool:
        table = self.connection.table
        return table is None or table.confirmed.ended is not None

    def _seed(self) -> int:
        return self._random.getrandbits(32)


def own_row(connection: Connection, result: Result) -> RankingRow:
    """Our line of the ranking. Raises `DuelLost` where we have none."""
    for row in result.ranking:
        if row.player == connection.player:
            return row
    raise DuelLost("the result has no line for us")


def _seat_of(duel: DuelChanged) -> Seat | None:
    return next((seat for seat in duel.players if seat.seat == duel.you), None)

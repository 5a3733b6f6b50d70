"""A connection to a server that comes back by itself: the library for clients and bots.

async with Connection("127.0.0.1:7777", name="Ana") as connection:
    await connection.join("HJK 347")
    await connection.ready()
    async for event in connection.events():
        if isinstance(event, Snapshot) and event.seq == 0:
            await connection.play_and_wait("d")
        if isinstance(event, Result):
            break
"""

from __future__ import annotations

import asyncio
import random as _random
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Final, overload

from samedeal_client.address import clean_code, server_address
from samedeal_client.conversation import Conversation
from samedeal_client.errors import (
    ConnectionClosed,
    ConnectionLost,
    NotAtATable,
)
from samedeal_client.events import Event
from samedeal_client.fair import FairCheck
from samedeal_client.requests import Request
from samedeal_client.table import Table
from samedeal_client.texts import _
from samedeal_protocol import (
    Applied,
    Cancel,
    Create,
    Done,
    DuelChanged,
    GetHint,
    GetOpen,
    GetRecord,
    Hinted,
    Join,
    Leave,
    OpenList,
    OpenRow,
    PlaceTold,
    Queue,
    Queued,
    Ready,
    RecordSent,
    Rematch,
    Result,
    Reveal,
    ServerMessage,
    Snapshot,
    Standings,
    Start,
    Sync,
    Watch,
    Where,
)

__all__ = ["Connection"]

PROGRAM: Final = "samedeal-cli 0.1"
ANSWER_S: Final = 60.0
"""A request waits this long, through losses of the line, before it counts as lost."""


class Connection:
    """One player's line to a server. Use it as an async context manager, in one event loop.

    Entering connects once and raises `ConnectionFailed` or `RequestFailed`; after that a lost
    line comes back by itself, moves on their way included, until the block is left, or the
    server has no place for us (`Replaced`, `Ended`).
    """

    def __init__(
        self,
        url: str,
        *,
        name: str | None = None,
        token: str | None = None,
        program: str = PROGRAM,
        bot: bool = False,
        give_up_s: float | None = None,
        random: Callable[[], float] = _random.random,
    ) -> None:
        """`bot`: no person plays, and everybody is told.

        `give_up_s`: end for good when the server was away for so long; None is never.
        """
        self.url = server_address(url)
        self._inner = Conversation(
            self.url,
            name=name,
            token=token,
            program=program,
            bot=bot,
            give_up_s=give_up_s,
            random=random,
        )
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Connection:
        """Connect. Raises `ConnectionFailed`, or `RequestFailed` if the server wants another name
        or does not know the token."""
        first: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._running = asyncio.create_task(self._inner.run(first))
        try:
            await first
        except BaseException:
            await self.aclose()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the line. A running duel goes on without us."""
        await self.aclose()

    async def aclose(self) -> None:
        """Close the line; may be called twice."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
        self._inner.end("closed")

    # What is known.

    @property
    def name(self) -> str | None:
        """Our name, as the server has it."""
        return self._inner.name

    @property
    def token(self) -> str | None:
        """The player's secret: keep it to come back as the same player."""
        return self._inner.token

    @property
    def player(self) -> str | None:
        """The id of our player."""
        return self._inner.player

    @property
    def place(self) -> str:
        """Where the server said we were when we connected last: idle, queued or duel."""
        return self._inner.place

    @property
    def duel(self) -> DuelChanged | None:
        """The duel we are in, or were in last, as it is now."""
        return self._inner.state.duel

    @property
    def table(self) -> Table | None:
        """Our table, from the start of the duel on: `confirmed`, and played `ahead`."""
        return self._inner.state.table

    @property
    def standings(self) -> Standings | None:
        """The latest standings of the duel."""
        return self._inner.state.standings

    @property
    def result(self) -> Result | None:
        """The end of the duel."""
        return self._inner.state.result

    @property
    def up(self) -> bool:
        """Whether the line stands."""
        return self._inner.line.up

    @property
    def delay_ms(self) -> float | None:
        """The last measured round trip."""
        return self._inner.line.clock.delay_ms

    @property
    def called_off(self) -> int:
        """Starts of this duel that were called off after its deal was fixed."""
        return self._inner.state.witness.called_off if self._inner.state.witness else 0

    def server_now_ms(self) -> int:
        """The duel's clock, from measured round trips; never this machine's wall clock."""
        return round(self._inner.line.clock.now_ms(self._inner.line.local_ms()))

    def time_left_ms(self) -> int | None:
        """Until the deadline, never below 0; None before the countdown or without a time limit."""
        duel = self.duel
        if duel is None or duel.deadline is None:
            return None
        return max(0, duel.deadline - self.server_now_ms())

    def elapsed_ms(self) -> int:
        """Since the start, never below 0; 0 before it. What to show where there is no deadline."""
        duel = self.duel
        if duel is None or duel.start_at is None:
            return 0
        return max(0, self.server_now_ms() - duel.start_at)

    def fairness(self) -> tuple[FairCheck, ...]:
        """What was checked about the deal; empty before the result."""
        return self._inner.state.fairness()

    async def events(self) -> AsyncIterator[Event]:
        """The server's messages and facts about the line, in order, until the connection ends.

        One reader. Answers that a request returns come here too, except `done` and `error`.
        """
        while (event := await self._inner.events.get()) is not None:
            yield event

    # Playing.

    def play(self, move: str) -> int:
        """Play a move: at once on `table.ahead`, and on its way to the server; its journal index.

        Without a line it goes out when the line is back. Raises `IllegalMove` where it is certain
        to be refused, `NotAtATable`, `TooManyMoves`. The answer comes as an event: `Applied`, or
        `MovesFell` with every move that was sent after a refused one; none of those is sent again.
        """
        table, duel = self.table, self.duel
        if table is None or duel is None or duel.start_at is None or self._inner.ended is not None:
            raise NotAtATable(_("there is no running game"))
        seq = table.play(move, self.server_now_ms() - duel.start_at)
        self._inner.pump()
        return seq

    async def play_and_wait(self, move: str) -> Applied | None:
        """Play a move and wait until it counts.

        None if the line broke in between and a snapshot said that it was kept. Raises what `play`
        raises, `MoveRefused`, or `ConnectionClosed`.
        """
        seq = self.play(move)
        return await self._inner.answer_of(seq)

    # Asking.

    @overload
    async def request(self, request: Create | Join | Watch | Rematch) -> DuelChanged: ...
    @overload
    async def request(self, request: Ready | Reveal | Start | Leave | Cancel) -> Done: ...
    @overload
    async def request(self, request: Queue) -> Queued: ...
    @overload
    async def request(self, request: Sync) -> Snapshot: ...
    @overload
    async def request(self, request: Where) -> PlaceTold: ...
    @overload
    async def request(self, request: GetHint) -> Hinted: ...
    @overload
    async def request(self, request: GetOpen) -> OpenList: ...
    @overload
    async def request(self, request: GetRecord) -> RecordSent: ...
    async def request(self, request: Request) -> ServerMessage:
        """Ask and wait for the answer; `req` is filled in here.

        Raises `RequestFailed`; `ConnectionLost` if the line broke under a `create`, or if there
        was no answer for a minute; `ConnectionClosed`.
        """
        if self._inner.ended is not None:
            raise ConnectionClosed(self._inner.ended)
        numbered, answer = self._inner.open_request(request)
        try:
            async with asyncio.timeout(ANSWER_S):
                return await answer
        except TimeoutError:
            raise ConnectionLost(_("no answer from the server")) from None
        finally:
            self._inner.close_request(numbered)

    async def join(self, code: str) -> DuelChanged:
        """Take a seat by code, as read out. Raises `BadCode` too."""
        return await self.request(Join(req=0, code=clean_code(code)))

    async def open_duels(self) -> list[OpenRow]:
        """Duels that anybody may join (`Create(listed=True)`), the newest first; read up to a
        second ago, so asking more often is of no use."""
        return (await self.request(GetOpen(req=0))).rows

    async def watch(self, code: str) -> DuelChanged:
        """See a duel's standings by code. Raises `BadCode` too."""
        return await self.request(Watch(req=0, code=clean_code(code)))

    async def ready(self) -> None:
        """Ready to start, with a fresh number of ours; it is revealed by itself at the freeze."""
        duel, witness = self.duel, self._inner.state.witness
        if duel is None or witness is None:
            raise NotAtATable(_("there is no duel to be ready for"))
        await self.request(Ready(req=0, nonce_hash=witness.nonce_hash_for(duel.commitment)))

    async def start(self) -> None:
        """As the host: start with those who are ready."""
        await self.request(Start(req=0))

    async def leave(self) -> None:
        """Give the seat back, or go away from a running game; its score stands."""
        await self.request(Leave(req=0))

    async def rematch(self) -> DuelChanged:
        """The next duel of the same seats; whoever asks first makes it."""
        return await self.request(Rematch(req=0))

    async def hint(self) -> Hinted:
        """A move that helps, or that none does, at the table as the server has it now.

        For the table before entry `seq` of the journal: old once another move was played. Raises
        `RequestFailed` where the duel has no hints (`no_hints`) or no game runs (`wrong_state`).
        """
        return await self.request(GetHint(req=0))

    async def record(self) -> str:
        """The finished duel as a file for `samedeal verify`."""
        return (await self.request(GetRecord(req=0))).text

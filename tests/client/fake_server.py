"""A small scripted server on a real socket: one duel, one seat, faults on demand."""

from __future__ import annotations

import asyncio
from types import TracebackType

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from client.full_table import DURATION_MS, FullTable
from samedeal_protocol import (
    SUBPROTOCOL,
    ClientMessage,
    Create,
    Done,
    DuelChanged,
    DuelPhase,
    Error,
    ErrorCode,
    GetHint,
    GetOpen,
    GetRecord,
    Hello,
    Hinted,
    Join,
    Leave,
    OpenList,
    OpenRow,
    Ping,
    PlayMove,
    Pong,
    RankingRow,
    Ready,
    RecordSent,
    Rematch,
    Result,
    Reveal,
    Seat,
    ServerMessage,
    Start,
    Sync,
    Watch,
    Welcome,
    encode,
    parse_client_message,
)
from samedeal_protocol.server_messages import PlayerState, StandingRow, Standings
from samedeal_rules import OptionValue
from samedeal_rules.fairness import commitment, deal_seed

SECRET = "5e" * 32
TOKEN = "t" * 43
DUEL = "p00test"
CODE = "ACDEFH"


class FakeServer:
    """`async with FakeServer() as server`: then `server.url`.

    `seen` has every message of every connection. `mute` holds answers to moves back.
    """

    def __init__(self, clock_ms: int = 1_700_000_000_000) -> None:
        self.seen: list[list[ClientMessage]] = []
        self.mute = False
        self.unread = 0
        """So many moves that come next are too fast."""
        self.ignore: set[type] = set()
        self.refuse_hello: ErrorCode | None = None
        self.table: FullTable | None = None
        self.duel: DuelChanged | None = None
        self.nonce: str | None = None
        self.nonce_hash: str | None = None
        self.swap_hash: str | None = None
        self.start_after_ms = 30
        self.duration_ms: int | None = DURATION_MS
        self.ruleset = "timed"
        self.record = "{}\n"
        self.open_rows: list[OpenRow] = []
        self.full = False
        """All seats are taken: nobody can join."""
        self.options: dict[str, OptionValue] = {}
        """Of the duel: those of the last `create`, if there was one."""
        self.socket: ServerConnection | None = None
        self._clock_ms = clock_ms
        self._version = 0
        self._server: Server
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> FakeServer:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await self.stop()

    async def start(self, port: int = 0) -> None:
        self._server = await serve(
            self._serve, "127.0.0.1", port, subprotocols=[SUBPROTOCOL], compression=None
        )
        self.port: int = next(iter(self._server.sockets)).getsockname()[1]

    async def stop(self) -> None:
        self._server.close()
        await self._server.wait_closed()

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    def now_ms(self) -> int:
        """A clock that has nothing to do with this machine's."""
        return self._clock_ms + round(asyncio.get_running_loop().time() * 1000)

    def cut(self) -> None:
        """The line breaks without a word."""
        assert self.socket is not None
        self.socket.transport.abort()

    async def send(self, *messages: ServerMessage) -> None:
        assert self.socket is not None
        for message in messages:
            await self.socket.send(encode(message))

    async def change(self, **fields: object) -> None:
        assert self.duel is not None
        self._version += 1
        self.duel = self.duel.model_copy(
            update={"version": self._version, "req": None, "server_ms": self.now_ms(), **fields}
        )
        await self.send(self.duel)

    async def finish(self) -> None:
        """Seal and tell the result."""
        assert self.duel is not None
        assert self.table is not None
        await self.change(phase=DuelPhase.SEALED)
        game = self.table.game
        game.run_out(self.table.journal[-1][0] if self.table.journal else 0)
        row = RankingRow(
            place=1,
            seat=0,
            player="ana",
            name="Ana",
            score=game.points,
            up=game.board.cards_up,
            ended=PlayerState(game.ended.value if game.ended else "timeout"),
            ended_ms=game.ended_ms or 0,
            moves=len(self.table.journal),
            items=game.ledger(),
        )
        result = Result(
            duel=DUEL,
            ruleset=self.ruleset,
            options=self.options,
            ranking=[row],
            total=1,
            commitment=commitment(DUEL, SECRET),
            secret=SECRET,
            nonces=[self.nonce or "00" * 16],
            k=0,
            seed=self.table.seed,
            chosen_seed=False,
        )
        await self.change(phase=DuelPhase.FINISHED)
        await self.send(result)

    async def _serve(self, socket: ServerConnection) -> None:
        self.socket = socket
        seen: list[ClientMessage] = []
        self.seen.append(seen)
        try:
            async for frame in socket:
                message = parse_client_message(frame)
                seen.append(message)
                if type(message) not in self.ignore:
                    await self._answer(message)
        except ConnectionClosed:
            pass

    async def _answer(self, message: ClientMessage) -> None:
        if isinstance(message, Hello):
            await self._greet(message)
        elif isinstance(message, Ping):
            await self.send(Pong(id=message.id, server_ms=self.now_ms()))
        elif isinstance(message, PlayMove):
            if not self.mute:
                await self._play(message)
        elif isinstance(message, Join) and self.full:
            await self.send(Error(code=ErrorCode.FULL, message="all seats taken", req=message.req))
        elif isinstance(message, Create | Join | Watch | Rematch):
            if isinstance(message, Create):
                self.ruleset, self.options = message.ruleset, dict(message.options)
                self.duration_ms = None if message.untimed else self.duration_ms
            self.duel = self._open().model_copy(
                update={"you": None if isinstance(message, Watch) else 0}
            )
            await self.send(self.duel.model_copy(update={"req": message.req}))
        elif isinstance(message, Ready):
            self.nonce_hash = message.nonce_hash
            await self.send(Done(req=message.req))
            await self.change(
                phase=DuelPhase.FROZEN, nonce_hashes=[self.swap_hash or message.nonce_hash]
            )
        elif isinstance(message, Reveal):
            self.nonce = message.nonce
            await self.send(Done(req=message.req))
            await self._count_down()
        elif isinstance(message, Sync) and self.table is not None:
            await self.send(self.table.snapshot(message.req))
        elif isinstance(message, GetHint):
            await self.send(Hinted(req=message.req, seq=0, answer="move", move="d"))
        elif isinstance(message, GetOpen):
            await self.send(OpenList(req=message.req, rows=self.open_rows))
        elif isinstance(message, GetRecord):
            await self.send(RecordSent(req=message.req, text=self.record))
        elif isinstance(message, Start | Leave):
            await self.send(Done(req=message.req))
        else:
            req = getattr(message, "req", None)
            await self.send(Error(code=ErrorCode.WRONG_STATE, message="not now", req=req))

    async def _greet(self, hello: Hello) -> None:
        if self.refuse_hello is not None:
            await self.send(Error(code=self.refuse_hello, message="no"))
            return
        in_duel = self.duel is not None and self.duel.you is not None
        await self.send(
            Welcome(
                player="ana",
                name=hello.name or "Ana",
                token=None if hello.token else TOKEN,
                server_ms=self.now_ms(),
                protocol=1,
                place="duel" if in_duel else "idle",
            )
        )
        if in_duel and self.duel is not None:
            await self.send(self.duel)
            if self.table is not None and self.duel.phase is DuelPhase.RUNNING:
                await self.send(self._snapshot())

    async def _play(self, message: PlayMove) -> None:
        assert self.table is not None
        assert self.duel is not None
        assert self.duel.start_at is not None
        if self.unread:
            self.unread -= 1
            slow = Error(code=ErrorCode.SLOW_DOWN, message="too fast", retry_after_ms=40)
            await self.send(slow)
            return
        answers = self.table.answer(message, self.now_ms() - self.duel.start_at)
        await self.send(*(self._timed(answer) for answer in answers))

    async def _count_down(self) -> None:
        assert self.duel is not None
        assert self.nonce is not None
        seed = deal_seed(
            secret=SECRET,
            duel=DUEL,
            ruleset=self.ruleset,
            options=self.options,
            nonces=[self.nonce],
            k=0,
        )
        self.table = FullTable(seed, DUEL, self.duration_ms, self.ruleset, self.options)
        start_at = self.now_ms() + self.start_after_ms
        await self.change(
            phase=DuelPhase.COUNTDOWN,
            start_at=start_at,
            deadline=None if self.duration_ms is None else start_at + self.duration_ms,
        )
        task = asyncio.create_task(self._begin())
        self._tasks.add(task)

    async def _begin(self) -> None:
        await asyncio.sleep(self.start_after_ms / 1000)
        await self.change(phase=DuelPhase.RUNNING)
        score = None if self.table is None else self.table.game.points
        row = StandingRow(place=1, seat=0, name="Ana", score=score, up=0, state=PlayerState.PLAYING)
        await self.send(
            self._snapshot(),
            Standings(duel=DUEL, version=1, server_ms=self.now_ms(), total=1, rows=[row]),
        )

    def _snapshot(self) -> ServerMessage:
        assert self.table is not None
        return self._timed(self.table.snapshot())

    def _timed(self, message: ServerMessage) -> ServerMessage:
        assert self.duel is not None
        if message.type != "snapshot":
            return message
        return message.model_copy(
            update={
                "server_ms": self.now_ms(),
                "start_at": self.duel.start_at,
                "deadline": self.duel.deadline,
            }
        )

    def _open(self) -> DuelChanged:
        self._version += 1
        return DuelChanged(
            id=DUEL,
            code=CODE,
            version=self._version,
            phase=DuelPhase.READY_CHECK,
            ruleset=self.ruleset,
            options=self.options,
            duration_ms=self.duration_ms,
            hints=False,
            chosen_seed=False,
            seats=1,
            players=[Seat(seat=0, player="ana", name="Ana", ready=False, connected=True)],
            seated=1,
            ready=0,
            host=0,
            you=0,
            commitment=commitment(DUEL, SECRET),
            server_ms=self.now_ms(),
        )

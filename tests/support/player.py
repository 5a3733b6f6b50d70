"""A scripted client on a plain WebSocket: exact sequences, hostile ones too, nothing hidden."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from samedeal_protocol import parse_server_message

__all__ = ["Answered", "Player", "opponents"]

PATIENCE_S = 20.0
"""For anything that must come; generous, because machines that run tests are busy."""

Message = dict[str, Any]
_names = itertools.count(1)


class Answered(Exception):
    """A request was answered with an error."""

    def __init__(self, message: Message) -> None:
        super().__init__(f"{message['code']}: {message['message']}")
        self.code: str = message["code"]
        self.message = message


class Player:
    """One connection. Everything that comes is checked against the protocol and kept in `log`."""

    def __init__(self, ws: ClientConnection, *, reveals: bool = True) -> None:
        self.ws = ws
        self.log: list[Message] = []
        self.raw: list[str] = []
        self.closed: int | None = None
        """The close code, once the connection has ended."""
        self.token = ""
        self.id = ""
        self.name = ""
        self.welcome: Message = {}
        self.nonce = "0" * 32
        self.reveals = reveals
        self.next_seq = 0
        """Of the next move that `play` sends."""
        self._seen = 0
        self._news = asyncio.Event()
        self._requests = itertools.count(1)
        self._revealed = ""
        self._reader = asyncio.get_running_loop().create_task(self._read())

    @classmethod
    async def connect(cls, port: int, *, reveals: bool = True, **options: Any) -> Self:
        """A connection that has not said hello."""
        ws = await connect(
            f"ws://127.0.0.1:{port}/ws",
            subprotocols=["samedeal.1"],
            compression=None,
            max_size=None,
            ping_interval=None,
            open_timeout=PATIENCE_S,
            close_timeout=2,
            **options,
        )
        return cls(ws, reveals=reveals)

    @classmethod
    async def hello(
        cls, port: int, name: str | None = None, *, token: str | None = None, reveals: bool = True
    ) -> Self:
        """A new player, or the one with the token."""
        player = await cls.connect(port, reveals=reveals)
        if token is None:
            await player.send("hello", name=name or f"player {next(_names)}")
        else:
            await player.send("hello", token=token)
        await player.welcomed()
        player.token = player.token or token or ""
        return player

    async def welcomed(self) -> Message:
        self.welcome = await self.until("welcome")
        self.token = self.welcome.get("token", "")
        self.id, self.name = self.welcome["player"], self.welcome["name"]
        return self.welcome

    async def again(self, port: int) -> Player:
        """The same player on a new connection."""
        other = await Player.hello(port, token=self.token, reveals=self.reveals)
        other.nonce, other.next_seq = self.nonce, self.next_seq
        return other

    # What comes.

    async def _read(self) -> None:
        try:
            async for text in self.ws:
                assert isinstance(text, str)
                self.raw.append(text)
                parse_server_message(text)
                message = json.loads(text)
                self.log.append(message)
                if message["type"] == "duel":
                    await self._maybe_reveal(message)
                self._news.set()
        except ConnectionClosed:
            pass
        finally:
            self.closed = self.ws.close_code or 1006
            self._news.set()

    async def _maybe_reveal(self, duel: Message) -> None:
        wanted = self.reveals and duel["phase"] == "frozen" and duel["you"] is not None
        if wanted and self._revealed != duel["commitment"]:
            self._revealed = duel["commitment"]
            with suppress(ConnectionClosed):
                await self.send("reveal", req=next(self._requests), nonce=self.nonce)

    async def until(
        self, kind: str, where: Callable[[Message], bool] | None = None, **fields: Any
    ) -> Message:
        """The next message of this type with these fields; what came before it is passed over."""
        return await self.until_any({kind}, where, **fields)

    async def until_any(
        self, kinds: set[str], where: Callable[[Message], bool] | None = None, **fields: Any
    ) -> Message:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                while self._seen < len(self.log):
                    message = self.log[self._seen]
                    self._seen += 1
                    if (
                        message["type"] in kinds
                        and fields.items() <= message.items()
                        and (where is None or where(message))
                    ):
                        return message
                if self._reader.done() and not self._reader.cancelled():
                    if (error := self._reader.exception()) is not None:
                        raise error
                    raise ConnectionError(f"closed with {self.closed}, waiting for {kinds}")
                self._news.clear()
                await self._news.wait()

    def seen(self, kind: str, **fields: Any) -> list[Message]:
        """All messages of this type so far."""
        return [m for m in self.log if m["type"] == kind and fields.items() <= m.items()]

    def last(self, kind: str) -> Message:
        return self.seen(kind)[-1]

    async def has(self, kind: str, where: Callable[[Message], bool] | None = None, **f: Any) -> Any:
        """Like `until`, but what has come already counts too."""
        self._seen = 0
        return await self.until(kind, where, **f)

    async def end(self) -> int:
        """The close code, once the server has closed."""
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.wait([self._reader])
        assert self.closed is not None
        return self.closed

    # What goes.

    async def send(self, kind: str, **fields: Any) -> None:
        await self.ws.send(json.dumps({"type": kind, **fields}))

    async def ask(self, kind: str, **fields: Any) -> Message:
        """A request and its answer. Raises `Answered` for an error."""
        req = next(self._requests)
        await self.send(kind, req=req, **fields)
        answer = await self.answer_to(req)
        if answer["type"] == "error":
            raise Answered(answer)
        return answer

    async def answer_to(self, req: int) -> Message:
        """Looks ahead: other messages stay to be read by `until`."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for message in self.log:
                    if message.get("req") == req:
                        return message
                if self._reader.done():
                    raise ConnectionError(f"closed with {self.closed}, waiting for an answer")
                self._news.clear()
                await self._news.wait()

    async def create(self, **fields: Any) -> Message:
        return await self.ask("create", **fields)

    async def join(self, code: str) -> Message:
        return await self.ask("join", code=code)

    async def ready(self) -> Message:
        return await self.ask("ready", nonce_hash=sha256(self.nonce.encode()).hexdigest())

    async def play(self, move: str, seq: int | None = None) -> Message:
        """A move with the next seq (or the given one) and its answer."""
        await self.move(move, seq)
        number = self.next_seq - 1 if seq is None else seq
        answer = await self.until_any({"applied", "refused"}, seq=number)
        if answer["type"] == "refused" and seq is None:
            self.next_seq = number
        return answer

    async def move(self, move: str, seq: int | None = None) -> None:
        """Send a move, and don't wait."""
        if seq is None:
            seq, self.next_seq = self.next_seq, self.next_seq + 1
        await self.send("move", seq=seq, move=move)

    # How it ends.

    async def close(self) -> None:
        await self.ws.close()
        await asyncio.wait([self._reader], timeout=2)

    async def cut(self) -> None:
        """The network is gone: no closing handshake."""
        self.ws.transport.abort()
        await asyncio.wait([self._reader], timeout=2)


@asynccontextmanager
async def opponents(*ports: int, **duel: Any) -> AsyncIterator[list[Player]]:
    """A duel that has just started, with a player at each port; the first is the host."""
    players = [await Player.hello(port) for port in ports]
    try:
        made = await players[0].create(seats=len(ports), **duel)
        for player in players[1:]:
            await player.join(made["code"])
        await asyncio.gather(*(player.ready() for player in players))
        for player in players:
            await player.until("snapshot")
        yield players
    finally:
        for player in players:
            await player.close()

"""One WebSocket of a client: sends, receives, and writes down what came."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

__all__ = ["LOST", "Asked", "Wire"]

LOST: Final = (OSError, ConnectionClosed, InvalidHandshake, TimeoutError, EOFError)
"""What a client has to expect of any line, at any time."""

PATIENCE_S: Final = 4.0
"""Without an answer for so long a client tries another node."""


class Asked(Exception):
    """A request was answered with an error."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Wire:
    """A connection to a node. Messages go to `received` as they come."""

    def __init__(self, number: int, ws: ClientConnection) -> None:
        self.number = number
        self.received: Callable[[Wire, dict[str, Any], str], None] = lambda *_: None
        self.ended: Callable[[Wire], None] = lambda *_: None
        self.duel = ""
        """What messages that name no duel are about."""
        self.table = ""
        """The duel of the latest snapshot: moves, and their answers, are about that."""
        self.deaf = False
        """Stopped reading."""
        self.failure: Exception | None = None
        """Of the harness: what came could not be understood."""
        self.resent = False
        """Whether what had no answer on the connection before was sent again."""
        self._ws = ws
        self._requests = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._ponged = asyncio.Event()
        self.welcomed: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._reader: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, number: int, port: int) -> Wire:
        """A connection that has not said hello."""
        ws = await connect(
            f"ws://127.0.0.1:{port}/ws",
            subprotocols=["samedeal.1"],  # type: ignore[list-item]
            compression=None,
            max_size=None,
            ping_interval=None,
            open_timeout=PATIENCE_S,
            close_timeout=0.5,
        )
        return cls(number, ws)

    def read(self) -> None:
        """Begin to read."""
        self._reader = asyncio.get_running_loop().create_task(self._read())

    @property
    def open_still(self) -> bool:
        return self._reader is not None and not self._reader.done()

    @property
    def close_code(self) -> int | None:
        return self._ws.close_code

    async def _read(self) -> None:
        try:
            while True:
                while self.deaf:
                    await asyncio.sleep(0.1)
                raw = await self._ws.recv()
                assert isinstance(raw, str)
                message = json.loads(raw)
                self._settle(message)
                self.received(self, message, raw)
        except LOST:
            pass
        except Exception as error:
            self.failure = error
        finally:
            for future in (*self._waiting.values(), self.welcomed):
                if not future.done():
                    future.set_exception(ConnectionResetError())
                    future.exception()
            self.ended(self)

    def _settle(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "welcome" and not self.welcomed.done():
            self.welcomed.set_result(message)
        elif kind == "pong":
            self._ponged.set()
        elif kind == "error" and "req" not in message and not self.welcomed.done():
            self.welcomed.set_exception(Asked(message["code"]))
            self.welcomed.exception()
        future = self._waiting.pop(message.get("req", -1), None)
        if future is not None and not future.done():
            future.set_result(message)

    async def send(self, kind: str, **fields: Any) -> None:
        """Send a message. Raises one of `LOST`."""
        await self.send_text(json.dumps({"type": kind, **fields}))

    async def send_text(self, text: str | bytes) -> None:
        """Send whatever it is."""
        async with asyncio.timeout(PATIENCE_S):
            await self._ws.send(text)

    async def hello(self, name: str, token: str) -> dict[str, Any]:
        """Say who is there; the welcome. Raises one of `LOST`, or `Asked`."""
        who = {"token": token} if token else {"name": name}
        await self.send("hello", **who)
        async with asyncio.timeout(PATIENCE_S):
            return await asyncio.shield(self.welcomed)

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """A request and its answer. Raises one of `LOST`, or `Asked`."""
        req = next(self._requests)
        future = asyncio.get_running_loop().create_future()
        self._waiting[req] = future
        await self.send(kind, req=req, **fields)
        async with asyncio.timeout(PATIENCE_S):
            answer: dict[str, Any] = await future
        if answer["type"] == "error":
            raise Asked(answer["code"])
        return answer

    async def alive(self) -> None:
        """Returns if the node answers. Raises one of `LOST`."""
        self._ponged.clear()
        await self.send("ping", id=1)
        async with asyncio.timeout(PATIENCE_S):
            await self._ponged.wait()

    def cut(self) -> None:
        """Gone, without a word."""
        self._ws.transport.abort()

    async def close(self) -> None:
        """Gone, politely."""
        with suppress(*LOST):
            await self._ws.close()

    async def over(self) -> None:
        """Until nothing more can come."""
        if self._reader is not None:
            await asyncio.wait([self._reader], timeout=2)
            self._reader.cancel()

"""A player that does nothing but legal moves, at a set rate or as fast as answers come."""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
import time
from collections.abc import Callable
from typing import Any

from samedeal_bench.wire import Wire, client_frame

__all__ = ["LoadPlayer"]

_STOCK = 24
_DRAW = 3
"""Draws until the stock is empty, then a redeal: for ever legal. Aces go up by themselves on the
way, so the stock gets shorter."""


class LoadPlayer:
    """Sits down, gets ready, and draws."""

    def __init__(self, wire: Wire, name: str) -> None:
        self.wire = wire
        self.name = name
        self.code = ""
        self.started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.delays: list[float] = []
        """Seconds from send to `applied`."""
        self.accepted = 0
        self.refused = 0
        self.standings = 0
        self._nonce = secrets.token_hex(16)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._req = 0
        self._seq = 0
        self._stock = self._talon = _STOCK
        """Cards in the stock, and in stock and waste together."""
        self._due = 0.0
        self._again: Callable[[], None] | None = None
        wire.received = self._setting_up

    async def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Ask and wait for the answer. Raises RuntimeError for an error."""
        self._req += 1
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[self._req] = future
        self._send({"type": kind, "req": self._req, **fields})
        answer = await asyncio.wait_for(future, 60)
        if answer["type"] == "error":
            raise RuntimeError(f"{kind}: {answer['message']}")
        return answer

    async def hello(self) -> None:
        """Say who is there."""
        self._waiting[0] = future = asyncio.get_running_loop().create_future()
        self._send({"type": "hello", "name": self.name})
        answer = await asyncio.wait_for(future, 60)
        if answer["type"] == "error":
            raise RuntimeError(f"hello: {answer['message']}")

    async def ready(self) -> None:
        """Ready, with a nonce."""
        await self.request("ready", nonce_hash=hashlib.sha256(self._nonce.encode()).hexdigest())

    def _send(self, message: dict[str, Any]) -> None:
        self.wire.transport.write(client_frame(json.dumps(message).encode()))

    def _setting_up(self, payload: bytes) -> None:
        message = json.loads(payload)
        kind = message["type"]
        if kind == "welcome" or (kind == "error" and 0 in self._waiting):
            self._waiting.pop(0).set_result(message)
        elif kind == "duel" and message["phase"] == "frozen":
            self._send({"type": "reveal", "req": 0, "nonce": self._nonce})
        elif kind == "snapshot" and not self.started.done():
            self.wire.received = self._playing
            self.started.set_result(None)
        if (future := self._waiting.pop(message.get("req", -1), None)) is not None:
            future.set_result(message)

    # The load.

    def _playing(self, payload: bytes) -> None:
        if payload.startswith(b'{"type":"applied"'):
            self.accepted += 1
            self.delays.append(time.perf_counter() - self._due)
            self._seq += 1
            self._talon -= payload.count(b'["w",')
            redealt = self._stock == 0
            self._stock = self._talon if redealt else max(0, self._stock - _DRAW)
            if self._again is not None:
                self._again()
        elif payload.startswith(b'{"type":"standings"'):
            self.standings += 1
        elif payload.startswith((b'{"type":"refused"', b'{"type":"error"')):
            self.refused += 1

    def move(self) -> None:
        """The next move, now."""
        word = b"d" if self._stock else b"r"
        self._due = time.perf_counter()
        self.wire.transport.write(
            client_frame(b'{"type":"move","seq":%d,"move":"%s"}' % (self._seq, word))
        )

    def play_closed(self) -> None:
        """Send, wait for the answer, send."""
        self._again = self.move
        self.move()

    def play_paced(self, period_s: float) -> None:
        """A move each period, from a random moment on; a late answer delays nothing but itself."""
        loop = asyncio.get_running_loop()
        first = loop.time() + period_s * secrets.randbelow(1000) / 1000

        def tick(due: float) -> None:
            if self.wire.lost.is_set():
                return
            self.move()
            self._timer = loop.call_at(due + period_s, tick, due + period_s)

        self._timer = loop.call_at(first, tick, first)

    def stop(self) -> None:
        """No more moves."""
        self._again = None
        if hasattr(self, "_timer"):
            self._timer.cancel()

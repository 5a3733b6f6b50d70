"""A TCP line that can be made bad: delayed, stalled, dropped, cut, closed by half."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import StrEnum
from typing import Any, Final

__all__ = ["Link", "Mode"]

Opener = Callable[[Callable[[], asyncio.Protocol]], Awaitable[Any]]
"""Connects to where the line leads, with the given protocol. Raises OSError."""

_EOF: Final = b""


class Mode(StrEnum):
    """What becomes of bytes."""

    FLOW = "flow"
    STALL = "stall"
    """They wait, and arrive later: a network that loses packets for a while."""
    DROP = "drop"
    """They are gone, both ways, and nobody is told; the connection is reset when it heals."""
    DROP_REPLIES = "drop replies"
    """Requests arrive, and their answers don't."""


class Link:
    """An address of ours that leads to another one."""

    def __init__(self, opener: Opener) -> None:
        self._opener = opener
        self._pairs: set[_Pair] = set()
        self._server: asyncio.Server | None = None
        self.mode = Mode.FLOW
        self.delay_s = 0.0
        """Of each piece of bytes, each way."""
        self.port = 0

    async def open(self) -> Link:
        """Listen."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Pair(self).near, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def close(self) -> None:
        """No more connections."""
        if self._server is not None:
            self._server.close()
        self.cut()

    def set(self, mode: Mode = Mode.FLOW, delay_s: float = 0.0) -> None:
        """From now on. What was stalled arrives; what lost bytes is reset."""
        self.mode, self.delay_s = mode, delay_s
        for pair in list(self._pairs):
            if mode is Mode.FLOW and pair.lossy:
                pair.cut()
            else:
                pair.pump()

    def cut(self) -> None:
        """Reset every connection."""
        for pair in list(self._pairs):
            pair.cut()

    def half_close(self, *, far: bool) -> None:
        """Say to one end of every connection that nothing more comes; the other way stays open."""
        for pair in list(self._pairs):
            (pair.up if far else pair.down).feed(_EOF)

    async def connect(self, pair: _Pair) -> None:
        """The other half of a new connection."""
        if self.mode is Mode.DROP:
            pair.lossy = True
            return
        try:
            await self._opener(lambda: pair.far)
        except OSError:
            pair.cut()

    def add(self, pair: _Pair) -> None:
        self._pairs.add(pair)

    def forget(self, pair: _Pair) -> None:
        self._pairs.discard(pair)


class _Pair:
    """A connection to us, and ours to where it leads."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.lossy = False
        """Bytes were lost: nothing that comes later makes sense any more."""
        self.dead = False
        self.near = _End(self)
        self.far = _End(self)
        self.up = _Pipe(self, self.far, replies=False)
        self.down = _Pipe(self, self.near, replies=True)
        self.near.sink, self.far.sink = self.up, self.down
        self.near.other, self.far.other = self.far, self.near
        link.add(self)

    def pump(self) -> None:
        self.up.pump()
        self.down.pump()

    def cut(self) -> None:
        self.dead = True
        self.link.forget(self)
        for end in (self.near, self.far):
            if end.transport is not None:
                end.transport.abort()


class _End(asyncio.Protocol):
    """One socket of a pair."""

    sink: _Pipe
    other: _End

    def __init__(self, pair: _Pair) -> None:
        self._pair = pair
        self.transport: asyncio.Transport | None = None
        self._opening: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport) or hasattr(transport, "write")
        self.transport = transport  # type: ignore[assignment]
        if self._pair.dead:
            transport.abort()  # type: ignore[attr-defined]
        elif self is self._pair.near:
            loop = asyncio.get_running_loop()
            self._opening = loop.create_task(self._pair.link.connect(self._pair))
        else:
            self._pair.pump()

    def data_received(self, data: bytes) -> None:
        self.sink.feed(data)

    def eof_received(self) -> bool:
        self.sink.feed(_EOF)
        return True  # the other way stays open

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        if exc is not None or self.other.transport is None:
            self._pair.cut()
        else:
            self.sink.feed(_EOF)

    def pause_writing(self) -> None:
        if self.other.transport is not None:
            with suppress(RuntimeError):
                self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other.transport is not None:
            with suppress(RuntimeError):
                self.other.transport.resume_reading()


class _Pipe:
    """One direction of a pair."""

    def __init__(self, pair: _Pair, to: _End, *, replies: bool) -> None:
        self._pair = pair
        self._to = to
        self._replies = replies
        self._queue: deque[tuple[float, bytes]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._ended = False

    def feed(self, data: bytes) -> None:
        """Bytes, or the end of them, as they come in."""
        link = self._pair.link
        if link.mode is Mode.DROP or (link.mode is Mode.DROP_REPLIES and self._replies):
            self._pair.lossy = True
            return
        self._queue.append((asyncio.get_running_loop().time() + link.delay_s, data))
        self.pump()

    def pump(self) -> None:
        """Pass on what is due."""
        transport = self._to.transport
        if self._pair.link.mode is Mode.STALL or transport is None:
            return
        now = asyncio.get_running_loop().time()
        while self._queue and self._queue[0][0] <= now:
            data = self._queue.popleft()[1]
            if data is not _EOF and not self._ended:
                transport.write(data)
            elif not self._ended:
                self._end(transport)
        if self._queue and self._timer is None:
            wait = self._queue[0][0] - now
            self._timer = asyncio.get_running_loop().call_later(wait, self._later)

    def _end(self, transport: asyncio.Transport) -> None:
        self._ended = True
        with suppress(OSError, RuntimeError):
            transport.write_eof()
        if self._to.other.transport is None:
            transport.close()

    def _later(self) -> None:
        self._timer = None
        self.pump()

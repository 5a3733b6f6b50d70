"""One WebSocket to a server, from the handshake to the close: frames in order, no more."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from types import TracebackType
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed as SocketClosed
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from samedeal_client.address import is_local
from samedeal_client.errors import ConnectionFailed
from samedeal_client.texts import _
from samedeal_protocol import (
    SUBPROTOCOL,
    MalformedMessage,
    Message,
    ServerMessage,
    encode,
    parse_server_message,
)

__all__ = ["Link", "LinkClosed"]

OPEN_TIMEOUT_S: Final = 10.0
MAX_FRAME_BYTES: Final = 16 * 2**20
"""The record of a duel of a thousand is the largest message: 8 MB of text."""
KEEPALIVE_S: Final = 8.0
"""How soon a dead line is noticed: a ping, and as long again for its pong."""
MAX_UNWRITTEN: Final = 512
"""Messages that the socket has not taken; more means that the line is dead: it is closed."""


class LinkClosed(Exception):
    """The line is gone; with the close code that came, if any."""

    def __init__(self, code: int | None, reason: str) -> None:
        super().__init__(reason or _("code {code}").format(code=code))
        self.code = code
        self.reason = reason


class Link:
    """`async with Link(url) as link`. Sending never waits."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._socket: ClientConnection
        self._unwritten: deque[str] = deque()
        self._wake = asyncio.Event()
        self._written = asyncio.Event()
        self._written.set()
        self._writer: asyncio.Task[None]

    async def __aenter__(self) -> Link:
        """Connect. Raises `ConnectionFailed`."""
        try:
            self._socket = await connect(
                self._url,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                compression=None,  # the server negotiates it away; moves are short
                max_size=MAX_FRAME_BYTES,
                open_timeout=OPEN_TIMEOUT_S,
                close_timeout=2,
                ping_interval=KEEPALIVE_S,
                ping_timeout=KEEPALIVE_S,
                proxy=None if is_local(self._url) else True,
            )
        except (OSError, TimeoutError, WebSocketException, ValueError) as error:
            raise ConnectionFailed(_words(error)) from error
        if self._socket.subprotocol != SUBPROTOCOL:
            await self._socket.close()
            raise ConnectionFailed(_("what answers there is no Same Deal server of this version"))
        self._writer = asyncio.create_task(self._write())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close politely; what was not written yet gets a short while."""
        try:
            async with asyncio.timeout(1):
                await self._written.wait()
        except TimeoutError:
            pass
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)
        await self._socket.close()

    def send(self, message: Message) -> None:
        """Queue a message."""
        self._unwritten.append(encode(message))
        self._written.clear()
        self._wake.set()
        if len(self._unwritten) > MAX_UNWRITTEN:
            self._socket.transport.abort()

    async def receive(self) -> ServerMessage:
        """The server's next message. Raises `LinkClosed`."""
        try:
            return parse_server_message(await self._socket.recv())
        except SocketClosed as closed:
            reason = closed.rcvd.reason if closed.rcvd else _("the line broke")
            raise LinkClosed(self._socket.close_code, reason) from None
        except MalformedMessage as error:
            await self._socket.close(1002)
            unreadable = _("the server sent something unreadable: {error}").format(error=error)
            raise LinkClosed(1002, unreadable) from None

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                while self._unwritten:
                    await self._socket.send(self._unwritten[0])
                    self._unwritten.popleft()
            except SocketClosed:
                self._unwritten.clear()  # `receive` says so
            self._written.set()


def _words(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return _("no answer in time")
    if isinstance(error, OSError):
        if error.errno is not None and error.errno > 0:
            return os.strerror(error.errno).lower()  # asyncio's own text is for programmers
        return error.strerror or str(error) or _("not reachable")
    return str(error) or type(error).__name__

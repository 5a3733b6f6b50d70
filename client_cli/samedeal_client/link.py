"""One WebSocket to a server, from the handshake to the close: frames in order, no more."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections import deque
from types import TracebackType
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed as SocketClosed
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.http11 import Response
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
MAX_WORDS: Final = 120
"""Characters of what a server says when it does not let us in."""
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
        except InvalidStatus as error:
            raise _turned_away(error.response) from error
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


def _turned_away(response: Response) -> ConnectionFailed:
    """A server, or a proxy before it, that does not let us in, in its own words if it has any."""
    said: list[str] = []
    if response.body and response.headers.get("Content-Type", "").startswith("text/plain"):
        said = response.body.decode("utf-8", "replace").splitlines()
    words = said[0][:MAX_WORDS] if said and said[0].isprintable() else _("it does not let us in")
    after = response.headers.get("Retry-After", "")
    seconds = float(after) if after.isascii() and after.isdigit() else 0.0
    status = f"{response.status_code} {response.reason_phrase}".strip()
    text = _("{words} (HTTP {status})").format(words=words, status=status)
    return ConnectionFailed(text, seconds)


def _words(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return _("no answer in time")
    if isinstance(error, ssl.SSLCertVerificationError):
        why = error.verify_message.rstrip(".")
        words = _("its certificate is not trusted: {why} (SSL_CERT_FILE names other authorities)")
        return words.format(why=why)
    if isinstance(error, ssl.SSLError):
        return _("what answers there speaks no TLS: try ws:// instead of wss://")
    if isinstance(error, OSError):
        if error.errno is not None and error.errno > 0:
            return os.strerror(error.errno).lower()  # asyncio's own text is for programmers
        return error.strerror or str(error) or _("not reachable")
    return str(error) or type(error).__name__

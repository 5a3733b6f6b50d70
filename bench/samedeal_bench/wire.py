"""A WebSocket client as cheap as can be: the load must cost less than what it measures."""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable
from typing import cast

__all__ = ["Wire", "client_frame"]

_MASK = bytes(4)
"""A mask of zeros is a mask by the letter of RFC 6455, and costs nothing."""


def client_frame(payload: bytes) -> bytes:
    """A masked text frame."""
    n = len(payload)
    if n < 126:
        return bytes((0x81, 0x80 | n)) + _MASK + payload
    return bytes((0x81, 0xFE)) + n.to_bytes(2, "big") + _MASK + payload


class Wire(asyncio.Protocol):
    """One connection: `received` gets each text message."""

    def __init__(self, host: str, port: int, path: str = "/ws") -> None:
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n"
        ).encode()
        self._buffer = bytearray()
        self._open = False
        self.transport: asyncio.Transport
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lost = asyncio.Event()
        self.received: Callable[[bytes], None] = lambda _payload: None

    @classmethod
    async def connect(cls, host: str, port: int) -> Wire:
        """Connect and shake hands."""
        loop = asyncio.get_running_loop()
        _transport, wire = await loop.create_connection(lambda: cls(host, port), host, port)
        await wire.ready
        return wire

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        self.transport = cast(asyncio.Transport, transport)  # uvloop's are no subclass
        self.transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Cut frames; the server sends no fragments."""
        buffer = self._buffer
        buffer += data
        if not self._open:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if not buffer.startswith(b"HTTP/1.1 101"):
                self.ready.set_exception(ConnectionError(bytes(buffer[:80]).decode("latin-1")))
                return
            del buffer[: end + 4]
            self._open = True
            self.ready.set_result(None)
        position = 0
        size = len(buffer)
        while size - position >= 2:
            opcode, length = buffer[position] & 15, buffer[position + 1]
            head = 2
            if length == 126:
                head, length = 4, int.from_bytes(buffer[position + 2 : position + 4], "big")
            elif length == 127:
                head, length = 10, int.from_bytes(buffer[position + 2 : position + 10], "big")
            if size - position < head + length:
                break
            payload = bytes(buffer[position + head : position + head + length])
            position += head + length
            if opcode == 1:
                self.received(payload)
            elif opcode == 9:
                self.transport.write(bytes((0x8A, 0x80 | len(payload))) + _MASK + payload)
        del buffer[:position]

    def connection_lost(self, exc: Exception | None) -> None:
        """Gone."""
        self.lost.set()
        if not self.ready.done():
            self.ready.set_exception(exc or ConnectionError("closed in the handshake"))

"""A raw WebSocket client that may break every rule, and peers that write down what happens."""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from samedeal_server.net import Connection, EdgeServer

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
PATIENCE_S = 20.0
"""Upper bound of every wait; a test that needs it has failed."""

TLS_DIR = Path(__file__).parents[2] / "data" / "tls"
KEY = b"dGhlIHNhbXBsZSBub25jZQ=="
MASK = b"\x37\xfa\x21\x3d"


def frame(
    opcode: int, payload: bytes = b"", *, fin: bool = True, rsv: int = 0, masked: bool = True
) -> bytes:
    """A client's frame; every field as asked, sense or not."""
    head = bytes([fin << 7 | rsv << 4 | opcode])
    size = len(payload)
    bit = masked << 7
    if size < 126:
        head += bytes([bit | size])
    elif size < 65_536:
        head += bytes([bit | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([bit | 127]) + size.to_bytes(8, "big")
    if not masked:
        return head + payload
    return head + MASK + bytes(byte ^ MASK[i % 4] for i, byte in enumerate(payload))


def close(code: int | None = 1000, reason: bytes = b"") -> bytes:
    """A client's close frame; None for one without a payload."""
    return frame(CLOSE, b"" if code is None else struct.pack("!H", code) + reason)


def request(path: str = "/ws", *headers: str, method: str = "GET") -> bytes:
    """A valid handshake with further headers."""
    lines = [
        f"{method} {path} HTTP/1.1",
        "Host: localhost",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {KEY.decode()}",
        *headers,
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


@dataclass
class Talk:
    """All that a server said after its 101, in order for each kind."""

    texts: list[bytes] = field(default_factory=list)
    pongs: list[bytes] = field(default_factory=list)
    pings: int = 0
    code: int | None = None
    """Of the close frame; 1005 if it was empty, None if there was none."""
    reason: bytes = b""


class RawClient:
    """A TCP or TLS connection to the edge, and the frames that come back."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, *data: bytes) -> None:
        self.writer.write(b"".join(data))

    async def shake(self, path: str = "/ws", *headers: str) -> bytes:
        """Do the handshake; the head of the 101."""
        self.send(request(path, *headers))
        return await self.head()

    async def head(self) -> bytes:
        """The head of a reply."""
        async with asyncio.timeout(PATIENCE_S):
            return await self.reader.readuntil(b"\r\n\r\n")

    async def frame(self) -> tuple[int, bytes]:
        """Opcode and payload of the next frame. Raises IncompleteReadError at the end."""
        async with asyncio.timeout(PATIENCE_S):
            first, second = await self.reader.readexactly(2)
            assert first & 0xF0 == 0x80, "we never fragment, and negotiate no extension"
            assert second < 0x80, "a server doesn't mask"
            size = second
            if size == 126:
                size = int.from_bytes(await self.reader.readexactly(2), "big")
            elif size == 127:
                size = int.from_bytes(await self.reader.readexactly(8), "big")
            return first & 0x0F, await self.reader.readexactly(size)

    async def text(self) -> bytes:
        opcode, payload = await self.frame()
        assert opcode == TEXT, (opcode, payload)
        return payload

    async def rest(self) -> bytes:
        """Everything up to the end of the connection."""
        async with asyncio.timeout(PATIENCE_S):
            return await self.reader.read()

    async def rest_or_reset(self) -> bytes:
        """Like `rest`, if the end may be an abrupt one."""
        try:
            return await self.rest()
        except ConnectionResetError:
            return b""

    async def talk(self) -> Talk:
        """Read frames to the end of the connection; nothing may follow a close frame."""
        talk = Talk()
        while True:
            try:
                opcode, payload = await self.frame()
            except (asyncio.IncompleteReadError, ConnectionResetError):
                return talk
            assert talk.code is None, "a frame after the close frame"
            if opcode == TEXT:
                talk.texts.append(payload)
            elif opcode == PONG:
                talk.pongs.append(payload)
            elif opcode == PING:
                talk.pings += 1
            else:
                assert opcode == CLOSE
                talk.code = int.from_bytes(payload[:2], "big") if payload else 1005
                talk.reason = payload[2:]

    def reset(self) -> None:
        """End with a TCP RST."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    async def close(self) -> None:
        self.writer.transport.abort()
        try:
            await self.writer.wait_closed()
        except (OSError, ssl.SSLError):
            pass


async def dial_port(port: int, tls: ssl.SSLContext | None = None, window: int = 0) -> RawClient:
    """Connect; `window` in bytes makes the kernel's receive buffer small."""
    sock = socket.socket()
    if window:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    sock.setblocking(False)
    try:
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
    except OSError:
        sock.close()
        raise
    name = None if tls is None else "localhost"
    reader, writer = await asyncio.open_connection(
        sock=sock, ssl=tls, server_hostname=name, limit=4096 if window else 2**16
    )
    return RawClient(reader, writer)


class Recorder:
    """A peer that writes everything down and echoes, unless told otherwise."""

    def __init__(self) -> None:
        self.connection: Connection | None = None
        self.texts: list[bytes] = []
        self.closings: list[tuple[int, str]] = []
        self.on_text: Callable[[Connection, bytes], None] = Connection.send
        self.on_open: Callable[[Connection], None] = lambda _: None

    @property
    def line(self) -> Connection:
        assert self.connection is not None
        return self.connection

    def opened(self, connection: Connection) -> None:
        self.connection = connection
        self.on_open(connection)

    def received(self, text: bytes) -> None:
        assert type(text) is bytes
        assert not self.closings, "received after closed"
        self.texts.append(text)
        self.on_text(self.line, text)

    def closed(self, code: int, reason: str) -> None:
        self.closings.append((code, reason))


def answering(answer: Callable[[Connection, bytes], None]) -> Callable[[Recorder], None]:
    """Peers that do this with each text."""

    def prepare(peer: Recorder) -> None:
        peer.on_text = answer

    return prepare


@dataclass
class Edge:
    """A running server and the peers it has made."""

    server: EdgeServer
    peers: list[Recorder]

    @property
    def peer(self) -> Recorder:
        return self.peers[-1]


Serve = Callable[..., Coroutine[Any, Any, Edge]]
Dial = Callable[..., Coroutine[Any, Any, RawClient]]


async def until(condition: Callable[[], object]) -> None:
    """Wait for what is about to become true."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.005)

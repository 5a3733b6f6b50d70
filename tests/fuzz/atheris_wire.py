"""Coverage-guided fuzzing of the edge and the codec, where atheris is installed.

It is no dependency of ours. In an environment of its own, beside the project's packages:

    python3.11 -m venv /tmp/atheris && /tmp/atheris/bin/pip install atheris
    PYTHONPATH=tests:rules:protocol:server:.venv/lib/python3.11/site-packages \\
        /tmp/atheris/bin/python -m fuzz.atheris_wire -max_total_time=60

The first byte of an input says where it is cut; the rest is what a client writes: into a connection
as it is, or past a handshake. No socket, no store. An exception, or an answer that depends on the
cut, is a finding.
"""

from __future__ import annotations

import asyncio
import logging
import sys

import atheris

with atheris.instrument_imports(include=["samedeal_server", "samedeal_protocol", "websockets"]):
    from samedeal_protocol import MalformedMessage, encode, parse_client_message
    from samedeal_server.net import Connection
    from samedeal_server.net.endpoint import Endpoint
    from samedeal_server.net.forwarding import Forwarding
    from samedeal_server.net.gate import OpenGate
    from samedeal_server.net.limits import EdgeLimits
    from samedeal_server.net.opening import Opening

from fuzz.streams import REQUEST

__all__ = ["main"]


class Pipe(asyncio.Transport):
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 1)})
        self.protocol: asyncio.Protocol
        self.written = bytearray()
        self.closed = False

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        assert isinstance(protocol, asyncio.Protocol)
        self.protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self.protocol

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.closed = True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = True

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def is_reading(self) -> bool:
        return True


class Reader:
    """A peer that understands what it can and answers."""

    def opened(self, connection: Connection) -> None:
        self._connection = connection

    def received(self, text: bytes) -> None:
        try:
            message = parse_client_message(text)
        except MalformedMessage as error:
            self._connection.send(str(error).encode())
        else:
            assert parse_client_message(encode(message)) == message
            self._connection.send(encode(message).encode())

    def closed(self, code: int, reason: str) -> None:
        pass


class _Faults(logging.Handler):
    """A peer's or our exception is logged, and the connection closed: here it is a finding."""

    def emit(self, record: logging.LogRecord) -> None:
        raise AssertionError(record.getMessage()) from (record.exc_info or (None, None))[1]


def _said(loop: asyncio.AbstractEventLoop, pieces: list[bytes]) -> bytes:
    endpoint = Endpoint(
        loop=loop,
        peer_factory=Reader,
        ws_paths=("/ws",),
        routes={},
        limits=EdgeLimits(),
        subprotocol="samedeal.1",
        origins=None,
        gate=OpenGate(),
        forwarding=Forwarding(),
    )
    pipe = Pipe()
    pipe.protocol = Opening(endpoint)
    pipe.protocol.connection_made(pipe)
    for piece in pieces:
        if not pipe.closed:
            pipe.protocol.data_received(piece)
            loop.run_until_complete(asyncio.sleep(0))
    pipe.protocol.connection_lost(None)
    endpoint.wheel.stop()
    assert not endpoint.sockets
    return bytes(pipe.written)


def _told(said: bytes) -> list[bytes]:
    """Texts and the close. Pongs need not come where an error follows their ping at once."""
    frames, rest = [], said.partition(b"\r\n\r\n")[2]
    while len(rest) >= 2:
        start, size = (4, int.from_bytes(rest[2:4], "big")) if rest[1] == 126 else (2, rest[1])
        assert size < 127 or start == 4
        if rest[0] != 0x8A:
            frames.append(rest[: start + size])
        rest = rest[start + size :]
    return frames


def main(argv: list[str]) -> None:
    """Fuzz until told to stop."""
    logging.getLogger("samedeal_server").addHandler(_Faults(logging.ERROR))
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)

    def one(data: bytes) -> None:
        if len(data) < 2:
            return
        at, shaken = data[0] >> 1, data[0] & 1
        head = REQUEST if shaken else b""
        whole = _said(loop, [head + data[1:]])
        pieces = [head + data[1 : 1 + at], data[1 + at :]]
        cut = _said(loop, [piece for piece in pieces if piece])
        if shaken:
            assert _told(cut) == _told(whole), "what is said depends on the cut"

    atheris.Setup(argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv)

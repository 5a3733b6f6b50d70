"""A live node under streams of nonsense: valid answers or the door, and nothing left behind."""

from __future__ import annotations

import asyncio
import itertools
import logging
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field

import pytest
import structlog
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz.streams import HELLO, REQUEST, cut, frame, handshakes, payloads, streams
from samedeal_protocol import MalformedMessage, encode, parse_client_message, parse_server_message
from samedeal_server.node.node import Node
from support.nodes import nodes

PATIENCE_S = 20.0
pytestmark = pytest.mark.slow

OUR_CODES = {1000, 1002, 1003, 1007, 1008, 1009, 1013, 4001, 4002, 4003, 4004}
"""Close codes that blame somebody else; 1011 would be a fault of ours."""
STATUSES = {101, 200, 400, 403, 404, 405, 426, 429, 431, 501, 503, 505}
MUCH = 8 * 2**20
"""Bytes that one client sends without end."""
BOUND = 2 * 2**20
"""What they may cost us while they come."""

_names = itertools.count()


@dataclass
class Heard:
    """What a server said."""

    status: int = 0
    texts: list[bytes] = field(default_factory=list)
    code: int | None = None


class Prey:
    """A node in a loop of its own, and how many tasks it has when it is alone."""

    def __init__(self, runner: asyncio.Runner, node: Node) -> None:
        self.runner, self.node = runner, node
        self.tasks = len(self._others())

    def attack(self, pieces: list[bytes], *, still_there: bool = True) -> Heard:
        """Write the pieces, ask whether the server is still there, and hear all that it says."""
        return _understood(self.runner.run(self._talk(pieces, still_there=still_there)))

    async def _talk(self, pieces: list[bytes], *, still_there: bool) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.node.port)
        said = b""
        with suppress(ConnectionError):
            for piece in pieces:
                writer.write(piece)
                await asyncio.sleep(0)
            if still_there:
                writer.write(frame(1, b'{"type":"ping","id":77}') + frame(8, b"\x03\xe8"))
            writer.write_eof()
            async with asyncio.timeout(PATIENCE_S):
                while data := await reader.read(65536):
                    said += data
        writer.close()
        return said

    def _others(self) -> set[asyncio.Task[object]]:
        async def all_tasks() -> set[asyncio.Task[object]]:
            return asyncio.all_tasks() - {asyncio.current_task()}  # type: ignore[arg-type]

        return self.runner.run(all_tasks())

    def is_as_before(self) -> None:
        """No connection and no task is left."""
        for _ in range(int(PATIENCE_S / 0.02)):
            if self.node.connections == 0 and len(self._others()) <= self.tasks:
                return
            self.runner.run(asyncio.sleep(0.02))
        raise AssertionError(f"{self.node.connections} connections, {self._others()}")


def _understood(said: bytes) -> Heard:
    heard = Heard()
    if not said:
        return heard
    head, _, rest = said.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 "), head[:80]
    heard.status = int(head.split(b" ")[1])
    while heard.status == 101 and len(rest) >= 2:
        opcode, size = rest[0], rest[1]
        assert opcode & 0x70 == 0, "we negotiate no extension"
        assert size < 128, "a server doesn't mask"
        start = 2
        if size == 126:
            size, start = int.from_bytes(rest[2:4], "big"), 4
        elif size == 127:
            size, start = int.from_bytes(rest[2:10], "big"), 10
        payload, rest = rest[start : start + size], rest[start + size :]
        if opcode == 0x81:
            heard.texts.append(payload)
        elif opcode == 0x88:
            heard.code = int.from_bytes(payload[:2], "big") if payload else 1005
    return heard


def _check(heard: Heard) -> None:
    assert heard.status in STATUSES | {0}
    for text in heard.texts:
        message = parse_server_message(text)
        assert getattr(message, "code", None) != "internal", text
    assert heard.code is None or heard.code in OUR_CODES | {1005}


@pytest.fixture
def prey(store_url: str, caplog: pytest.LogCaptureFixture) -> Iterator[Prey]:
    """A node with the limits of a real one; nothing that it logs may be a fault of its own."""
    limits = {"moves_per_s": 25, "moves_burst": 75, "requests_per_s": 3, "requests_burst": 20}
    with asyncio.Runner() as runner, structlog.testing.capture_logs() as logged:
        stack = AsyncExitStack()
        made = nodes(store_url, **limits)
        (node,) = runner.run(stack.enter_async_context(made))
        prey = Prey(runner, node)
        try:
            yield prey
            prey.is_as_before()
        finally:
            runner.run(stack.aclose())
    faults = [line for line in logged if line["log_level"] in ("error", "critical")]
    faults += [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert not faults


FUZZ = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def test_whatever_a_client_writes_it_gets_valid_answers_or_the_door(prey: Prey) -> None:
    """Handshakes, frames, JSON and messages, spoilt and cut anywhere."""

    @FUZZ
    @given(pieces=streams())
    def attack(pieces: list[bytes]) -> None:
        heard = prey.attack(pieces)
        _check(heard)
        seen[heard.status, heard.code] += 1

    seen: Counter[tuple[int, int | None]] = Counter()
    attack()
    assert seen[101, 1000] > 20, seen


def test_handshakes_alone(prey: Prey) -> None:
    """A spoilt request gets a plain HTTP answer, never a WebSocket by mistake."""

    @FUZZ
    @given(data=st.data())
    def attack(data: st.DataObject) -> None:
        head = data.draw(handshakes())
        heard = prey.attack(data.draw(st.composite(lambda draw: cut(draw, head))()))
        _check(heard)
        if head == REQUEST:
            assert heard.status == 101

    attack()


def test_messages_of_a_player_in_a_duel(prey: Prey) -> None:
    """Past the greeting and the first cards: still only valid answers, and the ping's."""

    @FUZZ
    @given(bodies=st.lists(payloads, max_size=6))
    def attack(bodies: list[bytes]) -> None:
        name = b'{"type":"hello","name":"fuzz %d"}' % next(_names)
        first = [name, b'{"type":"create","req":900,"seats":1,"duration_ms":1000}']
        pieces = [REQUEST] + [frame(1, body) for body in (*first, *bodies)]
        heard = prey.attack(pieces)
        _check(heard)
        if heard.code == 1000:
            assert any(text.startswith(b'{"type":"pong","id":77') for text in heard.texts)

    attack()


@settings(max_examples=500, deadline=None)
@given(text=payloads)
def test_a_message_is_understood_or_refused(text: bytes) -> None:
    """What is understood means the same when it is written again; nothing else comes out."""
    try:
        message = parse_client_message(text)
    except MalformedMessage:
        return
    assert parse_client_message(encode(message)) == message


WITHOUT_END = {
    "a request head": b"GET /ws HTTP/1.1\r\n" + b"X: yyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n" * 64,
    "one message": REQUEST + frame(1, HELLO) + b"\x81\xff" + b"\x00\x00\x00\x7f" + b"\xff" * 4096,
    "fragments": REQUEST + frame(1, b"x", fin=False) + frame(0, b"x" * 100, fin=False) * 64,
    "empty fragments": REQUEST + frame(1, b"x", fin=False) + frame(0, b"", fin=False) * 512,
    "pings": REQUEST + frame(9, b"x" * 125) * 64,
    "messages": REQUEST + frame(1, b'{"type":"ping","id":1}') * 128,
    "moves without a duel": REQUEST + frame(1, b'{"type":"move","seq":0,"move":"d"}') * 128,
    "large nonsense": REQUEST + frame(1, b"[" * 16_000),
}


@pytest.mark.parametrize("what", WITHOUT_END)
def test_what_has_no_end_costs_little(prey: Prey, what: str) -> None:
    """Megabytes of it, and the node holds a fraction; then it says why and closes, or cuts."""
    start = WITHOUT_END[what]
    more = start.removeprefix(REQUEST) if start.startswith(REQUEST) else b"X: y\r\n" * 1000
    if what == "one message":
        more = b"\x55" * 65_536
    pieces = [start, *[more] * (MUCH // len(more) + 1)]
    sent = sum(map(len, pieces))
    assert sent >= MUCH
    tracemalloc.start()
    try:
        heard = prey.runner.run(_pour(prey, pieces))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    _check(_understood(heard))
    assert peak < BOUND, f"{peak} bytes"


async def _pour(prey: Prey, pieces: list[bytes]) -> bytes:
    """As fast as the server takes it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", prey.node.port)
    said = bytearray()

    async def listen() -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                said.extend(data)

    listening = asyncio.create_task(listen())
    with suppress(ConnectionError):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            if listening.done():
                break
        writer.write_eof()
    async with asyncio.timeout(PATIENCE_S):
        await listening
    writer.close()
    return bytes(said)

"""Who is turned away at the handshake, and that everybody is counted once."""

from __future__ import annotations

import ssl
from collections import Counter
from http import HTTPStatus

import pytest
from edge_testing import Dial, Recorder, Serve, until

from samedeal_server.net import Forwarding, HttpReply, Turned


class CountingGate:
    """Lets `room` in for each address, and so many wait with their request."""

    def __init__(self, room: int, waiting: int = 9) -> None:
        self.room = room
        self.waiting = waiting
        self.here: Counter[str] = Counter()
        self.knocking: Counter[str] = Counter()

    def knock(self, address: str) -> bool:
        if self.knocking[address] >= self.waiting:
            return False
        self.knocking[address] += 1
        return True

    def heard(self, address: str) -> None:
        self.knocking[address] -= 1
        assert self.knocking[address] >= 0

    def enter(self, address: str) -> Turned | None:
        if self.here[address] >= self.room:
            return Turned(HTTPStatus.TOO_MANY_REQUESTS, "too many of you", 7)
        self.here[address] += 1
        return None

    def leave(self, address: str) -> None:
        self.here[address] -= 1
        assert self.here[address] >= 0


async def test_who_is_turned_away_hears_why_and_when_to_come_back(serve: Serve, dial: Dial) -> None:
    """429 with Retry-After; the ones inside are not disturbed, and who goes makes room."""
    gate = CountingGate(1)
    edge = await serve(gate=gate)
    inside = await dial(edge)
    late = await dial(edge, shake=False)
    head = await late.shake()
    assert head.startswith(b"HTTP/1.1 429 ")
    assert b"Retry-After: 7\r\n" in head
    assert (await late.rest()) == b"too many of you\n"
    await inside.close()
    await until(lambda: gate.here["127.0.0.1"] == 0)
    await dial(edge)


async def test_everybody_who_was_counted_in_is_counted_out(serve: Serve, dial: Dial) -> None:
    """By a reset, an abort, a peer that fails at once, or the end of the server."""
    gate = CountingGate(9)

    def fails(_: object) -> None:
        raise RuntimeError("this peer fails")

    def prepare(peer: Recorder) -> None:
        peer.on_open = fails if gate.here["127.0.0.1"] == 5 else peer.on_open

    edge = await serve(prepare, gate=gate)
    clients = [await dial(edge) for _ in range(4)]
    assert gate.here["127.0.0.1"] == 4
    failing = await dial(edge)
    assert (await failing.talk()).code == 1011
    await until(lambda: gate.here["127.0.0.1"] == 4)
    clients[0].reset()
    await clients[1].close()
    await until(lambda: gate.here["127.0.0.1"] == 2)
    await edge.server.drain(timeout=0.05)
    assert gate.here["127.0.0.1"] == 0


async def test_the_address_that_a_trusted_proxy_names(serve: Serve, dial: Dial) -> None:
    """Each client behind it is one; one that nobody trusts speaks for itself."""
    gate = CountingGate(9)
    trusting = await serve(gate=gate, forwarding=Forwarding(["127.0.0.0/8"]))
    await dial(trusting, "X-Forwarded-For: 192.0.2.1")
    await dial(trusting, "X-Forwarded-For: 192.0.2.2")
    assert gate.here == {"192.0.2.1": 1, "192.0.2.2": 1}
    assert trusting.peer.line.address == "192.0.2.2"
    wary = await serve(gate=gate)
    await dial(wary, "X-Forwarded-For: 192.0.2.3")
    assert gate.here["192.0.2.3"] == 0
    assert gate.here["127.0.0.1"] == 1


@pytest.mark.parametrize("over_tls", [False, True])
async def test_who_says_nothing_takes_the_place_of_others_at_that_address(
    serve: Serve, dial: Dial, server_tls: ssl.SSLContext, client_tls: ssl.SSLContext, over_tls: bool
) -> None:
    """So many connections of one address may be without a request; the next end at once."""
    gate = CountingGate(9, waiting=2)
    tls = (server_tls, client_tls) if over_tls else (None, None)
    edge = await serve(gate=gate, ssl=tls[0], routes={"/healthz": lambda: HttpReply(200, b"ok")})
    inside = [await dial(edge, tls=tls[1]) for _ in range(2)]
    assert gate.knocking["127.0.0.1"] == 0
    silent = [await dial(edge, shake=False) for _ in range(2)]
    await until(lambda: gate.knocking["127.0.0.1"] == 2)
    late = await dial(edge, shake=False)
    assert await late.rest_or_reset() == b""
    silent[0].reset()
    await until(lambda: gate.knocking["127.0.0.1"] == 1)
    checking = await dial(edge, shake=False, tls=tls[1])
    checking.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    assert (await checking.head()).startswith(b"HTTP/1.1 200 ")
    for client in (checking, silent[1], *inside):
        await client.close()
    await until(lambda: edge.server.sockets == 0)
    assert gate.knocking["127.0.0.1"] == gate.here["127.0.0.1"] == 0


async def test_a_trusted_proxy_is_not_held_for_a_client(serve: Serve, dial: Dial) -> None:
    """Its connections that have no request yet are many clients'."""
    gate = CountingGate(9, waiting=1)
    edge = await serve(gate=gate, forwarding=Forwarding(["127.0.0.1"]))
    for _ in range(3):
        await dial(edge, shake=False)
    await dial(edge, "X-Forwarded-For: 192.0.2.1")
    assert gate.knocking.total() == 0

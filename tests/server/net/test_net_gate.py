"""Who is turned away at the handshake, and that everybody is counted once."""

from __future__ import annotations

from collections import Counter
from http import HTTPStatus

from edge_testing import Dial, Recorder, Serve, until

from samedeal_server.net import Forwarding, Turned


class CountingGate:
    """Lets `room` in for each address."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.here: Counter[str] = Counter()

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

"""What clients do that they shouldn't, or that just happens to them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Final

from faults.client import Client
from faults.evidence import Sent
from faults.schedule import Fault
from faults.wire import LOST, Asked, Wire

__all__ = ["MISDEEDS"]

CHAIN: Final = 14
"""Moves that the older of two connections goes on with; 16 may have no answer."""
GARBAGE: Final[tuple[str | bytes, ...]] = (
    "",
    "{",
    "null",
    "[]",
    '{"type":"move"}',
    '{"type":"move","seq":0,"move":"d","score":9999}',
    '{"type":"move","seq":-1,"move":"d"}',
    '{"type":"move","seq":0,"move":"' + "d" * 500 + '"}',
    '{"type":"reveal","req":1,"nonce":"\\u0000"}',
    '{"type":"hello","name":"\\ud800"}',
    '{"type":"result","duel":"p00x"}',
    "[" * 5000,
    "9" * 4000,
    "x" * 20_000,
    b"\x00\x01\x02",
    b"",
)


async def vanish(client: Client, _fault: Fault) -> None:
    """The line is gone, without a word."""
    assert client.wire is not None
    client.wire.cut()


async def stop_reading(client: Client, fault: Fault) -> None:
    """A program that hangs: nothing is read, moves still come."""
    wire = client.wire
    assert wire is not None
    wire.deaf = True
    try:
        with suppress(*LOST):
            for seq, move in _chain(client):
                await client.move(wire, wire.duel, seq, move)
        await asyncio.sleep(fault.lasts_s)
    finally:
        wire.deaf = False


async def double_connect(client: Client, fault: Fault) -> None:
    """A second tab, while the first one goes on playing until it is closed."""
    old = client.wire
    assert old is not None
    ports = [port for port in client.ports() if port != client.port or fault.amount % 4 == 0]
    port = ports[fault.amount % len(ports)]
    try:
        wire = await client.connect(port)
    except LOST:
        return
    going_on = asyncio.create_task(_go_on(client, old, fault))
    try:
        await client.greet(wire)
        client.port = port
        client.busy = False  # the newer one plays already
        await going_on
        await asyncio.sleep(0.3)
    except (*LOST, Asked):
        wire.cut()
    finally:
        going_on.cancel()
        old.cut()
        await asyncio.wait([going_on])


async def _go_on(client: Client, old: Wire, fault: Fault) -> None:
    with suppress(*LOST):
        for seq, move in _chain(client):
            if not old.open_still:
                return
            client.book.sent(old.duel, client.player, Sent(old.number, seq, move))
            await old.send("move", seq=seq, move=move)
            await asyncio.sleep(0.004 + 0.001 * (fault.amount % 8))


def _chain(client: Client) -> list[tuple[int, str]]:
    """Moves that are legal one after the other, as far as one can tell."""
    hand = client.hand
    if hand is None:
        return []
    start = max([hand.seq, *(seq + 1 for seq in client.pending)])
    return [(start + index, move) for index, move in enumerate(hand.chain(CHAIN))]


async def resend(client: Client, fault: Fault) -> None:
    """What was acknowledged, again: answered again, not applied again."""
    wire = client.wire
    assert wire is not None
    with suppress(*LOST):
        for seq, move in client.acknowledged[-1 - fault.amount % 6 :]:
            await client.move(wire, wire.duel, seq, move, own=False)


async def conflict(client: Client, fault: Fault) -> None:
    """Another move with a seq that has one already."""
    wire = client.wire
    assert wire is not None
    with suppress(*LOST):
        for seq, move in client.acknowledged[-1 - fault.amount % 3 :]:
            other = "d" if move != "d" else "end"
            await client.move(wire, wire.duel, seq, other, own=False)


async def gap(client: Client, fault: Fault) -> None:
    """A move from the future."""
    wire, hand = client.wire, client.hand
    assert wire is not None
    assert hand is not None
    with suppress(*LOST):
        seq = hand.seq + len(client.pending) + 1 + fault.amount % 5
        await client.move(wire, wire.duel, seq, "d", own=False)


async def flood(client: Client, fault: Fault) -> None:
    """Far more than anybody may send."""
    wire, hand = client.wire, client.hand
    assert wire is not None
    assert hand is not None
    with suppress(*LOST):
        for number in range(200):
            if fault.amount % 2:
                await wire.send("ping", id=number)
            else:
                await client.move(wire, wire.duel, 900_000 + number, "d", own=False)


async def garbage(client: Client, fault: Fault) -> None:
    """No messages at all."""
    wire = client.wire
    assert wire is not None
    with suppress(*LOST):
        for number in range(1 + fault.amount % 4):
            await wire.send_text(GARBAGE[(fault.amount + number) % len(GARBAGE)])


Misdeed = Callable[[Client, Fault], Awaitable[None]]

MISDEEDS: Final[Mapping[str, Misdeed]] = MappingProxyType(
    {
        "vanish": vanish,
        "stop reading": stop_reading,
        "double connect": double_connect,
        "resend": resend,
        "conflict": conflict,
        "gap": gap,
        "flood": flood,
        "garbage": garbage,
    }
)

"""Pings and pongs: floods of them, and silence."""

from __future__ import annotations

import asyncio

import pytest
from edge_testing import (
    PING,
    PONG,
    TEXT,
    Dial,
    Serve,
    frame,
    until,
)

from samedeal_server.net import EdgeLimits

HELLO = frame(TEXT, b"Hello")


async def test_reader_that_makes_progress_lives(serve: Serve, dial: Dial) -> None:
    """Taking what is sent is as good as a pong, which would wait behind it."""
    edge = await serve(limits=EdgeLimits(ping_interval=600.0))
    await dial(edge)
    edge.peer.line._heard = False
    edge.peer.line.resume_writing()
    assert edge.peer.line._heard


@pytest.mark.parametrize("opcode", [PING, PONG])
async def test_flood_of_control_frames(serve: Serve, dial: Dial, opcode: int) -> None:
    """A burst is answered, a flood ends with 1008."""
    edge = await serve(limits=EdgeLimits(control_burst=10, control_rate_per_s=0.01))
    client = await dial(edge)
    client.send(frame(opcode) * 10, HELLO)
    assert [(await client.frame())[0] for _ in range(1 if opcode == PONG else 11)].count(TEXT) == 1
    client.send(frame(opcode), HELLO)
    talk = await client.talk()
    assert (talk.texts, talk.code) == ([], 1008)
    assert edge.peer.closings == [(1008, "too many control frames")]


async def test_flood_of_pings_while_closing(serve: Serve, dial: Dial) -> None:
    """There is nothing left to say: the connection is dropped."""
    edge = await serve(limits=EdgeLimits(control_burst=10, control_rate_per_s=0.01))
    client = await dial(edge)
    edge.peer.line.close(1001)
    client.send(frame(PING) * 1000)
    await client.rest_or_reset()
    await until(lambda: edge.peer.closings == [(1001, "")])


async def test_silent_client_is_pinged_and_dropped(serve: Serve, dial: Dial) -> None:
    """No pong, no connection."""
    edge = await serve(limits=EdgeLimits(ping_interval=0.1, ping_timeout=0.1))
    client = await dial(edge)
    talk = await client.talk()
    assert talk.pings == 1
    assert (talk.code, talk.reason) == (1011, b"ping timeout")
    assert edge.peer.closings == [(1011, "ping timeout")]


async def test_client_that_answers_pings_stays(serve: Serve, dial: Dial) -> None:
    """And so does one that says anything else."""
    edge = await serve(limits=EdgeLimits(ping_interval=0.1, ping_timeout=0.5))
    client = await dial(edge)
    for _ in range(3):
        assert await client.frame() == (PING, b"")
        client.send(frame(PONG))
    assert await client.frame() == (PING, b"")
    client.send(HELLO)
    assert await client.text() == b"Hello"
    assert await client.frame() == (PING, b"")
    assert edge.peer.line.is_open


async def test_paused_client_is_not_blamed_for_silence(serve: Serve, dial: Dial) -> None:
    """We don't hear its pongs because we don't listen."""
    edge = await serve(limits=EdgeLimits(ping_interval=0.05, ping_timeout=0.05))
    client = await dial(edge)
    edge.peer.line.pause_reading()
    for _ in range(4):
        assert await client.frame() == (PING, b"")
    client.send(frame(PONG), HELLO)
    edge.peer.line.resume_reading()
    opcode = PING
    while opcode == PING:
        opcode, payload = await client.frame()
        client.send(frame(PONG))
    assert (opcode, payload) == (TEXT, b"Hello")


async def test_client_that_takes_nothing_is_not_kept_by_talking(serve: Serve, dial: Dial) -> None:
    """Below the limit of the backlog, but never reading: pings find it."""
    limits = EdgeLimits(
        ping_interval=0.1,
        ping_timeout=0.1,
        close_timeout=0.1,
        pause_above=16_384,
        resume_below=8_192,
        max_backlog=2**30,
    )
    edge = await serve(limits=limits)
    client = await dial(edge, window=4096)
    while edge.peer.line.backlog < 100_000:
        edge.peer.line.send(b"x" * 10_000)
    while not edge.peer.closings:
        client.send(HELLO)
        await asyncio.sleep(0.01)
    assert edge.peer.closings == [(1011, "ping timeout")]

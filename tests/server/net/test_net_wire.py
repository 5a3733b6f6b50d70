"""Transports that raise where the other loop's don't."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from edge_testing import Recorder

from samedeal_server.net.endpoint import Endpoint
from samedeal_server.net.forwarding import Forwarding
from samedeal_server.net.gate import OpenGate
from samedeal_server.net.limits import EdgeLimits
from samedeal_server.net.wire import Wire


class ClosedTransport:
    """Answers every call like uvloop's after its handle is gone."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def can_write_eof(self) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        def call(*_: object) -> None:
            self.calls.append(name)
            raise RuntimeError("unable to perform operation on <TCPTransport closed=True>")

        return call


def wire_on(transport: ClosedTransport) -> Wire:
    endpoint = Endpoint(
        loop=asyncio.get_running_loop(),
        peer_factory=Recorder,
        ws_paths=(),
        routes={},
        limits=EdgeLimits(),
        subprotocol="x",
        origins=None,
        gate=OpenGate(),
        forwarding=Forwarding(),
    )
    return Wire(endpoint, cast("asyncio.Transport", transport))


@pytest.mark.parametrize(
    "act",
    [
        lambda wire: wire._write(b"x"),
        lambda wire: wire._end(),
        lambda wire: wire.abort(),
        lambda wire: wire._pause_transport(),
        lambda wire: wire._resume_transport(),
        lambda wire: wire.due(),
    ],
    ids=["write", "end", "abort", "pause", "resume", "due"],
)
async def test_nothing_escapes(act: Any) -> None:
    """Whoever writes to many connections never hears of one that has just gone (case 66)."""
    transport = ClosedTransport()
    wire = wire_on(transport)
    act(wire)
    assert transport.calls
    wire._endpoint.wheel.stop()


async def test_failed_write_ends_the_wire() -> None:
    """It is aborted, and nothing more is written to it."""
    transport = ClosedTransport()
    wire = wire_on(transport)
    wire._write(b"x")
    wire._write(b"y")
    assert transport.calls == ["write", "abort"]

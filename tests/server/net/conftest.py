"""Every asynchronous test here runs on asyncio's loop and on uvloop's."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import uvloop
from edge_testing import TLS_DIR, Dial, Edge, RawClient, Recorder, Serve, dial_port

from samedeal_server.net import listen


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Named in the ids of the tests."""
    return {"asyncio": asyncio.SelectorEventLoop, "uvloop": uvloop.new_event_loop}


@pytest.fixture
async def serve() -> AsyncIterator[Serve]:
    """Start an edge whose peers are Recorders; `prepare` is called with each of them."""
    edges: list[Edge] = []
    errors: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))

    async def start(prepare: Callable[[Recorder], None] = lambda _: None, **options: Any) -> Edge:
        peers: list[Recorder] = []

        def new_peer() -> Recorder:
            peer = Recorder()
            prepare(peer)
            peers.append(peer)
            return peer

        edges.append(Edge(await listen(new_peer, **options), peers))
        return edges[-1]

    yield start
    for edge in edges:
        await edge.server.drain(timeout=0.05)
        for peer in edge.peers:
            assert len(peer.closings) == (peer.connection is not None), "closed() comes once"
    assert not errors, "nothing may escape into the loop"


@pytest.fixture
async def dial() -> AsyncIterator[Dial]:
    """Connect to an edge, with the handshake done unless `shake=False`."""
    clients: list[RawClient] = []

    async def connect(
        edge: Edge,
        *headers: str,
        shake: bool = True,
        tls: ssl.SSLContext | None = None,
        window: int = 0,
    ) -> RawClient:
        client = await dial_port(edge.server.port, tls, window)
        clients.append(client)
        if shake:
            assert (await client.shake("/ws", *headers)).startswith(b"HTTP/1.1 101 ")
        return client

    yield connect
    for client in clients:
        await client.close()


@pytest.fixture
def server_tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS_DIR / "cert.pem", TLS_DIR / "key.pem")
    return context


@pytest.fixture
def client_tls() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(TLS_DIR / "cert.pem"))

"""What a node keeps in memory for those who only wait."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import tracemalloc

import pytest

from support.nodes import eventually, nodes

BOUND = 12 * 1024
"""Bytes for each idle connection: docs/operations.md, "Limits"."""
IDLE = 300

_OFFER = b"Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"


async def _idle(port: int, number: int, offer: bytes) -> socket.socket:
    """A player who says hello and then nothing: a bare socket, so that what grows is the node."""
    loop = asyncio.get_running_loop()
    sock = socket.socket()
    sock.setblocking(False)
    await loop.sock_connect(sock, ("127.0.0.1", port))
    hello = json.dumps({"type": "hello", "name": f"idle {number}"}).encode()
    await loop.sock_sendall(
        sock,
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        + offer
        + b"Sec-WebSocket-Protocol: samedeal.1\r\n\r\n"
        + bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0])
        + hello,
    )
    answer = b""
    while b'"welcome"' not in answer:
        answer += await loop.sock_recv(sock, 4096)
    assert b"deflate" not in answer
    return sock


@pytest.mark.parametrize("offer", [b"", _OFFER], ids=["plain", "compression offered"])
async def test_an_idle_connection_has_a_bound(store_url: str, offer: bytes) -> None:
    """Case 60: greeted players who do nothing, with and without an offer of compression."""
    async with nodes(store_url) as (node,):
        first = [await _idle(node.port, number, offer) for number in range(20)]
        gc.collect()
        tracemalloc.start()
        try:
            socks = [await _idle(node.port, number, offer) for number in range(20, 20 + IDLE)]
            gc.collect()
            each = tracemalloc.get_traced_memory()[0] / IDLE
        finally:
            tracemalloc.stop()
        assert node.connections == 20 + IDLE
        assert each < BOUND
        for sock in (*first, *socks):
            sock.close()
        await eventually(lambda: node.connections == 0)

"""A server that does not let us in: its words, and when to come back."""

from __future__ import annotations

import asyncio

import pytest

from samedeal_client.errors import ConnectionFailed
from samedeal_client.link import Link


async def _answered_by(head: str, body: str) -> ConnectionFailed:
    """What a client makes of this answer to its handshake."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        text = f"HTTP/1.1 {head}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}"
        writer.write(text.encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(ConnectionFailed) as failed:
            async with Link(f"ws://127.0.0.1:{port}/ws"):
                pass
    return failed.value


async def test_a_full_server_says_when_to_come_back() -> None:
    """Its line is shown, its Retry-After is kept to."""
    failed = await _answered_by(
        "503 Service Unavailable\r\nRetry-After: 7\r\nContent-Type: text/plain; charset=utf-8",
        "no room now, try again\n",
    )
    assert str(failed) == "no room now, try again (HTTP 503 Service Unavailable)"
    assert failed.retry_after_s == 7


async def test_a_proxys_page_is_not_shown() -> None:
    """HTML, nonsense in Retry-After, control characters: nothing of that reaches a terminal."""
    failed = await _answered_by(
        "503 Service Unavailable\r\nRetry-After: soon\r\nContent-Type: text/html",
        "<html><body>503</body></html>",
    )
    assert str(failed) == "it does not let us in (HTTP 503 Service Unavailable)"
    assert failed.retry_after_s == 0
    failed = await _answered_by(
        "429 Too Many Requests\r\nContent-Type: text/plain", "\x1b[31mred\n"
    )
    assert str(failed) == "it does not let us in (HTTP 429 Too Many Requests)"

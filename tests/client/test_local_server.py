"""Finding or starting a server on this machine, with programs that stand in for it."""

from __future__ import annotations

import asyncio
import sys

import pytest

from samedeal_client.local_server import NoLocalServer, find_or_start, is_healthy

UNUSED = 9
"""The discard port: nobody answers there."""


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


async def answering(status: bytes) -> asyncio.Server:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    return await asyncio.start_server(answer, "127.0.0.1", 0)


def port_of(server: asyncio.Server) -> int:
    port: int = server.sockets[0].getsockname()[1]
    return port


async def test_a_healthy_server_is_used_and_left_alone() -> None:
    """It is not ours to stop."""
    async with await answering(b"200 OK") as running:
        server = await find_or_start(port_of(running), python("1/0"))
        assert server.url == f"ws://127.0.0.1:{port_of(running)}/ws"
        assert not server.started
        await server.stop()
        assert await is_healthy(port_of(running))


async def test_a_server_that_is_not_well_is_not_used() -> None:
    """One of our own is started instead."""
    async with await answering(b"503 Service Unavailable") as running:
        assert not await is_healthy(port_of(running))


async def test_the_address_is_read_from_its_output_and_the_end_is_ours() -> None:
    """Even if it talks a lot: a full pipe must not stop it."""
    code = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\n"
        "print('Same Deal listens on ws://127.0.0.1:4321/ws', flush=True)\n"
        "for _ in range(3000): print('x' * 100, flush=True)\n"
        "open(0).read() if False else time.sleep(60)\n"
    )
    server = await find_or_start(UNUSED, python(code))
    assert server.url == "ws://127.0.0.1:4321/ws"
    assert server.started
    await asyncio.sleep(0.3)
    await server.stop()
    assert server.process is not None
    assert server.process.returncode == 0


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (python("print('the port is taken')"), "the port is taken"),
        (python("raise SystemExit(3)"), "code 3"),
        (["/no/such/program"], "No such file"),
    ],
)
async def test_a_server_that_does_not_start_says_why(command: list[str], why: str) -> None:
    """Its own last words, where it has any."""
    with pytest.raises(NoLocalServer, match=why):
        await find_or_start(UNUSED, command)

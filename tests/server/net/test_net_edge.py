"""Listening, and stopping in an orderly way (case 63)."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from pathlib import Path

import pytest
from edge_testing import (
    CLOSE,
    TEXT,
    Dial,
    RawClient,
    Recorder,
    Serve,
    close,
    dial_port,
    frame,
    request,
    until,
)

from samedeal_server.net import EdgeLimits, HttpReply, listen


async def polite(client: RawClient) -> int | None:
    """Answer the server's close frame and go; its code."""
    code: int | None = None
    try:
        while True:
            opcode, payload = await client.frame()
            if opcode == CLOSE:
                code = int.from_bytes(payload[:2], "big")
                client.send(close(code))
    except (asyncio.IncompleteReadError, ConnectionResetError):
        client.writer.close()
        return code


async def test_drain_with_clients_of_all_kinds(serve: Serve, dial: Dial) -> None:
    """Who reads hears 1012, who doesn't is dropped, who comes now is turned away."""
    edge = await serve(limits=EdgeLimits(close_timeout=60.0))
    readers = [await dial(edge) for _ in range(20)]
    stubborn = await dial(edge, window=4096)
    while edge.peer.line.backlog < 64 * 1024:
        edge.peer.line.send(b"x" * 10_000)
    halfway = await dial(edge, shake=False)
    halfway.send(request()[:40])
    await asyncio.sleep(0.05)

    draining = asyncio.create_task(edge.server.drain(timeout=1.0))
    codes = asyncio.gather(*(polite(reader) for reader in readers))
    await asyncio.sleep(0.05)
    halfway.send(request()[40:])
    assert (await halfway.head()).startswith(b"HTTP/1.1 503 ")
    with pytest.raises(ConnectionRefusedError):
        await dial_port(edge.server.port)
    assert await codes == [1012] * 20
    await draining
    assert edge.server.connections == 0
    assert all(len(peer.closings) == 1 for peer in edge.peers)
    await stubborn.rest_or_reset()


async def test_drain_is_idempotent(serve: Serve, dial: Dial) -> None:
    """Twice at once, again later, and cancelled in between: one drain."""
    edge = await serve()
    client = await dial(edge)
    first = asyncio.create_task(edge.server.drain(4000, "first", timeout=5.0))
    await asyncio.sleep(0)
    second = asyncio.create_task(edge.server.drain(4001, "second", timeout=0.0))
    await asyncio.sleep(0)
    first.cancel()
    assert await polite(client) == 4000
    await second
    await edge.server.drain()
    assert edge.peer.closings == [(4000, "first")]


async def test_drain_of_an_empty_server_is_immediate(serve: Serve) -> None:
    """Nobody to wait for."""
    edge = await serve()
    async with asyncio.timeout(2):
        await edge.server.drain(timeout=60)


async def test_drain_does_not_wait_for_sockets_that_never_ask(serve: Serve, dial: Dial) -> None:
    """A socket without a request has a second, not the whole time."""
    edge = await serve(limits=EdgeLimits(open_timeout=600.0))
    await dial(edge, shake=False)
    await until(lambda: edge.server._endpoint.sockets)
    async with asyncio.timeout(10):
        await edge.server.drain(timeout=60)


async def test_drain_over_tls(
    serve: Serve, dial: Dial, server_tls: ssl.SSLContext, client_tls: ssl.SSLContext
) -> None:
    """Readers hear 1012, the others are dropped."""
    edge = await serve(ssl=server_tls)
    reader = await dial(edge, tls=client_tls)
    stubborn = await dial(edge, tls=client_tls, window=4096)
    while edge.peer.line.backlog < 64 * 1024:
        edge.peer.line.send(b"x" * 10_000)
    code, _ = await asyncio.gather(polite(reader), edge.server.drain(timeout=0.5))
    assert code == 1012
    assert edge.server.connections == 0
    await stubborn.close()


async def test_connecting_all_the_while(serve: Serve) -> None:
    """Each of many that come during the drain is served, refused, or told; none hangs."""
    edge = await serve()
    outcomes: list[object] = []

    async def come() -> None:
        try:
            client = await dial_port(edge.server.port)
        except OSError as refusal:
            outcomes.append(type(refusal))
            return
        try:
            client.send(request())
            head = await client.head()
            outcomes.append(head[:12])
            if head.startswith(b"HTTP/1.1 101"):
                outcomes.append(await polite(client))
        except (asyncio.IncompleteReadError, OSError) as cut:
            outcomes.append(type(cut))
        finally:
            await client.close()

    async with asyncio.TaskGroup() as group:
        for i in range(100):
            group.create_task(come())
            await asyncio.sleep(0)
            if i == 50:
                drain = group.create_task(edge.server.drain(timeout=5.0))
    assert drain.done()
    assert outcomes.count(b"HTTP/1.1 101") == outcomes.count(1012)
    assert edge.server.connections == 0


async def test_comers_and_leavers_during_a_broadcast(serve: Serve, dial: Dial) -> None:
    """Whoever is cut or gone while frames go out, the sender's loop goes on (case 64)."""
    edge = await serve()
    stayer = await dial(edge)
    leavers = [await dial(edge) for _ in range(10)]
    for leaver in leavers[::2]:
        leaver.reset()
    for _ in range(20):
        for peer in edge.peers:
            peer.line.send(b"standings")
        await asyncio.sleep(0)
    for _ in range(20):
        assert await stayer.text() == b"standings"


async def test_async_with_drains() -> None:
    """Leaving the block is a drain."""
    peers: list[Recorder] = []

    def new_peer() -> Recorder:
        peers.append(Recorder())
        return peers[-1]

    async with await listen(new_peer) as server:
        client = await dial_port(server.port)
        await client.shake()
        code = asyncio.create_task(polite(client))
    assert await code == 1012
    assert peers[0].closings == [(1012, "restarting")]
    await client.close()


async def test_socket_of_somebody_else(serve: Serve, dial: Dial) -> None:
    """A bound socket may be handed in."""
    sock = socket.socket()
    sock.bind(("127.0.0.1", 0))
    port = sock.getsockname()[1]
    edge = await serve(sockets=[sock])
    assert edge.server.port == port
    client = await dial(edge)
    client.send(frame(TEXT, b"hi"))
    assert await client.text() == b"hi"


async def test_unix_socket(serve: Serve, tmp_path: Path) -> None:
    """The client's name is "unix" then."""
    sock = socket.socket(socket.AF_UNIX)
    here = Path.cwd()
    os.chdir(tmp_path)  # the path of a socket is short
    try:
        sock.bind("edge")
        edge = await serve(sockets=[sock])
        assert edge.server.port == 0
        reader, writer = await asyncio.open_unix_connection("edge")
    finally:
        os.chdir(here)
    client = RawClient(reader, writer)
    await client.shake()
    assert edge.peer.line.remote == "unix"
    await client.close()


async def test_taken_port(serve: Serve) -> None:
    """An OSError for who starts the server to explain."""
    edge = await serve()
    with pytest.raises(OSError):
        await listen(Recorder, port=edge.server.port)


async def test_two_servers_in_one_process(serve: Serve, dial: Dial) -> None:
    """Nothing is shared between them."""
    one = await serve(routes={"/healthz": lambda: HttpReply(200, b"one")})
    two = await serve()
    await dial(one)
    assert (one.server.connections, two.server.connections) == (1, 0)

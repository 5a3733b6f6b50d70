"""An open WebSocket: what the peer is promised, and what no client can do to it."""

from __future__ import annotations

import asyncio
import gc
import logging
import ssl
import weakref

import pytest
from edge_testing import (
    CLOSE,
    TEXT,
    Dial,
    Recorder,
    Serve,
    answering,
    close,
    frame,
    until,
)
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, ProtocolError

from samedeal_server.net import Connection, EdgeLimits, text_frame

HELLO = frame(TEXT, b"Hello")

# -- the library's own client ------------------------------------------------------------------


async def test_with_the_library_client(serve: Serve) -> None:
    """Texts, fragments, pings, and an orderly end in both directions."""
    edge = await serve()
    url = f"ws://127.0.0.1:{edge.server.port}/ws?x=1"
    async with connect(url, subprotocols=["samedeal.1"], compression="deflate") as client:
        assert client.subprotocol == "samedeal.1"
        for text in ("", "a", "ü" * 8192, "x" * 16384):
            await client.send(text)
            assert await client.recv() == text
        await client.send(["one", "zwei", "drüü"])
        assert await client.recv() == "onezweidrüü"
        await (await client.ping())
    assert edge.peer.closings == [(1000, "")]
    client = await connect(url)
    edge.peer.line.close(4001, "elsewhere")
    with pytest.raises(ConnectionClosed) as closed:
        await client.recv()
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4001, "elsewhere")
    await until(lambda: edge.peer.closings == [(4001, "elsewhere")])
    await client.wait_closed()


async def test_with_the_library_client_over_tls(
    serve: Serve, server_tls: ssl.SSLContext, client_tls: ssl.SSLContext
) -> None:
    """TLS transports have no write_eof; both ends close all the same."""
    edge = await serve(ssl=server_tls, limits=EdgeLimits(close_timeout=600.0))
    url = f"wss://localhost:{edge.server.port}/ws"
    async with connect(url, ssl=client_tls) as client:
        await client.send("x" * 16384)
        assert len(await client.recv()) == 16384
    await until(lambda: edge.peer.closings == [(1000, "")])
    client = await connect(url, ssl=client_tls)
    edge.peer.line.close(1001)
    with pytest.raises(ConnectionClosed):
        await client.recv()
    await client.wait_closed()
    await until(lambda: edge.server.connections == 0)


# -- sending -----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536, 200_000])
async def test_sizes_of_what_we_send(serve: Serve, dial: Dial, size: int) -> None:
    """All three forms of a length."""
    client = await dial(await serve(answering(lambda c, _: c.send(b"x" * size))))
    client.send(HELLO)
    assert await client.text() == b"x" * size


async def test_many_answers_to_a_batch_keep_their_order(serve: Serve, dial: Dial) -> None:
    """Also when they are more than are gathered for one write."""

    def thrice(connection: Connection, text: bytes) -> None:
        connection.send(text + b"a")
        connection.send_frame(text_frame(text + b"b"))
        connection.send(text + b"c")

    client = await dial(await serve(answering(thrice)))
    client.send(*(frame(TEXT, b"%d" % i) for i in range(100)), close())
    expected = [b"%d%c" % (i, c) for i in range(100) for c in b"abc"]
    assert (await client.talk()).texts == expected


async def test_nothing_is_sent_once_closing(serve: Serve, dial: Dial) -> None:
    """After close(), in closed(), and after the end: nothing, and no error."""
    edge = await serve()
    client = await dial(edge)
    line = edge.peer.line
    assert line.is_open
    line.send(b"before")
    line.close(1001, "bye")
    assert not line.is_open
    line.send(b"after")
    line.close(1011, "again")
    client.send(close(1001))
    talk = await client.talk()
    assert (talk.texts, talk.code, talk.reason) == ([b"before"], 1001, b"bye")
    await client.close()
    await until(lambda: edge.server.connections == 0)
    line.send(b"late")
    line.send_frame(text_frame(b"late"))
    line.pause_reading()
    line.resume_reading()
    line.abort()
    assert line.backlog == 0
    assert edge.peer.closings == [(1001, "bye")]


async def test_reason_is_cut_between_characters(serve: Serve, dial: Dial) -> None:
    """A close frame holds 123 bytes of reason."""
    edge = await serve()
    client = await dial(edge)
    edge.peer.line.close(4000, "x" + "ü" * 100)
    client.send(close(4000))
    assert (await client.talk()).reason == b"x" + "ü".encode() * 61


@pytest.mark.parametrize("code", [0, 1004, 1005, 1006, 5000])
async def test_codes_that_must_not_be_sent(serve: Serve, dial: Dial, code: int) -> None:
    """They are our own mistake: an error, and the connection stays open."""
    edge = await serve()
    await dial(edge)
    with pytest.raises(ProtocolError):
        edge.peer.line.close(code)
    assert edge.peer.line.is_open


async def test_closing_within_received(serve: Serve, dial: Dial) -> None:
    """The rest of the batch is not received; what was said before is sent."""

    def refuse(connection: Connection, text: bytes) -> None:
        connection.send(b"no")
        connection.close(4002, "enough")
        assert not edge.peer.closings, "closed() never comes within close()"

    edge = await serve(answering(refuse))
    client = await dial(edge)
    client.send(HELLO, HELLO, HELLO, close(4002))
    talk = await client.talk()
    assert (talk.texts, edge.peer.texts) == ([b"no"], [b"Hello"])
    await until(lambda: edge.peer.closings == [(4002, "enough")])


async def test_aborting_within_received(serve: Serve, dial: Dial) -> None:
    """Nothing more is received, and closed() comes later."""

    def drop(connection: Connection, _: bytes) -> None:
        connection.abort()
        connection.send(b"nothing")
        assert not edge.peer.closings, "closed() never comes within abort()"

    edge = await serve(answering(drop))
    client = await dial(edge)
    client.send(HELLO, HELLO, HELLO, close())
    assert await client.rest_or_reset() == b""
    await until(lambda: edge.peer.closings)
    assert edge.peer.texts == [b"Hello"]


# -- ends --------------------------------------------------------------------------------------


async def test_client_that_ignores_our_close(serve: Serve, dial: Dial) -> None:
    """The close timer ends it."""
    edge = await serve(limits=EdgeLimits(close_timeout=0.1, ping_interval=600.0))
    client = await dial(edge)
    edge.peer.line.close(1001, "bye")
    assert await client.frame() == (CLOSE, b"\x03\xe9bye")
    client.send(HELLO)
    await client.rest_or_reset()
    await until(lambda: edge.peer.closings == [(1001, "bye")])
    assert edge.peer.texts == []


async def test_client_that_stays_after_the_close(
    serve: Serve, dial: Dial, server_tls: ssl.SSLContext, client_tls: ssl.SSLContext
) -> None:
    """Without its end of the TCP connection: closed() comes at once, the socket goes in time."""
    for tls in (None, client_tls):
        edge = await serve(
            limits=EdgeLimits(close_timeout=0.1, ping_interval=600.0),
            ssl=None if tls is None else server_tls,
        )
        client = await dial(edge, tls=tls)
        client.send(close(1000, b"done"))
        await until(lambda edge=edge: edge.peer.closings == [(1000, "done")])
        await until(lambda edge=edge: edge.server.connections == 0)
        assert (await client.talk()).code == 1000


@pytest.mark.parametrize("over_tls", [False, True])
async def test_client_that_just_goes(
    serve: Serve,
    dial: Dial,
    over_tls: bool,
    server_tls: ssl.SSLContext,
    client_tls: ssl.SSLContext,
) -> None:
    """End of stream or reset without a close frame is 1006."""
    edge = await serve(ssl=server_tls if over_tls else None)
    tls = client_tls if over_tls else None
    client = await dial(edge, tls=tls)
    client.writer.close()
    await until(lambda: edge.peer.closings == [(1006, "")])
    client = await dial(edge, tls=tls)
    client.reset()
    await until(lambda: edge.peer.closings == [(1006, "")])


async def test_reset_while_sending(serve: Serve, dial: Dial) -> None:
    """No exception of either loop comes out of send, and closed() comes soon (case 66)."""
    edge = await serve(limits=EdgeLimits(max_backlog=2**30))
    client = await dial(edge, window=4096)
    line = edge.peer.line
    while line.backlog < 2**20:
        line.send(b"x" * 16384)
    client.reset()
    while not edge.peer.closings:
        line.send(b"x" * 1000)
        await asyncio.sleep(0)
    for _ in range(20):
        line.send(b"x")
    assert edge.peer.closings == [(1006, "")]


async def test_failing_peer_is_closed_alone(
    serve: Serve, dial: Dial, caplog: pytest.LogCaptureFixture
) -> None:
    """An exception of the application is logged and costs one connection (1011)."""

    def fail(connection: Connection, text: bytes) -> None:
        if text == b"fail":
            raise RuntimeError("ours")
        connection.send(text)

    edge = await serve(answering(fail))
    other, client = await dial(edge), await dial(edge)
    with caplog.at_level(logging.ERROR):
        client.send(HELLO, frame(TEXT, b"fail"), HELLO)
        talk = await client.talk()
    assert (talk.texts, talk.code) == ([b"Hello"], 1011)
    assert "ours" in caplog.text
    assert edge.peer.closings == [(1011, "internal error")]
    other.send(HELLO)
    assert await other.text() == b"Hello"


async def test_peer_failing_at_both_ends(
    serve: Serve, dial: Dial, caplog: pytest.LogCaptureFixture
) -> None:
    """In opened() the client hears 1011 after the 101; closed() may fail too."""

    class Broken(Recorder):
        def opened(self, connection: Connection) -> None:
            super().opened(connection)
            raise RuntimeError("at the start")

        def closed(self, code: int, reason: str) -> None:
            super().closed(code, reason)
            raise RuntimeError("at the end")

    def prepare(peer: Recorder) -> None:
        peer.__class__ = Broken

    edge = await serve(prepare)
    client = await dial(edge)
    assert (await client.talk()).code == 1011
    assert edge.peer.closings == [(1011, "internal error")]
    assert "at the start" in caplog.text
    assert "at the end" in caplog.text


async def test_paused_and_failed(serve: Serve, dial: Dial) -> None:
    """The client's end is noticed although the peer had paused reading."""

    def pause_and_fail(connection: Connection) -> None:
        connection.pause_reading()
        raise RuntimeError

    def prepare(peer: Recorder) -> None:
        peer.on_open = pause_and_fail

    edge = await serve(prepare, limits=EdgeLimits(close_timeout=600.0))
    client = await dial(edge)
    assert (await client.talk()).code == 1011
    client.writer.close()
    await until(lambda: edge.server.connections == 0)


async def test_closed_connections_need_no_garbage_collection(serve: Serve, dial: Dial) -> None:
    """The core's cycle is broken, so memory is back as soon as the peer lets go."""
    edge = await serve()
    gc.collect()
    gc.disable()
    try:
        client = await dial(edge)
        core = weakref.ref(edge.peer.line._core)
        client.send(HELLO, close())
        await client.talk()
        await client.close()
        await until(lambda: edge.server.connections == 0)
        edge.peers.clear()
        await asyncio.sleep(0)
        assert core() is None
    finally:
        gc.enable()


async def test_remote_names_the_client(serve: Serve, dial: Dial) -> None:
    """For logs."""
    edge = await serve()
    client = await dial(edge)
    host, port = client.writer.get_extra_info("sockname")
    assert edge.peer.line.remote == f"{host}:{port}"

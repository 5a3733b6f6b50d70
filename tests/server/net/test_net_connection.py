"""An open WebSocket: what the peer is promised, and what no client can do to it."""

from __future__ import annotations

import asyncio
import gc
import logging
import ssl
import weakref
from collections.abc import Callable

import pytest
from edge_testing import (
    CLOSE,
    PING,
    PONG,
    TEXT,
    Dial,
    Recorder,
    Serve,
    close,
    frame,
    request,
    until,
)
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, ProtocolError

from samedeal_server.net import Connection, EdgeLimits, text_frame

HELLO = frame(TEXT, b"Hello")


def answering(answer: Callable[[Connection, bytes], None]) -> Callable[[Recorder], None]:
    """Peers that do this with each text."""

    def prepare(peer: Recorder) -> None:
        peer.on_text = answer

    return prepare


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
    edge = await serve(ssl=server_tls)
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
    edge = await serve(limits=EdgeLimits(close_timeout=0.1))
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
            limits=EdgeLimits(close_timeout=0.1), ssl=None if tls is None else server_tls
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


# -- backpressure ------------------------------------------------------------------------------


async def test_paused_peer_receives_nothing(serve: Serve, dial: Dial) -> None:
    """Not even what is in the same segment; afterwards all of it, in order."""
    edge = await serve(answering(lambda c, _: c.pause_reading()))
    client = await dial(edge)
    sent = [b"%d" % i for i in range(20)]
    client.send(*(frame(TEXT, text) for text in sent[:10]))
    for count in range(1, 20):
        await until(lambda count=count: len(edge.peer.texts) == count)
        if count == 5:
            client.send(*(frame(TEXT, text) for text in sent[10:]), close(1000, b"done"))
        await asyncio.sleep(0.002)
        assert len(edge.peer.texts) == count
        edge.peer.line.resume_reading()
        assert len(edge.peer.texts) == count, "received() never comes within resume_reading()"
    await until(lambda: len(edge.peer.texts) == 20)
    assert not edge.peer.closings
    edge.peer.line.resume_reading()
    await until(lambda: edge.peer.closings == [(1000, "done")])
    assert edge.peer.texts == sent


async def test_pausing_and_resuming_within_received(serve: Serve, dial: Dial) -> None:
    """Costs turns of the loop, never a message or the order."""

    def blink(connection: Connection, text: bytes) -> None:
        connection.pause_reading()
        connection.resume_reading()
        connection.send(text)

    client = await dial(await serve(answering(blink)))
    sent = [b"%d" % i for i in range(3000)]
    client.send(*(frame(TEXT, text) for text in sent), close())
    assert (await client.talk()).texts == sent


async def test_closing_while_paused(serve: Serve, dial: Dial) -> None:
    """The client's close frame is found behind what nobody wants any more."""
    edge = await serve(answering(lambda c, _: c.pause_reading()))
    client = await dial(edge)
    client.send(HELLO * 5000)
    await until(lambda: edge.peer.texts)
    edge.peer.line.close(4000, "stop")
    assert await client.frame() == (CLOSE, b"\x0f\xa0stop")
    client.send(close(4000))
    assert await client.rest() == b""
    await until(lambda: edge.peer.closings == [(4000, "stop")])
    assert len(edge.peer.texts) == 1


async def test_paused_in_opened(serve: Serve, dial: Dial) -> None:
    """Frames beside the handshake wait as well."""

    def prepare(peer: Recorder) -> None:
        peer.on_open = Connection.pause_reading

    edge = await serve(prepare)
    client = await dial(edge, shake=False)
    client.send(request(), HELLO)
    await client.head()
    await asyncio.sleep(0.01)
    assert edge.peer.texts == []
    edge.peer.line.resume_reading()
    assert await client.text() == b"Hello"


async def test_client_that_does_not_read_its_answers(serve: Serve, dial: Dial) -> None:
    """We stop reading from it; when it reads again it gets every answer."""
    limits = EdgeLimits(pause_above=32_768, resume_below=8_192)
    edge = await serve(answering(lambda c, text: c.send(text * 500)), limits=limits)
    client = await dial(edge, window=4096)
    count = 20_000
    client.send(*(frame(TEXT, b"%05d" % i) for i in range(count)), close())
    await until(lambda: edge.peer.line.backlog > 32_768)
    before = -1
    while before != len(edge.peer.texts):
        before = len(edge.peer.texts)
        await asyncio.sleep(0.05)
    assert before < count
    assert edge.peer.line.backlog < 256 * 1024
    talk = await client.talk()
    assert talk.texts == [b"%05d" % i * 500 for i in range(count)]
    assert talk.code == 1000


async def test_reader_that_falls_behind_is_cut_alone(serve: Serve, dial: Dial) -> None:
    """Past the limit it goes (1013); the others get everything (case 60)."""
    edge = await serve()
    slow = await dial(edge, window=4096)
    quick = await dial(edge)
    standings = text_frame(b"s" * 4096)
    sent = 0
    while not edge.peers[0].closings:
        for peer in edge.peers:
            peer.line.send_frame(standings)
        assert edge.peers[0].line.backlog < 300 * 1024
        sent += 1
        assert await quick.text() == b"s" * 4096
    assert edge.peers[0].closings == [(1013, "too far behind")]
    assert edge.peers[1].line.is_open
    assert sent > 256 // 4
    await slow.rest_or_reset()


async def test_one_client_in_a_hurry_does_not_block_the_others(serve: Serve, dial: Dial) -> None:
    """A large batch is handled over many turns of the loop."""
    edge = await serve(answering(lambda c, text: c.send(text)))
    hurried, other = await dial(edge), await dial(edge)
    hurried.send(frame(TEXT) * 30_000)
    other.send(HELLO)
    assert await other.text() == b"Hello"
    assert len(edge.peers[0].texts) < 30_000


async def test_read_together(serve: Serve, dial: Dial) -> None:
    """A message longer than what is handled in one turn, in one segment with others."""
    client = await dial(await serve())
    texts = [b"a", b"b" * 16_384, b"c" * 5000, b"d"]
    client.send(*(frame(TEXT, text) for text in texts), close())
    assert (await client.talk()).texts == texts


# -- control frames ----------------------------------------------------------------------------


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


async def test_remote_names_the_client(serve: Serve, dial: Dial) -> None:
    """For logs."""
    edge = await serve()
    client = await dial(edge)
    host, port = client.writer.get_extra_info("sockname")
    assert edge.peer.line.remote == f"{host}:{port}"

"""Backpressure in both directions, and a fair share of the loop for everybody."""

from __future__ import annotations

import asyncio

from edge_testing import (
    CLOSE,
    TEXT,
    Dial,
    Recorder,
    Serve,
    answering,
    close,
    frame,
    request,
    until,
)

from samedeal_server.net import Connection, EdgeLimits, text_frame

HELLO = frame(TEXT, b"Hello")


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


async def test_one_large_message_arrives_whole_however_slow_the_line(
    serve: Serve, dial: Dial
) -> None:
    """A record of a large duel is more than a reader may be behind; what comes after it counts."""
    record, limit = b"r" * 4_000_000, 256 * 1024
    edge = await serve()
    client = await dial(edge, window=4096)
    edge.peer.line.send(record)
    assert edge.peer.line.backlog > limit
    edge.peer.line.send(b"Hello")
    assert await client.text() == record
    assert await client.text() == b"Hello"
    await until(lambda: edge.peer.line.backlog == 0)
    assert edge.peer.closings == []
    while not edge.peer.closings:
        edge.peer.line.send(b"s" * 4096)
        assert edge.peer.line.backlog < limit + 8192, "it was only for that message"
        await asyncio.sleep(0)
    assert edge.peer.closings == [(1013, "too far behind")]


async def test_after_a_large_message_a_reader_may_be_no_further_behind_than_else(
    serve: Serve, dial: Dial
) -> None:
    """The message itself is forgiven, and nothing more."""
    edge = await serve()
    client = await dial(edge, window=4096)
    edge.peer.line.send(b"r" * 4_000_000)
    while not edge.peer.closings:
        edge.peer.line.send(b"s" * 4096)
        assert edge.peer.line.backlog < 4_000_000 + 256 * 1024 + 8192
        await asyncio.sleep(0)
    assert edge.peer.closings == [(1013, "too far behind")]
    await client.rest_or_reset()


async def test_one_client_in_a_hurry_does_not_block_the_others(serve: Serve, dial: Dial) -> None:
    """A large batch is handled over many turns of the loop."""
    edge = await serve(answering(lambda c, text: c.send(text)))
    hurried, other = await dial(edge), await dial(edge)
    hurried.send(frame(TEXT) * 30_000)
    other.send(HELLO)
    seen = longest = 0
    while seen < 30_000:
        before, seen = seen, len(edge.peers[0].texts)
        longest = max(longest, seen - before)
        await asyncio.sleep(0)
    assert longest < 1000, "messages in one turn"
    assert await other.text() == b"Hello"


async def test_read_together(serve: Serve, dial: Dial) -> None:
    """A message longer than what is handled in one turn, in one segment with others."""
    client = await dial(await serve())
    texts = [b"a", b"b" * 16_384, b"c" * 5000, b"d"]
    client.send(*(frame(TEXT, text) for text in texts), close())
    assert (await client.talk()).texts == texts

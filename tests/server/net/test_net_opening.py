"""Before the 101: request heads of every kind, and plain HTTP beside the WebSocket."""

from __future__ import annotations

import asyncio
import ssl
from http import HTTPStatus

import pytest
from edge_testing import PING, TEXT, Dial, RawClient, Recorder, Serve, close, frame, request, until

from samedeal_server.net import EdgeLimits, HttpReply

ROUTES = {"/healthz": lambda: HttpReply(200, b"ok\n"), "/broken": lambda: 1 // 0}


async def reply_to(client: RawClient, *sent: bytes) -> tuple[int, bytes, bytes]:
    """Status, head and body of the one reply; the server ends the connection after it."""
    client.send(*sent)
    head, _, body = (await client.rest()).partition(b"\r\n\r\n")
    return int(head.split(b" ")[1]), head, body


async def test_half_a_head_is_not_waited_for(serve: Serve, dial: Dial) -> None:
    """The opening timeout ends it, with a word about why."""
    edge = await serve(limits=EdgeLimits(open_timeout=0.1))
    client = await dial(edge, shake=False)
    status, _, _ = await reply_to(client, request()[:-2])
    assert status == HTTPStatus.REQUEST_TIMEOUT


async def test_silence_is_not_waited_for(serve: Serve, dial: Dial) -> None:
    """A socket that never asks for anything is closed by the opening timeout."""
    edge = await serve(limits=EdgeLimits(open_timeout=0.1))
    client = await dial(edge, shake=False)
    assert await client.rest_or_reset() == b""


async def test_head_byte_by_byte(serve: Serve, dial: Dial) -> None:
    """A head in single bytes is a head, and so are the frames right behind it."""
    edge = await serve()
    client = await dial(edge, shake=False)
    for byte in request() + frame(TEXT, b"hi") + close():
        client.send(bytes([byte]))
        await asyncio.sleep(0)
    assert (await client.head()).startswith(b"HTTP/1.1 101 ")
    assert (await client.talk()).texts == [b"hi"]


async def test_ping_beside_the_request_is_answered_after_the_101(serve: Serve, dial: Dial) -> None:
    """Not before it, as the core alone does."""
    edge = await serve()
    client = await dial(edge, shake=False)
    client.send(request(), frame(PING, b"early"), close())
    answer = await client.rest()
    assert answer.startswith(b"HTTP/1.1 101 ")
    assert answer.endswith(b"\r\n\r\n\x8a\x05early\x88\x02\x03\xe8")


async def test_peer_may_speak_first(serve: Serve, dial: Dial) -> None:
    """What is sent in `opened` follows the 101."""

    def greet(peer: Recorder) -> None:
        peer.on_open = lambda connection: connection.send(b"welcome")

    client = await dial(await serve(greet))
    assert await client.text() == b"welcome"


@pytest.mark.parametrize("rest", [b"GET / HTTP/1.1\r\n\r\n", b"\x89\x80", b"\xff" * 70_000])
async def test_bytes_behind_a_plain_request_are_nobodys(
    serve: Serve, dial: Dial, rest: bytes
) -> None:
    """One request, one reply, whatever was pipelined."""
    client = await dial(await serve(routes=ROUTES), shake=False)
    status, head, body = await reply_to(client, b"GET /healthz HTTP/1.1\r\n\r\n", rest)
    assert (status, body) == (200, b"ok\n")
    assert b"Connection: close" in head


async def test_bytes_after_the_reply_are_nobodys(serve: Serve, dial: Dial) -> None:
    """Also those that come later, and if they are a request."""
    asked: list[bool] = []

    def route() -> HttpReply:
        asked.append(True)
        return HttpReply(200, b"ok\n")

    edge = await serve(routes={"/healthz": route})
    client = await dial(edge, shake=False)
    client.send(b"GET /healthz HTTP/1.1\r\n\r\n")
    await client.head()
    client.send(b"GET /healthz HTTP/1.1\r\n\r\n", b"\x00" * 1000)
    assert await client.rest() == b"ok\n"
    client.writer.close()
    await until(lambda: not edge.server._endpoint.sockets)
    assert len(asked) == 1


@pytest.mark.parametrize("path", ["/healthz", "/healthz?full=1", "http://localhost/healthz?x#y"])
async def test_get_and_head_of_a_route(serve: Serve, dial: Dial, path: str) -> None:
    """HEAD has the length and not the body; the query is no part of the path."""
    edge = await serve(routes=ROUTES)
    line = f" {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    status, head, body = await reply_to(await dial(edge, shake=False), b"GET" + line)
    assert (status, body) == (200, b"ok\n")
    status, head, body = await reply_to(await dial(edge, shake=False), b"HEAD" + line)
    assert (status, body) == (200, b"")
    assert b"Content-Length: 3" in head


async def test_websocket_with_a_query(serve: Serve, dial: Dial) -> None:
    """/ws?name=x is /ws."""
    client = await dial(await serve(), shake=False)
    assert (await client.shake("/ws?name=x")).startswith(b"HTTP/1.1 101 ")


@pytest.mark.parametrize(
    ("sent", "status", "header"),
    [
        (request("/elsewhere"), 404, b""),
        (b"GET /elsewhere HTTP/1.1\r\n\r\n", 404, b""),
        (b"HEAD /elsewhere HTTP/1.1\r\n\r\n", 404, b""),
        (b"POST /healthz HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 405, b"Allow: GET, HEAD"),
        (request(method="POST"), 405, b"Allow: GET, HEAD"),
        (b"GET /ws HTTP/1.1\r\nHost: x\r\n\r\n", 426, b"Upgrade: websocket"),
        (b"HEAD /ws HTTP/1.1\r\nHost: x\r\n\r\n", 405, b"Allow: GET"),
        (request().replace(b"Version: 13", b"Version: 8"), 400, b"Sec-WebSocket-Version: 13"),
        (request().replace(b"Sec-WebSocket-Key: ", b"X-Key: "), 400, b""),
        (request("/ws", "Content-Length: 5") + b"hello", 400, b""),
        (request("/ws", "Transfer-Encoding: chunked"), 400, b""),
        (request("/ws", "broken header"), 400, b""),
        (request("/ws", "Sec-WebSocket-Protocol: chat, other.1"), 400, b""),
        (request("/ws", "X-Large: " + "x" * 9000), 431, b""),
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n", 404, b""),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, b""),
        (b"GET / HTTP/1.1\nHost: x\n\n", 400, b""),
        (b"hello\r\n\r\n", 400, b""),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, b""),
        (b"GET /broken HTTP/1.1\r\n\r\n", 500, b""),
    ],
)
async def test_refusals(serve: Serve, dial: Dial, sent: bytes, status: int, header: bytes) -> None:
    """Each bad request has its status, and the connection ends."""
    client = await dial(await serve(routes=ROUTES), shake=False)
    got, head, body = await reply_to(client, sent)
    assert got == status
    assert header in head
    assert bool(body) is not sent.startswith(b"HEAD")


async def test_head_is_limited_as_a_whole(serve: Serve, dial: Dial) -> None:
    """Many short headers are no way around the limit; 15 KiB are allowed, 17 are not."""
    edge = await serve()
    lines = [f"X-Header-{i}: {'x' * 200}" for i in range(100)]
    client = await dial(edge, shake=False)
    assert (await client.shake("/ws", *lines[:70])).startswith(b"HTTP/1.1 101 ")
    client = await dial(edge, shake=False)
    assert (await reply_to(client, request("/ws", *lines[:80])))[0] == 431
    client = await dial(edge, shake=False)
    assert (await reply_to(client, b"GET /" + b"x" * 20_000))[0] == 431


async def test_subprotocol_is_negotiated_if_offered(serve: Serve, dial: Dial) -> None:
    """Ours among others is taken; nobody has to offer any."""
    edge = await serve()
    client = await dial(edge, shake=False)
    head = await client.shake("/ws", "Sec-WebSocket-Protocol: chat, samedeal.1")
    assert b"Sec-WebSocket-Protocol: samedeal.1\r\n" in head
    client = await dial(edge, shake=False)
    head = await client.shake("/")
    assert head.startswith(b"HTTP/1.1 101 ")
    assert b"Sec-WebSocket-Protocol" not in head


async def test_compression_is_never_negotiated(serve: Serve, dial: Dial) -> None:
    """An offer of permessage-deflate is passed over, and a compressed frame is an error."""
    client = await dial(await serve(), shake=False)
    head = await client.shake("/ws", "Sec-WebSocket-Extensions: permessage-deflate")
    assert b"Extensions" not in head
    client.send(frame(TEXT, b"\xcaH\xcd\xc9\xc9\x07\x00", rsv=4))
    assert (await client.talk()).code == 1002


async def test_origins(serve: Serve, dial: Dial) -> None:
    """Pages from elsewhere are refused, programs are not."""
    edge = await serve(origins=["https://samedeal.example"])
    client = await dial(edge, shake=False)
    assert (await reply_to(client, request("/ws", "Origin: https://evil.example")))[0] == 403
    await dial(edge, "Origin: https://samedeal.example")
    await dial(edge)


async def test_full_house(serve: Serve, dial: Dial) -> None:
    """Beyond the limit: 503 and when to try again; health checks go on; a leaver makes room."""
    edge = await serve(routes=ROUTES, limits=EdgeLimits(max_connections=2, retry_after_s=7))
    first = await dial(edge)
    await dial(edge)
    assert edge.server.connections == 2
    status, head, _ = await reply_to(await dial(edge, shake=False), request())
    assert (status, b"Retry-After: 7" in head) == (503, True)
    client = await dial(edge, shake=False)
    assert (await reply_to(client, b"GET /healthz HTTP/1.1\r\n\r\n"))[0] == 200
    first.send(close())
    await first.talk()
    await first.close()
    await until(lambda: edge.server.connections == 1)
    await dial(edge)


async def test_overrun(serve: Serve, dial: Dial) -> None:
    """Sockets far beyond the limit are not even listened to."""
    edge = await serve(limits=EdgeLimits(max_connections=1, refusal_headroom=1, open_timeout=600.0))
    await dial(edge)
    await dial(edge, shake=False)
    client = await dial(edge, shake=False)
    assert await client.rest_or_reset() == b""


async def test_route_and_websocket_on_one_path(serve: Serve, dial: Dial) -> None:
    """A browser gets the page, a WebSocket client the WebSocket."""
    edge = await serve(routes={"/": lambda: HttpReply(200, b"<p>", "text/html")})
    client = await dial(edge, shake=False)
    status, head, body = await reply_to(client, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert (status, body) == (200, b"<p>")
    assert b"Content-Type: text/html" in head
    client = await dial(edge, shake=False)
    assert (await client.shake("/")).startswith(b"HTTP/1.1 101 ")


async def test_no_peer_no_websocket(serve: Serve, dial: Dial) -> None:
    """If the application can't make a peer, the client hears 500."""

    def fail(_: Recorder) -> None:
        raise RuntimeError

    client = await dial(await serve(fail), shake=False)
    assert (await reply_to(client, request()))[0] == 500


async def test_reply_is_ended_even_if_the_client_stays(serve: Serve, dial: Dial) -> None:
    """A client that never closes after its reply is dropped."""
    edge = await serve(routes=ROUTES, limits=EdgeLimits(close_timeout=0.1, open_timeout=600.0))
    client = await dial(edge, shake=False)
    client.send(b"GET /healthz HTTP/1.1\r\n\r\n")
    await client.rest()
    await until(lambda: not edge.server._endpoint.sockets)


async def test_plain_request_over_tls(
    serve: Serve, dial: Dial, server_tls: ssl.SSLContext, client_tls: ssl.SSLContext
) -> None:
    """TLS transports have no write_eof; the reply arrives whole all the same."""
    edge = await serve(
        routes={"/big": lambda: HttpReply(200, b"x" * 200_000)},
        ssl=server_tls,
        limits=EdgeLimits(close_timeout=600.0),
    )
    client = await dial(edge, shake=False, tls=client_tls)
    status, _, body = await reply_to(client, b"GET /big HTTP/1.1\r\n\r\n")
    assert (status, len(body)) == (200, 200_000)


async def test_half_a_tls_handshake_is_not_waited_for(
    serve: Serve, dial: Dial, server_tls: ssl.SSLContext
) -> None:
    """The opening timeout holds for TLS too."""
    edge = await serve(ssl=server_tls, limits=EdgeLimits(open_timeout=0.1))
    client = await dial(edge, shake=False)
    client.send(b"\x16\x03\x01")
    await client.rest_or_reset()

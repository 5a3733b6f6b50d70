"""A TCP connection before its handshake: a request head, then a WebSocket or one plain reply."""

from __future__ import annotations

import asyncio
import logging
from http import HTTPStatus
from typing import cast

from websockets.http11 import Request

from samedeal_server.net.connection import Connection
from samedeal_server.net.endpoint import Endpoint, FrameCore, Socket
from samedeal_server.net.http import (
    BadRequest,
    HttpReply,
    RequestLine,
    head_end,
    parse_request_line,
    render,
)
from samedeal_server.net.wire import Wire

__all__ = ["Opening"]

log = logging.getLogger(__name__)

_LEAVE_S = 1.0
"""A request on its way when the server stops still gets an answer."""


class Opening(Wire):
    """Reads at most one request head, and hands the transport to a Connection or ends it.

    The head is cut off before the core sees any of it, so that frames beside it wait for the
    101, and whatever follows a plain request is nobody's.
    """

    __slots__ = ("_buffer", "_head_only")

    def __init__(self, endpoint: Endpoint) -> None:
        """One for each accepted socket; `connection_made` brings the transport."""
        super().__init__(endpoint, cast("asyncio.Transport", None))
        self._buffer = bytearray()
        self._head_only = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the opening timeout, if there is room."""
        self._transport = cast("asyncio.Transport", transport)
        if self._endpoint.enter(self, self.host):
            self._begin()
        else:
            self.abort()

    def after_tls(self, before: Socket, transport: asyncio.Transport, said: bytes) -> None:
        """The same for who comes from `before`, over TLS, and has said something already."""
        self._transport = transport
        self._endpoint.follow(before, self)
        self._begin()
        if said:
            self.data_received(said)

    def _begin(self) -> None:
        limits = self._endpoint.limits
        self._transport.set_write_buffer_limits(high=limits.pause_above, low=limits.resume_below)
        self._endpoint.wheel.arm(self, limits.open_timeout)

    def data_received(self, data: bytes) -> None:
        """Collect the head."""
        if self._ended:
            return
        buffer = self._buffer
        searched = len(buffer)
        buffer += data
        end = head_end(buffer, searched)
        if max(end, len(buffer) if end < 0 else 0) > self._endpoint.limits.max_header_size:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "request head too large")
        elif not buffer[:1].isalpha():
            # TLS on the plain port, mostly; it would wait for us until the timeout.
            self._refuse(HTTPStatus.BAD_REQUEST, "not an HTTP request")
        elif end >= 0:
            self._head_received(bytes(buffer[:end]), bytes(buffer[end:]))

    def eof_received(self) -> None:
        """Let the transport close itself, after what is left to write."""

    def connection_lost(self, exc: Exception | None) -> None:
        """The client left, or was told to."""
        self._ended = True
        self._endpoint.wheel.disarm(self)
        self._endpoint.exit(self, opened=False)

    def due(self) -> None:
        """No whole head in time, or no end after the reply."""
        if self._ended or not self._buffer:
            self.abort()
        else:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "request head took too long")

    def leave(self, code: int, reason: str) -> None:
        """The server stops: there is nothing to say before the request is here."""
        if not self._ended:
            limit = min(_LEAVE_S, self._endpoint.limits.open_timeout)
            self._endpoint.wheel.arm(self, limit)

    # -- the request ----------------------------------------------------------------------

    def _head_received(self, head: bytes, rest: bytes) -> None:
        endpoint = self._endpoint
        self._head_only = head.startswith(b"HEAD ")
        try:
            line = parse_request_line(head)
        except BadRequest as refusal:
            extra = (("Allow", "GET, HEAD"),) if refusal.status == 405 else ()
            self._refuse(refusal.status, refusal.text, extra)
            return
        route = endpoint.routes.get(line.path)
        if line.path not in endpoint.ws_paths or (route and b"upgrade:" not in head.lower()):
            self._answer(line)
        elif endpoint.is_full or endpoint.draining:
            endpoint.no_room += not endpoint.draining
            retry = _retry_after(endpoint.limits.retry_after_s)
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "no room now, try again", retry)
        else:
            self._shake_hands(head, rest)

    def _answer(self, line: RequestLine) -> None:
        route = self._endpoint.routes.get(line.path)
        if route is None:
            self._refuse(HTTPStatus.NOT_FOUND, "nothing here")
            return
        try:
            reply = route()
        except Exception:
            log.exception("route %s failed", line.path)
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, "internal error")
        else:
            self._reply(reply)

    def _shake_hands(self, head: bytes, rest: bytes) -> None:
        core = self._endpoint.new_core()
        core.receive_data(head)
        events = core.events_received()
        if not events:
            self._refuse_handshake(core)
            return
        request = events[0]
        assert isinstance(request, Request)
        response = core.accept(request)
        if response.status_code != 101:
            extra = [(k, v) for k, v in response.headers.raw_items() if k in ("Allow", "Upgrade")]
            # RFC 6455, 4.4: so that a client can tell which version would do.
            extra.append(("Sec-WebSocket-Version", "13"))
            self._refuse(
                HTTPStatus(response.status_code), response.body.decode().strip(), tuple(extra)
            )
            _release(core)
            return
        endpoint, transport = self._endpoint, self._transport
        address = endpoint.client_of(self.host, request.headers)
        turned = endpoint.gate.enter(address)
        if turned is not None:
            self._refuse(turned.status, turned.text, _retry_after(turned.retry_after_s))
            _release(core)
            return
        try:
            peer = endpoint.peer_factory()
        except Exception:
            log.exception("no peer for a new connection")
            endpoint.gate.leave(address)
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, "internal error")
            _release(core)
            return
        core.send_response(response)
        connection = Connection(endpoint, transport, core, _remote_of(transport), address)
        endpoint.wheel.disarm(self)
        endpoint.swap(self, connection)
        transport.set_protocol(connection)
        connection.begin(peer, b"".join(core.data_to_send()), rest)

    def _refuse_handshake(self, core: FrameCore) -> None:
        """The core could not even read the head: a line too long, a body, a bad header."""
        text = str(core.handshake_exc or "not a valid request")
        status = HTTPStatus.BAD_REQUEST
        first_line = b"".join(core.data_to_send()).split(b"\r\n", 1)[0]
        if first_line:
            status = HTTPStatus(int(first_line.split(b" ")[1]))
        self._refuse(status, text)
        _release(core)

    def _refuse(
        self, status: HTTPStatus, text: str, extra: tuple[tuple[str, str], ...] = ()
    ) -> None:
        self._reply(HttpReply(status.value, f"{text}\n".encode()), extra)

    def _reply(self, reply: HttpReply, extra: tuple[tuple[str, str], ...] = ()) -> None:
        self._buffer.clear()
        self._write(render(reply, head_only=self._head_only, extra=extra))
        self._end()


def _retry_after(seconds: int) -> tuple[tuple[str, str], ...]:
    return (("Retry-After", str(seconds)),)


def _remote_of(transport: asyncio.BaseTransport) -> str:
    """The client's address for logs."""
    name = transport.get_extra_info("peername")
    if not isinstance(name, tuple):
        return "unix"
    host, port = name[0], name[1]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _release(core: FrameCore) -> None:
    """Break the cycle between a core and its generator (see Connection.connection_lost)."""
    core.parser.close()

"""A TCP connection before TLS stands: counted like any other from its first moment."""

from __future__ import annotations

import asyncio
import logging
import ssl
from typing import cast

from samedeal_server.net.endpoint import Endpoint
from samedeal_server.net.opening import Opening
from samedeal_server.net.wire import Wire

__all__ = ["Securing"]

log = logging.getLogger(__name__)

_LEAVE_S = 1.0
"""A handshake on its way when the server stops still gets its answer."""


class Securing(Wire):
    """Does the TLS handshake and hands the transport to an Opening.

    The loop's own listening with TLS says nothing of connections whose handshake is not done: a
    flood of them would be counted nowhere.
    """

    __slots__ = ("_context", "_said", "_secured", "_shaking")

    def __init__(self, endpoint: Endpoint, context: ssl.SSLContext) -> None:
        """One for each accepted socket; `connection_made` brings the transport."""
        super().__init__(endpoint, cast("asyncio.Transport", None))
        self._context = context
        self._said = bytearray()
        self._shaking: asyncio.Task[None] | None = None
        self._secured: asyncio.Transport | None = None
        """The transport over TLS, once it is somebody else's."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the handshake, if there is room."""
        self._transport = cast("asyncio.Transport", transport)
        if not self._endpoint.enter(self, self.host):
            self.abort()
            return
        self._pause_transport()  # what comes is for TLS
        self._shaking = self._endpoint.loop.create_task(self._shake())

    def data_received(self, data: bytes) -> None:
        """What came before TLS listens, or with the end of the handshake: one read at most."""
        self._said += data

    def _pass_on(self) -> None:
        """What uvloop has read all the same, to the protocol that does TLS."""
        protocol = self._transport.get_protocol()
        if protocol is self:
            return  # it did not even start
        tls = cast("asyncio.BufferedProtocol", protocol)
        while self._said:
            buffer = memoryview(tls.get_buffer(len(self._said)))
            part = self._said[: len(buffer)]
            buffer[: len(part)] = part
            tls.buffer_updated(len(part))
            del self._said[: len(part)]

    def eof_received(self) -> None:
        """Let the transport close itself."""

    def connection_lost(self, exc: Exception | None) -> None:
        """The client left, or was told to."""
        self._ended = True
        if self._shaking is None:
            self._endpoint.exit(self, opened=False)
        elif self._secured is not None:
            # The loops make this call a turn late, to whoever had the transport then.
            cast("asyncio.Protocol", self._secured.get_protocol()).connection_lost(exc)

    def leave(self, code: int, reason: str) -> None:
        """The server stops: there is nothing to say yet."""
        limit = min(_LEAVE_S, self._endpoint.limits.open_timeout)
        self._endpoint.wheel.arm(self, limit)

    async def _shake(self) -> None:
        secured = None
        try:
            secured = await self._do_handshake()
        except Exception:
            log.debug("no TLS with %s", self.host, exc_info=True)
        finally:
            self._endpoint.wheel.disarm(self)
            if secured is None or self._ended:
                self._endpoint.exit(self, opened=False)
        if secured is not None and not self._ended:
            self._secured = secured
            opening = Opening(self._endpoint)
            secured.set_protocol(opening)
            opening.after_tls(self, secured, bytes(self._said))

    async def _do_handshake(self) -> asyncio.Transport | None:
        limits = self._endpoint.limits
        if self._said:
            self._endpoint.loop.call_soon(self._pass_on)  # after the start, before what it plans
        return await self._endpoint.loop.start_tls(
            self._transport,
            self,
            self._context,
            server_side=True,
            ssl_handshake_timeout=limits.open_timeout,
            ssl_shutdown_timeout=limits.close_timeout,
        )

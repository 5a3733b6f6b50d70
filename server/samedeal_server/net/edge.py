"""One listening endpoint: accept, and stop in an orderly way."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl as ssl_module
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Final, Self

from samedeal_server.net.connection import Peer
from samedeal_server.net.endpoint import Endpoint
from samedeal_server.net.forwarding import Forwarding
from samedeal_server.net.gate import Gate, OpenGate
from samedeal_server.net.http import HttpReply
from samedeal_server.net.limits import EdgeLimits
from samedeal_server.net.opening import Opening
from samedeal_server.net.securing import Securing

__all__ = ["EdgeServer", "listen"]

log = logging.getLogger(__name__)

_BACKLOG: Final = 4096
"""Connections the kernel holds for us: everybody comes back at once after a restart."""

_DRAIN_S: Final = 5.0
_LEAVE_BATCH: Final = 500
"""Close frames sent before the loop gets a turn; about 10 ms of work."""


async def listen(
    peer_factory: Callable[[], Peer],
    *,
    host: str | None = "127.0.0.1",
    port: int = 0,
    sockets: Sequence[socket.socket] = (),
    ws_paths: Sequence[str] = ("/", "/ws"),
    routes: Mapping[str, Callable[[], HttpReply]] | None = None,
    limits: EdgeLimits | None = None,
    subprotocol: str = "samedeal.1",
    origins: Sequence[str] | None = None,
    gate: Gate | None = None,
    forwarding: Forwarding | None = None,
    ssl: ssl_module.SSLContext | None = None,
) -> EdgeServer:
    """Listen for WebSockets on `ws_paths` and for plain GET and HEAD on `routes`.

    `port` 0 takes any free one; `sockets`, if given, are listened on instead of host and port and
    belong to the server from then on. A path that is both gets the route unless the client
    asks for an upgrade. `origins`: the web pages that may connect, None for all; programs, which
    send no Origin, always may. `gate` turns people away, by the address that `forwarding` finds.
    Raises OSError if the address is taken.
    """
    loop = asyncio.get_running_loop()
    limits = limits or EdgeLimits()
    endpoint = Endpoint(
        loop=loop,
        peer_factory=peer_factory,
        ws_paths=ws_paths,
        routes=routes or {},
        limits=limits,
        subprotocol=subprotocol,
        origins=origins,
        gate=gate or OpenGate(),
        forwarding=forwarding or Forwarding(),
    )
    begin = partial(Opening, endpoint) if ssl is None else partial(Securing, endpoint, ssl)
    accept = partial(loop.create_server, begin, backlog=_BACKLOG)
    if sockets:
        servers = [await accept(sock=sock) for sock in sockets]
    else:
        servers = [await accept(host, port)]
    return EdgeServer(endpoint, servers)


class EdgeServer:
    """A listening endpoint; `async with` drains it at the end. Made by `listen`."""

    def __init__(self, endpoint: Endpoint, servers: Sequence[asyncio.Server]) -> None:
        """`servers`, at least one, accept for `endpoint`."""
        self._endpoint = endpoint
        self._servers = list(servers)
        name = servers[0].sockets[0].getsockname()
        self.port: int = name[1] if isinstance(name, tuple) else 0
        """The TCP port; 0 for a unix socket."""
        self._drained: asyncio.Task[None] | None = None

    @property
    def connections(self) -> int:
        """Open WebSockets, closing ones included."""
        return self._endpoint.opened

    @property
    def sockets(self) -> int:
        """All TCP connections, those that have not said yet what they want included."""
        return len(self._endpoint.sockets)

    @property
    def no_room(self) -> int:
        """Handshakes refused because there were too many connections already."""
        return self._endpoint.no_room

    async def drain(
        self,
        code: int = 1012,
        reason: str = "restarting",
        timeout: float = _DRAIN_S,  # noqa: ASYNC109 - not a limit of the call but of patience
    ) -> None:
        """Stop accepting, close every connection, abort what is left after `timeout` seconds.

        Returns when no connection is left. Calling it again waits for the first call; its
        arguments then mean nothing. Cancelling a caller doesn't stop it.
        """
        if self._drained is None:
            self._drained = asyncio.create_task(self._drain(code, reason, timeout))
        await asyncio.shield(self._drained)

    async def _drain(self, code: int, reason: str, patience: float) -> None:
        endpoint = self._endpoint
        endpoint.draining = True
        await self.stop_accepting()
        try:
            async with asyncio.timeout(patience):
                for count, wire in enumerate(tuple(endpoint.sockets), start=1):
                    wire.leave(code, reason)
                    if count % _LEAVE_BATCH == 0:
                        await asyncio.sleep(0)
                await endpoint.wait_empty()
        except TimeoutError:
            log.warning("aborting %d connections", len(endpoint.sockets))
        endpoint.closed = True
        for wire in tuple(endpoint.sockets):
            wire.abort()
        await endpoint.wait_empty()
        endpoint.wheel.stop()

    async def stop_accepting(self) -> None:
        """Listen no more; who has connected stays. Idempotent."""
        servers, self._servers = self._servers, []
        # Up to Python 3.11, asyncio drops a connection on the floor, neither served nor closed,
        # if its server is closed between accepting it and making its transport, a turn later.
        # uvloop has no reader here, and no gap.
        for server in servers:
            for sock in server.sockets:
                self._endpoint.loop.remove_reader(sock.fileno())
        for _ in range(2):
            await asyncio.sleep(0)
        for server in servers:
            server.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.drain()

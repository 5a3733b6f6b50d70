"""What the connections of one listening endpoint share."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol, cast

from websockets.datastructures import Headers
from websockets.server import ServerProtocol
from websockets.typing import Origin, Subprotocol

from samedeal_server.net.forwarding import Forwarding
from samedeal_server.net.gate import Gate
from samedeal_server.net.http import HttpReply
from samedeal_server.net.keepalive import KeepaliveWheel
from samedeal_server.net.limits import EdgeLimits

if TYPE_CHECKING:
    from samedeal_server.net.connection import Peer

__all__ = ["Endpoint", "FrameCore", "Socket"]

log = logging.getLogger(__name__)

_CONTROL_MAX_BYTES: Final = 125


class Socket(Protocol):
    """One TCP connection, before or after its handshake."""

    def leave(self, code: int, reason: str) -> None:
        """The server stops: end politely, soon."""

    def abort(self) -> None:
        """End now."""


class FrameCore(ServerProtocol):
    """The library's sans-I/O core with our choice of subprotocol."""

    def select_subprotocol(self, subprotocols: Sequence[Subprotocol]) -> Subprotocol | None:
        """Ours if it is offered; none if none is. Others alone are refused (400)."""
        return super().select_subprotocol(subprotocols) if subprotocols else None


class Endpoint:
    """Settings, the wheel, and who is connected."""

    def __init__(
        self,
        *,
        loop: asyncio.AbstractEventLoop,
        peer_factory: Callable[[], Peer],
        ws_paths: Sequence[str],
        routes: Mapping[str, Callable[[], HttpReply]],
        limits: EdgeLimits,
        subprotocol: str,
        origins: Sequence[str] | None,
        gate: Gate,
        forwarding: Forwarding,
    ) -> None:
        """See `listen` for what the arguments mean."""
        self.loop = loop
        self.peer_factory = peer_factory
        self.ws_paths = frozenset(ws_paths)
        self.routes = dict(routes)
        self.limits = limits
        self.gate = gate
        self.forwarding = forwarding
        self.wheel = KeepaliveWheel(loop, limits.resolution)
        self.draining = False
        """No more WebSockets; plain requests are still answered."""
        self.closed = False
        """Not even that."""
        self.opened = 0
        """WebSockets whose handshake is done and whose TCP connection is not."""
        self.sockets: set[Socket] = set()
        """All TCP connections."""
        self._knocking: dict[Socket, str] = {}
        """Those that the gate counts until it is known what they want, by their other end."""
        self.no_room = 0
        """WebSockets that were turned away because there were too many."""
        self._serial = 0
        self._warned_of_proxy = False
        self._empty: asyncio.Event = asyncio.Event()
        self._empty.set()
        self._subprotocols = [Subprotocol(subprotocol)]
        # Programs send no Origin, and no web page can leave it out.
        self._origins = None if origins is None else [*(cast("list[Origin]", origins)), None]
        # One logger for all: the core asks for its own at each connection otherwise. At DEBUG it
        # would print frames, and with them the players' tokens.
        self._core_log = logging.getLogger("samedeal_server.net.core")
        self._core_log.setLevel(logging.WARNING)

    def new_core(self) -> FrameCore:
        """A parser for one connection."""
        return FrameCore(
            origins=self._origins,
            subprotocols=self._subprotocols,
            # The core counts a ping between two fragments against what is left of the message;
            # the room for one more control frame makes up for it, and we count text ourselves.
            max_size=self.limits.max_message_size + _CONTROL_MAX_BYTES,
            logger=self._core_log,
        )

    @property
    def is_full(self) -> bool:
        """No more WebSockets."""
        return self.opened >= self.limits.max_connections

    @property
    def is_overrun(self) -> bool:
        """No more sockets, not even to say no."""
        return len(self.sockets) >= self.limits.max_connections + self.limits.refusal_headroom

    def client_of(self, peer: str, headers: Headers) -> str:
        """The client's address; `peer` is the other end of the TCP connection."""
        values = headers.get_all(self.forwarding.header)
        if values and not self._warned_of_proxy and not self.forwarding.trusts(peer):
            self._warned_of_proxy = True
            log.warning(
                "%s speaks for others, but is not in trusted_proxies: "
                "its connections count as one client's",
                peer,
            )
        return self.forwarding.client(peer, values)

    def enter(self, socket: Socket, peer: str) -> bool:
        """A TCP connection from `peer` began, TLS or not; False if it has to end at once."""
        welcome = not (self.is_overrun or self.closed)
        self.sockets.add(socket)
        self._empty.clear()
        if not welcome or self.forwarding.trusts(peer):
            return welcome
        if not self.gate.knock(peer):
            return False
        self._knocking[socket] = peer
        return True

    def follow(self, before: Socket, after: Socket) -> None:
        """TLS stands: the same connection, still before its request."""
        self.sockets.discard(before)
        self.sockets.add(after)
        if before in self._knocking:
            self._knocking[after] = self._knocking.pop(before)

    def swap(self, before: Socket, after: Socket) -> None:
        """A handshake was completed."""
        self._heard(before)
        self.sockets.discard(before)
        self.sockets.add(after)
        self.opened += 1

    def exit(self, socket: Socket, *, opened: bool) -> None:
        """A TCP connection ended."""
        self._heard(socket)
        self.sockets.discard(socket)
        self.opened -= opened
        if not self.sockets:
            self._empty.set()

    def _heard(self, socket: Socket) -> None:
        peer = self._knocking.pop(socket, None)
        if peer is not None:
            self.gate.heard(peer)

    def first_ping_delay(self) -> float:
        """Seconds to a connection's first ping: 0.5 to 1 intervals, another for each.

        So those who came together (after a restart, all of them) don't stay in step.
        """
        self._serial += 1
        # Steps of the golden ratio fill an interval evenly, however many there are.
        return self.limits.ping_interval * (0.5 + self._serial * 0.6180339887 % 1 / 2)

    async def wait_empty(self) -> None:
        """Until no TCP connection is left."""
        await self._empty.wait()

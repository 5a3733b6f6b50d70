"""A TCP or TLS connection with the differences between the event loops taken out."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from samedeal_server.net.endpoint import Endpoint
from samedeal_server.net.forwarding import UNIX

__all__ = ["Wire"]

log = logging.getLogger(__name__)


class Wire(asyncio.Protocol):
    """Writes, pauses and ends that never raise, whatever state the transport is in.

    asyncio ignores most calls on a closed transport, uvloop raises RuntimeError; who sends
    standings to a hundred players should not care.
    """

    __slots__ = ("_ended", "_endpoint", "_transport", "wheel_slot")

    def __init__(self, endpoint: Endpoint, transport: asyncio.Transport) -> None:
        """The transport's callbacks are those of the subclass."""
        self.wheel_slot = -1
        self._endpoint = endpoint
        self._transport = transport
        self._ended = False
        """Nothing is sent or parsed any more; only the end of TCP is waited for."""

    @property
    def host(self) -> str:
        """The address of the other end, a client's or a proxy's; "unix" for a unix socket."""
        name = self._transport.get_extra_info("peername")
        return name[0] if isinstance(name, tuple) else UNIX

    def abort(self) -> None:
        """End the TCP connection now; what was not sent is lost."""
        self._ended = True
        self._quietly(self._transport.abort)

    def _write(self, data: bytes) -> None:
        if self._ended:
            return
        try:
            self._transport.write(data)
        except Exception:
            log.debug("write to a closed transport", exc_info=True)
            self.abort()

    def _pause_transport(self) -> None:
        self._quietly(self._transport.pause_reading)

    def _resume_transport(self) -> None:
        self._quietly(self._transport.resume_reading)

    def _end(self) -> None:
        """Close our direction; the client's is read and thrown away until it closes too.

        Closing both at once would make the kernel reset the connection if anything is unread,
        and the client might never see our last bytes. `due` comes if it takes too long.
        """
        if self._ended:
            return
        self._ended = True
        self._endpoint.wheel.arm(self, self._endpoint.limits.close_timeout)
        self._resume_transport()
        if self._transport.can_write_eof():
            self._quietly(self._transport.write_eof)
        else:
            # TLS has no half-close; its own shutdown reads what is left.
            self._quietly(self._transport.close)

    def due(self) -> None:
        """The keepalive wheel's call: whoever was given this much time has used it."""
        self.abort()

    @staticmethod
    def _quietly(call: Callable[[], None]) -> None:
        try:
            call()
        except Exception:
            log.debug("call on a closed transport", exc_info=True)

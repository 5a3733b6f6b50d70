"""One open WebSocket: frames in, messages to the peer; the peer's messages out."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from operator import length_hint
from typing import Final, Protocol

from websockets.frames import Close, Frame, Opcode
from websockets.protocol import Event, State

from samedeal_server.net.endpoint import Endpoint, FrameCore
from samedeal_server.net.frames import PING, close_frame, shorten_reason, text_frame
from samedeal_server.net.intake import BY_BACKLOG, BY_PEER, Intake
from samedeal_server.net.messages import FragmentedText, MessageRefused, is_utf8

__all__ = ["Connection", "Peer"]

log = logging.getLogger(__name__)

_CORK_FRAMES: Final = 32
"""Frames gathered before they are written, so that the backlog is noticed within a slice."""

_TEXT: Final = Opcode.TEXT
_CLOSE: Final = Opcode.CLOSE


class Peer(Protocol):
    """The application's side of one connection. All calls come from the event loop.

    An exception that leaves one of them is logged and closes this connection with 1011.
    """

    def opened(self, connection: Connection) -> None:
        """The handshake is done; may send already."""

    def received(self, text: bytes) -> None:
        """One whole text message: valid UTF-8, at most `max_message_size` bytes."""

    def closed(self, code: int, reason: str) -> None:
        """Exactly once after `opened`; nothing is received any more.

        The code of whichever close frame came first, theirs or ours (1013 when the backlog
        passed its limit), 1005 for one without a code, 1006 if there was none. Never called
        within a call of `send`, `close` or `abort`.
        """


class _Nobody:
    """Stands where the peer was once it has been told of the end."""

    def opened(self, connection: Connection) -> None: ...

    def received(self, text: bytes) -> None: ...

    def closed(self, code: int, reason: str) -> None: ...


_NOBODY: Final = _Nobody()


class Connection(Intake):
    """What the peer holds. All methods may be called at any time, and after the end too."""

    __slots__ = (
        "_code",
        "_control_until",
        "_corked",
        "_fragments",
        "_large",
        "_open",
        "_peer",
        "_pinged",
        "_reason",
        "address",
        "remote",
    )

    def __init__(
        self,
        endpoint: Endpoint,
        transport: asyncio.Transport,
        core: FrameCore,
        remote: str,
        address: str,
    ) -> None:
        """`core` has sent its 101; `begin` starts the traffic."""
        super().__init__(endpoint, transport, core)
        self.remote = remote
        """The other end for logs: "127.0.0.1:4242", "[::1]:4242" or "unix"."""
        self.address = address
        """The client's, also behind a trusted proxy; without a port."""
        self._peer: Peer = _NOBODY
        self._open = True  # no close frame was sent or handled yet
        self._code = 1006
        self._reason = ""
        self._pinged = False
        self._control_until = 0.0
        self._corked: list[bytes] | None = None
        self._fragments: FragmentedText | None = None
        self._large = 0
        """Bytes of the largest write beyond the limit that the client is still taking."""

    # -- for the peer ---------------------------------------------------------------------

    @property
    def backlog(self) -> int:
        """Bytes that the kernel has not taken yet."""
        waiting = sum(map(len, self._corked)) if self._corked else 0
        try:
            return waiting + self._transport.get_write_buffer_size()
        except Exception:
            # The loops disagree about what a closed transport raises.
            return waiting

    @property
    def is_open(self) -> bool:
        """Whether `send` still does something."""
        return self._open

    def send(self, payload: bytes) -> None:
        """Send one text message (valid UTF-8, not checked); nothing once closing. Never raises."""
        if self._open:
            self.send_frame(text_frame(payload))

    def send_frame(self, frame: bytes) -> None:
        """Send what `text_frame` built, for one frame to many; else like `send`."""
        if not self._open:
            return
        corked = self._corked
        if corked is None:
            self._write(frame)
            return
        corked.append(frame)
        if len(corked) >= _CORK_FRAMES:
            self._uncork()
            self._corked = []

    def close(self, code: int, reason: str = "") -> None:
        """Start the closing handshake; the connection is aborted if it takes too long.

        The reason is cut to 123 bytes. Nothing if it is closing already. Raises
        websockets.exceptions.ProtocolError for a code that must not be sent (1005, 1006, ...).
        """
        if not self._open:
            return
        reason = shorten_reason(reason)
        Close(code, reason).check()
        self._stop(code, reason)
        if self._core.state is State.OPEN:
            self._core.send_close(code, reason)
        if self._corked is None and self._events is None:
            self._flush()
        self._endpoint.wheel.arm(self, self._endpoint.limits.close_timeout)
        # What the client said before its own close frame is not for anybody now, but its close
        # frame is behind it.
        self._unblock(BY_PEER | BY_BACKLOG)

    def abort(self) -> None:
        """End the TCP connection now; what was not sent is lost."""
        self._open = False
        super().abort()

    def pause_reading(self) -> None:
        """No `received` until `resume_reading`; the client feels it as TCP backpressure.

        Not counted: one resume undoes many pauses.
        """
        if self._open:
            self._block(BY_PEER)

    def resume_reading(self) -> None:
        """Undo `pause_reading`; `received` is called later, not from here."""
        self._unblock(BY_PEER)

    # -- for the endpoint -----------------------------------------------------------------

    def begin(self, peer: Peer, response: bytes, rest: bytes) -> None:
        """Write the 101 and what the peer says at once, then read what came beside the request."""
        self._peer = peer
        self._endpoint.wheel.arm(self, self._endpoint.first_ping_delay())
        self._corked = [response]
        try:
            peer.opened(self)
        except Exception:
            self._peer_failed()
        if self._corked is not None:
            self._uncork()
        self._flush()
        if rest:
            self.data_received(rest)

    def leave(self, code: int, reason: str) -> None:
        """The server stops."""
        self.close(code, reason)

    def due(self) -> None:
        """The keepalive wheel's call."""
        if not self._open:
            self.abort()
            return
        limits = self._endpoint.limits
        if self._blocked & BY_PEER:
            # We can't hear a pong, but a ping to a dead socket breaks the connection.
            self._pinged = False
            self._write(PING)
        elif self._heard:
            self._pinged = False
        elif self._pinged:
            self._fail(1011, "ping timeout")
            return
        else:
            self._pinged = True
            self._write(PING)
        self._heard = False
        self._endpoint.wheel.arm(
            self, limits.ping_timeout if self._pinged else limits.ping_interval
        )

    # -- asyncio.Protocol -----------------------------------------------------------------

    def eof_received(self) -> None:
        """Let the transport close itself: a client that stopped sending is gone."""

    def connection_lost(self, exc: Exception | None) -> None:
        """The TCP connection ended, for whatever reason."""
        self._open = False
        self._ended = True
        self._endpoint.wheel.disarm(self)
        self._endpoint.exit(self, opened=True)
        self._endpoint.gate.leave(self.address)
        self._fragments = self._corked = None
        self._forget()
        self._finish()

    def pause_writing(self) -> None:
        """The client doesn't take its answers: don't listen to it either."""
        if self._open:
            self._block(BY_BACKLOG)

    def resume_writing(self) -> None:
        """It takes them, so it lives."""
        self._heard = True
        self._large = 0
        self._unblock(BY_BACKLOG)

    # -- input ----------------------------------------------------------------------------

    def _deliver(self, events: Iterator[Event]) -> None:
        """Handle events up to a pause, then write what came of it at once."""
        self._corked = []
        max_size = self._endpoint.limits.max_message_size
        for event in events:
            assert isinstance(event, Frame)
            if event.opcode is _TEXT and event.fin and self._open:
                data = bytes(event.data)
                if len(data) > max_size:
                    self._fail(1009, "message too big")
                elif is_utf8(data):
                    try:
                        self._peer.received(data)
                    except Exception:
                        self._peer_failed()
                else:
                    self._fail(1007, "text is not UTF-8")
            else:
                self._handle_other(event)
            if self._blocked and length_hint(events):
                self._events = events
                break
        if self._corked:
            self._uncork()
        self._corked = None
        # The core has parsed to the end of the batch: its answer to a close frame there must not
        # overtake the messages before it.
        if self._events is None and self._core.writes:
            self._flush()

    def _handle_other(self, frame: Frame) -> None:
        """All that is not a whole text message."""
        if frame.opcode is _CLOSE:
            self._close_received()
        elif frame.opcode in (Opcode.PING, Opcode.PONG):
            self._count_control()
        elif not self._open:
            return
        elif frame.opcode is Opcode.BINARY:
            self._fail(1003, "text only")
        else:
            self._fragment_received(frame)

    def _fragment_received(self, frame: Frame) -> None:
        limits = self._endpoint.limits
        if self._fragments is None:
            self._fragments = FragmentedText(
                max_size=limits.max_message_size, max_fragments=limits.max_fragments
            )
        try:
            text = self._fragments.add(bytes(frame.data), last=frame.fin)
        except MessageRefused as refusal:
            self._fail(refusal.code, refusal.reason)
            return
        if text is not None:
            self._fragments = None
            try:
                self._peer.received(text)
            except Exception:
                self._peer_failed()

    def _close_received(self) -> None:
        close = self._core.close_rcvd
        if self._open and close is not None:
            self._stop(int(close.code), close.reason)

    def _count_control(self) -> None:
        """A bucket of `control_burst` that refills at `control_rate_per_s`, as one time stamp."""
        limits = self._endpoint.limits
        now = self._endpoint.loop.time()
        until = max(self._control_until, now) + 1 / limits.control_rate_per_s
        self._control_until = until
        # Half a frame of room for rounding.
        if (until - now) * limits.control_rate_per_s > limits.control_burst + 0.5:
            if self._open:
                self._fail(1008, "too many control frames")
            else:
                self.abort()

    def _peer_failed(self) -> None:
        log.exception("peer failed; closing %s", self.remote)
        if self._open:
            self._fail(1011, "internal error")

    # -- output ---------------------------------------------------------------------------

    def _write(self, data: bytes) -> None:
        super()._write(data)
        if self._blocked & BY_BACKLOG:
            self._cut_if_behind(len(data))

    def _cut_if_behind(self, latest: int) -> None:
        size, limit = self.backlog, self._endpoint.limits.max_backlog
        if latest > limit:
            self._large = max(self._large, latest)
        if self._open and size > limit + self._large:
            log.info("cutting %s: %d bytes behind", self.remote, size)
            self._stop(1013, "too far behind")
            # A close frame would wait behind all the rest.
            self.abort()

    def _uncork(self) -> None:
        corked = self._corked
        self._corked = None
        if corked:
            self._write(corked[0] if len(corked) == 1 else b"".join(corked))

    def _flush(self) -> None:
        """Write what the core has to say; an empty piece is its end of stream."""
        if self._ended:
            return
        for piece in self._core.data_to_send():
            if piece:
                self._write(piece)
                continue
            sent = self._core.close_sent
            if self._open and sent is not None:  # the core itself has refused a frame
                self._stop(int(sent.code), sent.reason)
            self._end()
            # Nothing can come any more: the peer needs not wait for the end of TCP.
            self._finish()

    def _stop(self, code: int, reason: str) -> None:
        """No more messages in either direction; the first to stop it names the code."""
        self._open = False
        self._code = code
        self._reason = reason
        self._fragments = None

    def _fail(self, code: int, reason: str) -> None:
        """Say why, and end without waiting for the client's close frame (RFC 6455, 7.1.7)."""
        self._stop(code, reason)
        # What the core has to say is never written: pongs, and perhaps the answer to a close
        # frame further on in the batch.
        self._uncork()
        self._write(close_frame(code, reason))
        self._end()
        self._finish()

    def _end(self) -> None:
        self._open = False
        self._drop_input()
        super()._end()

    def _finish(self) -> None:
        peer, self._peer = self._peer, _NOBODY
        try:
            peer.closed(self._code, self._reason)
        except Exception:
            log.exception("peer failed while closing %s", self.remote)

"""One connection: parses, limits, and passes on; answers moves without a task or a wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import orjson
import structlog
from redis.exceptions import RedisError

from samedeal_protocol import (
    ClientMessage,
    CloseCode,
    ErrorCode,
    GetOpen,
    GetTop,
    Hello,
    MalformedMessage,
    Message,
    Ping,
    PlayMove,
    RefusalCode,
    encode,
    parse_client_message,
)
from samedeal_server.domain.duel import PlayerId
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.limits import TokenBucket
from samedeal_server.metrics.counts import Counts
from samedeal_server.net import Connection
from samedeal_server.node.keeper import DuelGone
from samedeal_server.node.room import Room
from samedeal_server.node.table import Table, refused_frame
from samedeal_server.store.clock import DuelClock

__all__ = ["Session", "SessionLimits", "SessionOwner"]

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """What one connection may ask for."""

    messages_per_s: float = 25
    """A fast human makes 10 moves a second."""
    message_burst: float = 75
    """A client that comes back resends at most 16 moves, and then some."""
    requests_per_s: float = 3
    """Everything but new moves and pings; bounds guessing of codes too."""
    request_burst: float = 20
    """More than the 16 moves that a client may have to repeat when it comes back."""
    strikes: int = 50
    """Messages over the limit, or errors, after which the connection is closed."""
    strike_forgiven_ms: int = 5_000
    """One is forgotten each time this passes."""
    hello_ms: int = 10_000
    """For the first `hello`."""


BEFORE_HELLO: Final = (Hello, GetTop, GetOpen)
"""Who only looks need not become a player."""

MAX_REQUESTS: Final = 8
"""Requests of one connection that may wait; more are refused."""

MAX_ANSWERS: Final = 64
"""Answers to moves that may wait for the store: 16 moves, what a client asks beside them, and
then some. One that sends on all the same is over the limit."""

ERROR_EVERY_MS: Final = 200
"""Over the limit, errors are limited as well; what is left out counts as a strike all the same."""


class SessionOwner(Protocol):
    """What a session needs of the node."""

    @property
    def clock(self) -> DuelClock:
        """The duels' clock."""

    @property
    def limits(self) -> SessionLimits:
        """What one connection may ask for."""

    @property
    def counts(self) -> Counts:
        """Where all is counted."""

    async def handle(self, session: Session, message: ClientMessage) -> None:
        """Do a request; may raise `PlayerError`, `DuelGone` or the store's errors."""

    def run(self, work: Coroutine[Any, Any, None], name: str, **about: str) -> None:
        """Run it by the side; a node that stops waits for it."""

    def gone(self, session: Session) -> None:
        """The connection has ended."""


class Session:
    """A `Peer` of the edge, a `Member` of rooms."""

    __slots__ = (
        "_closing",
        "_connection",
        "_hello",
        "_last_error",
        "_messages",
        "_node",
        "_requests",
        "_requests_bucket",
        "_strikes",
        "_struck_at",
        "_working",
        "bot",
        "epoch",
        "greeted",
        "journal",
        "name",
        "player",
        "room",
        "table",
        "waiting",
        "watching",
    )

    def __init__(self, node: SessionOwner) -> None:
        self._node = node
        self._connection: Connection | None = None
        self._requests: list[ClientMessage] = []
        self._working = False
        self._closing = False
        self._strikes = 0
        self._struck_at = 0
        self._last_error = 0
        self._hello: asyncio.TimerHandle | None = None
        self.player = PlayerId("")
        self.epoch = ""
        self.name = ""
        self.bot = False
        self.greeted = False
        self.room: Room | None = None
        """The duel in which the player has a seat."""
        self.journal: Sequence[str] = ()
        """The player's entries when this connection took the seat; nobody else adds to them."""
        self.watching: Room | None = None
        self.table: Table | None = None
        self.waiting: tuple[str, int] | None = None
        """Ruleset and seats of the quick match that the player waits for."""

    # The edge's side.

    def opened(self, connection: Connection) -> None:
        """A connection is there; it has some seconds to say hello."""
        limits, now = self._node.limits, self._node.clock.now_ms()
        self._node.counts.opened += 1
        self._connection = connection
        self._messages = TokenBucket.full(limits.messages_per_s, limits.message_burst, now)
        self._requests_bucket = TokenBucket.full(limits.requests_per_s, limits.request_burst, now)
        loop = asyncio.get_running_loop()
        self._hello = loop.call_later(limits.hello_ms / 1000, self._nobody)

    def received(self, text: bytes) -> None:
        """A whole text message."""
        now = self._node.clock.now_ms()
        if not self._messages.take(now):
            self._over_the_limit(now, self._messages.wait_ms())
            return
        try:
            message = parse_client_message(text)
        except MalformedMessage as error:
            self._error(ErrorCode.MALFORMED, str(error), now=now)
            self._strike(now, CloseCode.TOO_MANY_ERRORS, "too many messages that are none")
            return
        if type(message) is PlayMove:
            if self.table is None:
                code = self._no_table()
                self._node.counts.refused[code] += 1
                self.send_frame(refused_frame(message.seq, code))
            elif self.table.waiting > MAX_ANSWERS:
                self._over_the_limit(now, 1000)
            elif message.seq < self.table.next_seq and not self._requests_bucket.take(now):
                # A repeated move costs more than a request: its answer may have to be replayed.
                self._over_the_limit(now, self._requests_bucket.wait_ms())
            else:
                self.table.play(message.seq, message.move, now)
        elif type(message) is Ping:
            self.send_payload(b'{"type":"pong","id":%d,"server_ms":%d}' % (message.id, now))
        elif not self.greeted and type(message) not in BEFORE_HELLO:
            self._error(ErrorCode.SAY_HELLO, "say hello first", message, now=now)
            self._strike(now, CloseCode.NO_HELLO, "no hello")
        elif len(self._requests) >= MAX_REQUESTS or not self._requests_bucket.take(now):
            self._over_the_limit(now, self._requests_bucket.wait_ms(), message)
        else:
            self._requests.append(message)
            if not self._working:
                self._working = True
                self._node.run(self._work(), "requests", **self.about())

    def closed(self, code: int, reason: str) -> None:
        """The connection has ended, whatever the way."""
        self._node.counts.close(code)
        self._forget_hello()
        self._connection = None
        self._requests.clear()
        self._node.gone(self)

    # The node's side.

    @property
    def address(self) -> str:
        """The client's, for limits; "" once the connection is gone."""
        return "" if self._connection is None else self._connection.address

    def is_open(self) -> bool:
        """Whether anything that is sent can still arrive."""
        return self._connection is not None and not self._closing

    def send_frame(self, frame: bytes) -> None:
        """Send a framed message; nothing if the connection is gone."""
        if self._connection is not None:
            self._connection.send_frame(frame)

    def send_payload(self, payload: bytes) -> None:
        """Frame and send."""
        if self._connection is not None:
            self._connection.send(payload)

    def send(self, message: Message) -> None:
        """Send a message that is not on the hot path."""
        self.send_payload(encode(message).encode())

    def close(self, code: int, reason: str) -> None:
        """Start the closing handshake."""
        self._closing = True
        if self._connection is not None:
            self._connection.close(code, reason)

    def about(self) -> dict[str, str]:
        """Player and duel, as far as there are any, for the log."""
        found: dict[str, str] = {}
        room = self.room or self.watching
        if room is not None:
            found["duel"] = room.duel.id
        if self.player:
            found["player"] = self.player
        return found

    def now_greeted(self) -> None:
        """The player is known."""
        self.greeted = True
        self._forget_hello()

    # Requests, one after the other.

    async def _work(self) -> None:
        try:
            while self._requests and self._connection is not None:
                await self._do(self._requests.pop(0))
        finally:
            self._working = False

    async def _do(self, message: ClientMessage) -> None:
        began = time.monotonic()
        try:
            await self._node.handle(self, message)
            _log.debug("a request is done", kind=message.type, **self.about())
        except PlayerError as error:
            self._error(error.code, error.message, message, retry_after_ms=error.retry_after_ms)
        except DuelGone:
            self._error(ErrorCode.NO_SUCH_DUEL, "there is no such duel (any more)", message)
        except RedisError as error:
            self._node.counts.store_errors["requests"] += 1
            _log.warning(
                "a request failed at the store",
                error=str(error),
                kind=message.type,
                **self.about(),
            )
            text = "the server can't reach its store; try again in a moment"
            self._error(ErrorCode.STORE_AWAY, text, message, retry_after_ms=1000)
        except Exception:
            _log.exception("a request failed", kind=message.type, **self.about())
            self._error(ErrorCode.INTERNAL, "our fault; it is logged", message)
        finally:
            self._node.counts.request_s.add(time.monotonic() - began)

    # Errors and limits.

    def _no_table(self) -> RefusalCode:
        ended = self.room is not None and self.room.phase in ("sealed", "finished")
        return RefusalCode.FINISHED if ended else RefusalCode.NOT_RUNNING

    def _error(
        self,
        code: ErrorCode,
        text: str,
        about: ClientMessage | None = None,
        *,
        retry_after_ms: int | None = None,
        now: int | None = None,
    ) -> None:
        self._node.counts.errors[code] += 1
        if now is not None:
            if now - self._last_error < ERROR_EVERY_MS and self._strikes > 5:
                return
            self._last_error = now
        fields: dict[str, object] = {"type": "error", "code": code, "message": text[:200]}
        req = getattr(about, "req", None)
        if req is not None:
            fields["req"] = req
        if retry_after_ms is not None:
            fields["retry_after_ms"] = retry_after_ms
        self.send_payload(orjson.dumps(fields))

    def _over_the_limit(self, now: int, wait_ms: int, about: ClientMessage | None = None) -> None:
        self._error(ErrorCode.SLOW_DOWN, "too fast", about, retry_after_ms=wait_ms, now=now)
        self._strike(now, CloseCode.FLOOD, "too many messages")

    def _strike(self, now: int, code: int, reason: str) -> None:
        forgiven = (now - self._struck_at) // self._node.limits.strike_forgiven_ms
        self._strikes = max(0, self._strikes - forgiven) + 1
        if forgiven or not self._struck_at:
            self._struck_at = now
        if self._strikes > self._node.limits.strikes:
            self.close(code, reason)

    def _nobody(self) -> None:
        self._hello = None
        self.close(CloseCode.NO_HELLO, "no hello")

    def _forget_hello(self) -> None:
        if self._hello is not None:
            self._hello.cancel()
            self._hello = None

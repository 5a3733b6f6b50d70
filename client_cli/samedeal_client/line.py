"""The line to a server, kept up: greets, measures the clock, comes back after a loss."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from samedeal_client.backoff import Backoff
from samedeal_client.clock import ServerClock
from samedeal_client.errors import ConnectionFailed, RequestFailed
from samedeal_client.events import ConnectionDropped, Ended, Replaced
from samedeal_client.link import Link, LinkClosed
from samedeal_client.texts import _
from samedeal_protocol import (
    CloseCode,
    Error,
    ErrorCode,
    Hello,
    Message,
    Ping,
    Pong,
    ServerMessage,
    Welcome,
)

__all__ = ["Line", "LineUser"]

FIRST_PINGS_S: Final = (0.0, 0.25, 0.75)
"""At once and twice more, so that the countdown is right from the start."""
PING_EVERY_S: Final = 5.0
GREETING_S: Final = 10.0

_NO_WAY_BACK: Final = {
    CloseCode.TOO_MANY_ERRORS,
    CloseCode.FLOOD,
    CloseCode.NO_HELLO,
    1002,
    1008,
}
"""Coming back would only repeat what closed the line."""
_TRY_LATER: Final = {
    ErrorCode.STORE_AWAY,
    ErrorCode.RESTARTING,
    ErrorCode.SERVER_FULL,
    ErrorCode.SLOW_DOWN,
    ErrorCode.INTERNAL,
}


class LineUser(Protocol):
    """Who is told what happens on the line, in order. None of these may block."""

    def line_up(self, welcome: Welcome, away_s: float | None) -> None:
        """Greeted; `away_s` is None the first time."""

    def line_received(self, message: ServerMessage) -> None:
        """Anything but `welcome` and `pong`."""

    def line_down(self, dropped: ConnectionDropped) -> None:
        """Lost; the next try comes by itself."""

    def line_ended(self, fact: Replaced | Ended) -> None:
        """For good."""


class Line:
    """Connects, and connects again, until it is cancelled or there is no way back."""

    def __init__(
        self,
        url: str,
        hello: Callable[[], Hello],
        user: LineUser,
        *,
        random: Callable[[], float],
        give_up_s: float | None,
    ) -> None:
        self.url = url
        self.clock = ServerClock()
        self._hello = hello
        self._user = user
        self._backoff = Backoff(random)
        self._give_up_s = give_up_s
        self._link: Link | None = None
        self._down_since: float | None = None
        self._pings: dict[int, float] = {}
        self._next_ping = 0

    @property
    def up(self) -> bool:
        """Whether something sent now goes out now."""
        return self._link is not None

    def send(self, message: Message) -> None:
        """Send on the line that is up; without one it is dropped: ask `up` first."""
        if self._link is not None:
            self._link.send(message)

    def local_ms(self) -> float:
        """This machine's monotonic clock."""
        return asyncio.get_running_loop().time() * 1000

    async def run(self, first: asyncio.Future[None]) -> None:
        """Keep the line up. `first` is done once it stands, or has the error of the first try."""
        while True:
            failure = await self._one_life(first)
            if not first.done():
                first.set_exception(failure)
                return
            loop = asyncio.get_running_loop()
            if self._down_since is None:
                self._down_since = loop.time()
            final = self._final(failure, loop.time() - self._down_since)
            if final is not None:
                self._user.line_ended(final)
                return
            wait = self._backoff.failed(_asked_s(failure))
            code = failure.code if isinstance(failure, LinkClosed) else None
            self._user.line_down(ConnectionDropped(code, str(failure), wait))
            await asyncio.sleep(wait)

    async def _one_life(self, first: asyncio.Future[None]) -> Exception:
        """One connection from handshake to end; what ended it."""
        loop = asyncio.get_running_loop()
        began: float | None = None
        pinging: asyncio.Task[None] | None = None
        try:
            async with Link(self.url) as link:
                said_hello = self.local_ms()
                welcome = await self._greet(link)
                began, away = loop.time(), None
                if self._down_since is not None:
                    away, self._down_since = began - self._down_since, None
                self._link = link
                self.clock.restart()
                self.clock.add(said_hello, self.local_ms(), welcome.server_ms)
                self._pings.clear()
                pinging = asyncio.create_task(self._ping(link))
                self._user.line_up(welcome, away)
                if not first.done():
                    first.set_result(None)
                while True:
                    self._take(await link.receive())
        except (LinkClosed, ConnectionFailed, RequestFailed) as failure:
            return failure
        finally:
            self._link = None
            if pinging is not None:
                pinging.cancel()
            if began is not None:
                self._backoff.lasted(loop.time() - began)

    async def _greet(self, link: Link) -> Welcome:
        try:
            async with asyncio.timeout(GREETING_S):
                link.send(self._hello())
                while True:
                    message = await link.receive()
                    if isinstance(message, Welcome):
                        return message
                    if isinstance(message, Error):
                        raise RequestFailed(message)
        except TimeoutError:
            raise ConnectionFailed(_("no answer to our greeting")) from None

    def _take(self, message: ServerMessage) -> None:
        if isinstance(message, Pong):
            sent = self._pings.pop(message.id, None)
            if sent is not None:
                self.clock.add(sent, self.local_ms(), message.server_ms)
        else:
            self._user.line_received(message)

    async def _ping(self, link: Link) -> None:
        waits = iter(FIRST_PINGS_S)
        while True:
            await asyncio.sleep(next(waits, PING_EVERY_S))
            self._next_ping += 1
            self._pings = {self._next_ping: self.local_ms(), **self._pings}
            while len(self._pings) > len(FIRST_PINGS_S):
                self._pings.popitem()  # the oldest will not be answered any more
            link.send(Ping(id=self._next_ping))

    def _final(self, failure: Exception, away_s: float) -> Replaced | Ended | None:
        if isinstance(failure, LinkClosed):
            if failure.code == CloseCode.REPLACED:
                return Replaced()
            if failure.code in _NO_WAY_BACK:
                why = _("the server closed the line: {why}").format(
                    why=failure.reason or failure.code
                )
                return Ended(why)
        if isinstance(failure, RequestFailed) and failure.code not in _TRY_LATER:
            return Ended(str(failure))
        if self._give_up_s is not None and away_s >= self._give_up_s:
            return Ended(
                _("the server has been away for {seconds} s").format(seconds=round(away_s))
            )
        return None


def _asked_s(failure: Exception) -> float:
    """How long the server wants us to wait."""
    if isinstance(failure, RequestFailed):
        return (failure.retry_after_ms or 0) / 1000
    return failure.retry_after_s if isinstance(failure, ConnectionFailed) else 0.0

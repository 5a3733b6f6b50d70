"""What a connection tells its user: the server's messages, and facts about the line."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Final

from samedeal_client.fair import FairCheck
from samedeal_protocol import Refused, ServerMessage, Standings

__all__ = [
    "Connected",
    "ConnectionDropped",
    "Ended",
    "Event",
    "EventQueue",
    "EventsDropped",
    "FairnessAlarm",
    "MovesFell",
    "OutOfStep",
    "Reconnected",
    "Replaced",
    "TailLost",
]


@dataclass(frozen=True, slots=True)
class Connected:
    """The first connection stands; the server knows us by this name."""

    player: str
    name: str
    place: str


@dataclass(frozen=True, slots=True)
class ConnectionDropped:
    """The line is gone. The next try comes by itself."""

    code: int | None
    reason: str
    retry_s: float


@dataclass(frozen=True, slots=True)
class Reconnected:
    """The line is back; the server's `duel` and `snapshot` follow."""

    away_s: float


@dataclass(frozen=True, slots=True)
class Replaced:
    """The same player connected elsewhere; that connection plays on, this one has ended."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The connection has ended for good and will not come back by itself."""

    reason: str


@dataclass(frozen=True, slots=True)
class TailLost:
    """The store lost acknowledged moves (a failover); they were sent again."""

    count: int


@dataclass(frozen=True, slots=True)
class MovesFell:
    """A move was refused, and with it those that had been sent after it. None is sent again."""

    moves: tuple[str, ...]
    """The refused one first."""
    because: Refused


@dataclass(frozen=True, slots=True)
class OutOfStep:
    """Our table and the server's differed; the server's is on its way."""


@dataclass(frozen=True, slots=True)
class FairnessAlarm:
    """Something about the deal is not as was promised."""

    check: FairCheck


@dataclass(frozen=True, slots=True)
class EventsDropped:
    """Nobody read events for so long that the oldest were dropped."""

    count: int


Event = (
    ServerMessage
    | Connected
    | ConnectionDropped
    | Reconnected
    | Replaced
    | Ended
    | TailLost
    | MovesFell
    | OutOfStep
    | FairnessAlarm
    | EventsDropped
)

MAX_EVENTS: Final = 2048
"""Minutes of a lively duel. What was dropped shows in the connection's state all the same."""


class EventQueue:
    """Bounded. Standings replace older standings; when full, the oldest event goes, counted."""

    def __init__(self) -> None:
        self._events: deque[Event] = deque()
        self._dropped = 0
        self._arrived = asyncio.Event()
        self._closed = False

    def put(self, event: Event) -> None:
        """Never waits."""
        if isinstance(event, Standings):
            # A linear look, but only over what nobody has read yet.
            for index, other in enumerate(self._events):
                if isinstance(other, Standings) and other.duel == event.duel:
                    del self._events[index]
                    break
        if len(self._events) >= MAX_EVENTS:
            self._events.popleft()
            self._dropped += 1
        self._events.append(event)
        self._arrived.set()

    def close(self) -> None:
        """Nothing more will come; what is there can still be read."""
        self._closed = True
        self._arrived.set()

    async def get(self) -> Event | None:
        """The next event; None at the end."""
        while not self._events and not self._dropped:
            if self._closed:
                return None
            self._arrived.clear()
            await self._arrived.wait()
        if self._dropped:
            event, self._dropped = EventsDropped(self._dropped), 0
            return event
        return self._events.popleft()

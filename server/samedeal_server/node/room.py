"""A duel as this node sees it: who is connected here, and what they are sent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Protocol

from samedeal_rules import Board
from samedeal_server.domain.duel import Duel, DuelMs, Phase, PlayerId
from samedeal_server.domain.messages import (
    SMALL_DUEL,
    DuelMessage,
    ResultMessage,
    StandingsMessage,
)
from samedeal_server.domain.standing import Standing
from samedeal_server.metrics.counts import Counts
from samedeal_server.net import text_frame
from samedeal_server.node.table import Table
from samedeal_server.store.duels import Stored

__all__ = ["Member", "Room"]

DUEL_NEWS_S: Final = 0.5
"""Of a large duel `duel` goes out at most so often: 1,000 people joining are 1,000 changes."""


class Member(Protocol):
    """A connection in the room."""

    player: PlayerId
    epoch: str

    def send_frame(self, frame: bytes) -> None:
        """Send a framed message; nothing if the connection is gone."""


class Room:
    """Everything that this node remembers of a duel. All of it can be read anew."""

    def __init__(
        self, stored: Stored, now_ms: Callable[[], DuelMs], interval_s: float, counts: Counts
    ) -> None:
        self._now_ms = now_ms
        self._interval_s = interval_s
        self._counts = counts
        self.stored = stored
        """As it was read, or written by this node; another node may have changed it since."""
        self.duel: Duel = stored.duel
        self.sealed = stored.sealed
        self.result = stored.result
        self.rematch = stored.rematch
        self.members: dict[PlayerId, Member] = {}
        """Players of this duel who are connected to this node."""
        self.spectators: set[Member] = set()
        self.visitors = 0
        """Who is on the way in: the room must not go before they are."""
        self.tables: dict[PlayerId, Table] = {}
        self.standings: dict[PlayerId, Standing] = {}
        self.remote_here: Mapping[PlayerId, bool] = {}
        """Players connected to other nodes."""
        self.dealt: Board | None = None
        self.started = False
        """The start has been seen through: whoever was here has a table."""
        self.stale = False
        """Something happened on another node: standings must be read anew."""
        self.timer: asyncio.TimerHandle | None = None
        self.refresh: Callable[[], None] = lambda: None
        """Called when a tick finds stale standings."""
        self._version = 0
        self._ticking: asyncio.TimerHandle | None = None
        self._last_tick = 0.0
        self._news: asyncio.TimerHandle | None = None
        self._last_news = 0.0

    @property
    def phase(self) -> Phase:
        """The phase by the agreed document, the clock, the seal and the result."""
        if self.duel.phase is Phase.ABORTED:
            return Phase.ABORTED
        if self.result is not None:
            return Phase.FINISHED
        if self.sealed:
            return Phase.SEALED
        return self.duel.phase_at(self._now_ms())

    @property
    def empty(self) -> bool:
        """Nobody here any more."""
        return not (self.members or self.spectators or self.visitors)

    def here(self) -> dict[PlayerId, bool]:
        """Who of the seated is connected, to whichever node."""
        return {
            seat.player: seat.player in self.members or self.remote_here.get(seat.player, False)
            for seat in self.duel.seated
        }

    def update(self, stored: Stored) -> bool:
        """Take over what was read; whether anything changed."""
        if stored.duel.version < self.duel.version:
            return False
        before = (self.duel.version, self.sealed, self.result, self.rematch)
        self.stored, self.duel = stored, stored.duel
        # These never go back; what was read may be older than what we know.
        self.sealed = self.sealed or stored.sealed
        self.result = self.result or stored.result
        self.rematch = self.rematch or stored.rematch
        return before != (self.duel.version, self.sealed, self.result, self.rematch)

    # What members are sent.

    def _everybody(self) -> Iterator[tuple[Member, int | None]]:
        numbers = {seat.player: number for number, seat in enumerate(self.duel.seated)}
        for player, member in list(self.members.items()):
            yield member, numbers.get(player)
        for member in list(self.spectators):
            yield member, None

    def duel_message(self) -> DuelMessage:
        """The `duel` message as of now."""
        started = self.phase in (Phase.RUNNING, Phase.SEALED, Phase.FINISHED)
        return DuelMessage(
            self.duel,
            self.phase,
            self._now_ms(),
            here=self.here() if started else None,
            rematch=self.rematch,
        )

    def tell_duel(self) -> None:
        """`duel` to everybody: at once in a small duel, at most every half second in a large."""
        if self.duel.seats <= SMALL_DUEL:
            self._send_duel()
        elif self._news is None:
            loop = asyncio.get_running_loop()
            due = max(loop.time(), self._last_news + DUEL_NEWS_S)
            self._news = loop.call_at(due, self._send_duel)

    def _send_duel(self) -> None:
        self._news = None
        self._last_news = asyncio.get_running_loop().time()
        message = self.duel_message()
        for member, seat in self._everybody():
            member.send_frame(text_frame(message.for_reader(seat)))

    def tell_result(self) -> None:
        """`result` to everybody, the reader's own line always in it."""
        assert self.result is not None
        message = ResultMessage(json.loads(self.result))
        for member, seat in self._everybody():
            player = None if seat is None else member.player
            member.send_frame(text_frame(message.for_reader(player)))

    def send_result(self, member: Member) -> None:
        """`result` to one reader who came late."""
        assert self.result is not None
        message = ResultMessage(json.loads(self.result))
        member.send_frame(text_frame(message.for_reader(member.player)))

    def standings_message(self) -> StandingsMessage:
        """The `standings` message as of now."""
        self._version += 1
        return StandingsMessage(
            self.duel, self.standings, self.here(), self._version, self._now_ms()
        )

    def changed(self) -> None:
        """Standings changed: they go out at this duel's next tick, the latest only."""
        if self._ticking is None:
            loop = asyncio.get_running_loop()
            due = max(loop.time(), self._last_tick + self._interval_s)
            self._ticking = loop.call_at(due, self._tick)
        else:
            self._counts.merged += 1

    def standings_are_stale(self) -> None:
        """Something happened on another node: they are read anew at the next tick."""
        self.stale = True
        self.changed()

    def _tick(self) -> None:
        self._ticking = None
        self._last_tick = asyncio.get_running_loop().time()
        if self.stale:
            self.refresh()
            return
        self.send_standings()

    def send_standings(self) -> None:
        """Standings to everybody here, now."""
        message = self.standings_message()
        self._counts.standings += len(self.members) + len(self.spectators)
        if message.same_for_all is not None:
            frame = text_frame(message.same_for_all)
            for member in (*self.members.values(), *self.spectators):
                member.send_frame(frame)
            return
        for member, seat in self._everybody():
            member.send_frame(text_frame(message.for_reader(seat)))

    def close(self) -> None:
        """Forget all timers."""
        for handle in (self.timer, self._ticking, self._news):
            if handle is not None:
                handle.cancel()
        self.timer = self._ticking = self._news = None

"""Turns away who would be too much: at the handshake, at `hello`, at a new duel."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

import structlog

from samedeal_protocol import ErrorCode
from samedeal_server.domain.crowd import Crowd, CrowdLimits
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.pressure import Level, Pressure
from samedeal_server.metrics.counts import Counts
from samedeal_server.net import Turned, network_of

__all__ = ["Doorkeeper"]

_log = structlog.get_logger()

SAMPLE_S: Final = 0.1
"""Often enough to act within a second; costs next to nothing."""

BUSY_BACKLOG: Final = 4_000
"""Moves that wait for the store: as many as it takes in a tenth of a second."""

FORGET_EVERY_S: Final = 2.0
"""Soon enough that what is remembered follows what happens."""

COME_BACK_MS: Final = 5_000
"""For who was turned away because all is too much; clients add some chance to it."""

_LOCAL: Final = ("127.", "::1", "unix")


class Doorkeeper:
    """The edge's gate, and what door and lobby ask before they take somebody on."""

    def __init__(
        self,
        limits: CrowdLimits,
        busy_lag_ms: float,
        max_duels: int,
        backlog: Callable[[], int],
        duels: Callable[[], int],
        counts: Counts,
    ) -> None:
        """`backlog`: moves that wait for the store; `duels`: how many are known here."""
        self._crowd = Crowd(limits)
        self._pressure = Pressure(busy_lag_ms, BUSY_BACKLOG)
        self._max_duels = max_duels
        self._backlog = backlog
        self._duels = duels
        self._counts = counts
        self.lag_ms = 0.0
        """How late the loop was at the latest sample."""

    @property
    def level(self) -> Level:
        """How the node feels."""
        return self._pressure.level

    # The edge's side.

    def knock(self, address: str) -> bool:
        """Whether one more from there may wait with its request."""
        if _is_local(address) or self._crowd.knock(network_of(address)):
            return True
        self._counts.turned_away["address"] += 1
        return False

    def heard(self, address: str) -> None:
        """One of these waits no more."""
        if not _is_local(address):
            self._crowd.heard(network_of(address))

    def enter(self, address: str) -> Turned | None:
        """Count them in, or say why not."""
        if self.level is Level.OVERLOADED:
            self._counts.turned_away["busy"] += 1
            return _turned(HTTPStatus.SERVICE_UNAVAILABLE, "too busy", COME_BACK_MS)
        if _is_local(address):
            return None
        wait_ms = self._crowd.come_in(network_of(address), self._now_ms())
        if wait_ms is None:
            return None
        self._counts.turned_away["address"] += 1
        text = "too many connections from your address"
        return _turned(HTTPStatus.TOO_MANY_REQUESTS, text, wait_ms)

    def leave(self, address: str) -> None:
        """Somebody has gone."""
        if not _is_local(address):
            self._crowd.go(network_of(address))

    # The node's side; these raise `PlayerError`.

    def check_new_player(self, address: str) -> None:
        """Before somebody without a token becomes a player."""
        self._check_busy()
        if _is_local(address):
            return
        wait_ms = self._crowd.make_player(network_of(address), self._now_ms())
        if wait_ms is not None:
            text = "too many new players from your address; try again later"
            raise PlayerError(ErrorCode.SLOW_DOWN, text, retry_after_ms=wait_ms)

    def check_new_duel(self, address: str, player: str) -> None:
        """Before a duel is opened or waited for."""
        self._check_busy()
        network = None if _is_local(address) else network_of(address)
        wait_ms = self._crowd.open_duel(network, player, self._now_ms())
        if wait_ms is not None:
            text = "too many new duels; play one of them"
            raise PlayerError(ErrorCode.SLOW_DOWN, text, retry_after_ms=wait_ms)
        if self._duels() >= self._max_duels:
            text = "all tables are taken; try again in a moment"
            raise PlayerError(ErrorCode.SERVER_FULL, text, retry_after_ms=COME_BACK_MS)

    def _check_busy(self) -> None:
        if self.level is not Level.CALM:
            text = "the server has too much to do; try again in a moment"
            raise PlayerError(ErrorCode.SERVER_FULL, text, retry_after_ms=COME_BACK_MS)

    async def keep(self) -> None:
        """Take samples for ever."""
        loop = asyncio.get_running_loop()
        forget_at = loop.time() + FORGET_EVERY_S
        while True:
            asleep = loop.time()
            await asyncio.sleep(SAMPLE_S)
            self.lag_ms = (loop.time() - asleep - SAMPLE_S) * 1000
            self._counts.loop_lag_s.add(max(0.0, self.lag_ms / 1000))
            self.sampled(self.lag_ms)
            if loop.time() >= forget_at:
                self._crowd.forget(self._now_ms())
                forget_at = loop.time() + FORGET_EVERY_S

    def sampled(self, lag_ms: float) -> None:
        """One sample of the loop's lag."""
        before, backlog = self.level, self._backlog()
        after = self._pressure.sample(lag_ms, backlog)
        if after is not before:
            tell = _log.warning if after > before else _log.info
            tell("pressure", level=after.name.lower(), lag_ms=round(lag_ms), moves_wait=backlog)

    @staticmethod
    def _now_ms() -> float:
        return asyncio.get_running_loop().time() * 1000


def _is_local(address: str) -> bool:
    """This machine is not limited: a proxy that nobody has named would be taken for one client."""
    return address.startswith(_LOCAL)


def _turned(status: HTTPStatus, text: str, wait_ms: int) -> Turned:
    return Turned(status, f"{text}; try again later", max(1, -(-wait_ms // 1000)))

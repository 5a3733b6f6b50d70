"""Open duels: told to who looks for one to join."""

from __future__ import annotations

import asyncio
from typing import Final

from samedeal_protocol import MAX_OPEN_ROWS, GetOpen, OpenList, OpenRow
from samedeal_server.domain.duel import Duel, DuelMs
from samedeal_server.domain.names import shown_name
from samedeal_server.node.session import Session
from samedeal_server.store.clock import DuelClock
from samedeal_server.store.open_duels import OpenDuelStore

__all__ = ["OpenDuels"]

FRESH_MS: Final = 1000
"""For so long an answer serves all who ask: however many they are, the store is asked once."""


class OpenDuels:
    """Reads the list at most once a second."""

    def __init__(self, store: OpenDuelStore, clock: DuelClock) -> None:
        self._store = store
        self._clock = clock
        self._reading = asyncio.Lock()
        self._read_at = DuelMs(-FRESH_MS)
        self._known: list[tuple[Duel, DuelMs]] = []

    async def tell(self, session: Session, message: GetOpen) -> None:
        """Duels with a free seat, the newest first."""
        async with self._reading:
            now = self._clock.now_ms()
            if not 0 <= now - self._read_at < FRESH_MS:
                self._known = await self._store.read(now, MAX_OPEN_ROWS)
                self._read_at = now
        rows = [_row(duel, max(0, now - made_at)) for duel, made_at in self._known]
        session.send(OpenList(req=message.req, rows=rows))


def _row(duel: Duel, age_ms: int) -> OpenRow:
    host = next((seat.name for seat in duel.seated if seat.player == duel.host), "")
    return OpenRow(
        code=duel.code,
        ruleset=duel.ruleset,
        options=dict(duel.options),
        duration_ms=duel.duration_ms or 0,
        seats=duel.seats,
        seated=len(duel.seated),
        hints=duel.hints,
        winnable=duel.solver is not None,
        chosen_seed=duel.chosen_seed is not None,
        host=shown_name(host),
        age_ms=age_ms,
    )

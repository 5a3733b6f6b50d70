"""Hints for players at running tables; worked out beside the event loop."""

from __future__ import annotations

from typing import Final

from samedeal_protocol import ErrorCode, GetHint, Hinted
from samedeal_server.domain.duel import Phase, PlayerId
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.hinting import HintQuestion, answer_hint
from samedeal_server.metrics.counts import Counts
from samedeal_server.node.room import Room
from samedeal_server.node.session import Session
from samedeal_server.node.worker import Worker

__all__ = ["Hints"]

LIMIT_S: Final = 1.0
"""After which a player would rather look for a move than wait; then the answer is `unknown`."""
MAX_WAITING: Final = 64
"""Of all players of a node. A hint takes a few ms as a rule and 130 ms at worst, so those who
are behind so many would not get theirs in time."""


class Hints:
    """Asks the worker, one question a player at a time."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._worker = Worker("hints", MAX_WAITING)
        self._asking: set[PlayerId] = set()

    def expect(self, room: Room) -> None:
        """A duel has begun: where hints are allowed they will be asked for."""
        if room.duel.hints:
            self._worker.warm_up()

    async def ask(self, session: Session, message: GetHint) -> None:
        """A move that helps, or that none does, for the table as it is now."""
        room, table = session.room, session.table
        if room is None:
            raise PlayerError(ErrorCode.NOT_IN_A_DUEL, "you are in no duel")
        if not room.duel.hints:
            raise PlayerError(ErrorCode.NO_HINTS, "this duel is played without hints")
        if table is None or room.phase is not Phase.RUNNING or table.stopped is not None:
            raise PlayerError(ErrorCode.WRONG_STATE, "hints are for a running game")
        if table.game.ended is not None:
            raise PlayerError(ErrorCode.WRONG_STATE, "your game has ended")
        seq, player = table.next_seq, session.player
        found = None
        if player not in self._asking:
            self._asking.add(player)
            try:
                question = HintQuestion.about(room.duel.ruleset, room.duel.options, table.game)
                found = await self._worker.ask(answer_hint, question, LIMIT_S)
            finally:
                self._asking.discard(player)
        if found is None:
            hinted = Hinted(req=message.req, seq=seq, answer="unknown")
        else:
            answer, move = found
            hinted = Hinted(req=message.req, seq=seq, answer=answer.value, move=move)
        self._counts.hints[hinted.answer] += 1
        session.send(hinted)

    async def close(self) -> None:
        """With the node."""
        await self._worker.close()

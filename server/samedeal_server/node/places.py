"""Where players are: nowhere, in the queue, or in one duel; and how they get in and out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from samedeal_protocol import ErrorCode
from samedeal_server.domain.duel import BEFORE_START, Duel, DuelId, Phase
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.events import Returned
from samedeal_server.node.keeper import DuelGone, Keeper
from samedeal_server.node.room import Room
from samedeal_server.node.session import Session
from samedeal_server.node.tables import Tables
from samedeal_server.store.clock import DuelClock
from samedeal_server.store.duels import DuelStore
from samedeal_server.store.players import PlayerStore

__all__ = ["Places"]


class Places:
    """A player is in one place. Rooms of this node know who of them is connected here."""

    def __init__(
        self,
        clock: DuelClock,
        store: DuelStore,
        players: PlayerStore,
        keeper: Keeper,
        tables: Tables,
    ) -> None:
        self._clock = clock
        self._store = store
        self._players = players
        self._keeper = keeper
        self._tables = tables
        self.leaving: Callable[[Room, Session], Awaitable[None]]
        """Called when a player goes away from a room."""

    async def move(self, session: Session, before: str, duel: DuelId) -> None:
        """From one place into a duel. Raises `PlayerError` if the player is elsewhere by now."""
        if not await self._players.move(session.player, before, duel):
            raise PlayerError(ErrorCode.ALREADY_PLACED, "you are in another duel or queue already")

    async def go_to(self, session: Session, duel: DuelId) -> None:
        """The player's place is the duel from now on, if nothing keeps them elsewhere.

        Raises `PlayerError`. Most come from nowhere, so that is tried first. The connection stays
        in its rooms until it comes in: a seat may still be refused.
        """
        if session.room is None and await self._players.move(session.player, "", duel):
            return
        before = await self.free_place(session)
        await self.move(session, before, duel)

    async def free_place(self, session: Session) -> str:
        """Where the player is, if nothing keeps them there. Raises `PlayerError`."""
        place = await self._players.where(session.player)
        if place.startswith("q:"):
            raise PlayerError(ErrorCode.ALREADY_PLACED, "you wait for a match; cancel that first")
        if place:
            stored = await self._store.read(DuelId(place))
            if stored is not None and not await self._may_go(session, stored.duel, stored.result):
                text = f"you have a seat in duel {stored.duel.code}; leave it first"
                raise PlayerError(ErrorCode.ALREADY_PLACED, text)
        return place

    async def _may_go(self, session: Session, duel: Duel, result: str | None) -> bool:
        """Finished players are free; so is who has no seat there (any more)."""
        over = result is not None or duel.phase is Phase.ABORTED
        if over or duel.seat_of(session.player) is None:
            return True
        if duel.phase_at(self._clock.now_ms()) is not Phase.RUNNING:
            return False
        progress, _here = await self._store.standings(duel.id)
        return progress.get(session.player, "").startswith("E")

    def step_out(self, session: Session) -> None:
        """The session is in no room any more."""
        for room in (session.room, session.watching):
            if room is not None:
                room.spectators.discard(session)
                if room.members.get(session.player) is session:
                    del room.members[session.player]
                    room.tables.pop(session.player, None)
                self._keeper.let_go(room)
        session.room = session.watching = session.table = None

    async def leave_rooms(self, session: Session) -> None:
        """Step out for good: whoever waits for this player there waits no more."""
        room = session.room
        self.step_out(session)
        if room is not None:
            await self.leaving(room, session)

    async def come_in(self, session: Session, duel: DuelId, req: int | None = None) -> None:
        """A seated player's connection enters the room; shows all that there is."""
        if not session.is_open():
            return
        async with self._keeper.visit(duel) as room:
            attached = await self._store.attach(room.duel, session.player, session.epoch)
            if attached is None:
                raise DuelGone
            if session.room is not room:
                await self.leave_rooms(session)
            if not session.is_open():
                await self._keeper.lost(room, session.player, session.epoch)
                return
            room.members[session.player] = session
            session.room, session.journal = room, attached.journal
            await self._set_up(room, session, attached.journal, req)

    async def _set_up(
        self, room: Room, session: Session, journal: Sequence[str], req: int | None
    ) -> None:
        before_start = room.phase in BEFORE_START
        if before_start:
            await self._keeper.change(room.duel.id, Returned(session.player))
        self.answer_duel(session, room, req)
        running = room.phase in (Phase.RUNNING, Phase.SEALED)
        if room.dealt is not None and session.table is None:
            self._tables.seat(room, session, journal, show=running)
        if running:
            room.changed()
        elif room.phase is Phase.FINISHED:
            room.send_result(session)

    def answer_duel(self, session: Session, room: Room, req: int | None) -> None:
        """`duel` to one reader."""
        seat = room.duel.seat_of(session.player)
        session.send_payload(room.duel_message().for_reader(seat, req))

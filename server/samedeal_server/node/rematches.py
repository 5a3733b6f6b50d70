"""Rematch: same seats, same ruleset, a fresh deal; one room however many ask."""

from __future__ import annotations

from dataclasses import replace

from samedeal_protocol import ErrorCode, Rematch
from samedeal_server.domain.duel import BEFORE_START, DuelId, Phase
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.events import Left
from samedeal_server.ids import new_duel_id, new_secret
from samedeal_server.node.keeper import DuelGone, Keeper
from samedeal_server.node.lobby import Lobby
from samedeal_server.node.presence import Presence
from samedeal_server.node.room import Room
from samedeal_server.node.session import Session
from samedeal_server.store.duels import DuelStore
from samedeal_server.store.keys import partition_of
from samedeal_server.store.players import PlayerStore

__all__ = ["Rematches"]


class Rematches:
    """The one next duel of a finished one."""

    def __init__(
        self,
        store: DuelStore,
        players: PlayerStore,
        keeper: Keeper,
        lobby: Lobby,
        presence: Presence,
    ) -> None:
        self._presence = presence
        self._store = store
        self._players = players
        self._keeper = keeper
        self._lobby = lobby

    async def ask(self, session: Session, message: Rematch) -> None:
        """One room, however many ask and however fast."""
        self._lobby.refuse_new_duels(session)
        room = self._lobby.own_room(session)
        if room.duel.origin == "rematch" and room.phase in BEFORE_START:
            seat = room.duel.seat_of(session.player)  # pressed twice
            session.send_payload(room.duel_message().for_reader(seat, message.req))
            return
        if room.phase is not Phase.FINISHED:
            raise PlayerError(ErrorCode.WRONG_STATE, "a rematch needs a finished duel")
        if room.rematch is None:
            await self._open_rematch(room)
        stored = await self._store.read(room.duel.id)
        if stored is None or stored.rematch is None:
            raise DuelGone
        self._keeper.show(room, stored)
        await self._lobby.take_seat(session, DuelId(stored.rematch.split(" ")[1]), message.req)

    async def _open_rematch(self, room: Room) -> None:
        """Seats for all who are still here; who has left is named instead of waited for."""
        old = room.duel
        _progress, here = await self._store.standings(old.id)
        await self._presence.beat()  # a node may have come since the last one
        places = await self._players.where_all([seat.player for seat in old.seated])
        present = [
            seat
            for seat, place in zip(old.seated, places, strict=True)
            if self._presence.is_alive(here.get(seat.player, "")) and place == old.id
        ]
        gone = [seat.name for seat in old.seated if seat not in present]
        if len(present) < min(2, len(old.seated)):
            raise PlayerError(ErrorCode.WRONG_STATE, "the others have left; there is no rematch")
        secret = new_secret()
        duel = await self._lobby.new_duel(
            ruleset=old.ruleset,
            options=dict(old.options),
            duration_ms=old.duration_ms,
            hints=old.hints,
            seats=len(present),
            secret=secret,
            origin="rematch",
            duel_id=new_duel_id(partition_of(old.id)),
        )
        note = f"not here any more: {', '.join(gone)}"[:200] if gone else None
        invited = tuple(seat.player for seat in present)
        k = 0 if old.solver is None else None
        duel = replace(duel, invited=invited, note=note, solver=old.solver, k=k)
        await self._store.rematch(old.id, duel, secret)

    async def decline(self, room: Room, session: Session) -> None:
        """Who goes away from a finished duel is not waited for in its rematch."""
        if room.phase is not Phase.FINISHED or session.player == "":
            return
        # The store knows of a rematch that was asked for at this moment on another node.
        old = await self._store.read(room.duel.id)
        if old is None or old.rematch is None:
            return
        duel = DuelId(old.rematch.split(" ")[1])
        stored = await self._store.read(duel)
        waited_for = stored is not None and session.player in stored.duel.invited
        if stored is None or not waited_for or stored.duel.seat_of(session.player) is not None:
            return
        if stored.duel.phase in (Phase.OPEN, Phase.READY_CHECK):
            await self._keeper.change(duel, Left(session.player))

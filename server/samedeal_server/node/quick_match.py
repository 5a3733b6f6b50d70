"""Quick match: wait for opponents, and open the duel once a group has come together."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

import structlog
from redis.exceptions import RedisError

from samedeal_protocol import Cancel, Done, ErrorCode, Queue, Queued
from samedeal_rules import UnknownRuleset, find_ruleset
from samedeal_server.domain.duel import Duel, DuelId, DuelMs, Phase, PlayerId, Seat
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.events import Left
from samedeal_server.ids import new_duel_id, new_secret
from samedeal_server.node.door import Door
from samedeal_server.node.keeper import DuelGone, Keeper
from samedeal_server.node.lobby import Lobby
from samedeal_server.node.places import Places
from samedeal_server.node.room import Room
from samedeal_server.node.session import Session
from samedeal_server.settings import Settings
from samedeal_server.store.client import Client
from samedeal_server.store.clock import DuelClock
from samedeal_server.store.duels import DuelStore
from samedeal_server.store.keys import node_channel
from samedeal_server.store.players import PlayerStore, QueueStore, Ticket

__all__ = ["QuickMatch"]

_log = structlog.get_logger()

RENEW_S: Final = 2.0
"""Tickets are renewed well within their lease of 10 s; whoever is renewed may find a group."""


def _place(ruleset: str, seats: int) -> str:
    return f"q:{ruleset}:{seats}"


class QuickMatch:
    """Tickets of this node's players, by ruleset and seats."""

    def __init__(
        self,
        settings: Settings,
        redis: Client,
        clock: DuelClock,
        store: DuelStore,
        players: PlayerStore,
        queue: QueueStore,
        keeper: Keeper,
        lobby: Lobby,
        places: Places,
        door: Door,
    ) -> None:
        self._settings = settings
        self._redis = redis
        self._clock = clock
        self._store = store
        self._players = players
        self._queue = queue
        self._keeper = keeper
        self._lobby = lobby
        self._places = places
        self._door = door
        self._waiting: set[Session] = set()

    async def enter(self, session: Session, message: Queue) -> None:
        """Wait for opponents. One ticket a player, whatever is sent how often."""
        self._lobby.refuse_new_duels(session)
        try:
            find_ruleset(message.ruleset)
        except UnknownRuleset as error:
            raise PlayerError(ErrorCode.UNKNOWN_RULESET, str(error)) from None
        wanted = (message.ruleset, message.seats)
        if session.waiting != wanted:
            before = await self._places.free_place(session)
            if not await self._players.move(session.player, before, _place(*wanted)):
                raise PlayerError(ErrorCode.ALREADY_PLACED, "you are somewhere else already")
            if session.room is not None:
                await self._places.leave_rooms(session)
            session.waiting = wanted
            self._waiting.add(session)
        session.send(Queued(req=message.req, ruleset=message.ruleset, seats=message.seats))
        await self._look(session, renew=False)

    async def cancel(self, session: Session, message: Cancel) -> None:
        """Stop waiting. A match that came together at the same moment stands."""
        if session.waiting is not None:
            await self.left(session)
        session.send(Done(req=message.req))

    async def left(self, session: Session) -> None:
        """The player waits no more."""
        wanted, session.waiting = session.waiting, None
        self._waiting.discard(session)
        if wanted is not None:
            await self._queue.leave(*wanted, session.player)
            await self._players.move(session.player, _place(*wanted), "")

    async def drop_ticket(self, player: PlayerId, place: str) -> None:
        """Take the ticket of a player who waits at `place`, on whichever node."""
        _q, ruleset, seats = place.split(":")
        await self._queue.leave(ruleset, int(seats), player)
        await self._players.move(player, place, "")

    async def keep(self) -> None:
        """Renew tickets for ever."""
        while True:
            await asyncio.sleep(RENEW_S)
            for session in list(self._waiting):
                try:
                    await self._look(session, renew=True)
                except RedisError:
                    break
                except Exception:
                    _log.exception("a ticket could not be renewed", player=session.player)

    async def _look(self, session: Session, *, renew: bool) -> None:
        """Put or renew the ticket; open the duel if a group has come together."""
        wanted = session.waiting
        if wanted is None:
            self._waiting.discard(session)
            return
        if not session.is_open():
            # Gone while it asked; nobody else takes its ticket back.
            await self.left(session)
            return
        match = new_duel_id(self._lobby.partition())
        now = self._clock.now_ms()
        group = await self._queue.wait(
            *wanted, session.player, session.name, now, match, bot=session.bot, renew=renew
        )
        if group is None:
            await self._ticket_gone(session, wanted)
        elif group:
            await self._open(match, wanted, group)

    async def _ticket_gone(self, session: Session, wanted: tuple[str, int]) -> None:
        """Taken, and nobody has told us what came of it: see for ourselves."""
        place = await self._players.where(session.player)
        if place == _place(*wanted):
            # No duel: the node that took the ticket may have died. Once more.
            await self._look(session, renew=False)
        elif place and not place.startswith("q:"):
            await self.matched(session.player, DuelId(place))

    async def _open(self, match: DuelId, wanted: tuple[str, int], group: list[Ticket]) -> None:
        """The duel of a group, all seated; each player's node brings the player in."""
        ruleset, seats = wanted
        _options, rules = find_ruleset(ruleset)
        secret = new_secret()
        duel = await self._lobby.new_duel(
            ruleset=ruleset,
            options={},
            duration_ms=rules.duration_ms,
            hints=rules.hints,
            seats=seats,
            secret=secret,
            origin="quick",
            duel_id=match,
        )
        duel = replace(
            duel,
            seated=tuple(Seat(ticket.player, ticket.name, bot=ticket.bot) for ticket in group),
            phase=Phase.READY_CHECK,
            ready_by=DuelMs(self._clock.now_ms() + self._settings.timing.ready_ms),
        )
        for wait_s in (0.1, 0.3, 1.0):
            try:
                await self._bring_in(duel, secret, wanted, group)
            except RedisError:
                await asyncio.sleep(wait_s)  # all of it may be done twice
            else:
                return
        await self._bring_in(duel, secret, wanted, group)

    async def _bring_in(
        self, duel: Duel, secret: str, wanted: tuple[str, int], group: list[Ticket]
    ) -> None:
        await self._store.write(None, duel, secret=secret)
        place = _place(*wanted)
        there = [
            ticket for ticket in group if await self._players.move(ticket.player, place, duel.id)
        ]
        await self._queue.confirm(*wanted, duel.id)
        gone = [ticket.player for ticket in group if ticket not in there]
        if gone:
            # Cancelled at the same moment. The others' tickets are renewed soon, for a new group.
            for ticket in there:
                await self._players.move(ticket.player, duel.id, place)
            await self._keeper.change(duel.id, Left(gone[0]))
            return
        for ticket in there:
            await self._redis.publish(node_channel(ticket.node), f"m {ticket.player} {duel.id}")

    async def matched(self, player: PlayerId, duel: DuelId) -> None:
        """News from the node that opened the duel: bring our player in."""
        session = self._door.session_of(player)
        if session is None or await self._players.where(player) != duel:
            return
        session.waiting = None
        self._waiting.discard(session)
        try:
            await self._places.come_in(session, duel)
        except DuelGone:
            _log.warning("a match is gone", duel=duel, player=player)
        if session.room is not None and session.room.phase is Phase.ABORTED:
            await self.requeue(session.room)

    async def requeue(self, room: Room) -> None:
        """A quick match that did not start: who kept the seat goes back into the queue."""
        if room.duel.origin != "quick" or room.duel.phase is not Phase.ABORTED:
            return
        wanted = (room.duel.ruleset, room.duel.seats)
        seated = {seat.player for seat in room.duel.seated if seat.connected}
        for player, member in list(room.members.items()):
            if not isinstance(member, Session) or player not in seated:
                continue
            self._places.step_out(member)
            if await self._players.move(player, room.duel.id, _place(*wanted)):
                member.waiting = wanted
                self._waiting.add(member)
                member.send(Queued(ruleset=wanted[0], seats=wanted[1]))
                await self._look(member, renew=False)

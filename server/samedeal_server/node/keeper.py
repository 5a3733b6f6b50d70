"""The rooms of this node, and what duels need done in time: start, seal, result."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import structlog
from redis.exceptions import RedisError

from samedeal_protocol import ErrorCode
from samedeal_rules import deal
from samedeal_server.domain.changes import Moment
from samedeal_server.domain.duel import BEFORE_START, Duel, DuelId, DuelMs, Phase, PlayerId, Timing
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.events import Event, Failed, Joined, Lost, TimePassed
from samedeal_server.domain.lifecycle import step
from samedeal_server.domain.result import result_fields, seed_of
from samedeal_server.domain.ruling import ruleset_of
from samedeal_server.domain.standing import Standing
from samedeal_server.domain.tops import top_entry
from samedeal_server.ids import new_secret
from samedeal_server.metrics.counts import Counts
from samedeal_server.node.background import Background
from samedeal_server.node.locks import DuelLocks
from samedeal_server.node.presence import Presence
from samedeal_server.node.room import Room
from samedeal_server.store.clock import DuelClock
from samedeal_server.store.duels import DuelStore, Stored, TooLate
from samedeal_server.store.keys import partition_of

__all__ = ["DuelGone", "Keeper"]

_log = structlog.get_logger()

ATTEMPTS = 64
"""Of a change when others change the same duel at the same moment. 20 joins at once through two
nodes need a handful; somebody always gets through."""

LATE_S = 0.002
"""Timers of the event loop may fire a little early by the duels' clock."""

RETRY_S = 0.5
"""After which a step that the store refused or was away for is tried again."""


class DuelGone(Exception):
    """There is no such duel (any more)."""


class Keeper:
    """Rooms by duel, and the timers of their duels. Every step may run on any node, or twice."""

    def __init__(
        self,
        store: DuelStore,
        clock: DuelClock,
        timing: Timing,
        presence: Presence,
        background: Background,
        standings_interval_s: float,
        counts: Counts,
    ) -> None:
        self._store = store
        self._clock = clock
        self._timing = timing
        self._presence = presence
        self._background = background
        self._interval_s = standings_interval_s
        self._counts = counts
        self._rooms: dict[DuelId, Room] = {}
        self._locks = DuelLocks()
        self._closed = False
        self.searches: Callable[[Room], None] = lambda _room: None
        """Called whenever a room's duel waits for a deal that can be won."""
        self.known: Callable[[Duel], str | None] = lambda _duel: None
        """What is known about a deal after the end."""
        self.started: Callable[[Room], None] = lambda _room: None
        """Called when a room's duel has begun: tables are to be set."""
        self.ended: Callable[[Room], None] = lambda _room: None
        """Called when a room's duel has a result, or was aborted."""

    def find(self, duel: DuelId) -> Room | None:
        """The room, if anybody here is in it."""
        return self._rooms.get(duel)

    @property
    def rooms(self) -> list[Room]:
        """All rooms of this node."""
        return list(self._rooms.values())

    @asynccontextmanager
    async def visit(self, duel: DuelId) -> AsyncIterator[Room]:
        """The room of a duel, read if it is not here; stays at least until the block ends.

        Raises `DuelGone`.
        """
        stored = None if duel in self._rooms else await self._store.read(duel)
        room = self._rooms.get(duel) or self._make(stored)
        room.visitors += 1
        try:
            if stored is not None and room.phase in (Phase.RUNNING, Phase.SEALED, Phase.FINISHED):
                await self._read_standings(room)
            yield room
        finally:
            room.visitors -= 1
            self.let_go(room)

    def _make(self, stored: Stored | None) -> Room:
        if stored is None:
            raise DuelGone
        room = Room(stored, self._clock.now_ms, self._interval_s, self._counts)
        self._rooms[stored.duel.id] = room
        room.refresh = lambda: self._start(self._tell_standings(room), room)
        if stored.duel.phase_at(stored.read_at) is Phase.RUNNING:
            # Begun before this node knew of it: who comes in gets the table that the journal says.
            self.set_table(room, stored.secret)
            room.started = True
        self._arm(room)
        return room

    def let_go(self, room: Room) -> None:
        """Forget a room that nobody is in; `due` looks after its duel."""
        if room.empty and self._rooms.get(room.duel.id) is room:
            room.close()
            del self._rooms[room.duel.id]

    async def change(self, duel: DuelId, event: Event) -> Duel:
        """Let something happen to a duel. Raises `PlayerError` or `DuelGone`."""
        async with self._locks.alone(duel):
            return await self._change(duel, event)

    async def _change(self, duel: DuelId, event: Event) -> Duel:
        """Try on what this node knows, which saves a call; whatever that refuses is read anew."""
        room = self._rooms.get(duel)
        if room is not None and room.phase in BEFORE_START:
            known = room.stored
            with suppress(PlayerError, TooLate):
                after = await self._try(known, event)
                if after is not None and after is not known.duel:
                    return after
        for _ in range(ATTEMPTS):
            stored = await self._store.read(duel)
            if stored is None:
                raise DuelGone
            with suppress(TooLate):
                if (after := await self._try(stored, event)) is not None:
                    return after
            await asyncio.sleep(0)
        raise RedisError("a duel is changed too often")

    def _after(self, stored: Stored, event: Event, fresh: str) -> Duel:
        """The duel after the event. Raises `PlayerError`."""
        if stored.sealed and not (isinstance(event, Failed) and stored.result is None):
            if isinstance(event, Joined):
                raise PlayerError(ErrorCode.FINISHED, "this duel is over; you can watch it")
            return stored.duel
        moment = Moment(self._clock.now_ms(), stored.secret, fresh, self._timing)
        return step(stored.duel, event, moment)

    async def _try(self, stored: Stored, event: Event) -> Duel | None:
        """Write what the event makes of the duel, if anything; None if another was first.

        Raises `PlayerError`, or `TooLate` if the duel has begun meanwhile.
        """
        before, fresh = stored.duel, new_secret()
        after = self._after(stored, event, fresh)
        if after is before:
            return before
        fresh_check = after.commitment != before.commitment
        # What is undone before the start must not be undone after it, on no node.
        undone = before.phase is Phase.COUNTDOWN and after.phase is not Phase.COUNTDOWN
        written = await self._store.write(
            before,
            after,
            secret=fresh if fresh_check else None,
            not_after=before.start_at if undone and not isinstance(event, Failed) else None,
            closed=after.phase is Phase.ABORTED,
        )
        if not written:
            return None
        secret = fresh if fresh_check else stored.secret
        self._changed_here(replace(stored, duel=after, secret=secret))
        return after

    def _changed_here(self, stored: Stored) -> None:
        room = self._rooms.get(stored.duel.id)
        if room is not None:
            self.show(room, stored)

    def show(self, room: Room, stored: Stored) -> None:
        """Take over a duel as it is now; tell its members and set its timer."""
        aborted_before = room.phase is Phase.ABORTED
        result_before = room.result
        if not room.update(stored):
            return
        self._arm(room)
        room.tell_duel()
        if room.result is not None and result_before is None:
            room.tell_result()
            self.ended(room)
        elif room.phase is Phase.ABORTED and not aborted_before:
            self.ended(room)

    async def refresh(self, duel: DuelId) -> None:
        """Another node changed something: read the duel and its standings anew."""
        room = self._rooms.get(duel)
        if room is None:
            return
        stored = await self._store.read(duel)
        if stored is None:
            return
        self.show(room, stored)
        if room.phase in (Phase.RUNNING, Phase.SEALED):
            room.standings_are_stale()

    def progressed(self, duel: DuelId) -> None:
        """Another node kept moves of a duel."""
        room = self._rooms.get(duel)
        if room is not None:
            room.standings_are_stale()

    def nodes_changed(self) -> None:
        """A node came or went, and its players with it."""
        for room in self._rooms.values():
            if room.phase is Phase.RUNNING:
                room.standings_are_stale()

    async def refresh_all(self, partition: str) -> None:
        """News of a partition may have been missed: read all of it anew."""
        for duel in list(self._rooms):
            if partition_of(duel) != partition:
                continue
            try:
                await self.refresh(duel)
            except RedisError:
                raise
            except Exception:
                _log.exception("a duel could not be read", duel=duel)

    async def _tell_standings(self, room: Room) -> None:
        """What was read goes out though more has happened meanwhile: under load it always has."""
        with suppress(RedisError):
            await self._read_standings(room)
            room.send_standings()
        if room.stale and self._rooms.get(room.duel.id) is room:
            room.changed()

    async def _read_standings(self, room: Room) -> None:
        room.stale = False
        try:
            progress, here = await self._store.standings(room.duel.id)
        except RedisError:
            room.stale = True
            raise
        for player, text in progress.items():
            member = PlayerId(player)
            read = Standing.parse(text)
            own = room.tables.get(member)
            if own is None or read.ended is not None:
                room.standings[member] = read
        room.remote_here = {
            PlayerId(player): self._presence.is_alive(node)
            for player, node in here.items()
            if node != self._presence.node
        }

    def close(self) -> None:
        """The node stops: no timer of a duel fires any more. `due` looks after what is left."""
        self._closed = True
        for room in self._rooms.values():
            room.close()

    # Time.

    def _start(self, work: object, room: Room) -> None:
        self._background.start(work, "step", duel=room.duel.id)  # type: ignore[arg-type]

    def _arm(self, room: Room) -> None:
        """Set the timer for the next thing that this duel needs done."""
        if room.timer is not None:
            room.timer.cancel()
            room.timer = None
        if self._closed:
            return
        if room.duel.searching:
            self.searches(room)
        due = self._next_due(room)
        if due is not None:
            wait = max(0.0, (due - self._clock.now_ms()) / 1000) + LATE_S
            loop = asyncio.get_running_loop()
            room.timer = loop.call_later(wait, self._fire, room)

    def _next_due(self, room: Room) -> DuelMs | None:
        if room.result is not None or room.duel.phase is Phase.ABORTED:
            return None
        if room.duel.phase is Phase.COUNTDOWN and not room.started:
            return room.duel.start_at
        return room.duel.next_due(self._timing)

    def _fire(self, room: Room) -> None:
        room.timer = None
        self._start(self._act(room), room)

    async def _act(self, room: Room) -> None:
        try:
            if room.duel.phase is not Phase.COUNTDOWN:
                await self.change(room.duel.id, TimePassed())
                self._arm_again(room)
            elif not room.started:
                await self._begin(room)
            else:
                await self.try_to_seal(room)
        except DuelGone:
            pass
        except RedisError as error:
            self._counts.store_errors["steps"] += 1
            _log.warning("a step waits for the store", duel=room.duel.id, error=str(error))
            self._arm_again(room)
        except Exception:
            await self.fail(room.duel.id)

    def _arm_again(self, room: Room, wait_s: float = RETRY_S) -> None:
        """Unless a change has set the timer already: try again soon."""
        if room.timer is None and not self._closed and self._rooms.get(room.duel.id) is room:
            loop = asyncio.get_running_loop()
            room.timer = loop.call_later(wait_s, self._arm, room)

    async def _begin(self, room: Room) -> None:
        """The start, confirmed by the store: a call-off before it may not have reached us."""
        stored = await self._store.read(room.duel.id)
        if stored is None:
            return
        self.show(room, stored)
        if room.duel.phase is not Phase.COUNTDOWN:
            return
        early_ms = (room.duel.start_at or 0) - stored.read_at
        if early_ms > 0:
            # Our clock is a little ahead of the store's; nobody may see cards yet.
            self._arm_again(room, early_ms / 1000 + LATE_S)
            return
        self.set_table(room, stored.secret)
        room.started = True
        self._arm(room)
        room.tell_duel()
        self.started(room)
        room.changed()

    def set_table(self, room: Room, secret: str) -> None:
        """Deal."""
        room.dealt = deal(ruleset_of(room.duel), seed_of(room.duel, secret))

    async def try_to_seal(self, room: Room) -> None:
        """Seal and finish if it is time: all games ended, or the grace is over."""
        if room.result is not None:
            return
        if await self.finish(room.duel):
            stored = await self._store.read(room.duel.id)
            if stored is not None:
                # The room may have been left, and another made for who came back.
                self.show(self._rooms.get(room.duel.id, room), stored)
        else:
            self._arm_again(room)

    async def finish(self, duel: Duel, *, at_once: bool = False) -> bool:
        """Seal a duel if it is time, or `at_once`; write its result. True if it has one now."""
        if not await self._store.seal(duel, self._clock.now_ms(), at_once=at_once):
            return False
        stored = await self._store.read(duel.id)
        if stored is None or stored.result is not None or stored.duel.phase is Phase.ABORTED:
            return True
        journals = await self._store.journals(stored.duel)
        found, known = None, self.known(stored.duel)
        for step_or_end in result_fields(stored.duel, stored.secret, journals, known):
            found = step_or_end
            await asyncio.sleep(0)
        await self._store.finish(stored.duel, json.dumps(found), top_entry(stored.duel, found))
        return True

    async def fail(self, duel: DuelId) -> None:
        """Our own fault: log it, end this duel, and let all others go on."""
        incident = new_secret()[:8]
        self._counts.failed += 1
        _log.exception("a duel failed", duel=duel, incident=incident)
        try:
            await self.change(duel, Failed(f"our fault, incident {incident}"))
        except Exception:
            _log.exception("a failed duel could not be ended", duel=duel)

    async def lost(self, room: Room, player: PlayerId, epoch: str) -> None:
        """A player's connection is gone, unless a newer one has the seat."""
        if not await self._store.detach(room.duel.id, player, epoch):
            return
        if room.phase in BEFORE_START:
            await self.change(room.duel.id, Lost(player))

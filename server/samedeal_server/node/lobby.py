"""What players ask for beside moves: come in, create, join, get ready, leave, come back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from samedeal_protocol import (
    Create,
    Done,
    ErrorCode,
    GetRecord,
    Join,
    Leave,
    PlaceTold,
    Ready,
    RecordSent,
    Reveal,
    Start,
    Sync,
    Watch,
    Where,
)
from samedeal_rules import UnknownRuleset, find_ruleset
from samedeal_rules.fairness import commitment
from samedeal_server.domain.duel import Duel, DuelId, DuelMs, Phase, Seat
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.events import (
    Event,
    Joined,
    Left,
    MadeReady,
    Returned,
    Revealed,
    StartAsked,
)
from samedeal_server.domain.length import Lengths
from samedeal_server.domain.record import record_text
from samedeal_server.ids import new_code, new_duel_id, new_secret, read_code
from samedeal_server.node.keeper import Keeper
from samedeal_server.node.places import Places
from samedeal_server.node.room import Room
from samedeal_server.node.session import Session
from samedeal_server.node.winnable import solver_for
from samedeal_server.settings import Settings
from samedeal_server.store.clock import DuelClock
from samedeal_server.store.duels import DuelStore
from samedeal_server.store.open_duels import OpenDuelStore
from samedeal_server.store.partitions import Partitions
from samedeal_server.store.players import PlayerStore

__all__ = ["Lobby"]

_CODE_ATTEMPTS: Final = 8


class Lobby:
    """Opens duels, seats players, and does what they ask for in their room."""

    def __init__(
        self,
        settings: Settings,
        clock: DuelClock,
        store: DuelStore,
        players: PlayerStore,
        keeper: Keeper,
        places: Places,
        partitions: Partitions,
        listed: OpenDuelStore,
    ) -> None:
        self._settings = settings
        self._lengths = Lengths(settings.min_duration_ms, settings.max_duration_ms)
        self._clock = clock
        self._store = store
        self._players = players
        self._keeper = keeper
        self._places = places
        self._partitions = partitions
        self._listed = listed
        self.stopping = False
        """No new duels: the node is asked to stop."""
        self.check_new_duel: Callable[[str, str], None] = lambda _address, _player: None
        """Raises `PlayerError` if the node has enough to do, or the player had enough duels."""

    def partition(self) -> str:
        """Where a new duel goes."""
        return self._partitions.draw()

    async def create(self, session: Session, message: Create) -> None:
        """For who has its code, or for anybody; who creates it is host and has the first seat."""
        self.refuse_new_duels(session)
        options, duration_ms, hints = self._agreed(message)
        rules = find_ruleset(message.ruleset, options)[1]
        solver = solver_for(message.ruleset, rules, message.seed) if message.winnable else None
        secret = new_secret()
        duel = await self.new_duel(
            ruleset=message.ruleset,
            options=options,
            duration_ms=duration_ms,
            hints=hints,
            seats=message.seats,
            secret=secret,
        )
        seat = Seat(session.player, session.name, bot=session.bot)
        alone = message.seats == 1
        now = self._clock.now_ms()
        duel = replace(
            duel,
            host=session.player,
            chosen_seed=message.seed,
            solver=solver,
            k=0 if solver is None else None,
            seated=(seat,),
            phase=Phase.READY_CHECK if alone else Phase.OPEN,
            ready_by=DuelMs(now + self._settings.timing.idle_ms) if alone else None,
        )
        try:
            await self._places.go_to(session, duel.id)
        except PlayerError:
            await self._store.free_code(duel.code)
            raise
        await self._store.write(None, duel, secret=secret)
        if message.listed:
            await self._listed.add(duel.id, now)
        await self._places.come_in(session, duel.id, message.req)

    def _agreed(self, message: Create) -> tuple[dict[str, bool | int | str], int | None, bool]:
        """Options, duration and hints of a new duel, within what rules and server allow."""
        try:
            options, ruleset = find_ruleset(message.ruleset, message.options)
        except UnknownRuleset as error:
            raise PlayerError(ErrorCode.UNKNOWN_RULESET, str(error)) from None
        if message.seats > self._settings.max_seats:
            text = f"a duel has at most {self._settings.max_seats} seats here"
            raise PlayerError(ErrorCode.OUT_OF_RANGE, text)
        if message.listed and message.seats == 1:
            text = "listed: nobody can join a practice of one seat; take two, or leave it unlisted"
            raise PlayerError(ErrorCode.OUT_OF_RANGE, text)
        duration_ms = self._lengths.agreed(message, ruleset)
        return options, duration_ms, ruleset.hints if message.hints is None else message.hints

    async def new_duel(
        self,
        *,
        ruleset: str,
        options: dict[str, bool | int | str],
        duration_ms: int | None,
        hints: bool,
        seats: int,
        secret: str,
        origin: str = "private",
        duel_id: DuelId | None = None,
    ) -> Duel:
        """A duel with a code of its own, not yet written. `secret` is its first ready check's."""
        duel = duel_id or new_duel_id(self.partition())
        for _ in range(_CODE_ATTEMPTS):
            code = new_code()
            if await self._store.claim_code(code, duel):
                break
        else:
            raise PlayerError(ErrorCode.SERVER_FULL, "no free code; try again")
        return Duel(
            id=duel,
            code=code,
            ruleset=ruleset,
            options=options,
            duration_ms=duration_ms,
            hints=hints,
            seats=seats,
            commitment=commitment(duel, secret),
            touched_at=self._clock.now_ms(),
            origin=origin,
        )

    async def join(self, session: Session, message: Join) -> None:
        """A seat by code; again is the same seat."""
        duel = await self._by_code(message.code)
        if session.room is not None and session.room.duel.id == duel:
            await self._keeper.change(duel, Returned(session.player))
            self._places.answer_duel(session, session.room, message.req)
            return
        await self.take_seat(session, duel, message.req)

    async def take_seat(self, session: Session, duel: DuelId, req: int | None) -> None:
        """Leave where the player is, if that can be left, and sit down."""
        self.refuse_when_stopping()
        async with self._keeper.visit(duel) as room:
            seated_before = room.duel.seat_of(session.player) is not None
            await self._places.go_to(session, duel)
            if not seated_before:
                try:
                    joined = Joined(session.player, session.name, session.bot)
                    await self._keeper.change(duel, joined)
                except BaseException:
                    await self._players.move(session.player, duel, "")
                    raise
            await self._places.come_in(session, duel, req)

    async def watch(self, session: Session, message: Watch) -> None:
        """Numbers only. Who sits in the duel watches it anyway."""
        duel = await self._by_code(message.code)
        async with self._keeper.visit(duel) as room:
            if room.members.get(session.player) is not session:
                await self._store.listen_to(duel)
                if not session.is_open():
                    return
                if session.watching is not None and session.watching is not room:
                    session.watching.spectators.discard(session)
                    self._keeper.let_go(session.watching)
                room.spectators.add(session)
                session.watching = room
            self._show_to_watcher(session, room, message.req)

    def _show_to_watcher(self, session: Session, room: Room, req: int) -> None:
        self._places.answer_duel(session, room, req)
        if room.phase is Phase.FINISHED:
            room.send_result(session)
        elif room.phase in (Phase.RUNNING, Phase.SEALED):
            payload = room.standings_message().for_reader(room.duel.seat_of(session.player))
            session.send_payload(payload)

    async def _by_code(self, typed: str) -> DuelId:
        duel = await self._store.by_code(read_code(typed))
        if duel is None:
            raise PlayerError(ErrorCode.NO_SUCH_DUEL, "no duel has that code; read it out again")
        return duel

    async def ready(self, session: Session, message: Ready) -> None:
        """Ready to start."""
        await self._in_room(session, MadeReady(session.player, message.nonce_hash), message.req)

    async def reveal(self, session: Session, message: Reveal) -> None:
        """The nonce."""
        await self._in_room(session, Revealed(session.player, message.nonce), message.req)

    async def start(self, session: Session, message: Start) -> None:
        """The host starts with those who are ready."""
        await self._in_room(session, StartAsked(session.player), message.req)

    async def _in_room(self, session: Session, event: Event, req: int) -> None:
        room = self.own_room(session)
        if room.phase in (Phase.SEALED, Phase.FINISHED):
            raise PlayerError(ErrorCode.FINISHED, "this duel is over")
        await self._keeper.change(room.duel.id, event)
        session.send(Done(req=req))

    def own_room(self, session: Session) -> Room:
        """The room of the player's duel. Raises `PlayerError` if there is none."""
        if session.room is None:
            raise PlayerError(ErrorCode.NOT_IN_A_DUEL, "you are in no duel")
        return session.room

    async def leave(self, session: Session, message: Leave) -> None:
        """Before the start the seat is free again; after it the score stands."""
        room = session.room
        if room is None:
            self._places.step_out(session)
            session.send(Done(req=message.req))
            return
        duel = room.duel.id
        over = room.phase in (Phase.SEALED, Phase.FINISHED)
        if not over and room.duel.seat_of(session.player) is not None:
            await self._keeper.change(duel, Left(session.player))
        unending = room.duel.duration_ms is None and room.phase is Phase.RUNNING
        if unending:  # for a day; and nobody else plays
            await self._keeper.finish(room.duel, at_once=True)
        await self._store.detach(duel, session.player, session.epoch)
        await self._players.move(session.player, duel, "")
        await self._places.leaving(room, session)
        self._places.step_out(session)
        if unending:
            await self._keeper.refresh(duel)
        session.send(Done(req=message.req))

    async def sync(self, session: Session, message: Sync) -> None:
        """The player's table anew."""
        room = self.own_room(session)
        if session.table is None:
            raise PlayerError(ErrorCode.WRONG_STATE, f"no table while the duel is {room.phase}")
        session.table.send_snapshot(self._clock.now_ms(), message.req)

    async def where(self, session: Session, message: Where) -> None:
        """Idle, queued, or in which duel: as the store has it."""
        place = await self._players.where(session.player)
        if place.startswith("q:"):
            session.send(PlaceTold(req=message.req, place="queued"))
            return
        stored = await self._store.read(DuelId(place)) if place else None
        gone = stored is None or stored.duel.phase is Phase.ABORTED
        if stored is None or gone or stored.duel.seat_of(session.player) is None:
            session.send(PlaceTold(req=message.req, place="idle"))
        else:
            session.send(PlaceTold(req=message.req, place="duel", duel=stored.duel.id))

    async def record(self, session: Session, message: GetRecord) -> None:
        """The finished duel, whole."""
        room = session.room or session.watching
        if room is None:
            raise PlayerError(ErrorCode.NOT_IN_A_DUEL, "you are in no duel")
        if room.result is None:
            raise PlayerError(ErrorCode.NOT_SEALED, "the record is there once the duel is over")
        journals = await self._store.journals(room.duel)
        session.send(
            RecordSent(req=message.req, text=record_text(room.duel, room.result, journals))
        )

    def refuse_new_duels(self, session: Session) -> None:
        """Raise `PlayerError` if the node should not open another duel, or not for this player."""
        self.refuse_when_stopping()
        self.check_new_duel(session.address, session.player)

    def refuse_when_stopping(self) -> None:
        """Raise `PlayerError` if the node is about to stop."""
        if self.stopping:
            raise PlayerError(
                ErrorCode.RESTARTING, "the server restarts; reconnect", retry_after_ms=1000
            )

"""Tables of the players connected here: set, moved, rebuilt when the store says otherwise."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final

import structlog
from redis.exceptions import RedisError

from samedeal_protocol import CloseCode, RefusalCode
from samedeal_rules import parse_move
from samedeal_rules.moves import UNDO
from samedeal_server.domain.audience import applied_payload, snapshot_payload
from samedeal_server.domain.duel import PlayerId
from samedeal_server.domain.result import parse_entry, replay
from samedeal_server.domain.ruling import ruleset_of
from samedeal_server.domain.standing import Standing
from samedeal_server.metrics.counts import Counts
from samedeal_server.net import text_frame
from samedeal_server.node.background import Background
from samedeal_server.node.journals import Journals
from samedeal_server.node.keeper import Keeper
from samedeal_server.node.room import Room
from samedeal_server.node.session import Session
from samedeal_server.node.table import Reply, Table
from samedeal_server.store.client import STORE_AWAY
from samedeal_server.store.clock import DuelClock
from samedeal_server.store.duels import DuelStore

__all__ = ["Tables"]

_log = structlog.get_logger()

RETRY_S: Final = 0.5
"""After which the journal is asked for again while the store is away."""

FAILED_OVER_S: Final = 10.0
"""So long after the store came back a seat that another connection has may be a seat forgotten."""

SEALED, GAME_OVER, REPLACED, TOO_LATE = -1, -2, -3, -6
"""Answers of commit.lua that need no second look at the journal."""


class _Owner:
    """What one room's tables tell: see `TableOwner`."""

    def __init__(self, tables: Tables, room: Room) -> None:
        self._tables = tables
        self._room = room

    def moved(self, player: PlayerId, standing: Standing) -> None:
        room = self._room
        self._tables.counts.moves += 1
        room.standings[player] = standing
        room.changed()
        if standing.ended is not None:
            self._tables.game_ended(room)

    def refused_by_store(self, table: Table, player: PlayerId, answer: int) -> None:
        self._tables.refused(self._room, table, player, answer)

    def refused(self, code: RefusalCode) -> None:
        self._tables.counts.refused[code] += 1

    def failed(self, player: PlayerId) -> None:
        self._tables.fail(self._room, player)

    def wants_history(self, player: PlayerId, reply: Reply) -> None:
        self._tables.look_up(self._room, player, reply)


class Tables:
    """Sets tables and keeps them true to their journals."""

    def __init__(
        self,
        store: DuelStore,
        keeper: Keeper,
        clock: DuelClock,
        journals: Journals,
        background: Background,
        counts: Counts,
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._clock = clock
        self._journals = journals
        self._background = background
        self.counts = counts

    def begin(self, room: Room) -> None:
        """The duel has started: everybody here who has no table yet gets one.

        Others may have known of it before this node did, and the player have moved there.
        """
        for member in list(room.members.values()):
            seated = room.duel.seat_of(member.player) is not None
            if isinstance(member, Session) and seated and member.table is None:
                self.seat(room, member, member.journal)

    def seat(
        self, room: Room, session: Session, entries: Sequence[str], *, show: bool = True
    ) -> None:
        """Set the table as the journal says, and show it to its player.

        A finished duel's is set without a word: it answers moves that are repeated.
        """
        assert room.dealt is not None
        table = room.tables.get(session.player)
        if table is None or session.table is not table:
            table = Table(
                room.duel,
                session.player,
                session.epoch,
                room.dealt,
                self._journals.of(room.duel.id),
                _Owner(self, room),
                session.send_frame,
            )
        self._restore(room, table, entries)
        room.tables[session.player] = table
        room.standings[session.player] = Standing.of(table.game)
        session.table = table
        if show:
            table.send_snapshot(self._clock.now_ms())

    def _restore(self, room: Room, table: Table, entries: Sequence[str]) -> None:
        assert room.dealt is not None
        duel = room.duel
        ruleset = ruleset_of(duel)
        replayed = replay(ruleset, room.dealt, duel.duration_ms, entries)
        if self._clock.now_ms() >= (duel.deadline or 0):
            replayed.game.run_out(replayed.last_ms)
        table.restore(replayed.game, replayed.entries, replayed.last_ms)

    def game_ended(self, room: Room) -> None:
        """One game has ended; if it was the last one here, the duel may be over."""
        for player in room.tables:
            standing = room.standings.get(player)
            if player in room.members and (standing is None or standing.ended is None):
                return
        self._background.start(self._seal(room), "seal", duel=room.duel.id)

    async def _seal(self, room: Room) -> None:
        try:
            await self._keeper.try_to_seal(room)
        except RedisError:
            _log.warning("sealing waits for the store", duel=room.duel.id)
        except Exception:
            await self._keeper.fail(room.duel.id)

    def fail(self, room: Room, player: PlayerId) -> None:
        """A game's code failed: end this duel, and no other."""
        _log.exception("a move failed", duel=room.duel.id, player=player)
        self._background.start(self._keeper.fail(room.duel.id), "fail", duel=room.duel.id)

    # When the store did not keep a move.

    def refused(self, room: Room, table: Table, player: PlayerId, answer: int) -> None:
        """See why, tell the player, and set the table anew where that helps."""
        if answer == REPLACED:
            back_at = self._journals.of(room.duel.id).back_at
            if asyncio.get_running_loop().time() - back_at < FAILED_OVER_S:
                self.seat_lost(room, table, player)
            else:
                self._end(room, table, player, CloseCode.REPLACED, "you are connected elsewhere")
            return
        if answer in (SEALED, TOO_LATE):
            table.stop(RefusalCode.TIME_OVER)
            return
        if answer == GAME_OVER:
            table.stop(RefusalCode.FINISHED)
        _log.warning("a journal is not as expected", duel=room.duel.id, player=player, why=answer)
        self.tail_lost(room, table, player)

    def _end(self, room: Room, table: Table, player: PlayerId, code: int, why: str) -> None:
        table.stop(RefusalCode.REPLACED)
        member = room.members.get(player)
        if isinstance(member, Session) and member.table is table:
            member.close(code, why)

    def seat_lost(self, room: Room, table: Table, player: PlayerId) -> None:
        """Another connection has the seat, or the store has forgotten that this one took it.

        After a failover nobody can tell: the player comes back and takes the seat anew.
        """
        self._end(room, table, player, CloseCode.RESTARTING, "the store has failed over")

    def tail_lost(self, room: Room, table: Table, player: PlayerId) -> None:
        """The journal is not what the table thought: set it anew, and show it."""
        if table.stopped is None:
            table.stop(RefusalCode.LOST)
        self._background.start(self._rebuild(room, player, table), "rebuild", duel=room.duel.id)

    async def _rebuild(self, room: Room, player: PlayerId, table: Table) -> None:
        try:
            entries = await self._journal_of(room, player, table)
            if entries is not None:
                self._restore(room, table, entries)
                room.standings[player] = Standing.of(table.game)
                room.changed()
                table.send_snapshot(self._clock.now_ms())
        except Exception:
            await self._keeper.fail(room.duel.id)

    async def _journal_of(self, room: Room, player: PlayerId, table: Table) -> list[str] | None:
        """As soon as the store answers; None if the table is nobody's by then."""
        while room.tables.get(player) is table:
            try:
                entries = await self._store.journal(room.duel.id, player)
            except STORE_AWAY:
                _log.warning("a table waits for the store", duel=room.duel.id, player=player)
                await asyncio.sleep(RETRY_S)
            else:
                return entries if room.tables.get(player) is table else None
        return None

    # When a move is repeated.

    def look_up(self, room: Room, player: PlayerId, reply: Reply) -> None:
        """Find the answer to an old move in the journal."""
        work = self._answer_from_journal(room, player, reply)
        self._background.start(work, "history", duel=room.duel.id, player=player)

    async def _answer_from_journal(self, room: Room, player: PlayerId, reply: Reply) -> None:
        try:
            entries = await self._journal_of(room, player, reply.table)
            if entries is not None:
                reply.table.answer_repeated(reply, self._old_answer(room, entries, reply))
        except Exception:
            await self._keeper.fail(room.duel.id)

    def _old_answer(self, room: Room, entries: Sequence[str], reply: Reply) -> bytes | None:
        if reply.seq >= len(entries) or room.dealt is None:
            return None
        ms, text = parse_entry(entries[reply.seq])
        if text != reply.move:
            return None
        duel = room.duel
        ruleset = ruleset_of(duel)
        game = replay(ruleset, room.dealt, duel.duration_ms, entries[: reply.seq]).game
        move = parse_move(text, ruleset.deck.suits)
        assert move is not None
        played = game.play(move, ms)
        frame = text_frame(applied_payload(reply.seq, text, ms, game, played))
        if move is UNDO:
            snapshot = partial(snapshot_payload, duel, game, room.dealt, reply.seq + 1)
            frame += text_frame(snapshot(self._clock.now_ms()))
        return frame

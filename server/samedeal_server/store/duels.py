"""Duels in the store: typed calls, one script each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import orjson
from pydantic import TypeAdapter, ValidationError

from samedeal_server.domain.duel import Duel, DuelId, DuelMs, PlayerId, Timing
from samedeal_server.domain.tops import TopEntry
from samedeal_server.store.client import STORE_AWAY, Client, text
from samedeal_server.store.clock import DuelClock
from samedeal_server.store.confirmed import Confirmed
from samedeal_server.store.keys import (
    code_key,
    due_key,
    duel_key,
    duel_keys,
    duel_prefix,
    here_key,
    journal_key,
    node_prefix,
    nodes_key,
    outbox_key,
    partition_of,
    progress_key,
    seats_key,
    secret_key,
)
from samedeal_server.store.line import Line
from samedeal_server.store.scripts import load_script
from samedeal_server.store.standings import Progress, StandingsReader
from samedeal_server.store.tops import top_entry_text

__all__ = ["Attached", "DuelStore", "Entry", "Stored", "TooLate", "read_document"]

_DUEL: Final = TypeAdapter(Duel)
_OPEN_EXTRA_MS: Final = 86_400_000
"""How much longer than it can possibly be used a duel that nobody ended stays, for inspection."""


def read_document(stored: str) -> Duel:
    """The duel of a document. Half an emoji, which only a hand can have put there, is replaced."""
    try:
        return _DUEL.validate_json(stored)
    except ValidationError:
        whole = json.dumps(json.loads(stored), ensure_ascii=False)
        return _DUEL.validate_json(
            whole.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        )


class TooLate(Exception):
    """The change was only allowed before a time that has passed."""


Entry = tuple[str, str, str, int, int, str, str]
"""A move on its way into a journal: duel, player, epoch, seq, ms, move, standing (commit.lua)."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A duel as it was read."""

    duel: Duel
    secret: str
    sealed: bool
    result: str | None
    rematch: str | None
    """`CODE ID` of the next duel."""
    read_at: DuelMs
    """By the store's own clock: what is read at or after the start can't be called off."""


@dataclass(frozen=True, slots=True)
class Attached:
    """What a connection that took its seat is told."""

    duel: Duel
    journal: Sequence[str]


class DuelStore:
    """All that nodes do to duels in the store. Raises the library's errors when it is away."""

    def __init__(
        self,
        redis: Client,
        node: str,
        timing: Timing,
        clock: DuelClock,
        confirmed: Confirmed | None = None,
    ) -> None:
        self._redis = redis
        self._node = node
        self._timing = timing
        self._clock = clock
        self._read = load_script(redis, "read")
        self._change = load_script(redis, "change")
        self._attach = load_script(redis, "attach")
        self._detach = load_script(redis, "detach")
        self._lines: dict[str, Line] = {}
        self._confirmed = confirmed or Confirmed(redis)
        self._seal = load_script(redis, "seal")
        self._finish = load_script(redis, "finish")
        self._rematch = load_script(redis, "rematch")
        self._claim_due = load_script(redis, "claim_due")
        self._standings = StandingsReader(redis)

    def _ttl_ms(self, duel: Duel) -> int:
        lasts_ms = self._timing.untimed_ms if duel.duration_ms is None else duel.duration_ms
        return self._timing.idle_ms + lasts_ms + _OPEN_EXTRA_MS

    async def claim_code(self, code: str, duel: DuelId) -> bool:
        """Whether the code was free and now leads to the duel."""
        ttl = self._timing.idle_ms + self._timing.untimed_ms + self._timing.kept_ms
        return bool(await self._redis.set(code_key(code), duel, nx=True, px=ttl))

    async def free_code(self, code: str) -> None:
        """Of a duel that did not come about."""
        await self._redis.delete(code_key(code))

    async def _let_code_go(self, duel: Duel) -> None:
        """An ended duel is found by its code as long as it is kept, and no longer."""
        with suppress(*STORE_AWAY):  # it goes by itself, some days later
            await self._redis.pexpire(code_key(duel.code), self._timing.kept_ms)

    async def by_code(self, code: str) -> DuelId | None:
        """The duel that a code leads to."""
        found = await self._redis.get(code_key(code))
        return DuelId(text(found)) if found else None

    async def read(self, duel: DuelId) -> Stored | None:
        """The duel as it is, or None if there is none (any more)."""
        doc, sealed, result, rematch, secret, read_at = await self._read(
            [duel_key(duel), secret_key(duel)], [self._clock.correction_of(partition_of(duel))]
        )
        if doc is None:
            return None
        return Stored(
            read_document(doc), secret or "", sealed is not None, result, rematch, DuelMs(read_at)
        )

    async def write(
        self,
        before: Duel | None,
        after: Duel,
        *,
        secret: str | None = None,
        not_after: DuelMs | None = None,
        closed: bool = False,
    ) -> bool:
        """Write `after` unless somebody changed `before` meanwhile; False if so.

        Raises `TooLate` at or after `not_after`.
        """
        due = after.next_due(self._timing)
        answer = await self._change(
            [
                duel_key(after.id),
                secret_key(after.id),
                due_key(partition_of(after.id)),
                nodes_key(after.id),
                *(duel_keys(after.id, [s.player for s in after.seated]) if closed else ()),
            ],
            [
                -1 if before is None else before.version,
                _DUEL.dump_json(after).decode(),
                after.version,
                after.id,
                "" if due is None else due,
                secret or "",
                after.start_at or "",
                after.deadline or "",
                "1" if closed else "",
                self._timing.kept_ms if closed else self._ttl_ms(after),
                self._node,
                node_prefix(partition_of(after.id)),
                self._clock.correction_of(partition_of(after.id)),
                "" if not_after is None else not_after,
            ],
        )
        if answer[0] < 0:
            raise TooLate
        await self._confirmed.of(duel_key(after.id))
        if closed and answer[0]:
            await self._let_code_go(after)
        return bool(answer[0])

    async def attach(self, duel: Duel, player: PlayerId, epoch: str) -> Attached | None:
        """Take the seat for this connection; from now on only its epoch may write."""
        answer = await self._attach(
            [
                duel_key(duel.id),
                seats_key(duel.id),
                here_key(duel.id),
                nodes_key(duel.id),
                journal_key(duel.id, player),
            ],
            [
                duel.id,
                player,
                epoch,
                self._node,
                node_prefix(partition_of(duel.id)),
            ],
        )
        if not answer:
            return None
        await self._confirmed.of(duel_key(duel.id))  # the journal is told to the player
        return Attached(read_document(answer[0]), answer[1])

    async def detach(self, duel: DuelId, player: PlayerId, epoch: str) -> bool:
        """The connection with this epoch is gone; False if a newer one has the seat."""
        answer = await self._detach(
            [seats_key(duel), here_key(duel), nodes_key(duel)],
            [duel, player, epoch, self._node, node_prefix(partition_of(duel))],
        )
        return bool(answer)

    async def listen_to(self, duel: DuelId) -> None:
        """This node wants to hear of the duel (it has spectators of it), as long as it is there."""
        ttl = await self._redis.pttl(duel_key(duel))
        if ttl <= 0:
            return
        async with self._redis.pipeline(transaction=False) as pipe:
            pipe.sadd(nodes_key(duel), self._node)
            pipe.pexpire(nodes_key(duel), ttl, nx=True)
            await pipe.execute()

    async def commit(self, partition: str, entries: Sequence[Entry]) -> list[int]:
        """Append entries; for each its ms as kept, or a negative number (see commit.lua)."""
        line = self._lines.get(partition)
        if line is None:
            line = self._lines[partition] = Line(
                self._redis, due_key(partition), self._confirmed.replicas, script="commit"
            )
        answer = await line.call(
            [due_key(partition)],
            [
                duel_prefix(partition),
                self._node,
                node_prefix(partition),
                self._timing.untimed_ms + _OPEN_EXTRA_MS,
                orjson.dumps(entries).decode(),
            ],
        )
        return list(answer)

    async def close(self) -> None:
        """Close the connections that moves have for themselves."""
        await self._standings.close()
        for line in self._lines.values():
            await line.close()

    async def journal(self, duel: DuelId, player: PlayerId) -> list[str]:
        """A player's entries, `ms move` each."""
        found = await self._redis.lrange(journal_key(duel, player), 0, -1)
        await self._confirmed.of(duel_key(duel))  # told to the player as kept
        return [text(entry) for entry in found]

    async def tails(
        self, duel: DuelId, players: Sequence[PlayerId]
    ) -> list[tuple[int, str | None]]:
        """Length of each player's journal, and the epoch that may write it."""
        async with self._redis.pipeline(transaction=False) as pipe:
            for player in players:
                pipe.llen(journal_key(duel, player))
                pipe.hget(seats_key(duel), player)
            found = await pipe.execute()
        return list(zip(found[::2], found[1::2], strict=True))

    async def journals(self, duel: Duel) -> list[list[str]]:
        """All players' entries, in seat order."""
        async with self._redis.pipeline(transaction=False) as pipe:
            for seat in duel.seated:
                pipe.lrange(journal_key(duel.id, seat.player), 0, -1)
            return list(await pipe.execute())

    async def standings(self, duel: DuelId) -> Progress:
        """Each player's standing, and the node that holds the player ("" is away)."""
        return await self._standings.read(duel)

    async def seal(self, duel: Duel, now_ms: DuelMs, *, at_once: bool = False) -> bool:
        """Close the journals if it is time, or `at_once`; True if they are closed."""
        answer = await self._seal(
            [duel_key(duel.id), progress_key(duel.id)],
            [now_ms, self._timing.grace_ms, len(duel.seated), "1" if at_once else ""],
        )
        return bool(answer == 1)

    async def finish(self, duel: Duel, result: str, top: TopEntry | None = None) -> str | None:
        """Write the result unless there is one; the one that counts."""
        answer = await self._finish(
            [
                duel_key(duel.id),
                due_key(partition_of(duel.id)),
                nodes_key(duel.id),
                outbox_key(partition_of(duel.id)),
                *duel_keys(duel.id, [seat.player for seat in duel.seated]),
            ],
            [
                duel.id,
                result,
                self._timing.kept_ms,
                self._node,
                node_prefix(partition_of(duel.id)),
                top_entry_text(top),
            ],
        )
        await self._confirmed.of(duel_key(duel.id))
        if answer:
            await self._let_code_go(duel)
        return str(answer) if answer else None

    async def rematch(self, old: DuelId, new: Duel, secret: str) -> str | None:
        """`CODE ID` of the one rematch of `old`; None if `old` is not over."""
        due = new.next_due(self._timing)
        answer = await self._rematch(
            [
                duel_key(old),
                duel_key(new.id),
                secret_key(new.id),
                due_key(partition_of(new.id)),
                nodes_key(old),
            ],
            [
                f"{new.code} {new.id}",
                _DUEL.dump_json(new).decode(),
                secret,
                new.id,
                due or 0,
                self._ttl_ms(new),
                old,
                self._node,
                node_prefix(partition_of(old)),
            ],
        )
        await self._confirmed.of(duel_key(old))
        return str(answer) if answer else None

    async def claim_due(self, partition: str, before: int, lease_until: int) -> list[DuelId]:
        """Duels on which nobody has acted in time, leased to this node."""
        found = await self._claim_due([due_key(partition)], [before, lease_until, 64])
        return [DuelId(duel) for duel in found]

    async def forget_due(self, duel: DuelId) -> None:
        """There is no such duel any more."""
        await self._redis.zrem(due_key(partition_of(duel)), duel)

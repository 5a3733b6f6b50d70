"""Players in the store: identity by token, names, places, and the queue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from samedeal_server.domain.duel import DuelMs, PlayerId
from samedeal_server.domain.names import face, folded
from samedeal_server.store.client import Client, text
from samedeal_server.store.confirmed import Confirmed
from samedeal_server.store.keys import (
    name_key,
    player_key,
    queue_key,
    queue_tickets_key,
)
from samedeal_server.store.scripts import load_script

__all__ = ["Greeted", "PlayerStore", "QueueStore", "Ticket"]


@dataclass(frozen=True, slots=True)
class Greeted:
    """A known player who has just connected."""

    name: str
    at: str
    """A duel's id, `q:RULESET:SEATS`, or empty."""
    node_before: str
    epoch_before: str
    bot: bool
    """Whether a program has ever said that it plays as this player."""


_CLAIM_MS: Final = 60_000
"""How long a name is kept for a player who is just being made; the store may go away meanwhile."""


_RENEW_MS: Final = 86_400_000
"""A name's life is renewed with its player's, but not more than once a day."""


class PlayerStore:
    """Who is who. A name belongs to its token; both go when nobody comes for `kept_ms`."""

    def __init__(
        self, redis: Client, node: str, kept_ms: int, confirmed: Confirmed | None = None
    ) -> None:
        self._redis = redis
        self._node = node
        self._kept_ms = kept_ms
        self._confirmed = confirmed or Confirmed(redis)
        self._renew_ms = min(_RENEW_MS, kept_ms // 2)
        self._greet = load_script(redis, "greet")
        self._place = load_script(redis, "place")

    async def create(
        self, player: PlayerId, name: str, token_hash: str, epoch: str, *, bot: bool = False
    ) -> bool:
        """A new player; False if the name is somebody's."""
        claim = name_key(folded(name))
        claimed = await self._redis.set(claim, player, nx=True, px=_CLAIM_MS)
        # The first reply may have been lost: then the name is ours already.
        if not claimed and await self._redis.get(claim) != player:
            return False
        fields = {"name": name, "epoch": epoch, "node": self._node, "token": token_hash}
        if bot:
            fields["bot"] = "1"
        async with self._redis.pipeline(transaction=False) as pipe:
            for field, value in fields.items():
                pipe.hset(player_key(player), field, value)
            pipe.pexpire(player_key(player), self._kept_ms)
            pipe.pexpire(claim, self._kept_ms)
            await pipe.execute()
        await self._confirmed.of(player_key(player))
        return True

    async def greet(
        self, player: PlayerId, token_hash: str, epoch: str, *, bot: bool = False
    ) -> Greeted | None:
        """This connection is the player's newest; None if that is no player's token (any more).

        Who once was a `bot` stays one.
        """
        answer = await self._greet(
            [player_key(player)],
            [
                epoch,
                self._node,
                self._kept_ms,
                token_hash,
                self._kept_ms - self._renew_ms,
                "1" if bot else "",
            ],
        )
        if not answer:
            return None
        name, at, node_before, epoch_before, known_bot, renew = answer
        greeted = Greeted(name, at, node_before, epoch_before, known_bot == "1")
        if renew:
            await self._redis.pexpire(name_key(folded(greeted.name)), self._kept_ms)
        return greeted

    @property
    def renew_s(self) -> float:
        """How often the life of who stays connected is to be renewed."""
        return min(_RENEW_MS, self._kept_ms / 4) / 1000

    async def renew(self, player: PlayerId, name: str) -> None:
        """The player is still here: player and name stay as long again."""
        async with self._redis.pipeline(transaction=False) as pipe:
            pipe.pexpire(player_key(player), self._kept_ms)
            pipe.pexpire(name_key(folded(name)), self._kept_ms)
            await pipe.execute()

    async def rename(self, player: PlayerId, before: str, name: str) -> bool:
        """Change the name; False if the new one is somebody else's."""
        if folded(before) != folded(name):
            claimed = await self._redis.set(
                name_key(folded(name)), player, nx=True, px=self._kept_ms
            )
            if not claimed and await self._redis.get(name_key(folded(name))) != player:
                return False
            if await self._redis.get(name_key(folded(before))) == player:
                await self._redis.delete(name_key(folded(before)))
        await self._redis.hset(player_key(player), "name", name)
        return True

    async def where(self, player: PlayerId) -> str:
        """A duel's id, `q:RULESET:SEATS`, or empty."""
        found = await self._redis.hget(player_key(player), "at")
        return text(found or "")

    async def where_all(self, players: Sequence[PlayerId]) -> list[str]:
        """Where each of them is, in one round trip."""
        async with self._redis.pipeline(transaction=False) as pipe:
            for player in players:
                pipe.hget(player_key(player), "at")
            return [text(found or "") for found in await pipe.execute()]

    async def move(self, player: PlayerId, before: str, after: str) -> bool:
        """From one place to another; False if the player is not where we thought."""
        return bool(await self._place([player_key(player)], [before, after]))


_LEASE_MS: Final = 10_000
"""A ticket whose node has not renewed it for this long is nobody's any more."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """Somebody who was taken out of the queue."""

    player: PlayerId
    node: str
    name: str
    bot: bool


class QueueStore:
    """The queue of quick match, one for each ruleset and number of seats."""

    def __init__(self, redis: Client, node: str) -> None:
        self._redis = redis
        self._node = node
        self._enqueue = load_script(redis, "enqueue")
        self._dequeue = load_script(redis, "dequeue")

    async def wait(
        self,
        ruleset: str,
        seats: int,
        player: PlayerId,
        name: str,
        now_ms: DuelMs,
        match: str,
        *,
        bot: bool = False,
        renew: bool = False,
    ) -> list[Ticket] | None:
        """Put or keep a ticket in the queue; the whole group if one came together.

        Whoever looks like somebody in the group waits for another one.

        An empty list: still waiting. None: a ticket to be renewed was gone.
        """
        answer = await self._enqueue(
            [queue_key(ruleset, seats), queue_tickets_key(ruleset, seats)],
            [
                player,
                f"{now_ms + _LEASE_MS} {self._node} {'b' if bot else 'p'} {face(name)} {name}",
                now_ms,
                seats,
                match,
                "1" if renew else "",
            ],
        )
        if answer == ["gone"]:
            return None
        group = []
        for taken, ticket in zip(answer[::2], answer[1::2], strict=True):
            _lease, node, kind, _face, shown = ticket.split(" ", 4)
            group.append(Ticket(PlayerId(taken), node, shown, kind == "b"))
        return group

    async def confirm(self, ruleset: str, seats: int, match: str) -> None:
        """The matched group has its duel: the tickets need not be kept in reserve."""
        await self._redis.hdel(queue_tickets_key(ruleset, seats), f"m:{match}")

    async def leave(self, ruleset: str, seats: int, player: PlayerId) -> bool:
        """Take the ticket back; False if it was not there."""
        keys = [queue_key(ruleset, seats), queue_tickets_key(ruleset, seats)]
        return bool(await self._dequeue(keys, [player]))

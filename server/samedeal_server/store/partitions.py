"""Partitions: what spreads duels over the primaries of a Cluster."""

from __future__ import annotations

import secrets
from collections import Counter
from typing import Final

from redis.exceptions import MovedError, RedisError, ResponseError

from samedeal_server.store.client import Client, Cluster, text
from samedeal_server.store.keys import PARTITIONS, due_key

__all__ = ["FIRST_PARTITION", "Partitions"]

FIRST_PARTITION: Final = "p00"
"""The only one of a store that is no Cluster; there in each, so that its clock is the first."""

PER_PRIMARY: Final = 4
"""A partition is a call for each batch of moves, so they should be few; a slot is moved whole, so
that one for each primary could not be spread again."""

_NAMES: Final = tuple(f"p{number:02d}" for number in range(100))


class Partitions:
    """The partitions of a store, the same for all its nodes: chosen once, then kept in it."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.names: tuple[str, ...] = (FIRST_PARTITION,)
        """All of them; the first one alone until `agree` has asked."""

    async def agree(self) -> None:
        """Learn what the first node chose, or choose. Raises the library's errors.

        It is the first that a node asks of its store, and says so if that is of another kind.
        """
        try:
            chosen = await self._client.get(PARTITIONS)
        except MovedError:
            raise RedisError("it is a Cluster: write redis+cluster://HOST:PORT") from None
        except ResponseError as error:
            if "unknown command" not in str(error):
                raise
            why = "sentinels, and only they, go into redis+sentinel://HOST:PORT/SERVICE"
            raise RedisError(why) from error
        if not chosen:
            await self._client.set(PARTITIONS, " ".join(await self._choice()), nx=True)
            chosen = await self._client.get(PARTITIONS)
        self.names = tuple(text(chosen or FIRST_PARTITION).split(" "))

    async def _choice(self) -> list[str]:
        """As many for each primary as for any other."""
        if not isinstance(self._client, Cluster):
            return [FIRST_PARTITION]
        chosen, count = [], Counter[str]()
        for name in _NAMES:
            owner = await self._client.owner(due_key(name))
            if count[owner.name] < PER_PRIMARY:
                count[owner.name] += 1
                chosen.append(name)
        return chosen

    def draw(self) -> str:
        """Where a new duel goes."""
        return secrets.choice(self.names)

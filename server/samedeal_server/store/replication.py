"""Acknowledged replication: a write counts once enough replicas have it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from redis.exceptions import RedisError

from samedeal_server.store.keys import mark_key

__all__ = ["NO_REPLICAS", "Replicas", "ReplicationLags"]


_MARK_MS: Final = 60_000
"""A mark is of no use once it is written."""


class ReplicationLags(RedisError):
    """The primary has the write, too few replicas do. It may be made again, and must be."""


@dataclass(frozen=True, slots=True)
class Replicas:
    """How many replicas must have a write before it is acknowledged."""

    acked: int = 0
    """0 waits for none."""
    timeout_ms: int = 1000
    """How long the store waits for them each time it is asked."""

    def commands(self, key: str) -> tuple[tuple[str | int, ...], ...]:
        """What to send after a write to the slot of `key`, on the same connection.

        The store waits for this connection's latest write. A repeated call of a script may find
        its work done and write nothing; so there is always a write of our own, which is behind all
        that this call has seen.
        """
        mark = ("SET", mark_key(key), "1", "PX", _MARK_MS)
        return mark, ("WAIT", self.acked, self.timeout_ms)

    def check(self, count: int) -> None:
        """The answer to the second of these commands. Raises `ReplicationLags`."""
        if count < self.acked:
            raise ReplicationLags(f"{count} of {self.acked} replicas have it")


NO_REPLICAS: Final = Replicas()

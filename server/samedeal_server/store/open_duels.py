"""Duels that anybody may join: an index in the store beside the duels themselves."""

from __future__ import annotations

from typing import Any, Final

from samedeal_server.domain.duel import Duel, DuelId, DuelMs, Phase, Timing
from samedeal_server.store.client import Client, text
from samedeal_server.store.duels import read_document
from samedeal_server.store.keys import OPEN, duel_key

__all__ = ["KEPT", "OpenDuelStore"]

KEPT: Final = 200
"""Entries, the newest: some of them are full or gone, and 50 are told."""


class OpenDuelStore:
    """Only a hint: what is told of a duel is read from the duel. Raises the library's errors when
    the store is away; all of it may be done again then."""

    def __init__(self, redis: Client, timing: Timing) -> None:
        self._redis = redis
        self._kept_ms = timing.idle_ms

    async def add(self, duel: DuelId, now_ms: DuelMs) -> None:
        """List a duel that is written. It stays for as long as nobody need come to it, at most."""
        async with self._redis.pipeline(transaction=False) as pipe:
            pipe.zadd(OPEN, {duel: now_ms})
            pipe.zremrangebyrank(OPEN, 0, -KEPT - 1)
            pipe.zremrangebyscore(OPEN, 0, now_ms - self._kept_ms)
            pipe.pexpire(OPEN, self._kept_ms)
            await pipe.execute()

    async def read(self, now_ms: DuelMs, count: int) -> list[tuple[Duel, DuelMs]]:
        """Duels that have a free seat and when each was made, the newest first. Two round trips,
        and a third to drop entries whose duel is gone or has begun; a full one stays, since a seat
        may be given back."""
        answer: Any = await self._redis.zrevrangebyscore(
            OPEN, "+inf", f"({now_ms - self._kept_ms}", start=0, num=KEPT, withscores=True
        )
        found = [(text(entry), DuelMs(int(made_at))) for entry, made_at in answer]
        if not found:
            return []
        async with self._redis.pipeline(transaction=False) as pipe:
            for listed, _made_at in found:
                pipe.hget(duel_key(listed), "doc")
            documents = await pipe.execute()
        free: list[tuple[Duel, DuelMs]] = []
        over: list[str] = []
        for (listed, made_at), document in zip(found, documents, strict=True):
            duel = _readable(document)
            if duel is None or _is_over(duel, now_ms):
                over.append(listed)
            elif duel.phase is Phase.OPEN and len(duel.seated) < duel.seats:
                free.append((duel, made_at))
        if over:
            await self._redis.zrem(OPEN, *over)
        return free[:count]


def _readable(document: Any) -> Duel | None:
    """The duel; None if there is none, or not one of ours."""
    try:
        return None if document is None else read_document(text(document))
    except ValueError:
        return None


def _is_over(duel: Duel, now_ms: DuelMs) -> bool:
    """Whether nobody will ever join it any more."""
    return duel.phase_at(now_ms) in (Phase.RUNNING, Phase.ABORTED)

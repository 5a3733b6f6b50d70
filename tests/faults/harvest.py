"""Takes duels that have ended out of the store, and has them checked."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from faults.book import Book
from faults.checker import check_duel
from faults.evidence import DuelEvidence, Violation

__all__ = ["Harvest"]

EVERY_S: Final = 0.5
SETTLE_S: Final = 2.5
"""After the end, for the clients that are there to hear of it."""


@dataclass
class _Known:
    """A duel that some client has seen."""

    since: float
    start_at: int | None = None
    ended: float = 0.0
    result: str | None = None
    duration_s: float = 0.0


@dataclass
class Harvest:
    """Every duel is read twice after its end, and must then be as it was."""

    redis: Redis
    book: Book
    bound_s: float
    """In which a duel must have ended, beside its own duration."""
    firm: bool = True
    """What was read stays; a failover may lose what was told to nobody."""
    finished: int = 0
    aborted: dict[str, int] = field(default_factory=dict)
    players: int = 0
    entries: int = 0
    violations: list[Violation] = field(default_factory=list)
    suspects: list[DuelEvidence] = field(default_factory=list)
    """All that is known of duels with violations."""
    slowest_s: float = 0.0
    """From the first that was seen of a duel to its end, its duration left out."""
    _known: dict[str, _Known] = field(default_factory=dict)

    async def keep(self) -> None:
        """Look for ever."""
        while True:
            await asyncio.sleep(EVERY_S)
            await self.look()

    @property
    def open_duels(self) -> list[str]:
        """Those that have not been checked."""
        return list(self.book.logs)

    async def look(self) -> None:
        """Read all that are open; nothing while the store is away."""
        duels = self.open_duels
        try:
            async with asyncio.timeout(5):
                pipe = self.redis.pipeline(transaction=False)
                for duel in duels:
                    pipe.hmget(_key(duel), ["doc", "sealed", "result", "start_at"])
                rows = await pipe.execute() if duels else []
        except (RedisError, OSError, TimeoutError):
            return
        for duel, (doc, _sealed, result, _start) in zip(duels, rows, strict=True):
            await self._consider(duel, doc, result)
        self.violations += self.book.late
        self.book.late.clear()

    async def _consider(self, duel: str, doc: str | None, result: str | None) -> None:
        now = time.monotonic()
        known = self._known.setdefault(duel, _Known(now))
        if doc is None:
            self._lost(duel, known)
            return
        fields = json.loads(doc)
        known.duration_s = fields["duration_ms"] / 1000
        if result is None and fields["phase"] != "aborted":
            if now - known.since > self.bound_s + known.duration_s:
                self._report("every duel ends", duel, f"still {fields['phase']}")
            return
        if not known.ended:
            known.ended, known.result = now, result
            self.slowest_s = max(self.slowest_s, now - known.since - known.duration_s)
        elif known.result != result and not self.firm:
            known.ended, known.result = now, result
        elif known.result != result:
            self._report("one result", duel, "the result in the store has changed")
        elif now - known.ended > SETTLE_S:
            await self._check(duel, fields, result)

    def _lost(self, duel: str, known: _Known) -> None:
        """Its keys are gone before it could be checked: only right long after the end."""
        begun = any(log.got("snapshot") for log in self.book.logs[duel].values())
        if not self.firm and not begun:
            # Only what has begun waits for replicas: the room went with its primary.
            self.aborted["lost with a primary"] = self.aborted.get("lost with a primary", 0) + 1
            self.book.close(duel, None)
        elif known.ended or time.monotonic() - known.since > 1:
            self._report("kept for a while", duel, "its keys are gone")

    def _report(self, law: str, duel: str, what: str) -> None:
        self.violations.append(Violation(law, duel, "", what))
        self.book.close(duel, None)

    async def _check(self, duel: str, doc: Mapping[str, Any], result: str | None) -> None:
        players = [seat["player"] for seat in doc["seated"]]
        try:
            journals = {
                player: await self.redis.lrange(f"{_key(duel)}:j:{player}", 0, -1)  # type: ignore[misc]
                for player in players
            }
        except (RedisError, OSError):
            return
        found = DuelEvidence(
            duel=duel,
            ruleset=doc["ruleset"],
            options=doc["options"],
            duration_ms=doc["duration_ms"],
            players=players,
            journals=journals,
            result=json.loads(result) if result else None,
            note=doc["note"],
            logs=self.book.logs[duel],
        )
        violations = check_duel(found)
        self.violations += violations
        if violations:
            self.suspects.append(found)
        self.entries += sum(map(len, journals.values()))
        if result:
            self.finished += 1
            self.players += len(players)
        else:
            note = (doc["note"] or "").split(":")[0]
            why = note if not note.startswith("player-") else note.split(" ", 1)[1]
            self.aborted[why] = self.aborted.get(why, 0) + 1
        self.book.close(duel, found.result)
        self._known.pop(duel, None)


def _key(duel: str) -> str:
    return f"sd:{{{duel[:3]}}}:d:{duel}"

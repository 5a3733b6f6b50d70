"""Where the clients of a run find each other: which duel to open, join or watch."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from samedeal_rules import RULESETS

__all__ = ["Club", "Job"]

OPTIONS: Final[Mapping[str, tuple[dict[str, Any], ...]]] = {
    "timed": ({}, {}, {"draw": 1}, {"redeals": 1}),
    "klondike-1": ({}, {"redeals": 3}),
    "spanish": ({}, {"deck": 48}, {"stock": False}, {"redeals": 0, "draw": 3}),
    "freecell": ({}, {}, {"deal": "ms:617"}),
}
SEATS: Final = (1, 2, 2, 2, 3, 4, 6, 8)


@dataclass(frozen=True, slots=True)
class Job:
    """What a client without a duel does next."""

    kind: str
    code: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)


class Club:
    """Open duels with free seats."""

    def __init__(self, shortest_ms: int, longest_ms: int, *, quick: bool = True) -> None:
        self.closing = False
        """No new duels; those under way come to an end."""
        self._shortest_ms, self._longest_ms = shortest_ms, longest_ms
        self._quick = quick
        self._free: dict[str, int] = {}
        self._seen: list[str] = []
        self._opening = False
        """Somebody is about to; the others wait for seats there."""

    def job(self, draw: random.Random) -> Job:
        """Mostly sit down where somebody waits."""
        if self.closing:
            return Job("rest")
        chance = draw.random()
        if chance < 0.04 and self._seen:
            return Job("watch", draw.choice(self._seen[-8:]))
        if chance < 0.08 and self._quick:
            return Job(
                "queue", fields={"ruleset": draw.choice(("timed", "klondike-1")), "seats": 2}
            )
        if self._free:
            code = next(iter(self._free))
            self._free[code] -= 1
            if not self._free[code]:
                del self._free[code]
            return Job("join", code)
        if self._opening:
            return Job("rest")
        self._opening = True
        return Job("create", fields=self._fields(draw))

    def _fields(self, draw: random.Random) -> dict[str, Any]:
        ruleset = draw.choice(sorted(RULESETS))
        options = draw.choice(OPTIONS.get(ruleset, ({},)))
        fields: dict[str, Any] = {
            "ruleset": ruleset,
            "options": options,
            "seats": draw.choice(SEATS),
            "duration_ms": draw.randrange(self._shortest_ms, self._longest_ms),
        }
        if draw.random() < 0.1 and "deal" not in options:
            fields["seed"] = f"chosen {draw.randrange(1000)}"
        return fields

    def offer(self, code: str, seats: int) -> None:
        """A duel was opened; its host sits there."""
        self._opening = False
        self._seen = [*self._seen[-32:], code]
        if seats > 1:
            self._free[code] = seats - 1

    def not_opened(self) -> None:
        """Whoever went to open a duel could not."""
        self._opening = False

    def forget(self, code: str) -> None:
        """No seat to be had there any more."""
        self._free.pop(code, None)

"""Everything that clients of a run saw, by duel, until it has been checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from faults.evidence import Got, Log, Sent, Violation

__all__ = ["Book"]


class Book:
    """Logs by duel and player. What was checked is dropped, all but the result."""

    def __init__(self) -> None:
        self.logs: dict[str, dict[str, Log]] = {}
        self.acknowledged = 0
        """Moves, each once."""
        self.repeated = 0
        self.refused = 0
        self.late: list[Violation] = []
        self._closed: dict[str, str] = {}

    def log(self, duel: str, player: str) -> Log:
        """The log of one player of one duel."""
        logs = self.logs.setdefault(duel, {}) if duel not in self._closed else {}
        return logs.setdefault(player, Log(player))

    def sent(self, duel: str, player: str, move: Sent) -> None:
        """A client sends a move; written down before it goes."""
        self.log(duel, player).events.append(move)

    def got(self, duel: str, player: str, got: Got) -> None:
        """A client received something about a duel."""
        kind = got.message["type"]
        if duel not in self._closed:
            self.log(duel, player).events.append(got)
        elif kind == "result" and _text(got.message) != self._closed[duel]:
            what = "a late result differs from the one that was checked"
            self.late.append(Violation("one result", duel, player, what))
        if kind == "refused":
            self.refused += 1

    def close(self, duel: str, result: Mapping[str, Any] | None) -> None:
        """The duel has been checked."""
        self.logs.pop(duel, None)
        self._closed[duel] = _text(result or {})


def _text(result: Mapping[str, Any]) -> str:
    bare = {name: value for name, value in result.items() if value is not None and name != "req"}
    return json.dumps(bare, sort_keys=True)

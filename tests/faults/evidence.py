"""What clients saw and what journals hold: all that the checker knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["DuelEvidence", "Got", "Log", "Sent", "Violation"]


@dataclass(frozen=True, slots=True)
class Sent:
    """A move that a client sent."""

    connection: int
    """Numbers of one client's connections, in the order in which they were opened."""
    seq: int
    move: str


@dataclass(frozen=True, slots=True)
class Got:
    """A message that a client received."""

    connection: int
    message: Mapping[str, Any]
    raw: str


@dataclass(slots=True)
class Log:
    """What one client did and saw of one duel, in its own order."""

    who: str
    """Player id."""
    events: list[Sent | Got] = field(default_factory=list)
    nonces: dict[str, str] = field(default_factory=dict)
    """Hash to nonce, of all that this client drew for the duel."""

    @property
    def sent(self) -> list[Sent]:
        """Moves, in order."""
        return [event for event in self.events if isinstance(event, Sent)]

    def got(self, *kinds: str) -> list[Got]:
        """Messages of these types, in order."""
        return [e for e in self.events if isinstance(e, Got) and e.message["type"] in kinds]


@dataclass(slots=True)
class DuelEvidence:
    """One duel that has ended."""

    duel: str
    ruleset: str
    options: Mapping[str, Any]
    duration_ms: int
    players: Sequence[str]
    """In seat order."""
    journals: Mapping[str, Sequence[str]]
    """Player to entries, `ms move`, as the store holds them after the end."""
    result: Mapping[str, Any] | None
    """As the store holds it; None of an aborted duel."""
    note: str | None = None
    """Why it was aborted."""
    logs: Mapping[str, Log] = field(default_factory=dict)
    """Of all clients that saw anything of it, spectators included."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A promise that was not kept."""

    law: str
    duel: str
    who: str
    what: str

    def __str__(self) -> str:
        return f"{self.law}: duel {self.duel}, player {self.who}: {self.what}"

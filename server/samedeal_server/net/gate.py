"""Who may come in: what the edge asks before it opens a WebSocket."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Protocol

__all__ = ["Gate", "OpenGate", "Turned"]


@dataclass(frozen=True, slots=True)
class Turned:
    """Turned away for now."""

    status: HTTPStatus
    text: str
    """A line for whoever came."""
    retry_after_s: int
    """Whole seconds, at least 1."""


class Gate(Protocol):
    """All calls come from the event loop, and must not block."""

    def enter(self, address: str) -> Turned | None:
        """Somebody at this address wants to come in; None counts them in."""

    def leave(self, address: str) -> None:
        """Exactly once for each who was counted in."""


class OpenGate:
    """Lets everybody in."""

    def enter(self, address: str) -> Turned | None:
        """Always."""
        return None

    def leave(self, address: str) -> None:
        """Nobody counts."""

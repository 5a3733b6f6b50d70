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

    def knock(self, address: str) -> bool:
        """A TCP connection that has not said yet what it wants; False ends it without a word.

        The address is the other end's; trusted proxies are not asked about.
        """

    def heard(self, address: str) -> None:
        """Exactly once for each knock that was well: it has come in, or it has ended."""

    def enter(self, address: str) -> Turned | None:
        """Somebody at this address wants to come in; None counts them in."""

    def leave(self, address: str) -> None:
        """Exactly once for each who was counted in."""


class OpenGate:
    """Lets everybody in."""

    def knock(self, address: str) -> bool:
        """Always."""
        return True

    def heard(self, address: str) -> None:
        """Nobody counts."""

    def enter(self, address: str) -> Turned | None:
        """Always."""
        return None

    def leave(self, address: str) -> None:
        """Nobody counts."""

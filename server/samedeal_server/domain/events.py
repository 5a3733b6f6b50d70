"""What can happen to a duel before it runs."""

from __future__ import annotations

from dataclasses import dataclass

from samedeal_server.domain.duel import PlayerId

__all__ = [
    "DealFound",
    "Event",
    "Failed",
    "Joined",
    "Left",
    "Lost",
    "MadeReady",
    "Returned",
    "Revealed",
    "StartAsked",
    "TimePassed",
]


@dataclass(frozen=True, slots=True)
class Joined:
    player: PlayerId
    name: str
    bot: bool = False


@dataclass(frozen=True, slots=True)
class MadeReady:
    player: PlayerId
    nonce_hash: str


@dataclass(frozen=True, slots=True)
class Revealed:
    player: PlayerId
    nonce: str


@dataclass(frozen=True, slots=True)
class StartAsked:
    player: PlayerId


@dataclass(frozen=True, slots=True)
class Left:
    """The player gave the seat back."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class Lost:
    """The player's connection is gone; the player may come back."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class Returned:
    player: PlayerId


@dataclass(frozen=True, slots=True)
class TimePassed:
    """A time has come: of the ready check, the reveal, or of being idle."""


@dataclass(frozen=True, slots=True)
class DealFound:
    """The solver has looked for a deal that can be won."""

    commitment: str
    """Of the ready check that it looked for."""
    k: int | None
    """None: none of those that it looked at."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Our own fault: the duel can't go on."""

    reason: str


Event = (
    Joined
    | MadeReady
    | Revealed
    | StartAsked
    | Left
    | Lost
    | Returned
    | TimePassed
    | DealFound
    | Failed
)

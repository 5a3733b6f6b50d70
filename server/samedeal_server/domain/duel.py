"""A duel before it runs: who sits where, who is ready, what was committed to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NewType

from samedeal_rules import OptionValue
from samedeal_rules.winnable import Solver

__all__ = [
    "BEFORE_START",
    "CalledOff",
    "Duel",
    "DuelId",
    "DuelMs",
    "Phase",
    "PlayerId",
    "Seat",
    "Timing",
]

DuelId = NewType("DuelId", str)
PlayerId = NewType("PlayerId", str)
DuelMs = NewType("DuelMs", int)
"""Milliseconds on the duels' clock: the store's, the same for all nodes."""


class Phase(StrEnum):
    """Where in its life a duel is. The values are those of the wire."""

    OPEN = "open"
    READY_CHECK = "ready_check"
    FROZEN = "frozen"
    COUNTDOWN = "countdown"
    RUNNING = "running"
    SEALED = "sealed"
    FINISHED = "finished"
    ABORTED = "aborted"


BEFORE_START: Final = frozenset({Phase.OPEN, Phase.READY_CHECK, Phase.FROZEN, Phase.COUNTDOWN})


@dataclass(frozen=True, slots=True)
class Timing:
    """How long each step of a duel may take, in milliseconds."""

    ready_ms: int = 60_000
    """From all seats taken until unready players are dropped: time to read a rule."""
    search_ms: int = 30_000
    """For finding a deal that can be won, with all nonces revealed; under a second as a rule."""
    reveal_ms: int = 5_000
    """For clients (not people) to reveal their nonces; several bad round trips."""
    countdown_ms: int = 3_000
    grace_ms: int = 500
    """After the deadline, for moves received before it to be kept."""
    idle_ms: int = 1_800_000
    """An open duel that nobody touches is given up after this."""
    untimed_ms: int = 86_400_000
    """From its start on a practice without a time limit may last this long: it can be put aside
    for a night, but nothing that was abandoned stays for ever."""
    kept_ms: int = 86_400_000
    """A finished duel can be read for this long."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A taken seat."""

    player: PlayerId
    name: str
    connected: bool = True
    ready: str | None = None
    """The hash of the player's nonce; None is not ready."""
    nonce: str | None = None
    """Revealed once the duel is frozen."""
    bot: bool = False
    """Whether a program said that it plays here."""


@dataclass(frozen=True, slots=True)
class CalledOff:
    """A start that did not come about, and all that was drawn for it."""

    reason: str
    commitment: str
    secret: str
    nonces: tuple[str | None, ...]
    k: int = 0


@dataclass(frozen=True, slots=True)
class Duel:
    """What is agreed on: the document that nodes share, changed by one writer at a time.

    Journals, scores and the result live beside it. Seats are numbered by their place in `seated`.
    """

    id: DuelId
    code: str
    ruleset: str
    options: Mapping[str, OptionValue]
    duration_ms: int | None
    """None is a practice without a time limit."""
    hints: bool
    seats: int
    """How many may sit here."""
    commitment: str
    touched_at: DuelMs
    """When somebody last did something; an open duel goes when this is too long ago."""
    host: PlayerId | None = None
    """Who may start it; None when the server made it (quick match, rematch)."""
    chosen_seed: str | None = None
    solver: Solver | None = None
    """What chooses the deal, where it has to be one that can be won."""
    k: int | None = 0
    """Of the deal's seed; None until the solver has found it."""
    origin: str = "private"
    """`private`, `quick` or `rematch`."""
    phase: Phase = Phase.OPEN
    """OPEN to COUNTDOWN, or ABORTED; later phases follow from the clock, seal and result."""
    seated: tuple[Seat, ...] = ()
    ready_by: DuelMs | None = None
    reveal_by: DuelMs | None = None
    start_at: DuelMs | None = None
    deadline: DuelMs | None = None
    """From here on no move is taken. Without a time limit that is `Timing.untimed_ms` after the
    start, and nobody is shown it (see `shown_deadline`)."""
    called_off: CalledOff | None = None
    note: str | None = None
    invited: tuple[PlayerId, ...] = field(default=())
    """In a rematch: for whom the seats are kept."""
    version: int = 0

    def seat_of(self, player: PlayerId) -> int | None:
        """The number of the player's seat."""
        for number, seat in enumerate(self.seated):
            if seat.player == player:
                return number
        return None

    @property
    def needed(self) -> int:
        """Players without whom there is no duel: one for practice, else two."""
        return min(2, self.seats)

    @property
    def shown_deadline(self) -> DuelMs | None:
        """Until when to count down; None where the clock counts up."""
        return None if self.duration_ms is None else self.deadline

    @property
    def searching(self) -> bool:
        """Whether all nonces are revealed and the deal is being looked for."""
        revealed = all(seat.nonce is not None for seat in self.seated)
        return self.phase is Phase.FROZEN and self.k is None and revealed

    def phase_at(self, now_ms: DuelMs) -> Phase:
        """The phase that the clock makes of the agreed one."""
        if self.phase is Phase.COUNTDOWN and self.start_at is not None and now_ms >= self.start_at:
            return Phase.RUNNING
        return self.phase

    def next_due(self, timing: Timing) -> DuelMs | None:
        """When somebody must act on this duel although nobody asks; None when nobody must."""
        match self.phase:
            case Phase.OPEN:
                return DuelMs(self.touched_at + timing.idle_ms)
            case Phase.READY_CHECK:
                return self.ready_by
            case Phase.FROZEN:
                return self.reveal_by
            case Phase.COUNTDOWN:
                assert self.deadline is not None
                return DuelMs(self.deadline + timing.grace_ms)
            case _:
                return None

"""The changes that a duel is made of before it runs; handlers combine them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from samedeal_protocol import ErrorCode
from samedeal_rules.fairness import commitment
from samedeal_server.domain.duel import CalledOff, Duel, DuelMs, Phase, PlayerId, Seat, Timing
from samedeal_server.domain.errors import PlayerError

__all__ = [
    "Moment",
    "abort",
    "call_off",
    "drawn",
    "drop",
    "enough_connected",
    "filled",
    "freeze",
    "own_seat",
    "seat_of_player",
    "with_seat",
]


@dataclass(frozen=True, slots=True)
class Moment:
    """What a step is told about the world."""

    now_ms: DuelMs
    secret: str
    """The secret of the ready check under way."""
    fresh_secret: str
    """Drawn for the next ready check, should one begin."""
    timing: Timing


def filled(duel: Duel, moment: Moment) -> Duel:
    """Begin the ready check when all seats are taken; start when all are ready."""
    if len(duel.seated) < duel.seats:
        return replace(duel, phase=Phase.OPEN, ready_by=None)
    if all(seat.ready for seat in duel.seated):
        return freeze(duel, moment)
    ready_by = duel.ready_by or DuelMs(moment.now_ms + moment.timing.ready_ms)
    return replace(duel, phase=Phase.READY_CHECK, ready_by=ready_by)


def freeze(duel: Duel, moment: Moment) -> Duel:
    """Seats, options and hashes are fixed; who is not ready stays out."""
    return replace(
        duel,
        phase=Phase.FROZEN,
        seated=tuple(seat for seat in duel.seated if seat.ready is not None),
        ready_by=None,
        reveal_by=DuelMs(moment.now_ms + moment.timing.reveal_ms),
        note=None,
    )


def call_off(duel: Duel, moment: Moment, reason: str) -> Duel:
    """Back to a fresh ready check; what was drawn for this one is revealed."""
    seated = tuple(replace(seat, ready=None, nonce=None) for seat in duel.seated)
    off = replace(
        duel,
        seated=seated,
        commitment=commitment(duel.id, moment.fresh_secret),
        called_off=drawn(duel, moment, reason),
        reveal_by=None,
        start_at=None,
        deadline=None,
        ready_by=None,
        k=0 if duel.solver is None else None,
        note=reason,
    )
    return filled(off, moment)


def drawn(duel: Duel, moment: Moment, reason: str) -> CalledOff:
    nonces = tuple(seat.nonce for seat in duel.seated)
    return CalledOff(reason, duel.commitment, moment.secret, nonces, duel.k or 0)


def abort(duel: Duel, moment: Moment, reason: str) -> Duel:
    """The end without a result. After the freeze, what was drawn is revealed."""
    called_off = duel.called_off
    if duel.phase in (Phase.FROZEN, Phase.COUNTDOWN):
        called_off = drawn(duel, moment, reason)
    return replace(
        duel,
        phase=Phase.ABORTED,
        called_off=called_off,
        note=reason,
        ready_by=None,
        reveal_by=None,
        version=duel.version + 1,
    )


def drop(duel: Duel, moment: Moment, players: list[PlayerId], why: str) -> Duel:
    names = ", ".join(seat.name for seat in duel.seated if seat.player in players)
    note = f"{names} {why}"[:200]
    invited = tuple(player for player in duel.invited if player not in players)
    off = replace(call_off(duel, moment, note), invited=invited)
    rest = tuple(seat for seat in off.seated if seat.player not in players)
    if not rest or duel.host in players or duel.origin == "quick":
        return abort(replace(off, seated=rest), moment, note)
    seats = len(rest) if duel.origin == "rematch" else duel.seats
    if seats < duel.needed:
        return abort(replace(off, seated=rest), moment, note)
    return filled(replace(off, seated=rest, seats=seats, ready_by=None), moment)


def seat_of_player(duel: Duel, player: PlayerId) -> Seat | None:
    number = duel.seat_of(player)
    return None if number is None else duel.seated[number]


def own_seat(duel: Duel, player: PlayerId) -> Seat:
    seat = seat_of_player(duel, player)
    if seat is None:
        raise PlayerError(ErrorCode.NOT_IN_A_DUEL, "you have no seat in this duel")
    return seat


def with_seat(duel: Duel, seat: Seat) -> Duel:
    seated = tuple(seat if other.player == seat.player else other for other in duel.seated)
    return replace(duel, seated=seated)


def enough_connected(duel: Duel) -> bool:
    return sum(seat.connected for seat in duel.seated) >= min(2, len(duel.seated))

"""Seats filling and the ready check: what happens to a duel that may still change hands."""

from __future__ import annotations

from dataclasses import replace

from samedeal_protocol import ErrorCode
from samedeal_server.domain.changes import (
    Moment,
    abort,
    filled,
    freeze,
    own_seat,
    seat_of_player,
    with_seat,
)
from samedeal_server.domain.duel import Duel, Seat
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.events import (
    Event,
    Joined,
    Left,
    Lost,
    MadeReady,
    Returned,
    StartAsked,
)
from samedeal_server.domain.names import looks_like

__all__ = [
    "come_back",
    "idle",
    "join",
    "leave",
    "lose",
    "make_ready",
    "ready_time_over",
    "start",
]


def join(duel: Duel, event: Event, moment: Moment) -> Duel:
    assert isinstance(event, Joined)
    if duel.seat_of(event.player) is not None:
        return come_back(duel, Returned(event.player), moment)
    kept_for_others = len(set(duel.invited) - {seat.player for seat in duel.seated})
    invited = event.player in duel.invited
    if len(duel.seated) + (0 if invited else kept_for_others) >= duel.seats:
        raise PlayerError(ErrorCode.FULL, "all seats of this duel are taken; you can watch it")
    if any(looks_like(event.name, seat.name) for seat in duel.seated):
        raise PlayerError(
            ErrorCode.LOOKALIKE_NAME, "somebody here has a name that looks like yours"
        )
    seated = (*duel.seated, Seat(event.player, event.name, bot=event.bot))
    return filled(replace(duel, seated=seated, note=None), moment)


def make_ready(duel: Duel, event: Event, moment: Moment) -> Duel:
    assert isinstance(event, MadeReady)
    seat = own_seat(duel, event.player)
    if seat.ready == event.nonce_hash:
        return duel
    after = with_seat(duel, replace(seat, ready=event.nonce_hash, connected=True))
    return filled(after, moment)


def start(duel: Duel, event: Event, moment: Moment) -> Duel:
    assert isinstance(event, StartAsked)
    own = own_seat(duel, event.player)
    if duel.host != event.player:
        raise PlayerError(ErrorCode.NOT_THE_HOST, "only who created the duel can start it")
    ready = sum(seat.ready is not None for seat in duel.seated)
    if own.ready is None or ready < duel.needed:
        raise PlayerError(
            ErrorCode.NOT_ENOUGH_READY,
            f"starting needs {duel.needed} who are ready, you among them",
        )
    return freeze(duel, moment)


def leave(duel: Duel, event: Event, moment: Moment) -> Duel:
    assert isinstance(event, Left)
    seat = seat_of_player(duel, event.player)
    if seat is None and event.player in duel.invited:
        seat = Seat(event.player, "an invited player")
    if seat is None:
        raise PlayerError(ErrorCode.NOT_IN_A_DUEL, "you have no seat in this duel")
    if duel.host == event.player:
        return abort(duel, moment, "the host left")
    rest = tuple(other for other in duel.seated if other.player != event.player)
    if not rest:
        return abort(duel, moment, "everybody left")
    after = replace(
        duel,
        seated=rest,
        invited=tuple(player for player in duel.invited if player != event.player),
        note=f"{seat.name} left",
    )
    if duel.origin == "rematch":
        after = replace(after, seats=max(1, duel.seats - 1))
        if after.seats < 2:
            return abort(after, moment, f"{seat.name} left")
    if duel.origin == "quick":
        return abort(after, moment, f"{seat.name} left")
    return filled(replace(after, ready_by=None), moment)


def ready_time_over(duel: Duel, _event: Event, moment: Moment) -> Duel:
    """Unready players are told, then dropped."""
    if duel.ready_by is None or moment.now_ms < duel.ready_by:
        return duel
    gone = [seat for seat in duel.seated if seat.ready is None]
    names = ", ".join(seat.name for seat in gone)
    note = f"not ready in time: {names}"[:200]
    rest = tuple(seat for seat in duel.seated if seat.ready is not None)
    if duel.origin == "quick":
        return abort(replace(duel, seated=rest), moment, note)
    if any(seat.player == duel.host for seat in gone):
        return abort(duel, moment, note)
    invited = tuple(p for p in duel.invited if all(p != seat.player for seat in gone))
    after = replace(duel, seated=rest, invited=invited, ready_by=None, note=note)
    if not rest:
        return abort(after, moment, note)
    return filled(after, moment)


def idle(duel: Duel, _event: Event, moment: Moment) -> Duel:
    if moment.now_ms - duel.touched_at < moment.timing.idle_ms:
        return duel
    return abort(duel, moment, "nobody came")


def lose(duel: Duel, event: Event, moment: Moment) -> Duel:
    assert isinstance(event, Lost)
    seat = seat_of_player(duel, event.player)
    if seat is None or not seat.connected:
        return duel
    after = with_seat(duel, replace(seat, connected=False, ready=None))
    return filled(after, moment)


def come_back(duel: Duel, event: Event, _moment: Moment) -> Duel:
    assert isinstance(event, Returned)
    seat = seat_of_player(duel, event.player)
    if seat is None or seat.connected:
        return duel
    return with_seat(duel, replace(seat, connected=True))

"""Frozen and counting down: nonces are revealed, or the start is called off."""

from __future__ import annotations

from dataclasses import replace

from samedeal_protocol import ErrorCode
from samedeal_rules.fairness import nonce_hash
from samedeal_server.domain.changes import (
    Moment,
    call_off,
    drop,
    enough_connected,
    own_seat,
    seat_of_player,
    with_seat,
)
from samedeal_server.domain.duel import Duel, DuelMs, Phase
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.events import (
    DealFound,
    Event,
    Left,
    Lost,
    MadeReady,
    Revealed,
    StartAsked,
)

__all__ = [
    "deal_found",
    "leave_countdown",
    "leave_frozen",
    "lose_frozen",
    "lose_in_countdown",
    "ready_again",
    "reveal",
    "reveal_time_over",
    "revealed_already",
    "started_already",
]


def ready_again(duel: Duel, event: Event, _moment: Moment) -> Duel:
    """`ready` sent twice: the first one counts."""
    assert isinstance(event, MadeReady)
    if own_seat(duel, event.player).ready != event.nonce_hash:
        raise PlayerError(ErrorCode.WRONG_STATE, "the duel is frozen with your first nonce")
    return duel


def started_already(duel: Duel, event: Event, _moment: Moment) -> Duel:
    """A second press of start is the same start."""
    assert isinstance(event, StartAsked)
    own_seat(duel, event.player)
    return duel


def reveal(duel: Duel, event: Event, moment: Moment) -> Duel:
    assert isinstance(event, Revealed)
    seat = own_seat(duel, event.player)
    if nonce_hash(event.nonce) != seat.ready:
        raise PlayerError(ErrorCode.WRONG_NONCE, "that is not the nonce you were ready with")
    if seat.nonce is not None:
        return duel
    after = with_seat(duel, replace(seat, nonce=event.nonce, connected=True))
    if any(other.nonce is None for other in after.seated):
        return after
    if after.k is None:
        return replace(after, reveal_by=DuelMs(moment.now_ms + moment.timing.search_ms))
    return _count_down(after, moment)


def _count_down(duel: Duel, moment: Moment) -> Duel:
    start_at = DuelMs(moment.now_ms + moment.timing.countdown_ms)
    lasts_ms = moment.timing.untimed_ms if duel.duration_ms is None else duel.duration_ms
    return replace(
        duel,
        phase=Phase.COUNTDOWN,
        reveal_by=None,
        start_at=start_at,
        deadline=DuelMs(start_at + lasts_ms),
    )


def deal_found(duel: Duel, event: Event, moment: Moment) -> Duel:
    """The countdown begins; whoever looked for an earlier ready check's deal comes too late."""
    assert isinstance(event, DealFound)
    if not duel.searching or event.commitment != duel.commitment:
        return duel
    if event.k is None:
        return call_off(duel, moment, "no winnable deal was found; be ready for another try")
    return _count_down(replace(duel, k=event.k), moment)


def revealed_already(duel: Duel, event: Event, _moment: Moment) -> Duel:
    assert isinstance(event, Revealed)
    if own_seat(duel, event.player).nonce != event.nonce:
        raise PlayerError(ErrorCode.WRONG_NONCE, "that is not the nonce you were ready with")
    return duel


def reveal_time_over(duel: Duel, _event: Event, moment: Moment) -> Duel:
    """Who does not reveal is dropped and all is drawn anew."""
    if duel.reveal_by is None or moment.now_ms < duel.reveal_by:
        return duel
    if duel.searching:
        return call_off(
            duel, moment, "no winnable deal was found in time; be ready for another try"
        )
    silent = [seat.player for seat in duel.seated if seat.nonce is None]
    return drop(duel, moment, silent, "did not confirm the start")


def leave_frozen(duel: Duel, event: Event, moment: Moment) -> Duel:
    assert isinstance(event, Left)
    own_seat(duel, event.player)
    return drop(duel, moment, [event.player], "left")


def leave_countdown(duel: Duel, event: Event, moment: Moment) -> Duel:
    """With three or more the others start: the seat stays, its nonce is in the deal."""
    assert isinstance(event, Left)
    own_seat(duel, event.player)
    after = lose_frozen(duel, Lost(event.player), moment)
    if enough_connected(after):
        return after
    return drop(duel, moment, [event.player], "left")


def lose_frozen(duel: Duel, event: Event, _moment: Moment) -> Duel:
    assert isinstance(event, Lost)
    seat = seat_of_player(duel, event.player)
    if seat is None or not seat.connected:
        return duel
    return with_seat(duel, replace(seat, connected=False))


def lose_in_countdown(duel: Duel, event: Event, moment: Moment) -> Duel:
    """With fewer than two left nobody starts; the seat is kept."""
    after = lose_frozen(duel, event, moment)
    if after is duel or enough_connected(after):
        return after
    seat = seat_of_player(duel, event.player) if isinstance(event, Lost) else None
    name = seat.name if seat else "a player"
    return call_off(after, moment, f"{name} is gone; the start is called off")

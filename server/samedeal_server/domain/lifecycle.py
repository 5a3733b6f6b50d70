"""What a duel does next: a function of the duel, the event and the time.

`TRANSITIONS` is the whole lifecycle before the start; an event without a row there is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from samedeal_protocol import ErrorCode
from samedeal_server.domain import seating, starting
from samedeal_server.domain.changes import Moment, abort
from samedeal_server.domain.duel import Duel, Phase
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.events import (
    DealFound,
    Event,
    Failed,
    Joined,
    Left,
    Lost,
    MadeReady,
    Returned,
    Revealed,
    StartAsked,
    TimePassed,
)

__all__ = ["TRANSITIONS", "step"]


def step(duel: Duel, event: Event, moment: Moment) -> Duel:
    """The duel after the event; the same object if the event changes nothing.

    Raises `PlayerError`; then nothing changed.
    """
    if isinstance(event, Failed):
        return duel if duel.phase is Phase.ABORTED else abort(duel, moment, event.reason)
    handler = TRANSITIONS.get((duel.phase_at(moment.now_ms), type(event)))
    if handler is None:
        raise _no_row(duel.phase_at(moment.now_ms), event)
    after = handler(duel, event, moment)
    if after is duel:
        return duel
    return replace(after, version=duel.version + 1, touched_at=moment.now_ms)


def _no_row(phase: Phase, event: Event) -> PlayerError:
    if phase in (Phase.FINISHED, Phase.SEALED, Phase.ABORTED):
        return PlayerError(ErrorCode.FINISHED, "this duel is over")
    if isinstance(event, Joined):
        return PlayerError(ErrorCode.ALREADY_STARTED, "this duel has started; you can watch it")
    return PlayerError(ErrorCode.WRONG_STATE, f"not while the duel is {phase}".replace("_", " "))


def _same(duel: Duel, _event: Event, _moment: Moment) -> Duel:
    return duel


Handler = Callable[[Duel, Event, Moment], Duel]

TRANSITIONS: Final[Mapping[tuple[Phase, type[Event]], Handler]] = {
    (Phase.OPEN, Joined): seating.join,
    (Phase.OPEN, MadeReady): seating.make_ready,
    (Phase.OPEN, StartAsked): seating.start,
    (Phase.OPEN, Left): seating.leave,
    (Phase.OPEN, Lost): seating.lose,
    (Phase.OPEN, Returned): seating.come_back,
    (Phase.OPEN, DealFound): _same,
    (Phase.OPEN, TimePassed): seating.idle,
    (Phase.READY_CHECK, Joined): seating.join,
    (Phase.READY_CHECK, MadeReady): seating.make_ready,
    (Phase.READY_CHECK, StartAsked): seating.start,
    (Phase.READY_CHECK, Left): seating.leave,
    (Phase.READY_CHECK, Lost): seating.lose,
    (Phase.READY_CHECK, Returned): seating.come_back,
    (Phase.READY_CHECK, DealFound): _same,
    (Phase.READY_CHECK, TimePassed): seating.ready_time_over,
    (Phase.FROZEN, MadeReady): starting.ready_again,
    (Phase.FROZEN, StartAsked): starting.started_already,
    (Phase.FROZEN, Revealed): starting.reveal,
    (Phase.FROZEN, Left): starting.leave_frozen,
    (Phase.FROZEN, Lost): starting.lose_frozen,
    (Phase.FROZEN, Returned): seating.come_back,
    (Phase.FROZEN, DealFound): starting.deal_found,
    (Phase.FROZEN, TimePassed): starting.reveal_time_over,
    (Phase.COUNTDOWN, MadeReady): starting.ready_again,
    (Phase.COUNTDOWN, StartAsked): starting.started_already,
    (Phase.COUNTDOWN, Revealed): starting.revealed_already,
    (Phase.COUNTDOWN, Left): starting.leave_countdown,
    (Phase.COUNTDOWN, Lost): starting.lose_in_countdown,
    (Phase.COUNTDOWN, Returned): seating.come_back,
    (Phase.COUNTDOWN, DealFound): _same,
    (Phase.COUNTDOWN, TimePassed): _same,
    (Phase.RUNNING, MadeReady): starting.ready_again,
    (Phase.RUNNING, StartAsked): starting.started_already,
    (Phase.RUNNING, Revealed): starting.revealed_already,
    (Phase.RUNNING, Left): _same,
    (Phase.RUNNING, Lost): _same,
    (Phase.RUNNING, Returned): _same,
    (Phase.RUNNING, DealFound): _same,
    (Phase.RUNNING, TimePassed): _same,
    (Phase.ABORTED, Left): _same,
    (Phase.ABORTED, Lost): _same,
    (Phase.ABORTED, Returned): _same,
    (Phase.ABORTED, DealFound): _same,
    (Phase.ABORTED, TimePassed): _same,
}

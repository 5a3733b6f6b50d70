"""What a duel does next, with a made-up clock: each row, and laws over random events."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samedeal_protocol import ErrorCode
from samedeal_rules.fairness import commitment, nonce_hash
from samedeal_rules.winnable import Solver
from samedeal_server.domain import events as e
from samedeal_server.domain.changes import Moment
from samedeal_server.domain.duel import Duel, DuelId, DuelMs, Phase, PlayerId, Seat, Timing
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.lifecycle import TRANSITIONS, step

TIMING = Timing(ready_ms=60_000, reveal_ms=5_000, countdown_ms=3_000, idle_ms=100_000)
PEOPLE = [PlayerId(name) for name in ("ann", "bob", "eve", "dan", "kim", "lou")]
NAMES = dict(zip(PEOPLE, ("Ann", "Bob", "Eve", "Dan", "Kim", "Lou"), strict=True))


def nonce_of(player: PlayerId) -> str:
    return sha256(player.encode()).hexdigest()[:32]


@dataclass
class World:
    """A duel, a clock and the secrets, as a node would hold them."""

    duel: Duel
    now: int = 1_000_000
    secret: str = "s" * 64
    drawn: int = 0
    past: list[Duel] = field(default_factory=list)

    @classmethod
    def new(cls, seats: int, origin: str = "private", now: int = 1_000_000) -> World:
        """A duel as the node makes it: private with its host, quick full, rematch empty."""
        secret = "s" * 64
        id_ = DuelId("p00duel")
        seated: tuple[Seat, ...] = ()
        phase, ready_by, host, invited = Phase.OPEN, None, None, ()
        if origin == "private":
            host, seated = PEOPLE[0], (Seat(PEOPLE[0], "Ann"),)
            if seats == 1:
                phase, ready_by = Phase.READY_CHECK, DuelMs(now + TIMING.idle_ms)
        elif origin == "quick":
            seated = tuple(Seat(p, NAMES[p]) for p in PEOPLE[:seats])
            phase, ready_by = Phase.READY_CHECK, DuelMs(now + TIMING.ready_ms)
        else:
            invited = tuple(PEOPLE[:seats])
        duel = Duel(
            id=id_,
            code="ABCDEF",
            ruleset="timed",
            options={},
            duration_ms=300_000,
            hints=True,
            seats=seats,
            commitment=commitment(id_, secret),
            touched_at=DuelMs(now),
            host=host,
            origin=origin,
            phase=phase,
            seated=seated,
            ready_by=ready_by,
            invited=invited,
        )
        return cls(duel, now)

    def do(self, event: e.Event) -> Duel:
        fresh = sha256(str(self.drawn).encode()).hexdigest()
        self.drawn += 1
        after = step(self.duel, event, Moment(DuelMs(self.now), self.secret, fresh, TIMING))
        if after is not self.duel:
            self.past.append(self.duel)
            check_change(self.duel, after, self.secret, fresh, self.now)
            if after.commitment != self.duel.commitment:
                self.secret = fresh
            self.duel = after
        check(self.duel)
        return self.duel

    def all_ready(self) -> Duel:
        for seat in self.duel.seated:
            self.do(e.MadeReady(seat.player, nonce_hash(nonce_of(seat.player))))
        return self.duel

    def all_reveal(self) -> Duel:
        for seat in self.duel.seated:
            self.do(e.Revealed(seat.player, nonce_of(seat.player)))
        return self.duel

    @classmethod
    def counting(cls, seats: int) -> World:
        world = cls.new(seats)
        for player in PEOPLE[1:seats]:
            world.do(e.Joined(player, NAMES[player]))
        world.all_ready()
        world.all_reveal()
        assert world.duel.phase is Phase.COUNTDOWN
        return world


def check(duel: Duel) -> None:
    """What is true of every duel at any time."""
    players = [seat.player for seat in duel.seated]
    assert len(set(players)) == len(players)
    assert len(players) <= duel.seats
    if duel.phase in (Phase.FROZEN, Phase.COUNTDOWN):
        assert players
        assert all(seat.ready is not None for seat in duel.seated)
    if duel.phase is Phase.COUNTDOWN:
        assert all(seat.nonce is not None for seat in duel.seated)
        assert duel.start_at is not None
        lasts_ms = TIMING.untimed_ms if duel.duration_ms is None else duel.duration_ms
        assert duel.deadline == duel.start_at + lasts_ms
    if duel.phase in (Phase.OPEN, Phase.READY_CHECK, Phase.FROZEN):
        assert duel.start_at is None
        assert duel.deadline is None
    for seat in duel.seated:
        if seat.nonce is not None:
            assert nonce_hash(seat.nonce) == seat.ready
    if duel.phase is not Phase.ABORTED:
        assert duel.next_due(TIMING) is not None
    assert duel.note is None or len(duel.note) <= 200


def check_change(before: Duel, after: Duel, secret: str, fresh: str, now: int) -> None:
    """What is true of every change."""
    assert before.phase is not Phase.ABORTED, "nothing leaves ABORTED"
    assert after.version == before.version + 1
    if before.phase is Phase.COUNTDOWN and now >= (before.start_at or 0):
        assert after.phase is Phase.ABORTED, "a start is not called off after it"
    drawn_for_nothing = before.phase in (Phase.FROZEN, Phase.COUNTDOWN) and after.phase not in (
        Phase.FROZEN,
        Phase.COUNTDOWN,
    )
    if drawn_for_nothing:
        off = after.called_off
        assert off is not None
        assert off.commitment == before.commitment
        assert commitment(before.id, off.secret) == before.commitment
        assert off.nonces == tuple(seat.nonce for seat in before.seated)
    if drawn_for_nothing and after.phase is not Phase.ABORTED:
        assert after.commitment == commitment(before.id, fresh) != before.commitment
        assert all(seat.ready is None and seat.nonce is None for seat in after.seated)
    if not drawn_for_nothing:
        assert after.commitment == before.commitment


# Rows.


def test_seats_fill_and_the_ready_check_begins() -> None:
    """When the last seat is taken, with time to get ready."""
    world = World.new(2)
    assert world.do(e.Joined(PEOPLE[1], "Bob")).phase is Phase.READY_CHECK
    assert world.duel.ready_by == world.now + TIMING.ready_ms


def test_joining_twice_is_one_seat_and_too_many_are_full() -> None:
    """A seat is identified by the player."""
    world = World.new(2)
    world.do(e.Joined(PEOPLE[1], "Bob"))
    assert len(world.do(e.Joined(PEOPLE[1], "Bob")).seated) == 2
    with pytest.raises(PlayerError) as refused:
        world.do(e.Joined(PEOPLE[2], "Eve"))
    assert refused.value.code is ErrorCode.FULL


def test_a_name_that_looks_like_anothers_does_not_sit_down() -> None:
    """Cyrillic а beside Latin a."""
    world = World.new(3)
    world.do(e.Joined(PEOPLE[1], "Ana"))
    with pytest.raises(PlayerError) as refused:
        world.do(e.Joined(PEOPLE[2], "Аnа"))
    assert refused.value.code is ErrorCode.LOOKALIKE_NAME


def test_all_ready_freezes_and_all_revealed_counts_down() -> None:
    """Start and deadline are fixed once."""
    world = World.new(2)
    world.do(e.Joined(PEOPLE[1], "Bob"))
    assert world.all_ready().phase is Phase.FROZEN
    assert world.duel.reveal_by == world.now + TIMING.reveal_ms
    world.do(e.Revealed(PEOPLE[0], nonce_of(PEOPLE[0])))
    assert world.duel.phase is Phase.FROZEN
    world.do(e.Revealed(PEOPLE[1], nonce_of(PEOPLE[1])))
    assert world.duel.phase is Phase.COUNTDOWN
    assert world.duel.start_at == world.now + TIMING.countdown_ms


def test_without_a_limit_it_is_due_a_day_after_its_start() -> None:
    """Nobody is shown that deadline, but what is abandoned ends (case 42)."""
    world = World.new(1)
    world.duel = replace(world.duel, ruleset="klondike-1", duration_ms=None)
    world.all_ready()
    duel = world.all_reveal()
    assert duel.start_at is not None
    assert duel.next_due(TIMING) == duel.start_at + 86_400_000 + TIMING.grace_ms
    assert duel.shown_deadline is None
    timed = World.counting(2).duel
    assert timed.shown_deadline == timed.deadline is not None


def test_a_wrong_nonce_is_refused() -> None:
    """Only what was promised may be revealed; the same again changes nothing."""
    world = World.new(2)
    world.do(e.Joined(PEOPLE[1], "Bob"))
    world.all_ready()
    for nonce in ("f" * 32, nonce_of(PEOPLE[1])):
        with pytest.raises(PlayerError) as refused:
            world.do(e.Revealed(PEOPLE[0], nonce))
        assert refused.value.code is ErrorCode.WRONG_NONCE
    world.do(e.Revealed(PEOPLE[0], nonce_of(PEOPLE[0])))
    version = world.duel.version
    world.do(e.Revealed(PEOPLE[0], nonce_of(PEOPLE[0])))
    assert world.duel.version == version
    with pytest.raises(PlayerError):
        world.do(e.MadeReady(PEOPLE[0], "0" * 64))


def test_who_is_not_ready_in_time_is_dropped() -> None:
    """Told by name; the seat is free again."""
    world = World.new(2)
    world.do(e.Joined(PEOPLE[1], "Bob"))
    world.do(e.MadeReady(PEOPLE[0], nonce_hash(nonce_of(PEOPLE[0]))))
    world.now += TIMING.ready_ms - 1
    assert world.do(e.TimePassed()).phase is Phase.READY_CHECK
    world.now += 1
    duel = world.do(e.TimePassed())
    assert (duel.phase, len(duel.seated)) == (Phase.OPEN, 1)
    assert "Bob" in (duel.note or "")


def test_a_quick_match_goes_without_who_was_not_ready() -> None:
    """Those who were keep their seat in the aborted duel, and by that are queued again."""
    world = World.new(2, "quick")
    world.do(e.MadeReady(PEOPLE[0], nonce_hash(nonce_of(PEOPLE[0]))))
    world.now += TIMING.ready_ms
    duel = world.do(e.TimePassed())
    assert duel.phase is Phase.ABORTED
    assert [seat.player for seat in duel.seated] == [PEOPLE[0]]


def test_who_does_not_reveal_is_dropped() -> None:
    """And all is drawn anew."""
    world = World.new(3)
    for player in PEOPLE[1:3]:
        world.do(e.Joined(player, NAMES[player]))
    world.all_ready()
    for player in PEOPLE[:2]:
        world.do(e.Revealed(player, nonce_of(player)))
    world.now += TIMING.reveal_ms
    duel = world.do(e.TimePassed())
    assert [seat.player for seat in duel.seated] == PEOPLE[:2]
    assert duel.phase is Phase.OPEN


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("event", [e.Lost, e.Left])
def test_going_in_the_countdown(seats: int, event: type[e.Lost | e.Left]) -> None:
    """Case 44: with two it is called off, with three or more the others start."""
    world = World.counting(seats)
    world.now += 1000
    duel = world.do(event(PEOPLE[1]))
    if seats == 2:
        assert duel.phase in (Phase.READY_CHECK, Phase.OPEN)
        assert len(duel.seated) == (2 if event is e.Lost else 1)
    else:
        assert duel.phase is Phase.COUNTDOWN
        assert not duel.seated[1].connected
    assert duel.phase is not Phase.ABORTED


def test_two_of_three_going_calls_it_off() -> None:
    """One alone does not start."""
    world = World.counting(3)
    world.do(e.Lost(PEOPLE[1]))
    assert world.do(e.Lost(PEOPLE[2])).phase is Phase.READY_CHECK


def test_a_lost_player_comes_back_in_the_countdown() -> None:
    """The start goes on."""
    world = World.counting(3)
    world.do(e.Lost(PEOPLE[1]))
    duel = world.do(e.Returned(PEOPLE[1]))
    assert duel.phase is Phase.COUNTDOWN
    assert duel.seated[1].connected


@pytest.mark.parametrize("seats", [2, 3])
def test_the_host_leaving_ends_it(seats: int) -> None:
    """Before the freeze; the others are told why."""
    world = World.new(seats)
    world.do(e.Joined(PEOPLE[1], "Bob"))
    duel = world.do(e.Left(PEOPLE[0]))
    assert (duel.phase, duel.note) == (Phase.ABORTED, "the host left")


def test_after_the_start_nothing_called_off() -> None:
    """Lost and left don't matter any more; only our own fault ends it."""
    world = World.counting(2)
    world.now = world.duel.start_at or 0
    for event in (e.Lost(PEOPLE[0]), e.Left(PEOPLE[1]), e.TimePassed()):
        assert world.do(event).phase is Phase.COUNTDOWN
    with pytest.raises(PlayerError) as refused:
        world.do(e.Joined(PEOPLE[3], "Dan"))
    assert refused.value.code is ErrorCode.ALREADY_STARTED
    duel = world.do(e.Failed("our fault"))
    assert duel.phase is Phase.ABORTED
    assert duel.called_off is not None


def test_a_failure_of_an_aborted_duel_changes_nothing() -> None:
    """Nothing leaves ABORTED, not even for another reason."""
    world = World.new(2)
    world.do(e.Failed("first"))
    assert world.do(e.Failed("second")).note == "first"


def test_a_rematch_keeps_seats_for_the_invited() -> None:
    """Strangers find it full; who declines makes it smaller, and the last one ends it."""
    world = World.new(2, "rematch")
    with pytest.raises(PlayerError):
        world.do(e.Joined(PEOPLE[4], "Kim"))
    world.do(e.Joined(PEOPLE[0], "Ann"))
    assert world.do(e.Left(PEOPLE[1])).phase is Phase.ABORTED


def test_starting_by_hand() -> None:
    """The host, ready, with somebody else who is ready; the rest stays out."""
    world = World.new(4)
    for player in PEOPLE[1:3]:
        world.do(e.Joined(player, NAMES[player]))
    with pytest.raises(PlayerError) as refused:
        world.do(e.StartAsked(PEOPLE[1]))
    assert refused.value.code is ErrorCode.NOT_THE_HOST
    world.do(e.MadeReady(PEOPLE[1], nonce_hash(nonce_of(PEOPLE[1]))))
    with pytest.raises(PlayerError) as refused:
        world.do(e.StartAsked(PEOPLE[0]))
    assert refused.value.code is ErrorCode.NOT_ENOUGH_READY
    world.do(e.MadeReady(PEOPLE[0], nonce_hash(nonce_of(PEOPLE[0]))))
    duel = world.do(e.StartAsked(PEOPLE[0]))
    assert duel.phase is Phase.FROZEN
    assert len(duel.seated) == 2
    assert world.do(e.StartAsked(PEOPLE[0])) is duel


def _event_of(kind: type[e.Event]) -> e.Event:
    match kind:
        case e.Joined:
            return e.Joined(PEOPLE[1], "Bob")
        case e.MadeReady:
            return e.MadeReady(PEOPLE[0], nonce_hash(nonce_of(PEOPLE[0])))
        case e.Revealed:
            return e.Revealed(PEOPLE[0], nonce_of(PEOPLE[0]))
        case e.TimePassed:
            return e.TimePassed()
        case e.Failed:
            return e.Failed("x")
        case _:
            return kind(PEOPLE[0])  # type: ignore[call-arg]


ALL_EVENTS = [
    e.Joined,
    e.MadeReady,
    e.Revealed,
    e.StartAsked,
    e.Left,
    e.Lost,
    e.Returned,
    e.TimePassed,
]


def _in_phase(phase: Phase) -> World:
    world = World.new(2)
    match phase:
        case Phase.OPEN:
            return world
        case Phase.READY_CHECK:
            world.do(e.Joined(PEOPLE[1], "Bob"))
        case Phase.FROZEN:
            world.do(e.Joined(PEOPLE[1], "Bob"))
            world.all_ready()
        case Phase.COUNTDOWN | Phase.RUNNING:
            world = World.counting(2)
            if phase is Phase.RUNNING:
                world.now = world.duel.start_at or 0
        case Phase.ABORTED:
            world.do(e.Left(PEOPLE[0]))
    return world


@pytest.mark.parametrize("kind", ALL_EVENTS, ids=lambda k: k.__name__)
@pytest.mark.parametrize(
    "phase",
    [
        Phase.OPEN,
        Phase.READY_CHECK,
        Phase.FROZEN,
        Phase.COUNTDOWN,
        Phase.RUNNING,
        Phase.ABORTED,
    ],
)
def test_every_row_and_every_missing_row(phase: Phase, kind: type[e.Event]) -> None:
    """A row of the table is followed; an event without one is refused and changes nothing."""
    world = _in_phase(phase)
    before = world.duel
    assert before.phase_at(DuelMs(world.now)) is phase
    if (phase, kind) in TRANSITIONS:
        try:
            world.do(_event_of(kind))
        except PlayerError as refused_by_row:
            assert refused_by_row.code is ErrorCode.NOT_ENOUGH_READY  # noqa: PT017
            assert kind is e.StartAsked
        return
    with pytest.raises(PlayerError) as refused:
        world.do(_event_of(kind))
    assert world.duel is before
    if phase is Phase.ABORTED:
        assert refused.value.code is ErrorCode.FINISHED
    elif kind is e.Joined:
        assert refused.value.code is ErrorCode.ALREADY_STARTED
    else:
        assert refused.value.code is ErrorCode.WRONG_STATE


# Laws.


def _happenings() -> st.SearchStrategy[list[tuple[str, int, int]]]:
    kinds = ["join", "ready", "reveal", "wrong", "start", "leave", "lose", "back", "time", "due"]
    weights = kinds + ["ready", "reveal", "join"] * 2
    one = st.tuples(
        st.sampled_from(weights), st.integers(0, len(PEOPLE) - 1), st.integers(0, 70_000)
    )
    return st.lists(one, max_size=60)


def _happen(world: World, kind: str, who: PlayerId, ms: int) -> None:
    match kind:
        case "join":
            world.do(e.Joined(who, NAMES[who]))
        case "ready":
            world.do(e.MadeReady(who, nonce_hash(nonce_of(who))))
        case "reveal":
            world.do(e.Revealed(who, nonce_of(who)))
        case "wrong":
            world.do(e.Revealed(who, "f" * 32))
        case "start":
            world.do(e.StartAsked(who))
        case "leave":
            world.do(e.Left(who))
        case "lose":
            world.do(e.Lost(who))
        case "back":
            world.do(e.Returned(who))
        case "time":
            world.now += ms
            world.do(e.TimePassed())
        case "due":
            due = world.duel.next_due(TIMING)
            world.now = max(world.now, due or 0)
            world.do(e.TimePassed())


@settings(max_examples=400, deadline=None)
@given(
    seats=st.integers(1, 5),
    origin=st.sampled_from(["private", "quick", "rematch"]),
    happenings=_happenings(),
)
def test_laws_of_every_duel(
    seats: int, origin: str, happenings: list[tuple[str, int, int]]
) -> None:
    """`check` and `check_change` hold whatever happens; and with time alone everything ends."""
    world = World.new(max(seats, 1 if origin == "private" else 2), origin)
    starts: set[int] = set()
    for kind, who, ms in happenings:
        before = world.duel
        try:
            _happen(world, kind, PEOPLE[who], ms)
        except PlayerError:
            assert world.duel is before
        if world.duel.phase is Phase.COUNTDOWN and before.phase is Phase.COUNTDOWN:
            assert world.duel.start_at == before.start_at
        if world.duel.start_at is not None:
            starts.add(world.duel.start_at)
    for _ in range(10):
        if world.duel.phase in (Phase.COUNTDOWN, Phase.ABORTED):
            break
        world.now = max(world.now, world.duel.next_due(TIMING) or 0)
        before = world.duel
        world.do(e.TimePassed())
        assert world.duel is not before, "what is due does something"
    assert world.duel.phase in (Phase.COUNTDOWN, Phase.ABORTED)


@given(happenings=_happenings())
@settings(max_examples=100, deadline=None)
def test_the_same_events_give_the_same_duel(happenings: list[tuple[str, int, int]]) -> None:
    """Nothing but duel, event and moment matters."""
    worlds = World.new(3), World.new(3)
    for kind, who, ms in happenings:
        for world in worlds:
            try:
                _happen(world, kind, PEOPLE[who], ms)
            except PlayerError:
                pass
    assert worlds[0].duel == worlds[1].duel


def test_events_do_not_touch_the_duel_they_get() -> None:
    """A duel is a value."""
    world = World.new(2)
    before = replace(world.duel)
    duel = world.duel
    world.do(e.Joined(PEOPLE[1], "Bob"))
    assert duel == before


def test_a_deal_that_can_be_won_is_waited_for() -> None:
    """Frozen until k is there; what comes for another ready check, or twice, changes nothing."""
    world = World.new(2)
    world.duel = replace(world.duel, solver=Solver("solver", "1", 1), k=None)
    world.do(e.Joined(PEOPLE[1], "Bob"))
    for player in PEOPLE[:2]:
        world.do(e.MadeReady(player, nonce_hash(nonce_of(player))))
    for player in PEOPLE[:2]:
        assert not world.duel.searching
        world.do(e.Revealed(player, nonce_of(player)))
    assert world.duel.searching
    assert world.duel.phase is Phase.FROZEN
    assert world.duel.next_due(TIMING) == world.now + TIMING.search_ms
    waiting = world.duel
    assert world.do(e.DealFound("of another", 7)) is waiting
    found = world.do(e.DealFound(waiting.commitment, 7))
    assert (found.phase, found.k) == (Phase.COUNTDOWN, 7)
    assert world.do(e.DealFound(waiting.commitment, 8)) is found
    off = world.do(e.Lost(PEOPLE[1]))
    assert off.called_off is not None
    assert (off.called_off.k, off.k) == (7, None)
    moment = Moment(DuelMs(world.now), "secret", "fresh", TIMING)
    off = step(waiting, e.DealFound(waiting.commitment, None), moment)
    assert (off.phase, off.k) == (Phase.READY_CHECK, None)
    late = step(waiting, e.TimePassed(), replace(moment, now_ms=waiting.next_due(TIMING)))
    assert late.phase is Phase.READY_CHECK
    assert len(late.seated) == 2, "nobody is dropped for what the server did not find"


def test_who_was_dropped_from_a_rematch_leaves_it_once() -> None:
    """Neither seats nor players are counted down again when the dropped one goes away."""
    world = World.new(4, "rematch")
    for player in PEOPLE[:4]:
        world.do(e.Joined(player, NAMES[player]))
    world.all_ready()
    for player in PEOPLE[:3]:
        world.do(e.Revealed(player, nonce_of(player)))
    world.now = world.duel.next_due(TIMING) or 0
    world.do(e.TimePassed())
    assert (world.duel.seats, len(world.duel.seated)) == (3, 3)
    with pytest.raises(PlayerError) as refused:
        world.do(e.Left(PEOPLE[3]))
    assert refused.value.code is ErrorCode.NOT_IN_A_DUEL
    assert world.duel.seats == 3

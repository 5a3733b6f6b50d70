"""The server's clock from round trips."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from samedeal_client.clock import SAMPLES, ServerClock


@given(
    offset=st.integers(-(10**12), 10**12),
    trips=st.lists(st.tuples(st.floats(0, 2000), st.floats(0, 2000)), min_size=1, max_size=SAMPLES),
)
def test_the_error_is_at_most_half_the_best_round_trip(
    offset: int, trips: list[tuple[float, float]]
) -> None:
    """Case 26: however lopsided the two ways are, and whatever the wall clocks say."""
    clock = ServerClock()
    local = 5_000.0
    for there, back in trips:
        clock.add(local, local + there + back, round(local + there + offset))
        local += there + back + 5_000
    best = min(there + back for there, back in trips)
    assert abs(clock.now_ms(local) - (local + offset)) <= best / 2 + 3


def test_a_clock_that_was_stepped_is_followed() -> None:
    """A quick old round trip must not hold on to an offset that can't be true any more."""
    clock = ServerClock()
    clock.add(0, 2, 1_001)
    clock.add(5_000, 5_100, 96_050)
    assert clock.now_ms(6_000) == 97_000


def test_a_new_line_keeps_the_offset_until_it_is_measured_anew() -> None:
    """Between the reconnect and its first pong the countdown must not jump."""
    clock = ServerClock()
    clock.add(0, 10, 1_005)
    clock.restart()
    assert clock.now_ms(100) == 1_100
    assert clock.delay_ms is None
    clock.add(200, 260, 2_230)
    assert clock.now_ms(300) == 2_300
    assert clock.delay_ms == 60


def test_without_a_round_trip_nothing_is_known() -> None:
    """The local clock stands in."""
    clock = ServerClock()
    assert clock.delay_ms is None
    assert not clock.known
    assert clock.now_ms(7) == 7

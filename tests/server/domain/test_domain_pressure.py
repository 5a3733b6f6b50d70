"""When a node says that it has too much to do, and when it stops saying so."""

from samedeal_server.domain.pressure import FALLS_AFTER, RISES_AFTER, Level, Pressure


def _after(pressure: Pressure, lag_ms: float, samples: int, backlog: int = 0) -> Level:
    for _ in range(samples):
        pressure.sample(lag_ms, backlog)
    return pressure.level


def test_one_late_turn_is_no_overload() -> None:
    """Only samples in a row count."""
    pressure = Pressure(100, 1000)
    for _ in range(20):
        assert _after(pressure, 5000, RISES_AFTER - 1) is Level.CALM
        assert _after(pressure, 1, 1) is Level.CALM


def test_half_a_second_of_lag_is_busy_and_more_is_overloaded() -> None:
    """One level at a time."""
    pressure = Pressure(100, 1000)
    assert _after(pressure, 150, RISES_AFTER) is Level.BUSY
    assert _after(pressure, 150, 100) is Level.BUSY
    assert _after(pressure, 450, RISES_AFTER) is Level.OVERLOADED


def test_moves_that_wait_for_the_store_count_too() -> None:
    """The loop may be idle all the while."""
    pressure = Pressure(100, 1000)
    assert _after(pressure, 0, RISES_AFTER, backlog=1000) is Level.BUSY
    assert _after(pressure, 0, RISES_AFTER, backlog=4000) is Level.OVERLOADED


def test_it_falls_later_and_deeper_than_it_rose() -> None:
    """Hysteresis: just below the mark it stays; well below it for 2 s it goes down a level."""
    pressure = Pressure(100, 1000)
    _after(pressure, 500, 2 * RISES_AFTER)
    assert pressure.level is Level.OVERLOADED
    assert _after(pressure, 300, 100) is Level.OVERLOADED
    assert _after(pressure, 190, FALLS_AFTER - 1) is Level.OVERLOADED
    assert _after(pressure, 190, 1) is Level.BUSY
    assert _after(pressure, 80, 100) is Level.BUSY
    assert _after(pressure, 10, FALLS_AFTER) is Level.CALM


def test_a_way_down_that_is_interrupted_starts_over() -> None:
    """One strained sample among calm ones, and the two seconds begin anew."""
    pressure = Pressure(100, 1000)
    _after(pressure, 150, RISES_AFTER)
    _after(pressure, 10, FALLS_AFTER - 1)
    _after(pressure, 90, 1)
    assert _after(pressure, 10, FALLS_AFTER - 1) is Level.BUSY
    assert _after(pressure, 10, 1) is Level.CALM

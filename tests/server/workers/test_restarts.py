"""When a dead worker is started again."""

from samedeal_server.workers.restarts import AT_ONCE_S, WAITS_S, Restarts


def test_an_accident_is_mended_at_once() -> None:
    """A worker that had lived is replaced without a wait, however often that happens."""
    restarts = Restarts()
    assert [restarts.died(3600.0) for _ in range(20)] == [0.0] * 20


def test_who_dies_at_once_is_given_up_in_the_end() -> None:
    """The waits grow; then there is no further one."""
    restarts = Restarts()
    waits = [restarts.died(0.1) for _ in range(len(WAITS_S) + 1)]
    assert waits == [*WAITS_S, None]
    assert sorted(WAITS_S) == list(WAITS_S)


def test_a_worker_that_lived_makes_good() -> None:
    """Deaths at once are counted in a row only."""
    restarts = Restarts()
    for _ in WAITS_S:
        restarts.died(0.1)
    restarts.died(AT_ONCE_S)
    assert restarts.died(0.1) == WAITS_S[0]


def test_a_store_that_is_away_is_waited_for() -> None:
    """That is no fault of the worker: nobody gives up."""
    restarts = Restarts()
    waits = [restarts.died(0.1, store_away=True) for _ in range(100)]
    assert None not in waits
    assert min(wait or 0 for wait in waits) > 0

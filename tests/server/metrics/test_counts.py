"""Counting: plain numbers, bounded in labels."""

from __future__ import annotations

from samedeal_server.metrics.counts import BATCH_SIZES, Counts, Spread


def test_a_value_belongs_to_the_first_bound_that_it_does_not_exceed() -> None:
    """As the format of the page has it: `le` is less or equal, and the last bound has no end."""
    spread = Spread((1, 2, 4))
    for value in (0.5, 1, 1.5, 4, 100):
        spread.add(value)
    assert list(spread.cumulative()) == [(1, 2), (2, 3), (4, 4), (float("inf"), 5)]
    assert spread.total == 107


def test_a_whole_batch_has_a_bound_of_its_own() -> None:
    """The largest batch is not beyond all bounds."""
    spread = Spread(BATCH_SIZES)
    spread.add(128)
    assert dict(spread.cumulative())[128] == 1


def test_clients_make_no_labels_up() -> None:
    """Whatever code a client closes with, the names are ours."""
    counts = Counts()
    names = set(counts.closed)
    for code in (1000, 1013, 3123, 4999, 0):
        counts.close(code)
    assert set(counts.closed) == names
    assert counts.closed["other"] == 3
    assert counts.closed["too_far_behind"] == 1

"""Waits before connecting again."""

from __future__ import annotations

from samedeal_client.backoff import FIRST_S, LONGEST_S, Backoff


def test_waits_double_up_to_a_limit() -> None:
    """0.2, 0.4, 0.8 ... 10 s."""
    backoff = Backoff(lambda: 1.0)
    waits = [backoff.failed() for _ in range(8)]
    assert waits == [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10.0, 10.0]
    assert [Backoff(lambda: 1.0).failed(), LONGEST_S] == [FIRST_S, 10.0]


def test_the_jitter_is_full() -> None:
    """From nothing to the whole wait, so that many clients spread out."""
    assert Backoff(lambda: 0.0).failed() == 0
    assert Backoff(lambda: 0.5).failed() == FIRST_S / 2


def test_only_a_good_while_starts_over() -> None:
    """A server that drops everybody at once after the handshake is not hammered."""
    backoff = Backoff(lambda: 1.0)
    for _ in range(5):
        backoff.failed()
        backoff.lasted(0.1)
    assert backoff.failed() == 6.4
    backoff.lasted(60)
    assert backoff.failed() == FIRST_S


def test_a_thousand_failures_do_no_harm() -> None:
    """Powers of two must not overflow."""
    backoff = Backoff(lambda: 1.0)
    assert {backoff.failed() for _ in range(2000)} >= {LONGEST_S}


def test_what_the_server_asks_for_is_kept_to() -> None:
    """Never sooner, at most half as much later, and not beyond reason."""
    assert Backoff(lambda: 0.0).failed(5.0) == 5.0
    assert Backoff(lambda: 1.0).failed(5.0) == 7.5
    assert Backoff(lambda: 0.0).failed(86_400.0) == 120.0
    backoff = Backoff(lambda: 1.0)
    for _ in range(10):
        backoff.failed(1.0)
    assert backoff.failed(1.0) == LONGEST_S

"""A duel that somebody wants, as it is asked of a server."""

from __future__ import annotations

import pytest

from samedeal_client.errors import ClientError
from samedeal_client.order import Order


def test_what_is_left_out_is_the_games_own() -> None:
    """No duration, no options."""
    request = Order("timed").request()
    assert (request.duration_ms, request.options, request.seats) == (None, {}, 2)


def test_no_limit_is_for_one_seat_and_beats_a_duration() -> None:
    """Others would wait."""
    alone = Order("freecell", seats=1, duration_s=60, untimed=True).request()
    assert alone.untimed
    assert alone.duration_ms is None
    two = Order("freecell", duration_s=60, untimed=True).request()
    assert not two.untimed
    assert two.duration_ms == 60_000


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (Order("timed", seats=1001), "a duel has from 1 to 1,000 seats"),
        (Order("timed", duration_s=4000), "a duel takes up to 3600 seconds"),
        (Order("timed", seed="x" * 65), "a seed has from 1 to 64 characters"),
        (Order("x" * 40), "ruleset is out of range"),
    ],
)
def test_what_can_not_be_asked_says_why(order: Order, words: str) -> None:
    """Before anything is sent."""
    with pytest.raises(ClientError) as caught:
        order.request()
    assert words in str(caught.value)

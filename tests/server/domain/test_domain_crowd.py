"""Limits of one address."""

from __future__ import annotations

import pytest

from samedeal_server.domain import crowd as module
from samedeal_server.domain.crowd import Crowd, CrowdLimits, Rates


def test_only_so_many_at_once() -> None:
    """Who goes makes room for another one; other addresses don't notice."""
    crowd = Crowd(CrowdLimits(at_once=2))
    assert [crowd.come_in("a", 0) for _ in range(2)] == [None, None]
    assert (crowd.come_in("a", 0) or 0) > 0
    assert crowd.come_in("b", 0) is None
    crowd.go("a")
    assert crowd.come_in("a", 0) is None


def test_only_so_many_may_be_without_a_request() -> None:
    """They are counted apart from those who are in, and each address for itself."""
    crowd = Crowd(CrowdLimits(at_once=2))
    assert [crowd.knock("a") for _ in range(3)] == [True, True, False]
    assert crowd.knock("b")
    assert crowd.come_in("a", 0) is None
    crowd.heard("a")
    assert crowd.knock("a")
    assert not crowd.knock("a")


def test_only_so_many_in_a_second() -> None:
    """The burst, then the rate; the wait that is told is long enough."""
    crowd = Crowd(CrowdLimits(new_per_s=2, new_burst=3))
    assert [crowd.come_in("a", 0) for _ in range(3)] == [None] * 3
    wait = crowd.come_in("a", 0)
    assert wait == 500
    assert crowd.come_in("a", wait - 100) is not None
    assert crowd.come_in("a", wait + 1) is None


def test_only_so_many_new_players_in_a_minute() -> None:
    """Players are limited apart from connections."""
    crowd = Crowd(CrowdLimits(players_per_min=2))
    assert [crowd.make_player("a", 0) for _ in range(2)] == [None, None]
    assert crowd.make_player("a", 0) == 30_000
    assert crowd.make_player("a", 30_001) is None
    assert crowd.make_player("b", 0) is None


def test_duels_of_a_player_and_of_an_address() -> None:
    """A player is limited from wherever, an address whoever asks; this machine's is not."""
    crowd = Crowd(CrowdLimits(duels_per_min=3, duels_of_a_player_per_min=2))
    assert [crowd.open_duel("a", "ann", 0) for _ in range(2)] == [None, None]
    assert crowd.open_duel("b", "ann", 0) == 30_000
    assert crowd.open_duel("a", "bob", 0) is None
    assert crowd.open_duel("a", "eve", 0) == 20_000
    assert crowd.open_duel("b", "eve", 0) is None
    assert crowd.open_duel(None, "dan", 0) is None


def test_it_does_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that have not used up anything are forgotten, then the oldest; who is here counts."""
    monkeypatch.setattr(module, "MOST_REMEMBERED", 100)
    rates = Rates(1, 2)
    for number in range(10_000):
        rates.take(str(number), number * 10_000)
        assert len(rates) <= 100
    assert [rates.take("last", 10**9) for _ in range(3)][2] is not None
    for number in range(50):
        rates.take(f"new {number}", 10**9)
    assert rates.take("last", 10**9) is not None
    rates.forget(10**9 + 2000)
    assert len(rates) == 0
    flooded = Rates(0.001, 1)
    for number in range(10_000):
        flooded.take(str(number), 0)
        assert len(flooded) <= 100
    crowd = Crowd(CrowdLimits(at_once=1, new_burst=1000))
    assert crowd.come_in("here", 0) is None
    for number in range(1000):
        crowd.come_in(f"gone {number}", 0)
        crowd.go(f"gone {number}")
    assert crowd.come_in("here", 0) is not None

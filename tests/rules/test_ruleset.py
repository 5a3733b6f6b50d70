"""Options: what a duel may change, and how it is told what it can't."""

from __future__ import annotations

import pytest

from samedeal_rules import RULESETS, UnknownRuleset, find_ruleset
from samedeal_rules.rulesets.timed import TIMED


def test_timed_is_a_ruleset() -> None:
    """It is found by its name, with no options to name."""
    assert find_ruleset("timed") == ({}, TIMED)
    assert RULESETS["timed"] is TIMED


@pytest.mark.parametrize("draw", [1, 3])
@pytest.mark.parametrize("redeals", [0, 1, 3, "unlimited"])
def test_timed_may_set_draw_and_redeals(draw: int, redeals: int | str) -> None:
    """ "`draw` (1, 3) and `redeals` (0, 1, 3, "unlimited")" (section 6), defaults left out."""
    options, ruleset = find_ruleset("timed", {"redeals": redeals, "draw": draw})
    assert (ruleset.draw, ruleset.redeals) == (draw, None if redeals == "unlimited" else redeals)
    given = {"draw": draw, "redeals": redeals}
    default = {"draw": 3, "redeals": "unlimited"}
    assert options == {name: value for name, value in given.items() if value != default[name]}
    assert list(options) == sorted(options)


@pytest.mark.parametrize(
    "options",
    [
        {"draw": 2},
        {"draw": "1"},
        {"draw": True},
        {"draw": 1.0},
        {"draw": None},
        {"draw": []},
        {"redeals": -1},
        {"redeals": 2},
        {"redeals": False},
        {"redeals": None},
        {"redeals": "none"},
        {"stock": True},
        {"deck": 40},
        {"deal": "ms:1"},
        {"duration": 300},
        {"": 1},
    ],
)
def test_anything_else_is_refused(options: dict[str, object]) -> None:
    """ "anything else there is refused" (section 6); True is not 1."""
    with pytest.raises(UnknownRuleset):
        find_ruleset("timed", options)


def test_refusals_say_what_is_possible() -> None:
    """The rulesets, the options, or the values that there are."""
    with pytest.raises(UnknownRuleset, match="timed"):
        find_ruleset("klondyke")
    with pytest.raises(UnknownRuleset, match="it has: draw, redeals"):
        find_ruleset("timed", {"decks": 2})
    with pytest.raises(UnknownRuleset, match="can be: 0, 1, 3, unlimited"):
        find_ruleset("timed", {"redeals": 2})


def test_what_timed_says_of_itself() -> None:
    """ "Duration 300 s" (section 1); hints "no in `timed`" (section 6)."""
    assert (TIMED.duration_ms, TIMED.hints, TIMED.undo_depth) == (300_000, False, None)
    assert TIMED.defaults() == {"draw": 3, "redeals": "unlimited"}

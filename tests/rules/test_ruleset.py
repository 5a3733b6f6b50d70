"""Options: what a duel may change, and how it is told what it can't."""

from __future__ import annotations

from dataclasses import replace

import pytest

from samedeal_rules import (
    RULESETS,
    Game,
    UnknownRuleset,
    deal,
    find_ruleset,
    judge,
    legal_moves,
    read_record,
)
from samedeal_rules.rulesets.klondike import KLONDIKE_1
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


# All the others.

NAMES = [
    "timed",
    "klondike-1",
    "klondike-3",
    "freecell",
    "spider-1",
    "spider-2",
    "spider-4",
    "spanish",
]


def test_the_rulesets() -> None:
    """The eight of rules.md, in this order; each is found by its name, with its defaults."""
    assert list(RULESETS) == NAMES
    for name in NAMES:
        assert find_ruleset(name) == ({}, RULESETS[name])
        assert RULESETS[name].name == name


@pytest.mark.parametrize("name", ["timed", "klondike-1", "klondike-3"])
@pytest.mark.parametrize("draw", [1, 3])
@pytest.mark.parametrize("redeals", [0, 1, 3, "unlimited"])
def test_klondike_may_set_draw_and_redeals(name: str, draw: int, redeals: int | str) -> None:
    """ "`timed`, `klondike-1` and `klondike-3` may also set `draw` ... and `redeals`"."""
    options, ruleset = find_ruleset(name, {"redeals": redeals, "draw": draw})
    assert (ruleset.draw, ruleset.redeals) == (draw, None if redeals == "unlimited" else redeals)
    default = RULESETS[name].defaults()
    given = {"draw": draw, "redeals": redeals}
    assert options == {key: value for key, value in given.items() if value != default[key]}


@pytest.mark.parametrize("name", ["freecell", "spider-1", "spider-2", "spider-4"])
@pytest.mark.parametrize("option", ["draw", "redeals", "stock", "deck", "hints", "duration"])
def test_freecell_and_spider_have_none_of_these(name: str, option: str) -> None:
    """Refused by name, with what there is instead."""
    with pytest.raises(UnknownRuleset, match=f"{name} has no such option; it has: "):
        find_ruleset(name, {option: 1})


def test_section_6_defaults() -> None:
    """300 s; hints "yes in sections 2 to 5, no in `timed`"; no time limit only there, too."""
    for name, ruleset in RULESETS.items():
        assert ruleset.duration_ms == 300_000
        assert ruleset.hints == ruleset.may_be_untimed == (name != "timed")


def test_adding_a_ruleset_takes_one_value_and_one_list_entry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """ "klondike with five redeals": dealt, played, judged, read and written like the others."""
    five = replace(KLONDIKE_1, name="klondike-five", redeals=5)
    monkeypatch.setitem(RULESETS, five.name, five)
    passes = [[0, "d"]] * 24 + [[0, "r"]]
    record = read_record(
        {
            "ruleset": "klondike-five",
            "options": {"draw": 1},
            "seed": "five",
            "duration_ms": None,
            "moves": passes * 6,
        }
    )
    assert record.options == {}
    judged = judge(record)
    assert [move.why for move in judged.moves if move.text == "r"] == [None] * 5 + [
        "no_redeals_left"
    ]
    game = Game(five, deal(five, "five"), None)
    assert list(legal_moves(five, game.board))
    assert find_ruleset("klondike-five", {"redeals": 3})[1].redeals == 3

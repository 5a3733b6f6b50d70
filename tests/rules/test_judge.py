"""`judge`: hand-made records with what they must come to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from samedeal_rules import GameRecord, RuleKey, judge, parse_record

from .naive import naive_judge

RECORDS = Path(__file__).parents[1] / "data" / "records"
"""`name.json` and `name.expected.json`, which also says what the record is about.

The expectations were written by the referee (`naive_judge`), never by the engine, and read by
people; to add a record, write it and its expectation the same way.
"""

NAMES = sorted(path.name.removesuffix(".expected.json") for path in RECORDS.glob("*.expected.json"))


def expected(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((RECORDS / f"{name}.expected.json").read_text("utf-8"))
    assert data.pop("about")
    return data


def record(name: str) -> GameRecord:
    return parse_record((RECORDS / f"{name}.json").read_bytes())


@pytest.mark.parametrize("name", NAMES)
def test_judge_says_what_is_expected(name: str) -> None:
    """Final and moves, exactly, as JSON."""
    assert json.loads(json.dumps(judge(record(name)).as_data())) == expected(name)


@pytest.mark.parametrize("name", NAMES)
def test_the_referee_says_what_is_expected(name: str) -> None:
    """The expectations still are what the independent implementation says."""
    text = (RECORDS / f"{name}.json").read_text("utf-8")
    assert naive_judge(json.loads(text)) == expected(name)


def test_no_record_lacks_its_expectation() -> None:
    """Files come in pairs, and there are at least 25."""
    both = {path.name.split(".json")[0] for path in RECORDS.glob("*.json")}
    assert {name for name in both if not name.endswith(".expected")} == set(NAMES)
    assert len(NAMES) >= 25


def test_the_records_break_every_rule_that_a_timed_game_can_break() -> None:
    """Of the closed list only these can't occur: see the reason beside each."""
    cannot = {
        RuleKey.NOT_IN_THIS_GAME,  # timed has all moves of its piles
        RuleKey.NOT_A_RUN,  # the face-up part of a column is always in sequence
        RuleKey.UNDO_DEPTH,  # undo reaches to the deal
        RuleKey.CARD_UNKNOWN,  # only on a view
        RuleKey.CELL_TAKEN,  # FreeCell
        RuleKey.TOO_MANY_CARDS,  # FreeCell
        RuleKey.COLUMN_EMPTY,  # Spider
    }
    broken = {move["why"] for name in NAMES for move in expected(name)["moves"]} - {None}
    assert broken == {key.value for key in set(RuleKey) - cannot}


# What the most telling records come to, in figures worked out by hand from rules.md.
BY_HAND: dict[str, tuple[int, str, dict[str, int]]] = {
    "empty": (0, "running", {}),
    "empty-closed": (0, "timeout", {}),
    "end-at-once": (300 // 3, "finish", {"early_end": 100}),
    "end-at-200s": (33, "finish", {"early_end": 33}),
    "end-at-297.001s": (0, "finish", {}),
    "end-at-297s": (1, "finish", {"early_end": 1}),
    "end-last-millisecond": (0, "finish", {}),
    "end-one-ms-late": (0, "timeout", {}),
    "deadline": (0, "timeout", {}),
    "deadline-not-a-move": (0, "timeout", {}),
    "after-the-end": (298 // 3, "finish", {"early_end": 99}),
    "passes": (-1200, "running", {"passes": 3 * -400}),
    "passes-undo": (-3000, "running", {"undo": -3000}),
    "redeals-3": (-800, "running", {"passes": 2 * -400}),
    "undo-to-the-deal": (-18_000, "running", {"undo": 18 * -1000}),
    "below-zero": (-4903, "finish", {"undo": -5000, "early_end": 97}),
    "turned-undone": (-3000, "running", {"undo": -3000}),
    "put-up-undone": (-900, "running", {"foundation": 100, "undo": -1000}),
    "take-back-ten-times": (300, "running", {"foundation": 100 + 200}),
    "clear-125.9s-left": (
        36_441,
        "cleared",
        {"foundation": 34_000, "turned": 2100, "minutes": 2 * 150, "early_end": 41},
    ),
    "clear-60.000s-left": (
        36_270,
        "cleared",
        {"foundation": 34_000, "turned": 2100, "minutes": 150, "early_end": 20},
    ),
    "clear-59.999s-left": (
        36_119,
        "cleared",
        {"foundation": 34_000, "turned": 2100, "early_end": 19},
    ),
    "clear-last-millisecond": (36_100, "cleared", {"foundation": 34_000, "turned": 2100}),
    "clear-with-undos": (
        33_441,
        "cleared",
        {"foundation": 34_000, "turned": 2100, "minutes": 300, "early_end": 41, "undo": -3000},
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_figures_worked_out_by_hand(name: str) -> None:
    """Score, end and items of the records whose points fit on a napkin."""
    final = judge(record(name)).final
    assert (final.score, final.ended, final.items) == BY_HAND[name]


@pytest.mark.parametrize("name", NAMES)
def test_the_items_add_up_to_the_score(name: str) -> None:
    """ "The items add up to the score" (section 9); those worth nothing are left out."""
    final = judge(record(name)).final
    assert sum(final.items.values()) == final.score
    assert 0 not in final.items.values()


def test_every_card_value_is_counted_card_by_card() -> None:
    """Ace 100 ... 9 900, 10 / J / Q / K 1000: in a game to the end each card scores its own."""
    scored: dict[str, int] = {}
    for move in judge(record("clear-125.9s-left")).moves:
        assert move.played is not None
        for item, points, what in move.played.points:
            if item == 0:
                assert what not in scored
                scored[what] = points
    values = dict(zip("A23456789TJQK", [*range(100, 1000, 100), *[1000] * 4], strict=True))
    assert scored == {rank + suit: value for rank, value in values.items() for suit in "CDHS"}


def test_refused_moves_stay_in_the_list_and_change_nothing() -> None:
    """`ok` false, the rule's key as `why`, and the score as it was."""
    judged = judge(record("refusals"))
    refused = [move for move in judged.moves if not move.ok]
    assert len(judged.moves) == len(record("refusals").moves)
    assert {move.score for move in refused} == {200}
    accepted = tuple((move.ms, move.text) for move in judged.moves if move.ok)
    without = GameRecord("timed", {}, record("refusals").seed, 300_000, accepted)
    assert judge(without).final == judged.final

"""`judge` on records of every ruleset but `timed`: folders by ruleset under tests/data/records.

The expectations were written by the referee (`referee_judge`), never by the engine.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from samedeal_rules import RULESETS, GameRecord, RuleKey, judge, parse_record, read_record

from .naive_judge import referee_judge

RECORDS = Path(__file__).parents[1] / "data" / "records"
PATHS = sorted(path for path in RECORDS.glob("*/*.json") if "expected" not in path.name)
EACH = pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}/{path.stem}")


def expected(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.with_suffix(".expected.json").read_text("utf-8"))
    assert data.pop("about")
    return data


def record(path: Path) -> GameRecord:
    return parse_record(path.read_bytes())


@EACH
def test_judge_says_what_is_expected(path: Path) -> None:
    """Final and moves, exactly, as JSON."""
    assert json.loads(json.dumps(judge(record(path)).as_data())) == expected(path)


@EACH
def test_the_referee_says_what_is_expected(path: Path) -> None:
    """The expectations still are what the independent implementation says."""
    assert referee_judge(json.loads(path.read_text("utf-8"))) == expected(path)


@EACH
def test_the_items_add_up_to_the_score(path: Path) -> None:
    """ "The items add up to the score"; "none in `spanish` (its score is null)" (section 9)."""
    final = judge(record(path)).final
    if path.parent.name == "spanish":
        assert (final.score, final.items) == (None, {})
    else:
        assert sum(final.items.values()) == final.score


def test_each_ruleset_has_eight_records_or_more() -> None:
    """With every option in one of them."""
    for name, ruleset in RULESETS.items():
        if name == "timed":
            continue
        records = [record(path) for path in PATHS if path.parent.name == name]
        assert len(records) >= 8
        assert all(one.ruleset == name for one in records)
        used = {option for one in records for option in one.options}
        assert used == {option.name for option in ruleset.options}


def test_the_records_break_every_rule_that_these_games_can_break() -> None:
    """Of the closed list only these can't occur: see the reason beside each."""
    cannot = {
        RuleKey.NOT_FACE_DOWN,  # timed
        RuleKey.CARD_UNKNOWN,  # only on a view
    }
    broken = {move["why"] for path in PATHS for move in expected(path)["moves"]} - {None}
    assert broken == {key.value for key in set(RuleKey) - cannot}


# What the most telling records come to, in figures worked out by hand from rules.md.
BY_HAND: dict[str, tuple[int | None, str, dict[str, int]]] = {
    "klondike-1/empty-closed": (0, "timeout", {}),
    "klondike-1/undo-all": (0, "running", {}),
    "klondike-1/clear-fast": (
        1395,
        "cleared",
        {"foundation": 52 * 10, "turned": 21 * 5, "waste_to_tableau": 14 * 5, "time_bonus": 700},
    ),
    "klondike-3/clear-fast": (
        2075,
        "cleared",
        {"foundation": 52 * 10, "turned": 21 * 5, "waste_to_tableau": 10 * 5, "time_bonus": 1400},
    ),
    "freecell/clear-slow": (520, "cleared", {"foundation": 52 * 10}),
    "freecell/clear-fast": (1220, "cleared", {"foundation": 52 * 10, "time_bonus": 700}),
    "spider-1/clear-slow": (740, "cleared", {"runs": 8 * 65, "turned": 44 * 5}),
    "spider-1/untimed-closed": (None, "timeout", {}),
    "spanish/clear": (None, "cleared", {}),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_figures_worked_out_by_hand(name: str) -> None:
    """Score, end and items of the records whose points fit on a napkin."""
    final = judge(record(RECORDS / f"{name}.json")).final
    score, ended, items = BY_HAND[name]
    if name == "spider-1/untimed-closed":
        assert final.ended == ended
    elif name == "klondike-1/undo-all":
        assert (final.ended, final.score) == (ended, sum(final.items.values()))
    else:
        assert (final.score, final.ended, final.items) == (score, ended, items)


GOOD: dict[str, Any] = {
    "ruleset": "klondike-1",
    "options": {},
    "seed": "s",
    "duration_ms": None,
    "moves": [[0, "d"], [10**8, "d"], [10**8, "end"]],
}


def test_a_practice_without_a_time_limit_has_no_duration() -> None:
    """Null in sections 2 to 5: a move counts whenever it comes; `timed` needs its countdown."""
    judgement = judge(read_record(GOOD))
    assert [move.ok for move in judgement.moves] == [True] * 3
    assert judgement.final.ended == "finish"
    for name, ruleset in RULESETS.items():
        if ruleset.may_be_untimed:
            assert read_record({**GOOD, "ruleset": name}).duration_ms is None
    with pytest.raises(Exception, match="duration_ms: must have a whole number"):
        read_record({**GOOD, "ruleset": "timed"})


@pytest.mark.parametrize("seed", [None, "", "ignored"])
def test_of_a_numbered_deal_the_seed_may_be_null_or_missing(seed: str | None) -> None:
    """ "there is no seed then": whatever is written is ignored; elsewhere it must be a text."""
    data = {**GOOD, "ruleset": "freecell", "options": {"deal": "ms:617"}, "seed": seed, "moves": []}
    assert read_record(data).seed is None
    del data["seed"]
    assert read_record(data).seed is None
    with pytest.raises(Exception, match="seed: must have a text"):
        read_record({**GOOD, "seed": None})
    with pytest.raises(Exception, match="seed: must have a text"):
        read_record({**data, "seed": 617})

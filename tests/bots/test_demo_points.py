"""What the demo says of a player's points, and of a game without any."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from samedeal_bots.demo_points import _words, without_points
from samedeal_bots.demo_race import _full_bar
from samedeal_rules import RULESETS
from samedeal_rules.duel_record import DuelRecord, PlayerRecord


@pytest.mark.parametrize(
    ("ruleset", "ended", "up", "words"),
    [
        ("timed", "timeout", 0, "nothing happened that is worth points"),
        ("spanish", "timeout", 12, "no points in this game; 12 cards up, not clear"),
        ("spanish", "finish", 1, "no points in this game; 1 card up, not clear"),
        ("spanish", "cleared", 40, "no points in this game; cleared in 43.2 s"),
    ],
)
def test_a_game_without_points_is_not_called_worth_nothing(
    ruleset: str, ended: str, up: int, words: str
) -> None:
    """What counts there is said instead."""
    record = cast(DuelRecord, SimpleNamespace(ruleset=ruleset, options={}))
    player = cast(PlayerRecord, SimpleNamespace(ended=ended, ended_ms=43_210, cards_up=up))
    assert without_points(record, player) == words


@pytest.mark.parametrize(
    ("item", "each", "words"),
    [
        ("time_bonus", [678], "time bonus"),
        ("runs", [65], "1 complete run"),
        ("foundation", [10, 10], "2 cards on their foundations, 10 each"),
        ("foundation", [100, 300], "2 cards on their foundations, 100 to 300 each"),
        ("early_end", [33], "for ending 100 s early"),
    ],
)
def test_what_points_are_for(item: str, each: list[int], words: str) -> None:
    """Counted where there is something to count; a bonus falls once and is not counted."""
    record = cast(DuelRecord, SimpleNamespace(duration_ms=300_000))
    player = cast(PlayerRecord, SimpleNamespace(ended_ms=200_000))
    assert _words(item, each, record, player) == words


def test_a_full_bar_fits_the_game() -> None:
    """Points as they come in a short race; without points all cards."""
    assert _full_bar(RULESETS["timed"]) == 2000
    assert _full_bar(RULESETS["spanish"]) == 40
    assert all(_full_bar(ruleset) > 0 for ruleset in RULESETS.values())

"""The numbers of the ledger that are not a matter of the board."""

from __future__ import annotations

import pytest

from samedeal_rules import ITEMS
from samedeal_rules.rulesets.timed import TIMED
from samedeal_rules.scoring import Closing

CLOSING = TIMED.scoring.closing


def bonus(remaining_ms: int, *, cleared: bool) -> dict[str, int]:
    closing = Closing(cleared, 300_000 - remaining_ms, 300_000)
    return {ITEMS[item]: points for item, points in CLOSING(closing)}


@pytest.mark.parametrize(
    ("remaining_ms", "minutes", "early_end"),
    [
        (300_000, 750, 100),
        (299_999, 600, 99),
        (240_000, 600, 80),
        (125_900, 300, 41),
        (120_000, 300, 40),
        (119_999, 150, 39),
        (60_000, 150, 20),
        (59_999, 0, 19),
        (3_000, 0, 1),
        (2_999, 0, 0),
        (1, 0, 0),
    ],
)
def test_a_clear_table_gets_150_a_minute_and_1_for_3_seconds(
    remaining_ms: int, minutes: int, early_end: int
) -> None:
    """Both bonuses, of whole minutes and whole 3 seconds that remain (section 1)."""
    assert bonus(remaining_ms, cleared=True) == {"minutes": minutes, "early_end": early_end}
    assert sum(bonus(remaining_ms, cleared=False).values()) == early_end


def test_times_are_whole_seconds_rounded_down() -> None:
    """ "elapsed = floor(ms/1000), remaining = floor((duration_ms - elapsed_ms)/1000)"."""
    closing = Closing(cleared=True, elapsed_ms=1_999, duration_ms=300_000)
    assert (closing.elapsed_s, closing.remaining_s) == (1, 298)


def test_remaining_time_is_never_below_0() -> None:
    """ "never below 0" (section 0)."""
    assert Closing(cleared=False, elapsed_ms=400_000, duration_ms=300_000).remaining_s == 0


def test_clearing_is_never_worth_less_than_giving_up() -> None:
    """At each second, the clear table gets at least what `end` gets (section 1)."""
    for remaining in range(301):
        gain, alone = bonus(remaining * 1000, cleared=True), bonus(remaining * 1000, cleared=False)
        assert sum(gain.values()) >= sum(alone.values())


def test_items_have_the_names_of_section_9() -> None:
    """The same names everywhere; timed uses the first six."""
    assert ITEMS == (
        "foundation",
        "turned",
        "passes",
        "undo",
        "minutes",
        "early_end",
        "waste_to_tableau",
        "foundation_to_tableau",
        "time_bonus",
        "runs",
    )

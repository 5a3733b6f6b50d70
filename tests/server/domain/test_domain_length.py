"""How long a new duel may last (rules, section 6)."""

from __future__ import annotations

from typing import Any

import pytest

from samedeal_protocol import Create, ErrorCode
from samedeal_rules import find_ruleset
from samedeal_rules.rulesets import RULESETS
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.length import Lengths

LENGTHS = Lengths(30_000, 3_600_000)


def agreed(**wish: Any) -> int | None:
    create = Create(req=1, **wish)
    return LENGTHS.agreed(create, find_ruleset(create.ruleset, create.options)[1])


def test_the_rulesets_own_or_what_is_wished_for() -> None:
    """300 seconds by default; 30 to 3600."""
    assert agreed() == agreed(ruleset="freecell", seats=1) == 300_000
    assert agreed(duration_ms=30_000) == 30_000
    assert agreed(duration_ms=3_600_000) == 3_600_000
    with pytest.raises(PlayerError, match="from 30 to 3600 seconds") as refused:
        agreed(duration_ms=29_999)
    assert refused.value.code is ErrorCode.OUT_OF_RANGE


@pytest.mark.parametrize("ruleset", [name for name in RULESETS if name != "timed"])
def test_a_practice_may_have_no_limit(ruleset: str) -> None:
    """In sections 2 to 5 of the rules, whatever the server's own range is."""
    assert agreed(ruleset=ruleset, seats=1, untimed=True) is None


@pytest.mark.parametrize(
    ("wish", "code", "why"),
    [
        ({}, ErrorCode.UNKNOWN_RULESET, "untimed: timed is always played against the clock"),
        ({"ruleset": "freecell", "seats": 2}, ErrorCode.OUT_OF_RANGE, "untimed: only a practice"),
        ({"ruleset": "spanish", "duration_ms": 60_000}, ErrorCode.OUT_OF_RANGE, "no duration"),
    ],
    ids=str,
)
def test_no_limit_is_refused_by_name(wish: dict[str, Any], code: ErrorCode, why: str) -> None:
    """For `timed`, for two, and together with a duration."""
    with pytest.raises(PlayerError, match=why) as refused:
        agreed(**{"seats": 1, "untimed": True, **wish})
    assert refused.value.code is code

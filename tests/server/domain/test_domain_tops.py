"""Which duels count for the leaderboards, and with what (rules, sections 6 and 7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from samedeal_rules import find_ruleset
from samedeal_rules.rulesets import RULESETS
from samedeal_server.domain.duel import Duel, DuelId, DuelMs, Phase, PlayerId, Seat
from samedeal_server.domain.tops import counts, top_entry

START = DuelMs(1_750_000_000_000)


def played(ruleset: str = "timed", **changes: Any) -> Duel:
    """A quick match of two people that has been played, by the ruleset's own measures."""
    rules = find_ruleset(ruleset)[1]
    duel = Duel(
        id=DuelId("p00tops"),
        code="ABCDEF",
        ruleset=ruleset,
        options={},
        duration_ms=rules.duration_ms,
        hints=rules.hints,
        seats=2,
        commitment="0" * 64,
        touched_at=DuelMs(0),
        origin="quick",
        phase=Phase.COUNTDOWN,
        seated=(Seat(PlayerId("ann"), "Ann"), Seat(PlayerId("bob"), "Bob")),
        start_at=START,
    )
    return replace(duel, **changes)


def row(player: str, ended: str, score: int | None = 0, ended_ms: int = 300_000) -> dict[str, Any]:
    shown = {"player": player, "name": player.title(), "score": score, "up": 7}
    return shown | {"ended": ended, "ended_ms": ended_ms}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_quick_match_counts(ruleset: str) -> None:
    """Of every ruleset, as it is."""
    assert counts(played(ruleset))


@pytest.mark.parametrize(
    "changes",
    [
        {"options": {"draw": 1}},
        {"duration_ms": 299_000},
        {"duration_ms": None, "ruleset": "freecell", "hints": True, "seats": 1},
        {"hints": True},
        {"chosen_seed": "mine"},
        {"origin": "private"},
        {"origin": "rematch"},
        {"seated": (Seat(PlayerId("ann"), "Ann"), Seat(PlayerId("b"), "B", bot=True))},
    ],
    ids=str,
)
def test_what_does_not_count(changes: dict[str, Any]) -> None:
    """Anything that is not the ruleset's own, chosen deals, bots, duels among friends."""
    duel = played(**changes)
    assert not counts(duel)
    assert top_entry(duel, {"ranking": [row("ann", "timeout", 100)]}) is None


def test_a_numbered_deal_does_not_count() -> None:
    """Somebody chose it."""
    assert not counts(played("freecell", options={"deal": "ms:1"}))


def test_practice_alone_counts_unless_a_bot_practises() -> None:
    """However it came about: a rematch of a practice is one too."""
    for origin in ("private", "rematch"):
        alone = played(seats=1, origin=origin, seated=(Seat(PlayerId("ann"), "Ann"),))
        assert counts(alone)
        assert not counts(replace(alone, seated=(Seat(PlayerId("b"), "B", bot=True),)))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_each_ruleset_has_its_leaderboard(ruleset: str) -> None:
    """Klondike, FreeCell and Spider share one; `timed` and `spanish` have their own."""
    table = ruleset if ruleset in ("timed", "spanish") else "classic"
    entry = top_entry(played(ruleset), {"ranking": [row("ann", "cleared", 5, 1000)]})
    assert entry is not None
    assert entry.table == table


def test_timed_takes_every_game_by_score() -> None:
    """Cleared or not; the higher score has the lower value."""
    ranking = [row("ann", "cleared", 9000, 250_000), row("bob", "timeout", -400)]
    entry = top_entry(played(), {"ranking": ranking})
    assert entry is not None
    assert [game.sort_value for game in entry.games] == [-9000, 400]
    assert [game.at_ms - START for game in entry.games] == [250_000, 300_000]


@pytest.mark.parametrize("ruleset", ["klondike-1", "freecell", "spider-4", "spanish"])
def test_the_others_take_cleared_tables_only(ruleset: str) -> None:
    """Nobody cleared: nothing to be listed. One did: that one."""
    lost = [row("ann", "timeout", 900), row("bob", "finish", 800, 20_000)]
    assert top_entry(played(ruleset), {"ranking": lost}) is None
    won = [row("ann", "timeout", 900), row("bob", "cleared", 800, 20_000)]
    entry = top_entry(played(ruleset), {"ranking": won})
    assert entry is not None
    assert [game.player for game in entry.games] == ["bob"]


def test_spanish_goes_by_time() -> None:
    """The shorter first; there are no points."""
    ranking = [row("ann", "cleared", None, 20_000), row("bob", "cleared", None, 30_000)]
    entry = top_entry(played("spanish"), {"ranking": ranking})
    assert entry is not None
    assert [(game.score, game.sort_value) for game in entry.games] == [
        (None, 20_000),
        (None, 30_000),
    ]

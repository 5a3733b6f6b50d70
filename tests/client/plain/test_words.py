"""What happened, in words."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from samedeal_client.fair import FairCheck
from samedeal_client.plain.style import Style
from samedeal_client.plain.words import (
    changes_of,
    code_spoken,
    duel_title,
    fairness_lines,
    hint_words,
    points_text,
    refusal_words,
    standings_text,
    what_happened,
)
from samedeal_protocol import (
    Applied,
    DuelChanged,
    DuelPhase,
    Hinted,
    PlayerState,
    PointsEarned,
    RefusalCode,
    Refused,
    Seat,
    StandingRow,
)
from samedeal_rules import RULE_WORDS, RuleKey
from samedeal_rules.cards import FRENCH

SIGNS = Style(signs=True)


def duel(*players: Seat, **fields: Any) -> DuelChanged:
    base: dict[str, Any] = {
        "id": "p00abc",
        "code": "ACDEFH",
        "version": 1,
        "phase": DuelPhase.OPEN,
        "ruleset": "timed",
        "options": {},
        "duration_ms": 300_000,
        "hints": False,
        "chosen_seed": False,
        "seats": 3,
        "players": list(players),
        "seated": len(players),
        "ready": sum(seat.ready for seat in players),
        "host": 0,
        "you": 0,
        "commitment": "00" * 32,
        "server_ms": 0,
    }
    return DuelChanged(**(base | fields))


def seat(number: int, name: str, **fields: Any) -> Seat:
    base: dict[str, Any] = {
        "seat": number,
        "player": name.lower(),
        "name": name,
        "ready": False,
        "connected": True,
    }
    return Seat(**(base | fields))


def test_points_fall_with_their_card() -> None:
    """`+500 5♥`."""
    deck, letters = FRENCH, Style()
    five = PointsEarned(item="foundation", points=500, what="5H")
    assert points_text(five, SIGNS, deck) == "+500 5♥"
    assert points_text(five, letters, deck) == "+500 5H"
    turned = PointsEarned(item="turned", points=100, what="t3")
    assert points_text(turned, SIGNS, deck) == "+100 turned t3"
    assert points_text(PointsEarned(item="passes", points=-400), SIGNS, deck) == "-400 passes"
    assert points_text(PointsEarned(item="turned", points=-100), SIGNS, deck) == "-100 turned"


def test_a_move_tells_all_that_it_set_off() -> None:
    """Cards drawn, cards turned, cards that went up by themselves, points."""
    answer = Applied(
        seq=0,
        move="d",
        ms=1,
        score=100,
        checksum=0,
        drawn=["2C", "KD", "AS"],
        auto=[("w", "AS")],
        points=[PointsEarned(item="foundation", points=100, what="AS")],
    )
    assert what_happened(answer, SIGNS, FRENCH) == ("drawn 2♣ K♦ A♠; A♠ goes up by itself; +100 A♠")
    both = answer.model_copy(
        update={"drawn": [], "points": [], "auto": [("w", "AS"), ("t1", "AC")]}
    )
    assert what_happened(both, SIGNS, FRENCH) == "A♠ A♣ go up by themselves"
    quiet = Applied(seq=0, move="t1-t2", ms=1, score=0, checksum=0)
    assert what_happened(quiet, SIGNS, FRENCH) == "done"


@pytest.mark.parametrize("rule", list(RuleKey))
def test_every_rule_is_said_in_words(rule: RuleKey) -> None:
    """The rules' own words, not the server's text."""
    refused = Refused(seq=0, code=RefusalCode.ILLEGAL, message="x", rule=rule.value)
    assert refusal_words(refused) == RULE_WORDS[rule]


@pytest.mark.parametrize("code", list(RefusalCode))
def test_every_refusal_is_said_in_words(code: RefusalCode) -> None:
    """A rule that this program does not know is told in the server's words, made printable."""
    words = refusal_words(Refused(seq=0, code=code, message="strange \x1b", rule="from_the_future"))
    assert words == "strange ?" or code is not RefusalCode.ILLEGAL
    assert words.isprintable()


def test_who_comes_goes_and_is_ready() -> None:
    """Only what changed; nothing about ourselves."""
    ana, bo = seat(0, "Ana"), seat(1, "Bo")
    assert changes_of(duel(ana), duel(ana, bo)) == ["Bo is here, 2 of 3 seats taken."]
    ready = seat(1, "Bo", ready=True)
    assert changes_of(duel(ana, bo), duel(seat(0, "Ana", ready=True), ready)) == ["Bo is ready."]
    away = seat(1, "Bo", connected=False)
    assert changes_of(duel(ana, bo), duel(ana, away)) == ["Bo has lost the connection."]
    assert changes_of(duel(ana, away), duel(ana, bo)) == ["Bo is back."]
    running = DuelPhase.RUNNING
    assert changes_of(duel(ana, away, phase=running), duel(ana, bo, phase=running)) == []
    assert changes_of(duel(ana, bo), duel(ana)) == ["Bo has left."]
    assert changes_of(duel(ana, bo), duel(ana, note="Bo left")) == ["Bo left."]
    assert changes_of(duel(ana, bo), duel(bo, you=None)) == []
    bot = seat(1, "Hardy", bot=True)
    assert changes_of(duel(ana), duel(ana, bot)) == ["Hardy (a bot) is here, 2 of 3 seats taken."]
    assert changes_of(duel(ana), duel(ana, note="Bo did not confirm")) == ["Bo did not confirm."]


def test_a_large_duel_is_counted_not_listed() -> None:
    """A thousand arrivals are not a thousand lines of names."""
    old = duel(seat(0, "Ana"), seats=1000, seated=400)
    new = duel(seat(0, "Ana"), seats=1000, seated=401)
    assert changes_of(old, new) == ["401 of 1000 seats taken, 0 ready."]
    assert changes_of(new, new) == []


def test_titles_show_what_differs_from_the_rules() -> None:
    """Options are shown wherever the name is."""
    assert duel_title(duel(options={"draw": 1})) == "timed draw=1, 5:00, 3 seats"
    assert duel_title(duel(seats=1, duration_ms=30_000)) == "timed, 0:30, practice"
    assert code_spoken("HJK347") == "HJK 347"


def test_standings_in_one_line() -> None:
    """The top three and ourselves."""
    rows = [
        StandingRow(
            place=place, seat=place, name=f"P{place}", score=-place, up=0, state=PlayerState.PLAYING
        )
        for place in range(1, 6)
    ]
    assert standings_text(rows, 40, 5) == "-- 1. P1 -1   2. P2 -2   3. P3 -3   5. *P5 -5   (of 40)"


@pytest.mark.parametrize(
    ("verdict", "head"),
    [(True, "The deal was fair"), (None, "What this program could"), (False, "Something")],
)
def test_fairness_is_never_said_to_be_better_than_checked(verdict: bool | None, head: str) -> None:
    """One thing wrong is the headline; one thing unchecked is not called fair."""
    checks = [FairCheck("seed", True, "good"), FairCheck("cards", verdict, "as it is")]
    lines = fairness_lines(checks, called_off=1)
    assert lines[0].startswith(head)
    assert "called off" in lines[-1]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("no_move_helps", "No move helps"),
        ("stuck", "The table is stuck"),
        ("unknown", "no time to look"),
    ],
)
def test_a_hint_in_words(answer: Literal["no_move_helps", "stuck", "unknown"], words: str) -> None:
    """The move, or what is known without one; not having looked is not being stuck."""
    said = hint_words(Hinted(req=1, seq=0, answer=answer))
    assert words in said
    assert ("stuck" in said) is (answer == "stuck")
    assert hint_words(Hinted(req=1, seq=0, answer="move", move="t4-f")).endswith("t4-f")

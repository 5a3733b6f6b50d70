"""Sentences that know their template."""

from __future__ import annotations

import pytest

from rules.test_duel_record import true_record, with_player
from samedeal_rules import MalformedRecord, UnknownRuleset, find_ruleset, parse_record
from samedeal_rules.duel_record import verify_duel_record, write_duel_record
from samedeal_rules.wording import Wording


def test_a_wording_is_its_english_text() -> None:
    """And remembers what it was made of; what is filled in may have braces."""
    wording = Wording("more than {most}", most=5)
    assert wording == "more than 5"
    assert f"{wording}!" == "more than 5!"
    assert (wording.template, wording.values) == ("more than {most}", {"most": 5})
    assert Wording("{name} left", name="{x}") == "{x} left"


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"a":1,"a":2}', "[NaN]", "[" * 9_000, "9" * 9_000]
)
def test_what_is_wrong_with_a_record_is_a_wording(text: str) -> None:
    """So that it can be said in another language."""
    with pytest.raises(MalformedRecord) as caught:
        parse_record(text)
    assert isinstance(caught.value.why, Wording)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("no", {}),
        ("timed", {"draw": 2}),
        ("timed", {"deck": 40}),
        ("spider-1", {"draw": 1}),
        ("spanish", {"stock": False, "draw": 3}),
    ],
)
def test_what_is_wrong_with_a_choice_is_a_wording(name: str, options: dict[str, object]) -> None:
    """Game, option, value, and two that exclude each other."""
    with pytest.raises(UnknownRuleset) as caught:
        find_ruleset(name, options)
    assert isinstance(caught.value.args[0], Wording)


def test_every_verdict_on_a_duel_is_a_wording() -> None:
    """Also that it is no duel at all."""
    for text in (
        "x",
        write_duel_record(true_record()),
        write_duel_record(with_player(0, score=7, nonce="0" * 32, place=3)),
    ):
        for check in verify_duel_record(text):
            assert isinstance(check.why, Wording), check

"""What the rules say, in the language spoken."""

from __future__ import annotations

import pytest

from samedeal_client.rules_words import rules_error_words, rules_language, worded
from samedeal_client.texts import speaking
from samedeal_rules import IllegalMove, MalformedRecord, RuleKey, UnknownRuleset
from samedeal_rules.wording import Wording

WHY = Wording(
    "{name}'s game: move {index} is against the rules: {rule}",
    name="Zoë {x}",
    index=3,
    rule=Wording("that is not a move"),
)


def test_a_sentence_is_looked_up_by_its_template() -> None:
    """What is filled in is looked up too where it is a sentence; names stay as they are."""
    assert worded(WHY) == "Zoë {x}'s game: move 3 is against the rules: that is not a move"
    with speaking("es"):
        assert worded(WHY) == (
            "la partida de Zoë {x}: la jugada 3 va contra las reglas: eso no es una jugada"
        )
        assert worded("a text without a template") == "a text without a template"


@pytest.mark.parametrize(
    ("error", "english", "spanish"),
    [
        (IllegalMove(RuleKey.WASTE_EMPTY), "the waste is empty", "el descarte está vacío"),
        (
            MalformedRecord("moves[3]", Wording("more than {most}", most=5)),
            "moves[3]: more than 5",
            "moves[3]: más de 5",
        ),
        (
            UnknownRuleset(Wording("there is no such ruleset; there are: {names}", names="a, b")),
            "there is no such ruleset; there are: a, b",
            "no existe ese juego; hay: a, b",
        ),
    ],
)
def test_errors_of_the_rules(error: Exception, english: str, spanish: str) -> None:
    """All three kinds that a person can meet."""
    assert isinstance(error, IllegalMove | MalformedRecord | UnknownRuleset)
    assert rules_error_words(error) == english == str(error)
    with speaking("es"):
        assert rules_error_words(error) == spanish


def test_rules_are_described_in_the_language_spoken() -> None:
    """Where the rules have it."""
    assert rules_language() == "en"
    with speaking("es"):
        assert rules_language() == "es"

"""What a refusal says."""

from __future__ import annotations

import samedeal_rules
from samedeal_rules import RULE_WORDS, IllegalMove, MalformedRecord, RuleKey, RulesError


def test_every_rule_has_words() -> None:
    """A refusal can be said to a person, whichever rule it is."""
    assert set(RULE_WORDS) == set(RuleKey)
    assert len(set(RULE_WORDS.values())) == len(RULE_WORDS)


def test_an_illegal_move_carries_its_rule_and_says_it() -> None:
    """The key goes over the wire, the words to a person; neither names a card."""
    error = IllegalMove(RuleKey.NEEDS_KING)
    assert (error.rule, str(error)) == ("needs_king", RULE_WORDS[RuleKey.NEEDS_KING])


def test_a_malformed_record_says_where_and_why() -> None:
    """An error takes data and renders itself."""
    error = MalformedRecord("moves[3]", "must be [ms, move]")
    assert isinstance(error, RulesError)
    assert (error.where, error.why, str(error)) == (
        "moves[3]",
        "must be [ms, move]",
        "moves[3]: must be [ms, move]",
    )


def test_the_public_surface_is_written_down() -> None:
    """Every name in `__all__` is there, sorted, and nothing twice."""
    names = samedeal_rules.__all__
    assert len(names) == len(set(names))
    assert all(hasattr(samedeal_rules, name) for name in names)

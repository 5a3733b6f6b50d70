"""Options as a person says them."""

from __future__ import annotations

import pytest

from samedeal_client.option_words import (
    changed_words,
    conflict_words,
    option_help,
    option_label,
    value_words,
)
from samedeal_client.texts import LANGUAGES, speaking
from samedeal_rules import RULESETS, UnknownRuleset, find_ruleset

OPTIONS = [(name, option) for name, ruleset in RULESETS.items() for option in ruleset.options]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_option_is_told_as_the_command_line_has_it(language: str) -> None:
    """Labels, values and changes of every game; nobody reads `false` or notation."""
    with speaking(language):
        for _name, option in OPTIONS:
            texts = [option_label(option.name), option_help(option.name)]
            texts += [value_words(option.name, value) for value in option.values]
            texts += [changed_words(option.name, value) for value in option.values]
            words = " ".join(texts).lower().split()
            assert not {"false", "true", "v4-t2", "=", "unlimited"} & set(words)


def test_what_is_changed_about_a_game() -> None:
    """For titles; an option of a newer server stays as it came."""
    assert changed_words("stock", False) == "no stock"
    assert changed_words("deal", "ms:617") == "numbered deal ms:617"
    assert changed_words("newer", 5) == "newer 5"
    with speaking("es"):
        assert changed_words("stock", False) == "sin mazo"


def test_what_excludes_each_other() -> None:
    """By the labels of the form; other errors are not about that."""
    with pytest.raises(UnknownRuleset) as caught:
        find_ruleset("spanish", {"stock": False, "draw": 3})
    words = conflict_words(caught.value)
    assert words is not None
    assert "cards drawn at a time" in words
    with pytest.raises(UnknownRuleset) as caught:
        find_ruleset("timed", {"draw": 2})
    assert conflict_words(caught.value) is None

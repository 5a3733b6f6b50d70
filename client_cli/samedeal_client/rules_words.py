"""What the rules say, in the language of who reads it."""

from __future__ import annotations

from samedeal_client.texts import _, current_language
from samedeal_rules import RULE_WORDS, IllegalMove, MalformedRecord, RulesError
from samedeal_rules.describe import LANGUAGES
from samedeal_rules.wording import Wording

__all__ = ["rules_error_words", "rules_language", "worded"]


def rules_language() -> str:
    """The language to describe rules in: the one spoken, if the rules have it; else English."""
    language = current_language()
    return language if language in LANGUAGES else "en"


def worded(text: str) -> str:
    """A sentence of the rules; one that does not know its template stays English."""
    if not isinstance(text, Wording):
        return text
    values = {
        name: worded(value) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    return _(text.template).format(**values)


def rules_error_words(error: RulesError) -> str:
    """What the rules object to."""
    if isinstance(error, IllegalMove):
        return _(RULE_WORDS[error.rule])
    if isinstance(error, MalformedRecord):
        return f"{error.where}: {worded(error.why)}"
    return worded(error.args[0])

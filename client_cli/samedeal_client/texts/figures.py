"""Numbers as the language spoken writes them, and short answers in it."""

from __future__ import annotations

import unicodedata

from samedeal_client.texts.speaking import N_, _, _p

__all__ = ["decimal", "is_word", "number", "says_yes", "signed"]


def number(value: int) -> str:
    """`1,200`; `1.200`."""
    return f"{value:,}".replace(",", _p("between thousands", ","))


def signed(value: int) -> str:
    """As `number`, with its sign: `+1,200`, `-5`, `+0`."""
    return f"{value:+,}".replace(",", _p("between thousands", ","))


def decimal(value: float, digits: int = 1) -> str:
    """`3.5`; `3,5`."""
    return f"{value:.{digits}f}".replace(".", _p("before decimals", "."))


def says_yes(answer: str | None) -> bool:
    """Whether the answer to a y/n question is yes, in the language spoken or in English."""
    return is_word((answer or "").strip(), N_("y yes"))


def is_word(typed: str, words: str) -> bool:
    """Whether this is one of the words (marked, blanks between), as they are or translated.

    Capitals and accents make no difference: `repeticion` is `repetición`.
    """
    return _folded(typed) in map(_folded, (*words.split(), *_(words).split()))


def _folded(word: str) -> str:
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))

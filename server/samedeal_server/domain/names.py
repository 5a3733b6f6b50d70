"""Names of people: cleaned, compared, and never mistaken for another's."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from confusable_homoglyphs import confusables

from samedeal_protocol import MAX_NAME_LENGTH, ErrorCode
from samedeal_server.domain.errors import PlayerError

__all__ = ["clean_name", "face", "folded", "looks_like", "shown_name"]

_REFUSED_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Control, format (bidi and invisible signs), surrogate, private, unassigned, line breaks."""

_INVISIBLE: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters and signs that are drawn as nothing."""

_MAX_MARKS: Final = 2
"""Combining marks in a row: enough for any living script, too few to overflow the line."""


def clean_name(text: str) -> str:
    """The name as it is kept: NFKC, blanks single and none at the ends.

    Raises `PlayerError` for a name that is empty, too long, or hides something.
    """
    name = " ".join(unicodedata.normalize("NFKC", text).split(" ")).strip()
    while "  " in name:
        name = name.replace("  ", " ")
    if not name or not any(unicodedata.category(sign)[0] in "LNSP" for sign in name):
        raise PlayerError(ErrorCode.BAD_NAME, "a name needs a letter or a digit")
    if len(name) > MAX_NAME_LENGTH:
        raise PlayerError(ErrorCode.BAD_NAME, f"a name has at most {MAX_NAME_LENGTH} characters")
    marks = 0
    for sign in name:
        category = unicodedata.category(sign)
        if category in _REFUSED_CATEGORIES or sign in _INVISIBLE:
            raise PlayerError(ErrorCode.BAD_NAME, "a name can't have invisible characters")
        marks = marks + 1 if category.startswith("M") else 0
        if marks > _MAX_MARKS:
            raise PlayerError(ErrorCode.BAD_NAME, "too many marks on one letter")
    return name


def folded(name: str) -> str:
    """What two names must not share: NFKC and case folding (design: a name has one owner)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


@lru_cache(maxsize=4096)
def face(name: str) -> str:
    """The name in the plainest letters that look the same, without blanks; never empty.

    Two names with one face can be taken for each other.
    """
    plain = []
    for sign in unicodedata.normalize("NFD", folded(name)):
        if unicodedata.category(sign)[0] == "Z":
            continue
        plain.append(_plainest(sign))
    return "".join(plain) or "-"


def _plainest(sign: str) -> str:
    if sign.isascii():
        return {"0": "o", "1": "l", "i": "l", "|": "l", "5": "s"}.get(sign, sign)
    found = confusables.is_confusable(sign, greedy=True, preferred_aliases=[])
    for entry in found or ():
        for twin in entry["homoglyphs"]:
            if twin["c"].isascii() and twin["c"].isalnum():
                return _plainest(twin["c"].lower())
    return sign


def looks_like(name: str, other: str) -> bool:
    """Whether a person could take one name for the other at a glance."""
    return face(name) == face(other)


def shown_name(stored: str) -> str:
    """A name from the store, fit to be sent whatever somebody put there by hand."""
    return "".join(
        "\ufffd" if unicodedata.category(sign) in _REFUSED_CATEGORIES else sign
        for sign in stored[: MAX_NAME_LENGTH * 2]
    )

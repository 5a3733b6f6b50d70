"""One text, one reading."""

from __future__ import annotations

import pytest

from samedeal_rules import MalformedRecord
from samedeal_rules.strict_json import load_strictly


@pytest.mark.parametrize("text", ['{"a": [1, "é", null]}', '{"a": [1, "é", null]}'.encode()])
def test_text_and_bytes_are_read_alike(text: str | bytes) -> None:
    """Bytes are UTF-8."""
    assert load_strictly(text, 100) == {"a": [1, "é", None]}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": 1, "a": 1}', "same key twice"),
        ('[{"b": {"a": 1, "a": 2}}]', "same key twice"),
        ("[NaN]", "NaN"),
        ("[-Infinity]", "Infinity"),
        ("[" * 100_000, "nested"),
        ("9" * 5000, "too large"),
        ("[1,]", "not JSON"),
        ("\ufeff[]", "not JSON"),
        ('"\ud83d"', "not UTF-8"),
        (b"\xff", "not UTF-8"),
        ("[]".encode("utf-16"), "not UTF-8"),
        ("[" + " " * 6000 + "]", "larger than"),
    ],
)
def test_what_two_programs_could_read_in_two_ways_is_refused(text: str | bytes, why: str) -> None:
    """And so is what a reader could choke on; the reason is said."""
    with pytest.raises(MalformedRecord, match=why):
        load_strictly(text, 6000 if "larger" in why else 200_000)

"""A record is read strictly, or not judged (rules, section 9)."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samedeal_rules import GameRecord, MalformedRecord, parse_record, read_record, record_json
from samedeal_rules.records import (
    MAX_DURATION_MS,
    MAX_MOVES,
    MAX_MS,
    MAX_RECORD_BYTES,
    MAX_SEED_LENGTH,
    MAX_TEXT_LENGTH,
)

GOOD: dict[str, Any] = {
    "ruleset": "timed",
    "options": {},
    "seed": "text",
    "duration_ms": 300_000,
    "moves": [[0, "d"], [5, "w-t3"], [5, "nonsense"]],
}


def test_a_record_is_one_json_object() -> None:
    """The fields of section 9, read into a value."""
    expected = GameRecord(
        "timed", {}, "text", 300_000, ((0, "d"), (5, "w-t3"), (5, "nonsense")), closed=False
    )
    assert parse_record(json.dumps(GOOD)) == expected
    assert parse_record(json.dumps(GOOD).encode()) == expected
    assert read_record(GOOD) == expected


def test_a_finished_duels_record_is_closed() -> None:
    """ "the record of a finished duel carries "closed": true" (section 9)."""
    assert read_record({**GOOD, "closed": True}).closed
    assert not read_record({**GOOD, "closed": False}).closed


def test_options_become_canonical() -> None:
    """An option that says the default is left out."""
    record = read_record({**GOOD, "options": {"redeals": 3, "draw": 3}})
    assert record.options == {"redeals": 3}


@pytest.mark.parametrize("name", GOOD)
def test_every_field_is_required(name: str) -> None:
    """A record without one of its five fields is malformed, and says which."""
    with pytest.raises(MalformedRecord) as caught:
        read_record({key: value for key, value in GOOD.items() if key != name})
    assert caught.value.where == name


@pytest.mark.parametrize(
    ("field", "value", "where"),
    [
        ("score", 5, "record"),
        ("Moves", [], "record"),
        ("ruleset", "chess", "ruleset or options"),
        ("ruleset", "Timed", "ruleset or options"),
        ("ruleset", None, "ruleset"),
        ("ruleset", ["timed"], "ruleset"),
        ("options", None, "options"),
        ("options", [], "options"),
        ("options", {"draw": 2}, "ruleset or options"),
        ("options", {"draw": "3"}, "ruleset or options"),
        ("options", {"draw": True}, "ruleset or options"),
        ("options", {"draw": 1.0}, "ruleset or options"),
        ("options", {"draw": None}, "ruleset or options"),
        ("options", {"draw": [1]}, "ruleset or options"),
        ("options", {"redeals": False}, "ruleset or options"),
        ("options", {"redeals": "Unlimited"}, "ruleset or options"),
        ("options", {"deck": 40}, "ruleset or options"),
        ("options", {"hints": True}, "ruleset or options"),
        ("seed", 7, "seed"),
        ("seed", None, "seed"),
        ("seed", "\ud83d", "seed"),
        ("seed", "x" * (MAX_SEED_LENGTH + 1), "seed"),
        ("duration_ms", "300000", "duration_ms"),
        ("duration_ms", 300_000.0, "duration_ms"),
        ("duration_ms", True, "duration_ms"),
        ("duration_ms", 0, "duration_ms"),
        ("duration_ms", -1, "duration_ms"),
        ("duration_ms", None, "duration_ms"),
        ("duration_ms", MAX_DURATION_MS + 1, "duration_ms"),
        ("closed", 1, "closed"),
        ("closed", None, "closed"),
        ("closed", "true", "closed"),
        ("moves", None, "moves"),
        ("moves", {}, "moves"),
        ("moves", "d", "moves"),
        ("moves", [[0, "d"]] * (MAX_MOVES + 1), "moves"),
        ("moves", ["d"], "moves[0]"),
        ("moves", ["0d"], "moves[0]"),
        ("moves", [[0, "d"], []], "moves[1]"),
        ("moves", [[0]], "moves[0]"),
        ("moves", [[0, "d", 1]], "moves[0]"),
        ("moves", [["0", "d"]], "moves[0]"),
        ("moves", [[0.0, "d"]], "moves[0]"),
        ("moves", [[True, "d"]], "moves[0]"),
        ("moves", [[None, "d"]], "moves[0]"),
        ("moves", [[-1, "d"]], "moves[0]"),
        ("moves", [[MAX_MS + 1, "d"]], "moves[0]"),
        ("moves", [[0, 5]], "moves[0]"),
        ("moves", [[0, None]], "moves[0]"),
        ("moves", [[0, ["d"]]], "moves[0]"),
        ("moves", [[0, "\udc00"]], "moves[0]"),
        ("moves", [[0, "d" * (MAX_TEXT_LENGTH + 1)]], "moves[0]"),
        ("moves", [[0, "d"], [2, "d"], [1, "d"]], "moves[2]"),
    ],
)
def test_a_malformed_field_is_refused(field: str, value: object, where: str) -> None:
    """Unknown fields, wrong types, values out of bounds, decreasing times; the place is named."""
    with pytest.raises(MalformedRecord) as caught:
        read_record({**GOOD, field: value})
    assert caught.value.where == where
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("data", [None, [], "timed", 5, True, 1.5, [GOOD]])
def test_a_record_must_be_an_object(data: object) -> None:
    """Anything else that JSON can say is malformed."""
    with pytest.raises(MalformedRecord):
        read_record(data)


GOOD_TEXT = json.dumps(GOOD)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        GOOD_TEXT + "x",
        GOOD_TEXT + GOOD_TEXT,
        GOOD_TEXT.replace('"timed"', "timed"),
        GOOD_TEXT.replace("300000", "NaN"),
        GOOD_TEXT.replace("300000", "Infinity"),
        GOOD_TEXT.replace("300000", "-Infinity"),
        GOOD_TEXT.replace("300000", "1e400"),
        GOOD_TEXT.replace("300000", "9" * 5000),
        GOOD_TEXT.replace("300000", "3e5"),
        GOOD_TEXT.replace('"text"', '"\\ud83d"'),
        GOOD_TEXT.replace('"seed"', '"seed": "text", "seed"'),
        GOOD_TEXT.replace("{}", '{"draw": 1, "draw": 1}'),
        GOOD_TEXT.replace("[[", "[" * 100_000),
        '{"a":' * 100_000,
        "\ufeff" + GOOD_TEXT,
        " " * (MAX_RECORD_BYTES + 1),
    ],
    ids=range(18),
)
def test_a_text_that_is_no_record_is_refused(text: str) -> None:
    """Bad JSON, NaN, the same key twice, huge numbers, bottomless nesting, half an emoji."""
    with pytest.raises(MalformedRecord):
        parse_record(text)


@pytest.mark.parametrize("data", [b"\xff", GOOD_TEXT.encode("utf-16"), b'{"seed": "\xed\xa0\x80"}'])
def test_bytes_that_are_not_utf_8_are_refused(data: bytes) -> None:
    """A record is UTF-8 and nothing else."""
    with pytest.raises(MalformedRecord, match="not UTF-8"):
        parse_record(data)


def test_a_seed_may_be_any_text() -> None:
    """Also the empty one, with a NUL, or with a whole emoji written as two escapes."""
    for written, seed in (('""', ""), ('"\\u0000"', "\0"), ('"\\ud83d\\ude00"', "😀")):
        assert parse_record(GOOD_TEXT.replace('"text"', written)).seed == seed


records = st.builds(
    GameRecord,
    ruleset=st.just("timed"),
    options=st.fixed_dictionaries(
        {}, optional={"draw": st.just(1), "redeals": st.sampled_from([0, 1, 3])}
    ),
    seed=st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    duration_ms=st.integers(1, MAX_DURATION_MS),
    moves=st.lists(
        st.tuples(
            st.integers(0, MAX_MS), st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
        )
    ).map(lambda moves: tuple(sorted(moves, key=lambda move: move[0]))),
    closed=st.booleans(),
)


@given(records)
def test_what_is_written_reads_back(record: GameRecord) -> None:
    """`parse_record` reads what `record_json` writes, and it is one line of ASCII."""
    text = record_json(record)
    assert parse_record(text) == record
    assert text.isascii()
    assert "\n" not in text


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.sampled_from([*GOOD, "closed", "other"]), json_values)
def test_garbage_is_malformed_or_a_record(field: str, value: object) -> None:
    """Whatever stands in a field, the answer is a record or `MalformedRecord`, nothing else."""
    with suppress(MalformedRecord):
        assert isinstance(read_record({**GOOD, field: value}), GameRecord)


@given(st.binary(max_size=40) | st.text(max_size=40))
def test_garbage_text_is_malformed(text: str | bytes) -> None:
    """No bytes and no text make the reader fail in another way."""
    with pytest.raises(MalformedRecord):
        parse_record(text)

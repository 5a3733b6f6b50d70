"""What is no message: refused in a few words that never quote it (case 67, case 69)."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from samedeal_protocol import (
    ErrorCode,
    MalformedMessage,
    Message,
    RefusalCode,
    parse_client_message,
    parse_server_message,
)

DIGITS = "9" * 5000
TOKEN = "t" * 43

BAD = {
    "a number as text": '{"type":"move","seq":"3","move":"d"}',
    "a number with blanks": '{"type":"move","seq":" 2 ","move":"d"}',
    "true as a number": '{"type":"move","seq":true,"move":"d"}',
    "a fraction as a number": '{"type":"move","seq":1.0,"move":"d"}',
    "an exponent as a number": '{"type":"move","seq":1e0,"move":"d"}',
    "a number below zero": '{"type":"move","seq":-1,"move":"d"}',
    "a number that is too large": '{"type":"move","seq":1000001,"move":"d"}',
    "a huge number": f'{{"type":"move","seq":{DIGITS},"move":"d"}}',
    "a huge exponent": '{"type":"move","seq":1e999,"move":"d"}',
    "not a number": '{"type":"move","seq":NaN,"move":"d"}',
    "infinity": '{"type":"ping","id":Infinity}',
    "a word as true": '{"type":"create","req":1,"hints":"no"}',
    "a number as true": '{"type":"create","req":1,"hints":1}',
    "a number as a name": '{"type":"hello","name":7}',
    "an empty name": '{"type":"hello","name":""}',
    "a name of 5000 letters": json.dumps({"type": "hello", "name": "n" * 5000}),
    "half an emoji": '{"type":"hello","name":"\\ud83d"}',
    "half an emoji, the other half": '{"type":"hello","name":"\\ude00"}',
    "half an emoji in a key": '{"type":"hello","name":"Ana","\\ud83d":1}',
    "a broken escape": '{"type":"hello","name":"\\u12"}',
    "another field": '{"type":"move","seq":3,"move":"d","score":36100}',
    "another field, shadowing": '{"type":"move","seq":3,"move":"d","__class__":"x"}',
    "a missing field": '{"type":"move","seq":3}',
    "null for a field": '{"type":"move","seq":null,"move":"d"}',
    "the same key twice": '{"type":"move","seq":3,"seq":4,"move":"d"}',
    "the same key twice, spelled otherwise": '{"type":"ping","id":1,"\\u0069d":2}',
    "the type twice": '{"type":"ping","type":"ping","id":1}',
    "the same key twice, inside": '{"type":"create","req":1,"options":{"draw":1,"draw":3}}',
    "no type": '{"seq":3,"move":"d"}',
    "an unknown type": '{"type":"cheat"}',
    "a message of the other direction": '{"type":"done","req":1}',
    "a list as a type": '{"type":["move"],"seq":3,"move":"d"}',
    "null": "null",
    "a list": "[]",
    "a text": '"move"',
    "a number": "7",
    "nothing": "",
    "blanks": "   ",
    "two messages": '{"type":"ping","id":1}{"type":"ping","id":2}',
    "a comma too many": '{"type":"ping","id":1,}',
    "a comment": '{"type":"ping","id":1}//',
    "single quotes": "{'type':'ping','id':1}",
    "a byte order mark": b'\xef\xbb\xbf{"type":"ping","id":1}',
    "UTF-16": '{"type":"ping","id":1}'.encode("utf-16"),
    "not UTF-8": b'{"type":"hello","name":"\xff"}',
    "an overlong slash": b'{"type":"hello","name":"\xc0\xaf"}',
    "5000 lists in each other": "[" * 5000,
    "5000 objects in each other": '{"a":' * 5000,
    "5000 lists in a field": '{"type":"hello","name":' + "[" * 5000 + "]" * 5000 + "}",
    "a list as an option": '{"type":"create","req":1,"options":{"draw":[1]}}',
    "a fraction as an option": '{"type":"create","req":1,"options":{"draw":1.5}}',
    "a huge option": f'{{"type":"create","req":1,"options":{{"draw":{DIGITS}}}}}',
    "nine options": json.dumps(
        {"type": "create", "req": 1, "options": {f"option{i}": i for i in range(9)}}
    ),
    "a nonce in capitals": json.dumps({"type": "reveal", "req": 1, "nonce": "AB" * 16}),
    "a nonce with a line feed": json.dumps({"type": "reveal", "req": 1, "nonce": "a" * 31 + "\n"}),
    "a hash that is short": json.dumps({"type": "ready", "req": 1, "nonce_hash": "a" * 63}),
    "a token with a blank": json.dumps({"type": "hello", "token": TOKEN[:-1] + " "}),
    "a move of 13 letters": '{"type":"move","seq":0,"move":"t10*13-t10000"}',
    "no seats": '{"type":"create","req":1,"seats":0}',
    "1001 seats": '{"type":"create","req":1,"seats":1001}',
}


@pytest.mark.parametrize("frame", BAD.values(), ids=BAD.keys())
def test_bad_input_is_refused_in_a_few_words(frame: str | bytes) -> None:
    """Short, printable, and without a word of what was sent."""
    with pytest.raises(MalformedMessage) as refused:
        parse_client_message(frame)
    said = str(refused.value)
    assert 0 < len(said) <= 60
    assert said.isprintable()
    assert said.isascii()


@pytest.mark.parametrize(
    "frame",
    [
        '{"type":"SECRETWORD"}',
        '{"type":"hello","SECRETWORD":1}',
        '{"type":"hello","name":["SECRETWORD"]}',
        '{"type":"hello","token":"SECRETWORD"}',
        '{"type":"create","req":1,"options":{"SECRETWORD":[]}}',
        '{"type":"create","req":1,"options":{"SECRETWORDSECRETWORD":1}}',
        '{"type":"create","req":1,"ruleset":{"SECRETWORD":"SECRETWORD"}}',
        '{"type":"move","seq":0,"move":"SECRETWORDSECRETWORD"}',
        "SECRETWORD",
        '{"SECRETWORD":1,"SECRETWORD":1}',
    ],
)
def test_an_error_never_quotes_what_was_sent(frame: str) -> None:
    """Neither values nor keys nor types: nothing can be smuggled into a log or a screen."""
    with pytest.raises(MalformedMessage) as refused:
        parse_client_message(frame)
    assert "SECRET" not in str(refused.value).upper()


def _frames() -> st.SearchStrategy[str | bytes]:
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
    values = st.recursive(
        leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
    )
    types = st.sampled_from(["move", "hello", "create", "ping", "duel", "snapshot", "applied"])
    near = st.dictionaries(
        st.sampled_from(["seq", "move", "req", "id", "name", "options", "board"]), values
    )
    almost = st.builds(lambda kind, rest: json.dumps({"type": kind, **rest}), types, near)
    texts = st.text(st.characters(codec=None, exclude_categories=()))
    return st.binary() | texts | values.map(json.dumps) | almost


@given(frame=_frames())
@example(frame="\ud83d")
@example(frame='{"type":"hello","name":"\ud83d"}')
@example(frame=b"\x00")
def test_anything_is_a_message_or_malformed(frame: str | bytes) -> None:
    """No other exception ever leaves the codec, in either direction."""
    for parse in (parse_client_message, parse_server_message):
        try:
            found: object = parse(frame)
        except MalformedMessage as refused:
            found = refused
        assert isinstance(found, Message | MalformedMessage)
        assert isinstance(found, Message) or 0 < len(str(found)) <= 60


def test_codes_are_lower_case_words() -> None:
    """Codes are for programs: one spelling, and the same for the same thing in both lists."""
    for code in (*ErrorCode, *RefusalCode):
        assert code.value.replace("_", "").isalpha()
        assert code.value == code.name.lower()

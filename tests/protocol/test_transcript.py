"""The transcript is what a server says, and every line of it is a message."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

import make_transcript
from samedeal_protocol import (
    ClientMessage,
    MalformedMessage,
    ServerMessage,
    parse_client_message,
    parse_server_message,
)
from samedeal_rules.duel_record import verify_duel_record

TEXT = make_transcript.TRANSCRIPT.read_text("utf-8")
LINES = re.findall(r"^([→←]) (\w+) (.*)$", TEXT, re.MULTILINE)
BROKEN_ON_PURPOSE = '{"type":"move","seq":"3","move":"d"}'


def _read(arrow: str, frame: str) -> ClientMessage | ServerMessage:
    return parse_client_message(frame) if arrow == "→" else parse_server_message(frame)


@pytest.mark.parametrize(("arrow", "who", "frame"), LINES)
def test_every_line_is_a_message(arrow: str, who: str, frame: str) -> None:
    """All but the one that shows what happens to something else."""
    assert who in ("ana", "bo")
    if frame == BROKEN_ON_PURPOSE:
        with pytest.raises(MalformedMessage):
            _read(arrow, frame)
    else:
        _read(arrow, frame)


def test_nobody_is_shown_a_card_that_they_have_not_turned_up() -> None:
    """Cards in what a player receives are cards of an own table, face up by then."""
    for who in ("ana", "bo"):
        seen: set[str] = set()
        for arrow, to, frame in LINES:
            message = json.loads(frame)
            if (arrow, to) != ("←", who):
                continue
            if message["type"] == "snapshot":
                board = message["board"]
                for column, down in zip(board["columns"], board["down"], strict=True):
                    assert set(column[:down]) <= {"##"}
                    seen |= set(column[down:])
                assert set(board["stock"]) == {"##"}
            elif message["type"] == "applied":
                seen |= {card for _, card in message.get("turned", [])} | set(
                    message.get("drawn", [])
                )
                assert {card for _, card in message.get("auto", [])} <= seen
            elif message["type"] in ("standings", "duel"):
                assert not re.search(r'"(?:[2-9TJQKA][CDHS])"', frame)


def test_its_record_verifies() -> None:
    """The stand-ins fit together: the file that the server sent proves the duel."""
    (record,) = [
        message["text"]
        for arrow, _, frame in LINES
        if arrow == "←" and (message := json.loads(frame))["type"] == "record"
    ]
    assert all(check.ok for check in verify_duel_record(record))


@pytest.mark.slow
def test_a_server_still_says_the_same() -> None:
    """Play it again, on a real server with a real store."""
    again = asyncio.run(make_transcript.transcript())
    assert again == TEXT, "protocol/transcript.md is stale; run tools/make_transcript.py"

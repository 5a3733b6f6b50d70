"""PROTOCOL.md is true: its samples parse, its tables are whole, its worked examples work out."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import zlib
from collections.abc import Callable
from enum import StrEnum

import pytest

from protocol_samples import CLIENT, PROTOCOL_MD, SERVER, sections
from samedeal_protocol import (
    CODE_LENGTH,
    SUBPROTOCOL,
    CloseCode,
    DuelPhase,
    ErrorCode,
    Message,
    RefusalCode,
    parse_client_message,
    parse_server_message,
)
from samedeal_rules import FACE_DOWN, RuleKey, deal, find_ruleset
from samedeal_rules.duel_record import DuelRecord, PlayerRecord, verify_duel_record
from samedeal_rules.fairness import commitment, deal_seed, fingerprint, nonce_hash
from samedeal_rules.words import WORDS
from samedeal_server.domain import messages
from samedeal_server.net import EdgeLimits
from samedeal_server.node.session import MAX_REQUESTS, SessionLimits
from samedeal_server.node.table import UNACKNOWLEDGED

TEXT = PROTOCOL_MD.read_text("utf-8")
EVERY = [(model, parse_client_message) for model in CLIENT] + [
    (model, parse_server_message) for model in SERVER
]


def _id(value: object) -> str:
    return getattr(value, "__name__", "")


def _chapter(title: str) -> str:
    return TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def _block(chapter: str, number: int = 0) -> str:
    return re.findall(r"```text\n(.*?)\n```", _chapter(chapter), re.DOTALL)[number]


def _fields(model: type[Message]) -> set[str]:
    """The fields of a message and of all that it is made of."""
    schema = model.model_json_schema()
    parts = [schema, *schema.get("$defs", {}).values()]
    return {name for part in parts for name in part.get("properties", ())} - {"type"}


def test_every_message_has_a_section() -> None:
    """One for each message of both directions, and none for anything else."""
    assert set(sections()) == {*CLIENT, *SERVER}


@pytest.mark.parametrize(("model", "parse"), EVERY, ids=_id)
def test_a_section_has_one_sample_that_parses(
    model: type[Message], parse: Callable[[str], Message]
) -> None:
    """The sample is a message of that type."""
    (sample,) = sections()[model].samples
    assert type(parse(sample)) is model


@pytest.mark.parametrize("model", [*CLIENT, *SERVER], ids=_id)
def test_a_section_names_every_field(model: type[Message]) -> None:
    """In its tables, the fields of its parts too; and no field that there is not."""
    named = set(re.findall(r"^\| `(\w+)` \|", sections()[model].text, re.MULTILINE))
    assert named == _fields(model)


@pytest.mark.parametrize(
    ("chapter", "words"),
    [
        ("Messages in general", ErrorCode),
        ("The life of a duel", DuelPhase),
        ("Moves", RefusalCode),
    ],
)
def test_closed_lists_are_whole(chapter: str, words: type[StrEnum]) -> None:
    """Each table of codes has a row for each code, in any order, and no other."""
    rows = re.findall(r"^\| `(\w+)` \|(?!.*\n\| ---)", _chapter(chapter), re.MULTILINE)
    assert sorted(rows) == sorted(word.value for word in words)


def test_rules_that_a_move_can_break_are_all_named() -> None:
    """The list of `rule` is closed too."""
    (listed,) = re.findall(r"`rule` is one of: (.*?)\.\n", TEXT, re.DOTALL)
    assert set(re.findall(r"`(\w+)`", listed)) == {key.value for key in RuleKey}


def test_close_codes_are_all_named() -> None:
    """Every close code of ours has its row."""
    rows = _chapter("Connecting")
    for name, code in vars(CloseCode).items():
        if not name.startswith("_"):
            assert re.search(rf"^\| (?:\d+, )?{code}(?:, \d+)? \|", rows, re.MULTILINE), name


def test_limits_are_those_of_the_code() -> None:
    """The numbers in the table of limits, with a server's defaults."""
    text = _chapter("Connecting")
    edge, session = EdgeLimits(), SessionLimits()
    assert f"{edge.max_message_size // 1024} KiB, {edge.max_fragments} fragments" in text
    assert f"within {session.hello_ms // 1000} s of the handshake" in text
    assert f"{session.messages_per_s:g} a second, {session.message_burst:g} at once" in text
    requests = f"{session.requests_per_s:g} a second, {session.request_burst:g} at once"
    assert f"{requests}, {MAX_REQUESTS} waiting" in text
    assert f"{session.strikes}, one forgiven every {session.strike_forgiven_ms // 1000} s" in text
    assert f"moves without an answer | {UNACKNOWLEDGED} |" in text
    assert f"{edge.control_rate_per_s:g} a second, {edge.control_burst} at once" in text
    assert f"unread answers | {edge.max_backlog // 1024} KiB" in text
    assert f"pings after {edge.ping_interval:g} s" in text
    assert f"gives up {edge.ping_timeout:g} s later" in text
    assert f"`{SUBPROTOCOL}`" in text
    assert CODE_LENGTH == 6


def test_windows_of_large_duels_are_those_of_the_code() -> None:
    """Who is shown in standings and results."""
    text = _chapter("Standings, result, spectators").replace("\n", " ")
    words = {2: "two", 10: "ten"}
    assert f"up to {messages.SMALL_DUEL} players" in text
    assert f"the first {words[messages._TOP]}" in text
    assert f"{words[messages._NEIGHBOURS]} before and {words[messages._NEIGHBOURS]} behind" in text
    assert f"Up to {messages._RANKED} lines" in text


# Worked examples, by the standard library alone and by our own functions.


def _example() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in _block("Fairness, to the bit").splitlines():
        name, _, value = line.partition(" ")
        found.setdefault(name, []).append(value.strip())
    return found


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def test_the_example_of_the_commitment_works_out() -> None:
    """Commitment, nonce hashes and seed, as somebody would write it from the text alone."""
    shown = _example()
    duel, secret, nonces = shown["duel"][0], shown["secret"][0], shown["nonce"]
    assert _sha256(f"{duel}\n{secret}") == shown["commitment"][0]
    assert [_sha256(nonce) for nonce in nonces] == shown["nonce_hash"]
    message = shown["message"][0].replace("⏎", "\n")
    assert message == f"samedeal/1\n{duel}\ntimed\n{{}}\n{','.join(nonces)}\n0"
    seed = hmac.new(secret.encode(), message.encode(), hashlib.sha256).hexdigest()
    assert seed == shown["seed"][0]


def test_the_example_is_the_duel_of_the_transcript() -> None:
    """The two documents show one duel: who reads both can follow it."""
    transcript = PROTOCOL_MD.with_name("transcript.md").read_text("utf-8")
    for values in _example().values():
        for value in values:
            assert value in transcript or value.startswith("samedeal/1")


def test_the_code_agrees_with_the_example() -> None:
    """The function that server, client and verify share gives the same."""
    shown = _example()
    duel, secret, nonces = shown["duel"][0], shown["secret"][0], shown["nonce"]
    assert commitment(duel, secret) == shown["commitment"][0]
    assert [nonce_hash(nonce) for nonce in nonces] == shown["nonce_hash"]
    seed = deal_seed(secret=secret, duel=duel, ruleset="timed", options={}, nonces=nonces, k=0)
    assert seed == shown["seed"][0]


def test_the_example_of_the_fingerprint_works_out() -> None:
    """From the dealt table's text to four words."""
    lines = (line.split(None, 1) for line in _block("Fairness, to the bit", 1).splitlines())
    shown = dict(lines)
    digest = _sha256(shown["text"])
    assert digest == shown["sha-256"]
    words = " ".join(WORDS[byte] for byte in bytes.fromhex(digest)[:4])
    assert words == shown["fingerprint"]
    ruleset = find_ruleset("timed")[1]
    board = deal(ruleset, _example()["seed"][0])
    assert board.text(ruleset.deck.names) == shown["text"]
    assert fingerprint(board, ruleset.deck.names) == shown["fingerprint"]
    assert (WORDS[0], WORDS[255]) == ("acorn", "rose")


def test_the_examples_of_the_checksum_work_out() -> None:
    """Canonical text and CRC-32; the samples of PROTOCOL.md carry the same numbers."""
    lines = _block("Checksum").splitlines()
    shown = {text: int(checksum) for text, checksum in zip(lines[::2], lines[1::2], strict=True)}
    assert len(shown) == 3
    for text, checksum in shown.items():
        assert zlib.crc32(text.encode("ascii")) == checksum
    by_type = {model.__name__: section.samples[0] for model, section in sections().items()}
    snapshot, applied = json.loads(by_type["Snapshot"]), json.loads(by_type["Applied"])
    assert snapshot["checksum"] in shown.values()
    assert applied["checksum"] in shown.values()


def test_the_canonical_text_follows_from_a_snapshot() -> None:
    """Written from the description alone, for the sample of `snapshot`."""
    (sample,) = [s.samples[0] for m, s in sections().items() if m.__name__ == "Snapshot"]
    snapshot = json.loads(sample)
    board = snapshot["board"]
    text = f"{len(board['stock'])} {board['redeals']} {','.join(map(str, board['foundations']))} "
    text += "".join(board["waste"])
    for column, down in zip(board["columns"], board["down"], strict=True):
        assert column[:down] == [FACE_DOWN] * down
        text += "/" + "".join(column)
    assert zlib.crc32(text.encode("ascii")) == snapshot["checksum"]


def test_the_record_in_the_sample_verifies() -> None:
    """The sample's file proves its duel; its digest is what the text says; its tables are whole."""
    (sample,) = [s.samples[0] for m, s in sections().items() if m.__name__ == "RecordSent"]
    text = json.loads(sample)["text"]
    assert all(check.ok for check in verify_duel_record(text))
    data = json.loads(text)
    assert data["seed"] == _example()["seed"][0]
    digest = data.pop("digest")
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"
    assert hashlib.sha256(canonical.encode()).hexdigest() == digest
    chapter = _chapter("The record of a duel")
    cells = "".join(re.findall(r"^\| (`.*?) \|", chapter, re.MULTILINE))
    named = set(re.findall(r"`(\w+)`", cells))
    fields = {*DuelRecord.__dataclass_fields__, *PlayerRecord.__dataclass_fields__}
    assert named == fields | {"format", "digest"}

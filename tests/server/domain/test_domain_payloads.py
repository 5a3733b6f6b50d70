"""What leaves the server: valid by the protocol, and no card that its reader has not turned up."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samedeal_protocol import parse_server_message
from samedeal_rules import (
    Ended,
    Game,
    IllegalMove,
    deal,
    find_ruleset,
    legal_moves,
    move_text,
    parse_move,
)
from samedeal_rules.duel_record import verify_duel_record
from samedeal_rules.fairness import commitment, nonce_hash
from samedeal_server.domain.audience import applied_payload, snapshot_payload
from samedeal_server.domain.duel import CalledOff, Duel, DuelId, DuelMs, Phase, PlayerId, Seat
from samedeal_server.domain.messages import DuelMessage, ResultMessage, StandingsMessage
from samedeal_server.domain.record import record_text
from samedeal_server.domain.result import BrokenJournal, replay, result_fields, seed_of
from samedeal_server.domain.standing import Standing

SECRET = "ab" * 32
DUEL = DuelId("p00payload")
_OPTIONS, TIMED = find_ruleset("timed")
NAMES = TIMED.deck.names


def running(seats: int, *, name: str = "player") -> Duel:
    """A duel with so many players, after its start."""
    nonces = [f"{number:032x}" for number in range(seats)]
    return Duel(
        id=DUEL,
        code="ABCDEF",
        ruleset="timed",
        options={},
        duration_ms=300_000,
        hints=True,
        seats=seats,
        commitment=commitment(DUEL, SECRET),
        touched_at=DuelMs(0),
        host=PlayerId("x0"),
        phase=Phase.COUNTDOWN,
        seated=tuple(
            Seat(PlayerId(f"x{n}"), f"{name} {n}", ready=nonce_hash(nonces[n]), nonce=nonces[n])
            for n in range(seats)
        ),
        start_at=DuelMs(1_000),
        deadline=DuelMs(301_000),
    )


def _parse(payload: bytes) -> Any:
    parse_server_message(payload)
    return json.loads(payload)


@pytest.mark.parametrize("seats", [1, 2, 32, 33, 1000])
@pytest.mark.parametrize("phase", list(Phase))
def test_duel_payloads_are_valid(seats: int, phase: Phase) -> None:
    """For seated readers and spectators, of small duels and large ones, in every phase."""
    duel = running(seats)
    if phase in (Phase.OPEN, Phase.READY_CHECK, Phase.ABORTED):
        seated = tuple(replace(s, ready=None, nonce=None) for s in duel.seated)
        off = CalledOff("gone", duel.commitment, SECRET, tuple([None] * seats))
        duel = replace(duel, seated=seated, called_off=off, note="x" * 200)
    message = DuelMessage(duel, phase, DuelMs(5), here={}, rematch="ABCDEF p00other")
    for seat in {0, seats - 1, None}:
        read = _parse(message.for_reader(seat, req=7))
        assert (read["you"], read["req"], read["rematch"]) == (seat, 7, "ABCDEF")
        shown = {row["seat"] for row in read["players"]}
        assert shown == (set(range(seats)) if seats <= 32 else {0, seat} - {None})
    assert b'"req"' not in message.for_reader(None)


@pytest.mark.parametrize("seats", [1, 2, 32, 33, 100, 1000])
def test_standings_show_everybody_or_a_window(seats: int) -> None:
    """A large duel: the top, the reader's own line and its neighbours, each line once."""
    duel = running(seats)
    draw = random.Random(seats)
    standings = {
        seat.player: Standing(draw.randint(-5, 5) * 1000, 3, Ended.FINISH, 5)
        if draw.random() < 0.3
        else Standing(draw.randint(-5, 5) * 1000, 1)
        for seat in duel.seated
    }
    message = StandingsMessage(duel, standings, {}, 3, DuelMs(9))
    for seat in {0, seats // 2, seats - 1, None}:
        read = _parse(message.for_reader(seat))
        listed = [row["seat"] for row in read["rows"]]
        assert len(set(listed)) == len(listed)
        assert read["total"] == seats
        assert [r["place"] for r in read["rows"]] == sorted(r["place"] for r in read["rows"])
        if seats <= 32:
            assert len(listed) == seats
        else:
            assert 10 <= len(listed) <= 15
            assert seat is None or seat in listed
    if seats > 32:
        whole = [r["seat"] for s in range(seats) for r in _parse(message.for_reader(s))["rows"]]
        assert set(whole) == set(range(seats))


@pytest.mark.parametrize("name", ["\ud83d", "\u0000", "a" + "\u0301" * 200, "x" * 500, "\u202e"])
def test_broken_stored_names_are_shown_with_a_sign(name: str) -> None:
    """Case 69: lobby, standings and result are delivered to everybody all the same."""
    duel = running(2, name=name)
    _parse(DuelMessage(duel, Phase.RUNNING, DuelMs(1)).for_reader(0))
    _parse(StandingsMessage(duel, {}, {}, 1, DuelMs(1)).for_reader(None))
    stored = _result(duel, [[], []])
    _parse(ResultMessage(json.loads(json.dumps(stored))).for_reader(None))
    assert record_text(duel, json.dumps(stored), [[], []]).encode()


def _result(duel: Duel, journals: list[list[str]]) -> dict[str, Any]:
    *_nothing, fields = result_fields(duel, SECRET, journals)
    assert fields is not None
    return fields


def _journal(seed: str, length: int, pick: int) -> list[str]:
    draw = random.Random(pick)
    game = Game(TIMED, deal(TIMED, seed), 300_000)
    entries = []
    for number in range(length):
        moves = [m for m in legal_moves(TIMED, game.board) if move_text(m, "CDHS") != "end"]
        text = move_text(draw.choice(moves), TIMED.deck.suits)
        move = parse_move(text, TIMED.deck.suits)
        assert move is not None
        game.play(move, number * 10)
        entries.append(f"{number * 10} {text}")
        if game.ended:
            break
    return entries


@pytest.mark.parametrize("seats", [1, 2, 150])
def test_result_and_record_of_any_duel(seats: int) -> None:
    """Valid, everybody ranked, the reader's own line always there; the record verifies."""
    duel = running(seats)
    seed = seed_of(duel, SECRET)
    journals = [_journal(seed, n % 7 * 5, n) for n in range(seats)]
    stored = _result(duel, journals)
    assert len(stored["ranking"]) == seats
    message = ResultMessage(json.loads(json.dumps(stored)))
    for player in ("x0", f"x{seats - 1}", None):
        read = _parse(message.for_reader(PlayerId(player) if player else None))
        assert player is None or player in [row["player"] for row in read["ranking"]]
        assert read["total"] == seats
    text = record_text(duel, json.dumps(stored), journals)
    assert all(check.ok for check in verify_duel_record(text))
    assert _result(duel, journals) == stored


def untimed() -> Duel:
    """A practice without a time limit."""
    deadline = DuelMs(86_401_000)
    return replace(running(1), ruleset="klondike-1", duration_ms=None, deadline=deadline)


def test_without_a_limit_the_clock_counts_up() -> None:
    """`duration_ms` and `deadline` are null on the wire; what the server keeps is not told."""
    duel = untimed()
    told = _parse(DuelMessage(duel, Phase.RUNNING, DuelMs(5)).for_reader(0))
    assert (told["duration_ms"], told["deadline"], told["start_at"]) == (None, None, 1_000)
    ruleset = find_ruleset("klondike-1")[1]
    dealt = deal(ruleset, "x")
    game = replay(ruleset, dealt, None, ["400000 d"]).game
    told = _parse(snapshot_payload(duel, game, dealt, 1, DuelMs(500_000)))
    assert (told["deadline"], told["start_at"]) == (None, 1_000)
    standings = {duel.seated[0].player: Standing.of(game)}
    rows = _parse(StandingsMessage(duel, standings, {}, 1, DuelMs(5)).for_reader(0))["rows"]
    assert [row["place"] for row in rows] == [1]


@pytest.mark.parametrize(
    ("journal", "how", "when"),
    [
        ([], "timeout", 0),
        (["400000 d"], "timeout", 400_000),
        (["400000 d", "7200000 end"], "finish", 7_200_000),
    ],
    ids=str,
)
def test_a_result_without_a_limit(journal: list[str], how: str, when: int) -> None:
    """Abandoned, it ends with its last move; ended, when it was. The record verifies."""
    duel = untimed()
    stored = _result(duel, [journal])
    (row,) = stored["ranking"]
    assert (row["place"], row["ended"], row["ended_ms"], row["score"]) == (1, how, when, 0)
    text = record_text(duel, json.dumps(stored), [journal])
    assert json.loads(text)["duration_ms"] is None
    assert all(check.ok for check in verify_duel_record(text))


def test_a_journal_that_the_rules_refuse_is_noticed() -> None:
    """Never half a game."""
    for entry in ("0 t9-t8", "0 nonsense", "999999 d"):
        with pytest.raises(BrokenJournal):
            replay(TIMED, deal(TIMED, "x"), 300_000, [entry])


@settings(max_examples=60, deadline=None)
@given(seed=st.text("abcdef", min_size=1, max_size=8), picks=st.lists(st.integers(0, 10**6)))
def test_no_payload_names_a_card_that_is_not_known(seed: str, picks: list[int]) -> None:
    """Everything sent to a player names only cards that are or were open on the own table."""
    duel = running(1)
    dealt = deal(TIMED, seed)
    game = Game(TIMED, dealt.copy(), 300_000)
    known = {NAMES[c] for column in dealt.view().columns for c in column} - {"##"}
    for number, pick in enumerate(picks):
        moves = list(legal_moves(TIMED, game.board))
        if pick % 7 == 0 and game.undoable:
            text = "u"
        else:
            texts = [move_text(m, TIMED.deck.suits) for m in moves]
            text = sorted(t for t in texts if t != "end")[pick % (len(texts) - ("end" in texts))]
        move = parse_move(text, TIMED.deck.suits)
        assert move is not None
        hidden = _hidden(game)
        try:
            played = game.play(move, number)
        except IllegalMove:
            continue
        opened = hidden - _hidden(game)
        known |= {NAMES[card] for card in opened}
        sent = _parse(applied_payload(number, text, number, game, played))
        for part in ("turned", "auto"):
            assert {card for _pile, card in sent.get(part, [])} <= known
        assert set(sent.get("drawn", [])) <= known
        assert {p["what"] for p in sent.get("points", [])} & set(NAMES) <= known
        snapshot = _parse(snapshot_payload(duel, game, dealt, number + 1, DuelMs(5)))
        text_of_all = json.dumps(snapshot)
        for card in set(NAMES) - {"##"}:
            if card not in known:
                assert f'"{card}"' not in text_of_all
        shown = [c for column in snapshot["board"]["columns"] for c in column]
        face_down = sum(game.board.down)
        assert shown.count("##") == face_down
        if game.ended:
            return


def _hidden(game: Game) -> set[int]:
    """Cards that their player can't see now: face down, or not drawn in the first pass."""
    board = game.board
    down = {c for column, n in zip(board.columns, board.down, strict=True) for c in column[:n]}
    if board.view().talon[board.drawn :] == board.talon[board.drawn :]:
        return down
    return down | set(board.talon[board.drawn :])

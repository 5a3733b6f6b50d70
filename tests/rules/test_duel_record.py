"""Records of duels: written one way, read strictly, and every lie in them noticed."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samedeal_rules import (
    Game,
    MalformedRecord,
    OptionValue,
    deal,
    find_ruleset,
    legal_moves,
    move_text,
)
from samedeal_rules.duel_record import (
    DuelRecord,
    PlayerRecord,
    parse_duel_record,
    ranking_places,
    verify_duel_record,
    write_duel_record,
)
from samedeal_rules.fairness import commitment, deal_seed, nonce_hash
from samedeal_rules.moves import END, UNDO
from samedeal_rules.rulesets.spanish import SPANISH
from samedeal_rules.rulesets.timed import TIMED

DURATION_MS = 30_000


def _player(seat: int, name: str, seed: str, nonce: str, *, ends: bool) -> PlayerRecord:
    """A random game, played to the deadline or ended early."""
    ruleset = find_ruleset("timed")[1]
    game = Game(ruleset, deal(ruleset, seed), DURATION_MS)
    dice = random.Random(seat)
    moves = []
    for ms in range(500, 20_000, 700):
        move = dice.choice(list(legal_moves(ruleset, game.board)))
        game.play(move, ms)
        moves.append((ms, move_text(move, ruleset.deck.suits)))
    if ends:
        game.play(END, 21_234)
        moves.append((21_234, "end"))
    game.run_out()
    assert game.ended is not None
    assert game.ended_ms is not None
    return PlayerRecord(
        seat=seat,
        player=f"player{seat}",
        name=name,
        nonce_hash=nonce_hash(nonce),
        nonce=nonce,
        moves=tuple(moves),
        place=1,
        score=game.score,
        cards_up=game.board.cards_up,
        ended=game.ended.value,
        ended_ms=game.ended_ms,
        items=game.ledger(),
    )


@cache
def true_record() -> DuelRecord:
    """A duel as a server would write it."""
    duel, secret = "p00abc", "5e" * 32
    nonces = ["0a" * 16, "0b" * 16, "0c" * 16]
    seed = deal_seed(secret=secret, duel=duel, ruleset="timed", options={}, nonces=nonces, k=0)
    names = ("Íñigo", "李", "Zoë")
    players = [_player(seat, names[seat], seed, nonces[seat], ends=seat == 1) for seat in range(3)]
    rows = {p.seat: (p.score, p.cards_up, p.ended, p.ended_ms) for p in players}
    places = ranking_places(TIMED, rows)
    return DuelRecord(
        duel=duel,
        ruleset="timed",
        options={},
        duration_ms=DURATION_MS,
        chosen_seed=None,
        commitment=commitment(duel, secret),
        secret=secret,
        k=0,
        seed=seed,
        players=tuple(replace(p, place=places[p.seat]) for p in players),
    )


def failed(text: str | bytes) -> list[str]:
    return [check.name for check in verify_duel_record(text) if not check.ok]


def with_player(seat: int, **changes: object) -> DuelRecord:
    record = true_record()
    players = list(record.players)
    players[seat] = replace(players[seat], **changes)  # type: ignore[arg-type]
    return replace(record, players=tuple(players))


def test_a_true_record_passes_every_check() -> None:
    """Write, verify: each check says in words what holds."""
    checks = verify_duel_record(write_duel_record(true_record()))
    assert [check.name for check in checks] == [
        "file",
        "digest",
        "commitment",
        "number of seat 0",
        "number of seat 1",
        "number of seat 2",
        "seed",
        "game of seat 0",
        "game of seat 1",
        "game of seat 2",
        "ranking",
    ]
    assert all(check.ok and check.why for check in checks)


def test_reading_gives_back_what_was_written() -> None:
    """Names in every script included."""
    assert parse_duel_record(write_duel_record(true_record())) == true_record()
    assert parse_duel_record(write_duel_record(true_record()).encode()) == true_record()


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_changed_byte_is_noticed(data: st.DataObject) -> None:
    """One byte of a real record made another: verify fails, and never with a traceback."""
    raw = bytearray(write_duel_record(true_record()).encode())
    index = data.draw(st.integers(0, len(raw) - 1))
    raw[index] ^= data.draw(st.integers(1, 255))
    assert failed(bytes(raw))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_any_inserted_or_removed_byte_is_noticed(data: st.DataObject) -> None:
    """White space too: one duel has one text."""
    raw = write_duel_record(true_record()).encode()
    index = data.draw(st.integers(0, len(raw) - 1))
    extra = data.draw(st.sampled_from([b" ", b"\n", b"0", b"\xef\xbb\xbf", b'"']))
    assert failed(raw[:index] + extra + raw[index:])
    assert failed(raw[:index] + raw[index + 1 :])


@pytest.mark.parametrize(
    ("record", "name"),
    [
        (replace(true_record(), secret="5f" * 32), "commitment"),
        (replace(true_record(), commitment="00" * 32), "commitment"),
        (with_player(1, nonce="0d" * 16), "number of seat 1"),
        (with_player(2, nonce_hash="00" * 32), "number of seat 2"),
        (replace(true_record(), k=1), "seed"),
        (replace(true_record(), seed="00" * 32), "seed"),
        (with_player(0, score=99_999), "game of seat 0"),
        (with_player(0, items={}), "game of seat 0"),
        (with_player(0, cards_up=52), "game of seat 0"),
        (with_player(0, ended="cleared"), "game of seat 0"),
        (with_player(1, ended_ms=1), "game of seat 1"),
        (with_player(1, moves=true_record().players[1].moves[:-1]), "game of seat 1"),
        (with_player(1, moves=((0, "r"),)), "game of seat 1"),
        (with_player(1, moves=((0, "nonsense"),)), "game of seat 1"),
        (with_player(2, place=7), "ranking"),
    ],
)
def test_a_rewritten_lie_is_found_by_its_own_check(record: DuelRecord, name: str) -> None:
    """Somebody who also writes a fitting digest is caught by what can't be made up."""
    names = failed(write_duel_record(record))
    assert name in names
    assert "digest" not in names
    assert "file" not in names


def test_a_chosen_deal_is_said_to_be_chosen() -> None:
    """It is checked to be the one that was asked for, and called what it is."""
    record = replace(true_record(), chosen_seed=true_record().seed)
    checks = {check.name: check for check in verify_duel_record(write_duel_record(record))}
    assert checks["seed"].ok
    assert "chose" in checks["seed"].why
    other = replace(record, chosen_seed="friday")
    assert failed(write_duel_record(other)) == ["seed"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        "\ufeff{}",
        b"\xff\xfe",
        "[" * 100_000,
        '{"format":' + "9" * 5000 + "}",
        "\ud800",
    ],
)
def test_garbage_is_refused_in_a_line(text: str | bytes) -> None:
    """No traceback, whatever the file is."""
    assert failed(text) == ["file"]
    with pytest.raises(MalformedRecord):
        parse_duel_record(text)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "samedeal-duel/2"},
        {"players": []},
        {"players": {}},
        {"k": 0.0},
        {"k": True},
        {"k": -1},
        {"options": {"draw": 3}},
        {"options": {"color": "red"}},
        {"ruleset": "poker"},
        {"secret": "AB" * 32},
        {"extra": 1},
        {"chosen_seed": 5},
    ],
)
def test_what_the_format_does_not_have_is_refused(change: dict[str, object]) -> None:
    """Two programs must not read one file in two ways."""
    data = json.loads(write_duel_record(true_record())) | change
    with pytest.raises(MalformedRecord):
        parse_duel_record(json.dumps(data))


def test_equal_scores_go_to_the_earlier_end_and_ties_share_a_place() -> None:
    """Rules, section 0: 1, 1, 3."""
    assert ranking_places(
        TIMED,
        {
            0: (500, 3, "timeout", 30_000),
            1: (500, 3, "timeout", 30_000),
            2: (400, 2, "finish", 10),
            3: (500, 1, "finish", 29_999),
        },
    ) == {3: 1, 0: 2, 1: 2, 2: 4}


def test_without_scores_clearing_comes_before_cards_up() -> None:
    """`spanish`: cleared by time, the rest by cards up."""
    assert ranking_places(
        SPANISH,
        {
            0: (None, 40, "cleared", 200),
            1: (None, 40, "cleared", 100),
            2: (None, 7, "timeout", 300),
            3: (None, 7, "finish", 5),
        },
    ) == {1: 1, 0: 2, 2: 3, 3: 3}


# Games without points, without a seed, without a time limit.


def other_record(name: str, options: dict[str, OptionValue], duration_ms: int | None) -> DuelRecord:
    """A duel of two in another ruleset, as a server would write it."""
    ruleset = find_ruleset(name, options)[1]
    duel, secret, nonces = "p00xyz", "5e" * 32, ["0a" * 16, "0b" * 16]
    seed = None
    if ruleset.deal_number is None:
        seed = deal_seed(
            secret=secret, duel=duel, ruleset=name, options=options, nonces=nonces, k=0
        )
    players = []
    for seat in range(2):
        game = Game(ruleset, deal(ruleset, seed), duration_ms)
        dice, moves = random.Random(seat), []
        for ms in range(500, 20_000, 700):
            move = dice.choice([*legal_moves(ruleset, game.board), UNDO][:12])
            if move == UNDO and not game.undoable:
                continue
            game.play(move, ms)
            moves.append((ms, move_text(move, ruleset.deck.suits)))
        game.run_out(moves[-1][0])
        assert game.ended is not None
        assert game.ended_ms is not None
        players.append(
            PlayerRecord(
                seat=seat,
                player=f"player{seat}",
                name="Ann" if seat else "Bo",
                nonce_hash=nonce_hash(nonces[seat]),
                nonce=nonces[seat],
                moves=tuple(moves),
                place=1,
                score=game.points,
                cards_up=game.board.cards_up,
                ended=game.ended.value,
                ended_ms=game.ended_ms,
                items=game.ledger(),
            )
        )
    rows = {p.seat: (p.score, p.cards_up, p.ended, p.ended_ms) for p in players}
    ranking = ranking_places(ruleset, rows)
    return DuelRecord(
        duel=duel,
        ruleset=name,
        options=options,
        duration_ms=duration_ms,
        chosen_seed=None,
        commitment=commitment(duel, secret),
        secret=secret,
        k=0,
        seed=seed,
        players=tuple(replace(p, place=ranking[p.seat]) for p in players),
    )


OTHERS: list[tuple[str, dict[str, OptionValue], int | None]] = [
    ("klondike-1", {}, 30_000),
    ("klondike-3", {"draw": 1}, None),
    ("freecell", {}, 30_000),
    ("freecell", {"deal": "ms:617"}, None),
    ("spider-2", {}, 30_000),
    ("spanish", {"stock": False}, 30_000),
    ("spanish", {}, None),
]


@pytest.mark.parametrize(("name", "options", "duration_ms"), OTHERS)
def test_duels_of_every_family_are_written_read_and_verified(
    name: str, options: dict[str, OptionValue], duration_ms: int | None
) -> None:
    """Null scores, null seeds and null durations included."""
    record = other_record(name, options, duration_ms)
    text = write_duel_record(record)
    assert parse_duel_record(text) == record
    assert failed(text) == []


def test_a_numbered_deal_says_that_somebody_chose_it() -> None:
    """It has no seed; a record that names one is not as it must be written."""
    record = other_record("freecell", {"deal": "ms:617"}, 30_000)
    words = {check.name: check.why for check in verify_duel_record(write_duel_record(record))}
    assert words["seed"] == "somebody chose this deal and may have known it: Microsoft deal 617"
    assert "file" in failed(write_duel_record(replace(record, seed="x")))
    assert "seed" in failed(write_duel_record(replace(record, chosen_seed="x")))


def test_a_score_in_a_game_without_points_is_noticed() -> None:
    """`spanish` has null there, nothing else."""
    record = other_record("spanish", {}, 30_000)
    lie = replace(record, players=(replace(record.players[0], score=0), *record.players[1:]))
    assert "game of seat 0" in failed(write_duel_record(lie))


def test_ranking_thousands_is_quick() -> None:
    """O(n log n): ten thousand rows in well under a second; ties share a place."""
    rows = {seat: (seat // 2, 0, "timeout", 300) for seat in range(10_000)}
    found = ranking_places(TIMED, rows)
    assert (found[9999], found[9998], found[9997], found[0]) == (1, 1, 3, 9999)

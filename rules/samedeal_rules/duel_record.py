"""Records of finished duels: everything that it takes to check the deal and every point.

The text is canonical JSON (sorted keys, no blanks, UTF-8, one line feed at the end), so one
duel has one text, and a changed byte anywhere is noticed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any, Final

from samedeal_rules.deals import deal
from samedeal_rules.errors import IllegalMove, MalformedRecord
from samedeal_rules.fairness import commitment, deal_seed, nonce_hash
from samedeal_rules.game import Ended, Game
from samedeal_rules.moves import parse_move
from samedeal_rules.ranking import Outcome, places
from samedeal_rules.record_fields import as_hex, as_integer, as_object, as_text
from samedeal_rules.records import read_record
from samedeal_rules.ruleset import OptionValue, Ruleset
from samedeal_rules.rulesets import find_ruleset
from samedeal_rules.strict_json import load_strictly
from samedeal_rules.winnable import Solver, can_solve, check_first

__all__ = [
    "Check",
    "DuelRecord",
    "PlayerRecord",
    "parse_duel_record",
    "ranking_places",
    "verify_duel_record",
    "write_duel_record",
]

FORMAT: Final = "samedeal-duel/1"
MAX_BYTES: Final = 16 * 2**20
"""Twice what the protocol sends."""


@dataclass(frozen=True)
class PlayerRecord:
    """What one player did and got."""

    seat: int
    player: str
    name: str
    nonce_hash: str
    nonce: str
    moves: tuple[tuple[int, str], ...]
    """The sealed journal: milliseconds from the start, and the move."""
    place: int
    score: int | None
    """None in a game without points."""
    cards_up: int
    ended: str
    """A value of `Ended`."""
    ended_ms: int
    items: Mapping[str, int] = field(hash=False)


@dataclass(frozen=True)
class DuelRecord:
    """A finished duel."""

    duel: str
    ruleset: str
    options: Mapping[str, OptionValue] = field(hash=False)
    """Canonical: what differs from the ruleset's defaults."""
    duration_ms: int | None
    """None for a practice without a time limit."""
    chosen_seed: str | None
    """The seed that somebody chose; None for a deal that nobody chose."""
    commitment: str
    secret: str
    k: int
    seed: str | None
    """None for a numbered deal (`deal: "ms:N"`), and only there."""
    players: tuple[PlayerRecord, ...]
    """In seat order."""
    solver: Solver | None = None
    """What chose k, where the deal had to be one that can be won."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked about a record."""

    name: str
    ok: bool | None
    """None: it could not be checked here; `why` says what is missing."""
    why: str
    """In words for people, whether it holds or not."""


def write_duel_record(record: DuelRecord) -> str:
    """The one text of a duel; `parse_duel_record` reads it back."""
    data = _data(record)
    return _canonical({**data, "digest": _digest(data)})


def parse_duel_record(text: str | bytes) -> DuelRecord:
    """The duel that a text holds, read strictly. Raises `MalformedRecord`.

    Says nothing about whether it is true: that is what `verify_duel_record` is for.
    """
    return _read(_load(text))


def verify_duel_record(text: str | bytes) -> tuple[Check, ...]:
    """Check a duel from its record alone: file, promise, deal, every move, every place.

    About 10 microseconds for each move.
    """
    try:
        data = _load(text)
        record = _read(data)
        ruleset = find_ruleset(record.ruleset, record.options)[1]
    except MalformedRecord as error:
        return (Check("file", False, f"not a record of a duel: {error}"),)
    return (
        _check_canonical(text, record, data["digest"]),
        _check_digest(record, data["digest"]),
        _check_commitment(record),
        *_check_nonces(record),
        _check_seed(record, ruleset),
        *_check_choice(record, ruleset),
        *(_check_game(record, ruleset, player) for player in record.players),
        _check_places(record, ruleset),
    )


def ranking_places(
    ruleset: Ruleset, rows: Mapping[int, tuple[int | None, int, str, int]]
) -> dict[int, int]:
    """The place of each seat, told (score, cards up, how ended, when), by the ruleset's ranking.

    Equal is the same place, and the next is skipped. O(n log n).
    """
    outcomes = {
        seat: Outcome(score, cards_up, ended == Ended.CLEARED, ended_ms)
        for seat, (score, cards_up, ended, ended_ms) in rows.items()
    }
    return places(ruleset.rank, outcomes)


# Writing.


def _data(record: DuelRecord) -> dict[str, object]:
    return {
        "format": FORMAT,
        "duel": record.duel,
        "ruleset": record.ruleset,
        "options": dict(record.options),
        "duration_ms": record.duration_ms,
        "chosen_seed": record.chosen_seed,
        "commitment": record.commitment,
        "secret": record.secret,
        "k": record.k,
        "seed": record.seed,
        "players": [_player_data(player) for player in record.players],
        **({} if record.solver is None else {"solver": asdict(record.solver)}),
    }


def _player_data(player: PlayerRecord) -> dict[str, object]:
    return {
        "seat": player.seat,
        "player": player.player,
        "name": player.name,
        "nonce_hash": player.nonce_hash,
        "nonce": player.nonce,
        "moves": [[ms, text] for ms, text in player.moves],
        "place": player.place,
        "score": player.score,
        "cards_up": player.cards_up,
        "ended": player.ended,
        "ended_ms": player.ended_ms,
        "items": dict(player.items),
    }


def _canonical(data: Mapping[str, object]) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def _digest(data: Mapping[str, object]) -> str:
    """SHA-256 of the canonical text of everything but the digest."""
    return sha256(_canonical(data).encode()).hexdigest()


# Checking.


def _either(name: str, ok: bool, holds: str, fails: str) -> Check:
    return Check(name, ok, holds if ok else fails)


def _check_canonical(text: str | bytes, record: DuelRecord, digest: str) -> Check:
    written = _canonical({**_data(record), "digest": digest}).encode()
    same = (text if isinstance(text, bytes) else text.encode()) == written
    return _either(
        "file", same, "the file is written as it must be", "the file was changed after writing"
    )


def _check_digest(record: DuelRecord, digest: str) -> Check:
    same = _digest(_data(record)) == digest
    return _either(
        "digest", same, "the digest fits the contents", "the contents were changed after writing"
    )


def _check_commitment(record: DuelRecord) -> Check:
    same = commitment(record.duel, record.secret) == record.commitment
    holds = "the secret is the one promised before the start"
    return _either("commitment", same, holds, holds.replace(" is ", " is not "))


def _check_nonces(record: DuelRecord) -> Iterator[Check]:
    for player in record.players:
        same = nonce_hash(player.nonce) == player.nonce_hash
        holds = f"the number of {player.name} is the one fixed before the start"
        fails = f"the number of {player.name} is another than the one fixed before the start"
        yield _either(f"number of seat {player.seat}", same, holds, fails)


def _check_seed(record: DuelRecord, ruleset: Ruleset) -> Check:
    if ruleset.deal_number is not None:
        holds = (
            f"somebody chose this deal and may have known it: Microsoft deal {ruleset.deal_number}"
        )
        return _either("seed", record.chosen_seed is None, holds, "a numbered deal has no seed")
    if record.chosen_seed is not None:
        same = record.seed == record.chosen_seed
        holds = "somebody chose this deal and may have known it; the seed is the chosen one"
        return _either("seed", same, holds, "the deal played is not the one that was chosen")
    holds = "the deal follows from the secret and every player's number: nobody chose it"
    fails = "the deal does not follow from the secret and the players' numbers"
    return _either("seed", _derived(record, record.k) == record.seed, holds, fails)


def _check_choice(record: DuelRecord, ruleset: Ruleset) -> Iterator[Check]:
    """k is 0, or the first whose deal the solver certifies: nobody chose among seeds."""
    if record.solver is None:
        if record.k:
            yield Check("k", False, "the deal is another than the first one, for no reason given")
        return
    if not can_solve(ruleset) or record.chosen_seed is not None:
        yield Check("k", False, "no solver can have chosen this deal")
        return
    ok, why = check_first(ruleset, lambda k: _derived(record, k), record.k, record.solver)
    yield Check("k", ok, why)


def _derived(record: DuelRecord, k: int) -> str:
    return deal_seed(
        secret=record.secret,
        duel=record.duel,
        ruleset=record.ruleset,
        options=record.options,
        nonces=[player.nonce for player in record.players],
        k=k,
    )


def _check_game(record: DuelRecord, ruleset: Ruleset, player: PlayerRecord) -> Check:
    name = f"game of seat {player.seat}"
    who = f"{player.name}'s game"
    game = Game(ruleset, deal(ruleset, record.seed), record.duration_ms)
    for index, (ms, text) in enumerate(player.moves):
        move = parse_move(text, ruleset.deck.suits)
        try:
            if move is None:
                return Check(name, False, f"{who}: move {index} is no move")
            game.play(move, ms)
        except IllegalMove as refusal:
            return Check(name, False, f"{who}: move {index} is against the rules: {refusal}")
    game.run_out(player.moves[-1][0] if player.moves else 0)
    for what, replayed, written in (
        ("score", game.points, player.score),
        ("points", game.ledger(), player.items),
        ("cards up", game.board.cards_up, player.cards_up),
        ("ending", game.ended, player.ended),
        ("time", game.ended_ms, player.ended_ms),
    ):
        if replayed != written:
            return Check(name, False, f"{who}: the moves give {what} {replayed}, not {written}")
    result = "no points" if player.score is None else f"{player.score} points"
    why = f"{who}: {len(player.moves)} moves, all legal, {result}, as the record says"
    return Check(name, True, why)


def _check_places(record: DuelRecord, ruleset: Ruleset) -> Check:
    rows = {
        player.seat: (player.score, player.cards_up, player.ended, player.ended_ms)
        for player in record.players
    }
    ranking = ranking_places(ruleset, rows)
    for player in record.players:
        if ranking[player.seat] != player.place:
            why = f"{player.name} comes {ranking[player.seat]}., not {player.place}."
            return Check("ranking", False, why)
    return Check("ranking", True, "the ranking follows from scores and times")


# Reading: by hand and strictly, so that two programs can't read two things.


def _load(text: str | bytes) -> dict[str, Any]:
    data = load_strictly(text, MAX_BYTES)
    fields = {*DuelRecord.__dataclass_fields__, "format", "digest"}
    if isinstance(data, dict) and "solver" not in data:
        fields.remove("solver")
    found = as_object(data, "record", tuple(fields))
    if found["format"] != FORMAT:
        raise MalformedRecord("format", f"must be {FORMAT}")
    as_hex(found["digest"], "digest", 64)
    return found


def _read(data: dict[str, Any]) -> DuelRecord:
    rows = data["players"]
    if not isinstance(rows, list) or not rows:
        raise MalformedRecord("players", "must be a list of at least one")
    chosen = data["chosen_seed"]
    head = read_record({**_game_data(data), "moves": []})
    players = tuple(_read_player(data, row, f"players[{i}]") for i, row in enumerate(rows))
    seats = [player.seat for player in players]
    if seats != sorted(set(seats)):
        raise MalformedRecord("players", "must be in seat order")
    if dict(head.options) != data["options"]:
        raise MalformedRecord("options", "must leave defaults out")
    return DuelRecord(
        duel=as_text(data["duel"], "duel"),
        ruleset=head.ruleset,
        options=head.options,
        duration_ms=head.duration_ms,
        chosen_seed=None if chosen is None else as_text(chosen, "chosen_seed"),
        commitment=as_hex(data["commitment"], "commitment", 64),
        secret=as_hex(data["secret"], "secret", 64),
        k=as_integer(data["k"], "k", 0),
        seed=head.seed,
        players=players,
        solver=_read_solver(data["solver"]) if "solver" in data else None,
    )


def _read_solver(value: object) -> Solver:
    found = as_object(value, "solver", ("name", "version", "max_states"))
    return Solver(
        as_text(found["name"], "solver.name"),
        as_text(found["version"], "solver.version"),
        as_integer(found["max_states"], "solver.max_states", 1),
    )


def _read_player(data: dict[str, Any], row: object, where: str) -> PlayerRecord:
    found = as_object(row, where, tuple(PlayerRecord.__dataclass_fields__))
    try:
        moves = read_record({**_game_data(data), "moves": found["moves"]}).moves
    except MalformedRecord as error:
        raise MalformedRecord(f"{where}.{error.where}", error.why) from None
    items = found["items"]
    if not isinstance(items, dict):
        raise MalformedRecord(f"{where}.items", "must be an object")
    score = found["score"]
    return PlayerRecord(
        seat=as_integer(found["seat"], f"{where}.seat", 0),
        player=as_text(found["player"], f"{where}.player"),
        name=as_text(found["name"], f"{where}.name"),
        nonce_hash=as_hex(found["nonce_hash"], f"{where}.nonce_hash", 64),
        nonce=as_hex(found["nonce"], f"{where}.nonce", 32),
        moves=moves,
        place=as_integer(found["place"], f"{where}.place", 1),
        score=None if score is None else as_integer(score, f"{where}.score"),
        cards_up=as_integer(found["cards_up"], f"{where}.cards_up", 0),
        ended=as_text(found["ended"], f"{where}.ended"),
        ended_ms=as_integer(found["ended_ms"], f"{where}.ended_ms", 0),
        items={name: as_integer(points, f"{where}.items") for name, points in items.items()},
    )


def _game_data(data: dict[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in ("ruleset", "options", "seed", "duration_ms")}

"""Finished duels as text: written in one way, read strictly.

The text is canonical JSON (sorted keys, no blanks, UTF-8, one line feed at the end), so one
duel has one text, and a changed byte anywhere is noticed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any, Final

from samedeal_rules.errors import MalformedRecord
from samedeal_rules.record_fields import as_hex, as_integer, as_object, as_text
from samedeal_rules.records import read_record
from samedeal_rules.ruleset import OptionValue
from samedeal_rules.strict_json import load_strictly
from samedeal_rules.winnable import Solver
from samedeal_rules.wording import Wording

__all__ = [
    "MAX_BYTES",
    "DuelRecord",
    "PlayerRecord",
    "canonical_text",
    "digest_of",
    "duel_data",
    "load_duel",
    "parse_duel_record",
    "read_duel",
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


def write_duel_record(record: DuelRecord) -> str:
    """The one text of a duel; `parse_duel_record` reads it back."""
    data = duel_data(record)
    return canonical_text({**data, "digest": digest_of(data)})


def parse_duel_record(text: str | bytes) -> DuelRecord:
    """The duel that a text holds, read strictly. Raises `MalformedRecord`.

    Says nothing about whether it is true: that is what `verify_duel_record` is for.
    """
    return read_duel(load_duel(text))


def duel_data(record: DuelRecord) -> dict[str, object]:
    """What the digest covers: everything but itself."""
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


def canonical_text(data: Mapping[str, object]) -> str:
    """The one spelling of this object."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def digest_of(data: Mapping[str, object]) -> str:
    """SHA-256 of the canonical text of everything but the digest."""
    return sha256(canonical_text(data).encode()).hexdigest()


# Reading: by hand and strictly, so that two programs can't read two things.


def load_duel(text: str | bytes) -> dict[str, Any]:
    """The object in a text: the right fields, nothing read yet. Raises `MalformedRecord`."""
    data = load_strictly(text, MAX_BYTES)
    fields = {*DuelRecord.__dataclass_fields__, "format", "digest"}
    if isinstance(data, dict) and "solver" not in data:
        fields.remove("solver")
    found = as_object(data, "record", tuple(fields))
    if found["format"] != FORMAT:
        raise MalformedRecord("format", Wording("must be {format}", format=FORMAT))
    as_hex(found["digest"], "digest", 64)
    return found


def read_duel(data: dict[str, Any]) -> DuelRecord:
    """The duel in what `load_duel` gave. Raises `MalformedRecord`."""
    rows = data["players"]
    if not isinstance(rows, list) or not rows:
        raise MalformedRecord("players", Wording("must be a list of at least one"))
    chosen = data["chosen_seed"]
    head = read_record({**_game_data(data), "moves": []})
    players = tuple(_read_player(data, row, f"players[{i}]") for i, row in enumerate(rows))
    seats = [player.seat for player in players]
    if seats != sorted(set(seats)):
        raise MalformedRecord("players", Wording("must be in seat order"))
    if dict(head.options) != data["options"]:
        raise MalformedRecord("options", Wording("must leave defaults out"))
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
        raise MalformedRecord(f"{where}.items", Wording("must be an object"))
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

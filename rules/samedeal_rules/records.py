"""Game records: one player's game as a file (rules, section 9)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from samedeal_rules.errors import MalformedRecord, UnknownRuleset
from samedeal_rules.ruleset import OptionValue, Ruleset
from samedeal_rules.rulesets import find_ruleset
from samedeal_rules.strict_json import load_strictly
from samedeal_rules.wording import Wording

__all__ = ["GameRecord", "parse_record", "read_record", "record_json"]

MAX_RECORD_BYTES: Final = 8 * 2**20
"""More than MAX_MOVES moves take, written with a blank after each comma."""
MAX_MOVES: Final = 200_000
"""Fifty moves a second through the longest duel (an hour)."""
MAX_SEED_LENGTH: Final = 1_000
"""Characters. A server's seed has 64."""
MAX_DURATION_MS: Final = 24 * 3_600_000
"""A day: far more than any duel has."""
MAX_MS: Final = 7 * MAX_DURATION_MS
"""A move may come after the deadline (it is refused), but not next year."""
MAX_TEXT_LENGTH: Final = 100
"""Characters of a move, or of what somebody sent as one; the longest real move has 9."""

_REQUIRED: Final = ("ruleset", "options", "seed", "duration_ms", "moves")
_FIELDS: Final = (*_REQUIRED, "closed")


@dataclass(frozen=True)
class GameRecord:
    """Everything that a player's game follows from. Read only what `read_record` accepts."""

    ruleset: str
    options: Mapping[str, OptionValue] = field(hash=False)
    """Canonical: what differs from the ruleset's defaults."""
    seed: str | None
    """None for a numbered deal (`deal: "ms:N"`), and only there."""
    duration_ms: int | None
    """None for a practice without a time limit, where the ruleset has that."""
    moves: tuple[tuple[int, str], ...]
    """Milliseconds from the start of the duel, never decreasing, and what the player sent."""
    closed: bool = False
    """Whether the duel is over, so that a game which did not end by itself ran out of time."""


def parse_record(text: str | bytes) -> GameRecord:
    """The record that a JSON text holds. Raises `MalformedRecord`."""
    return read_record(load_strictly(text, MAX_RECORD_BYTES))


def read_record(data: object) -> GameRecord:
    """The record that parsed JSON holds, strictly. Raises `MalformedRecord`."""
    if not isinstance(data, dict):
        raise MalformedRecord("record", Wording("must be an object"))
    for name in data:
        if name not in _FIELDS:
            raise MalformedRecord(
                "record", Wording("unknown field; known are: {fields}", fields=", ".join(_FIELDS))
            )
    if isinstance(data.get("options"), dict) and "deal" in data["options"]:
        data = {"seed": None, **data}
    for name in _REQUIRED:
        if name not in data:
            raise MalformedRecord(name, Wording("is missing"))
    name = _text(data["ruleset"], "ruleset", MAX_TEXT_LENGTH)
    options, ruleset = _ruleset(name, data["options"])
    closed = data.get("closed", False)
    if not isinstance(closed, bool):
        raise MalformedRecord("closed", Wording("must be true or false"))
    return GameRecord(
        ruleset=name,
        options=options,
        seed=_seed(data["seed"], ruleset),
        duration_ms=_duration(data["duration_ms"], ruleset),
        moves=_moves(data["moves"]),
        closed=closed,
    )


def record_json(record: GameRecord) -> str:
    """One line of JSON; `parse_record` reads it back."""
    data: dict[str, object] = {
        "ruleset": record.ruleset,
        "options": dict(record.options),
        "seed": record.seed,
        "duration_ms": record.duration_ms,
        "moves": record.moves,
    }
    if record.closed:
        data["closed"] = True
    return json.dumps(data)


def _ruleset(name: str, value: object) -> tuple[dict[str, OptionValue], Ruleset]:
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
        raise MalformedRecord("options", Wording("must be an object"))
    try:
        return find_ruleset(name, value)
    except UnknownRuleset as error:
        raise MalformedRecord("ruleset or options", error.args[0]) from None


def _seed(value: object, ruleset: Ruleset) -> str | None:
    """A seed; None, whatever is written, of a numbered deal. Raises `MalformedRecord`."""
    if ruleset.deal_number is not None:
        if value is not None:
            _text(value, "seed", MAX_SEED_LENGTH)
        return None
    return _text(value, "seed", MAX_SEED_LENGTH)


def _duration(value: object, ruleset: Ruleset) -> int | None:
    if value is None and ruleset.may_be_untimed:
        return None
    return _integer(value, "duration_ms", 1, MAX_DURATION_MS)


def _moves(value: object) -> tuple[tuple[int, str], ...]:
    if not isinstance(value, list | tuple):
        raise MalformedRecord("moves", Wording("must be a list"))
    if len(value) > MAX_MOVES:
        raise MalformedRecord("moves", Wording("more than {most}", most=MAX_MOVES))
    moves: list[tuple[int, str]] = []
    last_ms = 0
    for index, entry in enumerate(value):
        where = f"moves[{index}]"
        if not isinstance(entry, list | tuple) or len(entry) != 2:
            raise MalformedRecord(where, Wording("must be [ms, move]"))
        ms = _integer(entry[0], where, 0, MAX_MS)
        if ms < last_ms:
            raise MalformedRecord(where, Wording("ms is lower than that of the move before"))
        last_ms = ms
        moves.append((ms, _text(entry[1], where, MAX_TEXT_LENGTH)))
    return tuple(moves)


def _integer(value: object, where: str, low: int, high: int) -> int:
    if type(value) is not int:  # True is an int to isinstance
        raise MalformedRecord(where, Wording("must have a whole number"))
    if not low <= value <= high:
        raise MalformedRecord(
            where, Wording("number must be from {low} to {high}", low=low, high=high)
        )
    return value


def _text(value: object, where: str, longest: int) -> str:
    if not isinstance(value, str):
        raise MalformedRecord(where, Wording("must have a text"))
    if len(value) > longest:
        raise MalformedRecord(
            where, Wording("text is longer than {longest} characters", longest=longest)
        )
    try:
        value.encode()
    except UnicodeEncodeError:
        raise MalformedRecord(
            where, Wording("text has half a character (a lone surrogate)")
        ) from None
    return value

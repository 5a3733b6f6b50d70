"""Replays from what records hold. Pure."""

from __future__ import annotations

from typing import Final

from samedeal_client.replay.film import Film
from samedeal_client.replay.reel import Replay
from samedeal_rules import GameRecord, find_ruleset, read_record
from samedeal_rules.duel_record import MAX_BYTES, DuelRecord, parse_duel_record
from samedeal_rules.strict_json import load_strictly

__all__ = ["MAX_FILE_BYTES", "replay_of"]

MAX_FILE_BYTES: Final = MAX_BYTES
"""A duel's record is the larger of the two."""


def replay_of(data: bytes) -> Replay:
    """The replay of a game record or of a duel's record. Raises `MalformedRecord`."""
    loaded = load_strictly(data, MAX_FILE_BYTES)
    if isinstance(loaded, dict) and "format" in loaded:
        return _of_duel(parse_duel_record(data))
    return _of_game(read_record(loaded))


def _of_game(record: GameRecord) -> Replay:
    ruleset = find_ruleset(record.ruleset, record.options)[1]
    last_ms = record.moves[-1][0] if record.moves else 0
    over = record.duration_ms is not None and last_ms >= record.duration_ms
    film = Film(
        None,
        ruleset,
        record.seed,
        record.duration_ms,
        record.moves,
        closed=record.closed or over,
    )
    return Replay(record.ruleset, record.options, record.seed, record.duration_ms, (film,))


def _of_duel(record: DuelRecord) -> Replay:
    ruleset = find_ruleset(record.ruleset, record.options)[1]
    films = tuple(
        Film(player.name, ruleset, record.seed, record.duration_ms, player.moves, closed=True)
        for player in sorted(record.players, key=lambda player: (player.place, player.seat))
    )
    return Replay(record.ruleset, record.options, record.seed, record.duration_ms, films)

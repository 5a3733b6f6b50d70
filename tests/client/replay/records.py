"""Finished games to look at."""

from __future__ import annotations

import json
from typing import Any

from rules.test_duel_record import true_record
from samedeal_client.replay.reel import Replay
from samedeal_client.replay.source import replay_of
from samedeal_rules.duel_record import write_duel_record

__all__ = ["duel_replay", "game_bytes", "game_replay"]

MOVES = [(1_000, "d"), (2_500, "nonsense"), (4_000, "d"), (61_000, "u"), (61_000, "d")]


def game_bytes(**changes: Any) -> bytes:
    """A game of its own, with a refused entry, an undo, and two entries at one moment."""
    record = {
        "ruleset": "timed",
        "options": {},
        "seed": "7",
        "duration_ms": 120_000,
        "moves": MOVES,
        **changes,
    }
    return json.dumps(record).encode()


def game_replay(**changes: Any) -> Replay:
    return replay_of(game_bytes(**changes))


def duel_replay() -> Replay:
    """Three players; the first by rank ended at 21.234 s, the others ran out at 30 s."""
    return replay_of(write_duel_record(true_record()).encode())

"""The record of a finished duel, from what the store holds of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from samedeal_rules.duel_record import DuelRecord, PlayerRecord, write_duel_record
from samedeal_server.domain.duel import Duel, Seat
from samedeal_server.domain.names import shown_name
from samedeal_server.domain.result import parse_entry

__all__ = ["record_text"]


def record_text(duel: Duel, result: str, journals: Sequence[Sequence[str]]) -> str:
    """The text that `samedeal verify` reads: the same for everybody who asks."""
    stored = json.loads(result)
    rows = {row["seat"]: row for row in stored["ranking"]}
    players = tuple(
        _player(number, seat, rows[number], journal)
        for number, (seat, journal) in enumerate(zip(duel.seated, journals, strict=True))
    )
    return write_duel_record(
        DuelRecord(
            duel=duel.id,
            ruleset=duel.ruleset,
            options=duel.options,
            duration_ms=duel.duration_ms,
            chosen_seed=duel.chosen_seed,
            commitment=stored["commitment"],
            secret=stored["secret"],
            k=stored["k"],
            seed=stored["seed"],
            solver=duel.solver,
            players=players,
        )
    )


def _player(number: int, seat: Seat, row: dict[str, Any], journal: Sequence[str]) -> PlayerRecord:
    return PlayerRecord(
        seat=number,
        player=seat.player,
        name=shown_name(seat.name),
        nonce_hash=seat.ready or "",
        nonce=seat.nonce or "",
        moves=tuple(parse_entry(entry) for entry in journal),
        place=row["place"],
        score=row["score"],
        cards_up=row["up"],
        ended=row["ended"],
        ended_ms=row["ended_ms"],
        items=row["items"],
    )

"""`judge` by the referee, and every text that is a move (rules, section 9)."""

from __future__ import annotations

from typing import Any

from .naive_game import Referee
from .naive_moves import CELLS


def naive_spelled(suits: str) -> list[str]:
    """Every text that is a move in a game with these suits (rules, section 9)."""
    texts = ["d", "r", "u", "end", *(f"x{n}" for n in range(1, 11))]
    columns, cells = [f"t{n}" for n in range(1, 11)], list(CELLS)
    for source in columns:
        for times in ["", *(f"*{count}" for count in range(2, 14))]:
            texts += [f"{source}{times}-{to}" for to in [*columns, *cells, "f"] if to != source]
    for source in ["w", *(f"v{n}" for n in range(1, 21))]:
        texts += [f"{source}-{to}" for to in [*columns, *cells, "f"]]
    for source in cells:
        texts += [f"{source}-{to}" for to in [*columns, "f"]]
    for suit in suits:
        texts += [f"f{suit}-{to}" for to in columns]
    return texts


def referee_judge(record: dict[str, Any]) -> dict[str, Any]:
    """What `samedeal judge --json` must say about a well-formed record, not of `timed`."""
    duration = record["duration_ms"]
    game = Referee(record["ruleset"], record.get("seed"), record["options"], duration)
    spelled = set(naive_spelled(game.suits))
    moves = []
    for ms, text in record["moves"]:
        why = game.play(ms, text) if text in spelled else "not_a_move"
        moves.append({"ms": ms, "move": text, "ok": not why, "why": why, "score": game.score})
    late = duration is not None and any(ms >= duration for ms, _ in record["moves"])
    final = {
        "score": game.score,
        "cleared": game.ended == "cleared",
        "cards_up": game.cards_up,
        "ended": game.ended or ("timeout" if late or record.get("closed") else "running"),
        "items": game.ledger(),
    }
    return {"final": final, "moves": moves}

"""A duel that never was, with logs in which everything is as it should be."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from faults.evidence import DuelEvidence, Got, Log, Sent
from samedeal_rules import Game, deal, find_ruleset, legal_moves, move_text, parse_move
from samedeal_rules.fairness import commitment, nonce_hash
from samedeal_server.domain.audience import applied_payload, snapshot_payload
from samedeal_server.domain.duel import Duel, DuelId, DuelMs, Phase, PlayerId, Seat
from samedeal_server.domain.result import result_fields, seed_of

__all__ = ["made_up"]

DUEL = DuelId("p00madeup")
SECRET = "5" * 64
DURATION_MS = 20_000


def made_up(ruleset: str = "timed", entries: int = 30) -> DuelEvidence:
    """Two players, whole logs, a true result, and somebody who watches."""
    duel = _duel(ruleset)
    players = [seat.player for seat in duel.seated]
    logs = {p: Log(p, nonces={s.ready or "": s.nonce or ""}) for p, s in _pairs(duel)}
    journals = {
        player: _play(duel, logs[player], random.Random(f"{player} {ruleset}"), entries)
        for player in players
    }
    result = [r for r in result_fields(duel, SECRET, list(journals.values())) if r is not None][-1]
    logs["watcher"] = Log("watcher")
    for log in logs.values():
        log.events.insert(0, _got(1, _shown(duel, "running")))
        log.events.append(_got(1, _shown(duel, "finished")))
        log.events.append(_got(1, result))
    return DuelEvidence(
        DUEL,
        ruleset,
        {},
        DURATION_MS,
        players,
        journals,
        json.loads(json.dumps(result)),
        None,
        logs,
    )


def _pairs(duel: Duel) -> list[tuple[str, Seat]]:
    return [(seat.player, seat) for seat in duel.seated]


def _duel(ruleset: str) -> Duel:
    seats = []
    for player in ("ann", "bob"):
        nonce = sha256(player.encode()).hexdigest()[:32]
        seats.append(Seat(PlayerId(player), player, ready=nonce_hash(nonce), nonce=nonce))
    return Duel(
        id=DUEL,
        code="ABCDEF",
        ruleset=ruleset,
        options={},
        duration_ms=DURATION_MS,
        hints=False,
        seats=2,
        commitment=commitment(DUEL, SECRET),
        touched_at=DuelMs(0),
        phase=Phase.COUNTDOWN,
        seated=tuple(seats),
        start_at=DuelMs(1000),
        deadline=DuelMs(1000 + DURATION_MS),
    )


def _shown(duel: Duel, phase: str) -> dict[str, Any]:
    hashes = [seat.ready for seat in duel.seated]
    about = {"commitment": duel.commitment, "nonce_hashes": hashes}
    return {"type": "duel", "id": duel.id, "phase": phase, **about}


def _got(connection: int, message: Mapping[str, Any]) -> Got:
    return Got(connection, message, json.dumps(message))


def _play(duel: Duel, log: Log, draw: random.Random, entries: int) -> list[str]:
    """Random moves on two connections, the second from the middle on."""
    _options, ruleset = find_ruleset(duel.ruleset, {})
    dealt = deal(ruleset, seed_of(duel, SECRET))
    game = Game(ruleset, dealt.copy(), DURATION_MS)
    journal: list[str] = []
    connection = 0
    for seq in range(entries):
        if seq in (0, entries // 2):
            connection += 1
            snapshot = json.loads(snapshot_payload(duel, game, dealt, seq, DuelMs(0)))
            log.events.append(_got(connection, snapshot))
        suits = ruleset.deck.suits
        legal = [move_text(move, suits) for move in legal_moves(ruleset, game.board)]
        text = "u" if game.undoable and (not legal or draw.random() < 0.1) else draw.choice(legal)
        move = parse_move(text, suits)
        assert move is not None
        ms = 100 * seq
        played = game.play(move, ms)
        log.events.append(Sent(connection, seq, text))
        applied = json.loads(applied_payload(seq, text, ms, game, played))
        log.events.append(_got(connection, applied))
        journal.append(f"{ms} {text}")
    return journal

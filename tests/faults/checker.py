"""The laws that a duel must have kept: functions of what clients saw and what journals hold."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from faults.evidence import DuelEvidence, Got, Log, Sent, Violation
from faults.truth import Truth, card_mask, ruleset_named, split_entry, truth_of
from samedeal_rules import GameRecord, judge
from samedeal_rules.duel_record import ranking_places
from samedeal_rules.fairness import commitment, deal_seed, nonce_hash

__all__ = ["LAWS", "check_duel"]

_CARD: Final = re.compile(r'"([A1-9TJQKSCR][CDHSOEB])"')
_NOT_KEPT: Final = {"illegal", "gap", "conflict", "too_many"}
"""Refusals after which nothing of the move is anywhere."""


def check_duel(duel: DuelEvidence) -> list[Violation]:
    """All promises that this duel did not keep."""
    return [found for law in LAWS for found in law(duel)]


def _violation(law: str, duel: DuelEvidence, who: str, what: str) -> Violation:
    return Violation(law, duel.duel, who, what)


def _players(duel: DuelEvidence) -> Iterator[tuple[Log, list[str]]]:
    """Who played and left a log, with the journal."""
    for player in duel.players:
        log = duel.logs.get(player)
        if log is not None:
            yield log, list(duel.journals.get(player, ()))


# Moves: kept, once, in order, by one writer, in time.


def acknowledged_is_kept(duel: DuelEvidence) -> Iterator[Violation]:
    """Every `applied` that a client saw is in the journal, at its index, with its move and time."""
    for log, journal in _players(duel):
        for got in log.got("applied"):
            seq, move, ms = (got.message[name] for name in ("seq", "move", "ms"))
            kept = journal[seq] if seq < len(journal) else None
            if kept != f"{ms} {move}":
                what = f"seq {seq} was acknowledged as {ms} {move}, the journal has {kept}"
                yield _violation("acknowledged is kept", duel, log.who, what)


def entries_were_sent(duel: DuelEvidence) -> Iterator[Violation]:
    """Every entry was sent by its player with just this seq: nothing is there twice."""
    for log, journal in _players(duel):
        sent = {(move.seq, move.move) for move in log.sent}
        for seq, entry in enumerate(journal):
            if (seq, split_entry(entry)[1]) not in sent:
                yield _violation("nothing twice", duel, log.who, f"nobody sent {entry} as {seq}")


def one_writer(duel: DuelEvidence) -> Iterator[Violation]:
    """Once a newer connection has got the table, an older one adds nothing to the journal."""
    for log, journal in _players(duel):
        sent: dict[tuple[int, str], set[int]] = defaultdict(set)
        taken: dict[int, int] = {}
        for event in log.events:
            if isinstance(event, Sent):
                sent[event.seq, event.move].add(event.connection)
            elif event.message["type"] == "snapshot":
                taken.setdefault(event.connection, event.message["seq"])
        for connection, begins in taken.items():
            for seq in range(begins, len(journal)):
                move = split_entry(journal[seq])[1]
                by = sent.get((seq, move), set())
                if by and max(by) < connection:
                    what = (
                        f"entry {seq} ({move}) came from connection {max(by)}, after {connection}"
                    )
                    yield _violation("one writer", duel, log.who, f"{what} had taken the seat")
                    break


def answers_in_order(duel: DuelEvidence) -> Iterator[Violation]:
    """On each connection new moves are acknowledged one after the other, none left out."""
    for log, _journal in _players(duel):
        expected: dict[int, int] = {}
        over = set()
        for got in log.got("snapshot", "applied", "result"):
            connection = got.connection
            if got.message["type"] == "result":
                over.add(connection)  # what is answered from now on was sent and kept before
            if connection in over:
                continue
            seq = got.message["seq"]
            if got.message["type"] == "snapshot":
                expected[connection] = max(seq, expected.get(connection, 0))
            elif connection not in expected or seq > expected[connection]:
                what = f"seq {seq} acknowledged, expected {expected.get(connection)}"
                yield _violation("answers in order", duel, log.who, what)
                break
            elif seq == expected[connection]:
                expected[connection] = seq + 1


def refused_stays_out(duel: DuelEvidence) -> Iterator[Violation]:
    """A move that was refused, and not sent again, is not in the journal."""
    for log, journal in _players(duel):
        times: dict[tuple[int, str], int] = defaultdict(int)
        last: dict[tuple[int, int], list[str]] = defaultdict(list)
        for event in log.events:
            if isinstance(event, Sent):
                times[event.seq, event.move] += 1
                last[event.connection, event.seq].append(event.move)
        for got in log.got("refused"):
            seq = got.message["seq"]
            moves = last.get((got.connection, seq), [])
            if got.message["code"] not in _NOT_KEPT or len(moves) != 1 or seq >= len(journal):
                continue
            if times[seq, moves[0]] == 1 and split_entry(journal[seq])[1] == moves[0]:
                what = f"seq {seq} ({moves[0]}) was refused: {got.message['code']}"
                yield _violation("refused stays out", duel, log.who, what)


def in_time(duel: DuelEvidence) -> Iterator[Violation]:
    """No entry at or after the deadline; times never decrease."""
    for player, journal in duel.journals.items():
        last = 0
        for seq, entry in enumerate(journal):
            ms = split_entry(entry)[0]
            if not last <= ms < duel.duration_ms:
                yield _violation("in time", duel, player, f"entry {seq} ({entry}) after {last}")
            last = ms


# The deal, and what everybody may see of it.


def deal_was_fixed(duel: DuelEvidence) -> Iterator[Violation]:
    """The deal follows from what was promised and revealed; all who played saw the promise."""
    result = duel.result
    if result is None:
        return
    if commitment(duel.duel, result["secret"]) != result["commitment"]:
        yield _violation("the deal was fixed", duel, "", "the secret is not the promised one")
    derived = deal_seed(
        secret=result["secret"],
        duel=duel.duel,
        ruleset=duel.ruleset,
        options=duel.options,
        nonces=result["nonces"],
        k=result["k"],
    )
    if not result["chosen_seed"] and derived != result["seed"]:
        yield _violation("the deal was fixed", duel, "", "the seed does not follow")
    for seat, player in enumerate(duel.players):
        log = duel.logs.get(player)
        hashed = nonce_hash(result["nonces"][seat])
        if log is not None and log.nonces and hashed not in log.nonces:
            yield _violation("the deal was fixed", duel, player, "the nonce is not the player's")
    for log in duel.logs.values():
        yield from _promise_seen(duel, log, result)


def _promise_seen(duel: DuelEvidence, log: Log, result: Mapping[str, Any]) -> Iterator[Violation]:
    """What was promised last when cards or the result were shown. (A node that has not heard yet
    that a start was called off may say `running`; it shows no cards.)"""
    hashes = [nonce_hash(nonce) for nonce in result["nonces"]]
    promised: dict[int, Mapping[str, Any]] = {}
    for got in log.got("duel", "snapshot", "result"):
        if got.message["type"] == "duel":
            promised[got.connection] = got.message
            continue
        last = promised.get(got.connection)
        if last is None:
            continue
        if last["commitment"] != result["commitment"]:
            yield _violation("the deal was fixed", duel, log.who, "another promise was shown")
            return
        if last["nonce_hashes"] not in (None, hashes):
            yield _violation("the deal was fixed", duel, log.who, "other nonces were shown")
            return


def tables_are_true(duel: DuelEvidence) -> Iterator[Violation]:
    """Scores, checksums, snapshots are those of a replay; the deal is the same for all."""
    if duel.result is None:
        return
    prints = set()
    for log, journal in _players(duel):
        snapshots = log.got("snapshot")
        truth = _truth(duel, journal, {got.message["seq"] for got in snapshots})
        if truth.broken is not None:
            yield _violation("tables are true", duel, log.who, truth.broken)
        for got in log.got("applied"):
            yield from _applied_is_true(duel, log, got, truth)
        for got in snapshots:
            prints.add(got.message["fingerprint"])
            yield from _snapshot_is_true(duel, log, got, truth)
        yield from _nothing_hidden_seen(duel, log, truth)
    if len(prints) > 1:
        yield _violation("same deal", duel, "", f"fingerprints differ: {sorted(prints)}")


def _truth(duel: DuelEvidence, journal: list[str], wanted: set[int]) -> Truth:
    assert duel.result is not None
    ruleset = ruleset_named(duel.ruleset, duel.options)
    return truth_of(ruleset, duel.result["seed"], duel.duration_ms, journal, wanted)


def _applied_is_true(duel: DuelEvidence, log: Log, got: Got, truth: Truth) -> Iterator[Violation]:
    seq, score, checksum = (got.message[name] for name in ("seq", "score", "checksum"))
    if seq + 1 < len(truth.scores):
        told = (score, checksum)
        found = (truth.scores[seq + 1], truth.checksums[seq + 1])
        if told != found:
            what = f"seq {seq} was told {told}, the replay gives {found}"
            yield _violation("tables are true", duel, log.who, what)


def _snapshot_is_true(duel: DuelEvidence, log: Log, got: Got, truth: Truth) -> Iterator[Violation]:
    seq, shown = got.message["seq"], got.message["board"]
    if seq >= len(truth.scores):
        if truth.broken is None:
            what = f"a snapshot of {seq} entries, the journal has {len(truth.scores) - 1}"
            yield _violation("tables are true", duel, log.who, what)
        return
    expected = truth.boards[seq]
    differing = [name for name, pile in expected.items() if shown.get(name, []) != pile]
    if differing:
        what = f"the snapshot after {seq} entries shows other {', '.join(differing)}"
        yield _violation("tables are true", duel, log.who, what)
    if got.message["checksum"] != truth.checksums[seq]:
        yield _violation("tables are true", duel, log.who, f"checksum of snapshot {seq}")


def _nothing_hidden_seen(duel: DuelEvidence, log: Log, truth: Truth) -> Iterator[Violation]:
    """No message names a card that this player's own moves had not uncovered by then."""
    reached = 0
    for event in log.events:
        if not isinstance(event, Got) or event.message["type"] == "record":
            continue
        kind = event.message["type"]
        if kind == "snapshot":
            seq = event.message["seq"]
        elif kind == "applied":
            seq = event.message["seq"] + 1
        else:
            seq = reached
        reached = max(reached, seq)
        named = card_mask(truth.ruleset, _CARD.findall(event.raw))
        if named & ~truth.known[min(seq, len(truth.known) - 1)]:
            what = f"{kind} after {seq} entries names a hidden card"
            yield _violation("nothing hidden is seen", duel, log.who, what)


def others_see_no_cards(duel: DuelEvidence) -> Iterator[Violation]:
    """Who does not play, and everybody in what is not about the own table, sees no card."""
    for log in duel.logs.values():
        for event in log.events:
            if not isinstance(event, Got) or event.message["type"] == "record":
                continue
            own = log.who in duel.players and event.message["type"] in ("snapshot", "applied")
            if not own and _CARD.search(event.raw):
                what = f"{event.message['type']} names cards: {event.raw[:200]}"
                yield _violation("nothing hidden is seen", duel, log.who, what)


def secrets_are_kept(duel: DuelEvidence) -> Iterator[Violation]:
    """Secret and seed are in no message before the result (a called-off start has another one)."""
    if duel.result is None or duel.result["chosen_seed"]:
        return
    hidden = [duel.result["secret"], duel.result["seed"]]
    for log in duel.logs.values():
        for event in log.events:
            if not isinstance(event, Got) or event.message["type"] in ("result", "record"):
                continue
            if any(secret and secret in event.raw for secret in hidden):
                what = f"{event.message['type']} tells the secret"
                yield _violation("secrets are kept", duel, log.who, what)


# The end.


def result_is_one(duel: DuelEvidence) -> Iterator[Violation]:
    """Everybody got the same result, and it is the one in the store."""
    for log in duel.logs.values():
        for got in log.got("result"):
            message = {name: value for name, value in got.message.items() if name != "req"}
            if duel.result is None:
                yield _violation("one result", duel, log.who, "a result of an aborted duel")
            elif _bare(message) != _bare(duel.result):
                yield _violation("one result", duel, log.who, "another result than the store's")


def _bare(result: Mapping[str, Any]) -> dict[str, Any]:
    """Without what a message may leave out."""
    return {name: value for name, value in result.items() if value is not None}


def result_is_true(duel: DuelEvidence) -> Iterator[Violation]:
    """Every line of the result is what an independent judge makes of the journal."""
    result = duel.result
    if result is None:
        return
    rows = {row["seat"]: row for row in result["ranking"]}
    if sorted(rows) != list(range(len(duel.players))):
        yield _violation("the result is true", duel, "", f"seats {sorted(rows)}")
        return
    for seat, player in enumerate(duel.players):
        journal = [split_entry(entry) for entry in duel.journals.get(player, ())]
        record = GameRecord(
            ruleset=duel.ruleset,
            options=duel.options,
            seed=result["seed"],
            duration_ms=duel.duration_ms,
            moves=tuple(journal),
            closed=True,
        )
        final = judge(record).final
        row = rows[seat]
        told = (row["player"], row["score"], row["up"], row["ended"], row["items"], row["moves"])
        found = (player, final.score, final.cards_up, final.ended, final.items, len(journal))
        if told != found:
            what = f"told {told}, the judge says {found}"
            yield _violation("the result is true", duel, player, what)
    yield from _places_are_true(duel, rows)


def _places_are_true(
    duel: DuelEvidence, rows: Mapping[int, Mapping[str, Any]]
) -> Iterator[Violation]:
    ranking = ranking_places(
        ruleset_named(duel.ruleset, duel.options),
        {s: (r["score"], r["up"], r["ended"], r["ended_ms"]) for s, r in rows.items()},
    )
    places = {seat: row["place"] for seat, row in rows.items()}
    if places != ranking:
        yield _violation("the result is true", duel, "", f"places {places}, not {ranking}")


def aborted_with_reason(duel: DuelEvidence) -> Iterator[Violation]:
    """A duel without a result says why, and it is no fault of ours."""
    if duel.result is None and (not duel.note or "our fault" in duel.note):
        yield _violation("aborted with a reason", duel, "", duel.note or "without a word")


LAWS: Final = (
    acknowledged_is_kept,
    entries_were_sent,
    one_writer,
    answers_in_order,
    refused_stays_out,
    in_time,
    deal_was_fixed,
    tables_are_true,
    others_see_no_cards,
    secrets_are_kept,
    result_is_one,
    result_is_true,
    aborted_with_reason,
)

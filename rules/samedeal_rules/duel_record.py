"""Records of finished duels: everything that it takes to check the deal and every point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from samedeal_rules.deals import deal
from samedeal_rules.duel_text import (
    MAX_BYTES,
    DuelRecord,
    PlayerRecord,
    canonical_text,
    digest_of,
    duel_data,
    load_duel,
    parse_duel_record,
    read_duel,
    write_duel_record,
)
from samedeal_rules.errors import RULE_WORDS, IllegalMove, MalformedRecord
from samedeal_rules.fairness import commitment, deal_seed, nonce_hash
from samedeal_rules.game import Ended, Game
from samedeal_rules.moves import parse_move
from samedeal_rules.ranking import Outcome, places
from samedeal_rules.ruleset import Ruleset
from samedeal_rules.rulesets import find_ruleset
from samedeal_rules.winnable import can_solve, check_first
from samedeal_rules.wording import Wording

__all__ = [
    "MAX_BYTES",
    "Check",
    "DuelRecord",
    "PlayerRecord",
    "parse_duel_record",
    "ranking_places",
    "verify_duel_record",
    "write_duel_record",
]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked about a record."""

    name: str
    ok: bool | None
    """None: it could not be checked here; `why` says what is missing."""
    why: str
    """In words for people, whether it holds or not."""


def verify_duel_record(text: str | bytes) -> tuple[Check, ...]:
    """Check a duel from its record alone: file, promise, deal, every move, every place.

    About 10 microseconds for each move.
    """
    try:
        data = load_duel(text)
        record = read_duel(data)
        ruleset = find_ruleset(record.ruleset, record.options)[1]
    except MalformedRecord as error:
        why = Wording("not a record of a duel: {where}: {why}", where=error.where, why=error.why)
        return (Check("file", False, why),)
    return (
        _checkcanonical_text(text, record, data["digest"]),
        _checkdigest_of(record, data["digest"]),
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


def _either(name: str, ok: bool, holds: str, fails: str) -> Check:
    return Check(name, ok, holds if ok else fails)


def _checkcanonical_text(text: str | bytes, record: DuelRecord, digest: str) -> Check:
    written = canonical_text({**duel_data(record), "digest": digest}).encode()
    same = (text if isinstance(text, bytes) else text.encode()) == written
    fails = Wording("the file was changed after writing")
    return _either("file", same, Wording("the file is written as it must be"), fails)


def _checkdigest_of(record: DuelRecord, digest: str) -> Check:
    same = digest_of(duel_data(record)) == digest
    fails = Wording("the contents were changed after writing")
    return _either("digest", same, Wording("the digest fits the contents"), fails)


def _check_commitment(record: DuelRecord) -> Check:
    same = commitment(record.duel, record.secret) == record.commitment
    holds = Wording("the secret is the one promised before the start")
    fails = Wording("the secret is not the one promised before the start")
    return _either("commitment", same, holds, fails)


def _check_nonces(record: DuelRecord) -> Iterator[Check]:
    for player in record.players:
        same = nonce_hash(player.nonce) == player.nonce_hash
        holds = Wording("the number of {name} is the one fixed before the start", name=player.name)
        fails = Wording(
            "the number of {name} is another than the one fixed before the start", name=player.name
        )
        yield _either(f"number of seat {player.seat}", same, holds, fails)


def _check_seed(record: DuelRecord, ruleset: Ruleset) -> Check:
    if ruleset.deal_number is not None:
        holds = Wording(
            "somebody chose this deal and may have known it: Microsoft deal {number}",
            number=ruleset.deal_number,
        )
        fails = Wording("a numbered deal has no seed")
        return _either("seed", record.chosen_seed is None, holds, fails)
    if record.chosen_seed is not None:
        same = record.seed == record.chosen_seed
        holds = Wording(
            "somebody chose this deal and may have known it; the seed is the chosen one"
        )
        fails = Wording("the deal played is not the one that was chosen")
        return _either("seed", same, holds, fails)
    holds = Wording("the deal follows from the secret and every player's number: nobody chose it")
    fails = Wording("the deal does not follow from the secret and the players' numbers")
    return _either("seed", _derived(record, record.k) == record.seed, holds, fails)


def _check_choice(record: DuelRecord, ruleset: Ruleset) -> Iterator[Check]:
    """k is 0, or the first whose deal the solver certifies: nobody chose among seeds."""
    if record.solver is None:
        if record.k:
            unexplained = Wording("the deal is another than the first one, for no reason given")
            yield Check("k", False, unexplained)
        return
    if not can_solve(ruleset) or record.chosen_seed is not None:
        yield Check("k", False, Wording("no solver can have chosen this deal"))
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
    name, who = f"game of seat {player.seat}", player.name
    game = Game(ruleset, deal(ruleset, record.seed), record.duration_ms)
    for index, (ms, text) in enumerate(player.moves):
        move = parse_move(text, ruleset.deck.suits)
        try:
            if move is None:
                why = Wording("{name}'s game: move {index} is no move", name=who, index=index)
                return Check(name, False, why)
            game.play(move, ms)
        except IllegalMove as refusal:
            why = Wording(
                "{name}'s game: move {index} is against the rules: {rule}",
                name=who,
                index=index,
                rule=Wording(RULE_WORDS[refusal.rule]),
            )
            return Check(name, False, why)
    game.run_out(player.moves[-1][0] if player.moves else 0)
    for what, replayed, written in (
        (Wording("score"), game.points, player.score),
        (Wording("points"), game.ledger(), player.items),
        (Wording("cards up"), game.board.cards_up, player.cards_up),
        (Wording("ending"), game.ended, player.ended),
        (Wording("time"), game.ended_ms, player.ended_ms),
    ):
        if replayed != written:
            why = Wording(
                "{name}'s game: the moves give {what} {replayed}, not {written}",
                name=who,
                what=what,
                replayed=replayed,
                written=written,
            )
            return Check(name, False, why)
    result = Wording("no points")
    if player.score is not None:
        result = Wording("{score} points", score=player.score)
    why = Wording(
        "{name}'s game: all moves legal ({count} of them), {result}, as the record says",
        name=who,
        count=len(player.moves),
        result=result,
    )
    return Check(name, True, why)


def _check_places(record: DuelRecord, ruleset: Ruleset) -> Check:
    rows = {
        player.seat: (player.score, player.cards_up, player.ended, player.ended_ms)
        for player in record.players
    }
    ranking = ranking_places(ruleset, rows)
    for player in record.players:
        if ranking[player.seat] != player.place:
            why = Wording(
                "{name} comes {place}., not {written}.",
                name=player.name,
                place=ranking[player.seat],
                written=player.place,
            )
            return Check("ranking", False, why)
    return Check("ranking", True, Wording("the ranking follows from scores and times"))

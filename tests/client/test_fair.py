"""The witness: every check passes for an honest server, and each can fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from samedeal_client.fair import FairCheck, OwnGame, Witness
from samedeal_protocol import (
    CalledOff,
    DuelChanged,
    DuelPhase,
    PlayerState,
    RankingRow,
    Result,
    Seat,
)
from samedeal_rules import deal, find_ruleset
from samedeal_rules.fairness import commitment, deal_seed, fingerprint, nonce_hash

DUEL, SECRET, OTHER = "p00abc", "5e" * 32, "00" * 16


class Honest:
    """A duel of two, honest unless a test changes something."""

    def __init__(self) -> None:
        self.witness = Witness(DUEL)
        self.promise = commitment(DUEL, SECRET)
        self.version = 0
        self.alarms: list[FairCheck] = []

    def see(self, **fields: Any) -> DuelChanged:
        self.version += 1
        base: dict[str, Any] = {
            "id": DUEL,
            "code": "ACDEFH",
            "version": self.version,
            "phase": DuelPhase.OPEN,
            "ruleset": "timed",
            "options": {},
            "duration_ms": 30_000,
            "hints": False,
            "chosen_seed": False,
            "seats": 2,
            "players": [
                Seat(seat=0, player="bo", name="Bo", ready=True, connected=True),
                Seat(seat=1, player="ana", name="Ana", ready=True, connected=True),
            ],
            "seated": 2,
            "ready": 2,
            "host": 0,
            "you": 1,
            "commitment": self.promise,
            "server_ms": 0,
        }
        duel = DuelChanged(**(base | fields))
        self.alarms += self.witness.see(duel)
        return duel

    def freeze(self, **fields: Any) -> DuelChanged:
        self.see()
        self.hashes = [nonce_hash(OTHER), self.witness.nonce_hash_for(self.promise)]
        frozen = self.see(**({"phase": DuelPhase.FROZEN, "nonce_hashes": self.hashes} | fields))
        self.nonce = self.witness.nonce_to_reveal(frozen)
        return frozen

    def result(self, **fields: Any) -> Result:
        nonces = [OTHER, self.nonce or "11" * 16]
        seed = deal_seed(secret=SECRET, duel=DUEL, ruleset="timed", options={}, nonces=nonces, k=0)
        rows = [
            RankingRow(
                place=seat + 1,
                seat=seat,
                player=player,
                name=player,
                score=3,
                up=0,
                ended=PlayerState.FINISH,
                ended_ms=20_000,
                moves=1,
                items={"early_end": 3},
            )
            for seat, player in enumerate(("bo", "ana"))
        ]
        base: dict[str, Any] = {
            "duel": DUEL,
            "ruleset": "timed",
            "options": {},
            "ranking": rows,
            "total": 2,
            "commitment": self.promise,
            "secret": SECRET,
            "nonces": nonces,
            "k": 0,
            "seed": seed,
            "chosen_seed": False,
        }
        return Result(**(base | fields))

    def own(self, result: Result, **fields: Any) -> OwnGame:
        ruleset = find_ruleset("timed")[1]
        words = fingerprint(deal(ruleset, result.seed), ruleset.deck.names)
        base: dict[str, Any] = {"fingerprint": words, "moves": [(20_000, "end")]}
        return OwnGame(**(base | fields))


def verdicts(checks: tuple[FairCheck, ...]) -> dict[str, bool | None]:
    return {check.name: check.ok for check in checks}


def test_an_honest_duel_passes_every_check() -> None:
    """Seven of them, no alarm on the way."""
    honest = Honest()
    honest.freeze()
    result = honest.result()
    checks = honest.witness.check(result, honest.own(result))
    assert verdicts(checks) == dict.fromkeys(
        ("promise", "secret", "numbers", "own number", "seed", "cards", "own score"), True
    )
    assert honest.alarms == []


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("promise", {"commitment": commitment(DUEL, "00" * 32), "secret": "00" * 32}),
        ("secret", {"secret": "00" * 32}),
        ("numbers", {"nonces": ["22" * 16, "33" * 16]}),
        ("own number", {"nonces": [OTHER, "33" * 16]}),
        ("seed", {"seed": "44" * 32}),
        ("seed", {"k": 1}),
    ],
)
def test_each_check_of_the_deal_can_fail(name: str, change: dict[str, Any]) -> None:
    """A server that cheats in one thing is caught by the check for that thing."""
    honest = Honest()
    honest.freeze()
    result = honest.result(**change)
    assert verdicts(honest.witness.check(result, None))[name] is False


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("cards", {"fingerprint": "acorn acorn acorn acorn"}),
        ("own score", {"moves": [(1_000, "end")]}),
        ("own score", {"moves": [(0, "r")]}),
        ("own score", {"moves": []}),
    ],
)
def test_each_check_of_our_own_game_can_fail(name: str, own: dict[str, Any]) -> None:
    """Other cards than those revealed, another score than our moves give."""
    honest = Honest()
    honest.freeze()
    result = honest.result()
    assert verdicts(honest.witness.check(result, honest.own(result, **own)))[name] is False


def test_what_was_not_seen_is_not_called_right() -> None:
    """Somebody who comes late can check less, and says so."""
    honest = Honest()
    honest.nonce = None
    result = honest.result()
    found = verdicts(honest.witness.check(result, honest.own(result, moves=None)))
    assert found["promise"] is None
    assert found["numbers"] is None
    assert found["own score"] is None
    assert found["secret"] is True


def test_a_chosen_deal_is_called_chosen() -> None:
    """It is neither right nor wrong: somebody may have known it."""
    honest = Honest()
    honest.freeze()
    result = honest.result(chosen_seed=True, seed="friday")
    checks = {check.name: check for check in honest.witness.check(result, None)}
    assert checks["seed"].ok is None
    assert "chosen" in checks["seed"].why


@pytest.mark.parametrize(
    "change",
    [
        lambda honest: {"commitment": commitment(DUEL, "00" * 32)},
        lambda honest: {"nonce_hashes": [honest.hashes[1], honest.hashes[0]]},
        lambda honest: {"nonce_hashes": [honest.hashes[0]]},
    ],
)
def test_a_dishonest_freeze_raises_an_alarm(change: Callable[[Honest], dict[str, Any]]) -> None:
    """Another commitment than before, or our seat with another's number."""
    honest = Honest()
    honest.see()
    honest.hashes = [nonce_hash(OTHER), honest.witness.nonce_hash_for(honest.promise)]
    fields = {"phase": DuelPhase.FROZEN, "nonce_hashes": honest.hashes} | change(honest)
    frozen = honest.see(**fields)
    assert honest.alarms
    if "nonce_hashes" in change(honest):
        assert honest.witness.nonce_to_reveal(frozen) is None


def test_a_number_is_never_used_for_two_starts() -> None:
    """Once revealed it is known; the next ready check gets a fresh one."""
    honest = Honest()
    honest.freeze()
    first = honest.hashes[1]
    assert honest.nonce is not None
    honest.see(commitment="77" * 32)
    assert honest.witness.nonce_hash_for("77" * 32) != first
    assert honest.witness.nonce_hash_for("77" * 32) == honest.witness.nonce_hash_for("77" * 32)


def called_off(**fields: Any) -> CalledOff:
    base: dict[str, Any] = {
        "reason": "Bo is gone",
        "commitment": commitment(DUEL, SECRET),
        "secret": SECRET,
        "nonces": [None, None],
    }
    return CalledOff(**(base | fields))


def test_starts_that_were_called_off_are_counted_and_checked() -> None:
    """A server that draws until it likes the deal shows by this count."""
    honest = Honest()
    honest.freeze()
    for _ in range(2):  # the same one, told twice
        honest.see(commitment="77" * 32, called_off=called_off())
    assert honest.witness.called_off == 1
    assert honest.alarms == []
    honest.see(commitment="78" * 32, called_off=called_off(commitment="77" * 32))
    assert honest.witness.called_off == 2
    assert [alarm.name for alarm in honest.alarms] == ["called off"]


def test_a_spectator_checks_what_can_be_checked() -> None:
    """Without a seat there is no number and no game of ours."""
    honest = Honest()
    honest.see(you=None)
    hashes = [nonce_hash(OTHER), nonce_hash("11" * 16)]
    honest.see(you=None, phase=DuelPhase.FROZEN, nonce_hashes=hashes)
    honest.nonce = None
    found = verdicts(honest.witness.check(honest.result(), None))
    assert found == {"promise": True, "secret": True, "numbers": True, "seed": True}

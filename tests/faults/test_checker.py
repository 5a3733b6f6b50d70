"""The checker finds nothing where nothing is, and everything that is planted."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from faults.checker import check_duel
from faults.evidence import DuelEvidence, Got, Sent
from faults.made_up import made_up
from samedeal_rules import RULESETS


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_a_duel_without_fault_has_no_violation(ruleset: str) -> None:
    """Whatever the game."""
    assert check_duel(made_up(ruleset)) == []


def _events(duel: DuelEvidence, who: str = "ann") -> list[Sent | Got]:
    return duel.logs[who].events


def _change(duel: DuelEvidence, kind: str, nth: int, who: str = "ann", **fields: Any) -> None:
    """Another message than the one that came."""
    events = _events(duel, who)
    found = [i for i, e in enumerate(events) if isinstance(e, Got) and e.message["type"] == kind]
    old = events[found[nth]]
    assert isinstance(old, Got)
    message = {**old.message, **fields}
    events[found[nth]] = Got(old.connection, message, json.dumps(message))


def _journal(duel: DuelEvidence, who: str = "ann") -> list[str]:
    found = duel.journals[who]
    assert isinstance(found, list)
    return found


def lose_the_last(duel: DuelEvidence) -> None:
    _journal(duel).pop()


def lose_one_in_the_middle(duel: DuelEvidence) -> None:
    del _journal(duel)[7]


def apply_twice(duel: DuelEvidence) -> None:
    _journal(duel).insert(8, _journal(duel)[7])


def swap_two(duel: DuelEvidence) -> None:
    journal = _journal(duel)
    journal[3], journal[4] = journal[4], journal[3]


def let_a_stranger_move(duel: DuelEvidence) -> None:
    _journal(duel).append("2999 end")


def leave_an_answer_out(duel: DuelEvidence) -> None:
    events = _events(duel)
    found = [
        i for i, e in enumerate(events) if isinstance(e, Got) and e.message["type"] == "applied"
    ]
    del events[found[5]]


def let_the_old_tab_write(duel: DuelEvidence) -> None:
    events = _events(duel)
    late = [i for i, e in enumerate(events) if isinstance(e, Sent)][-3]
    sent = events[late]
    assert isinstance(sent, Sent)
    events[late] = replace(sent, connection=1)


def keep_a_refused_move(duel: DuelEvidence) -> None:
    events = _events(duel)
    sent = [e for e in events if isinstance(e, Sent)][9]
    message = {"type": "refused", "seq": sent.seq, "code": "illegal", "message": ""}
    events.append(Got(sent.connection, message, json.dumps(message)))


def move_after_the_deadline(duel: DuelEvidence) -> None:
    journal = _journal(duel)
    journal[-1] = f"{duel.duration_ms} {journal[-1].split(' ')[1]}"


def turn_the_clock_back(duel: DuelEvidence) -> None:
    journal = _journal(duel)
    journal[6] = f"1 {journal[6].split(' ')[1]}"


def swap_the_secret(duel: DuelEvidence) -> None:
    assert isinstance(duel.result, dict)
    duel.result["secret"] = "6" * 64


def swap_the_seed(duel: DuelEvidence) -> None:
    assert isinstance(duel.result, dict)
    duel.result["seed"] = "7" * 64


def swap_a_nonce(duel: DuelEvidence) -> None:
    duel.logs["bob"].nonces.clear()
    duel.logs["bob"].nonces["f" * 64] = "0" * 32


def show_another_promise(duel: DuelEvidence) -> None:
    _change(duel, "duel", 0, commitment="8" * 64)


def deal_one_of_them_other_cards(duel: DuelEvidence) -> None:
    _change(duel, "snapshot", 0, "bob", fingerprint="lake gate garlic acorn")


def tell_a_wrong_score(duel: DuelEvidence) -> None:
    _change(duel, "applied", 11, score=123_456)


def tell_a_wrong_checksum(duel: DuelEvidence) -> None:
    _change(duel, "applied", 11, checksum=1)


def show_a_wrong_table(duel: DuelEvidence) -> None:
    events = _events(duel)
    snapshot = next(e for e in events if isinstance(e, Got) and e.message["type"] == "snapshot")
    _change(duel, "snapshot", 0, board={**snapshot.message["board"], "redeals": 3})


def show_a_hidden_card(duel: DuelEvidence) -> None:
    events = _events(duel)
    snapshot = next(e for e in events if isinstance(e, Got) and e.message["type"] == "snapshot")
    all_cards = {f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "CDHS"}
    shown = {card for column in snapshot.message["board"]["columns"] for card in column}
    _change(duel, "snapshot", 0, next_card=min(all_cards - shown))


def show_a_watcher_a_card(duel: DuelEvidence) -> None:
    message = {"type": "standings", "duel": duel.duel, "rows": [{"last": "4C"}]}
    _events(duel, "watcher").insert(1, Got(1, message, json.dumps(message)))


def tell_the_seed_too_early(duel: DuelEvidence) -> None:
    assert duel.result is not None
    _change(duel, "duel", 0, "watcher", hint=duel.result["seed"])


def tell_two_results(duel: DuelEvidence) -> None:
    _change(duel, "result", 0, "bob", total=3)


def give_points_away(duel: DuelEvidence) -> None:
    assert isinstance(duel.result, dict)
    duel.result["ranking"][0]["score"] += 5


def rank_them_wrongly(duel: DuelEvidence) -> None:
    assert isinstance(duel.result, dict)
    for row in duel.result["ranking"]:
        row["place"] = 3 - row["place"] if row["place"] in (1, 2) else 1


PLANTED: dict[str, list[Callable[[DuelEvidence], None]]] = {
    "acknowledged is kept": [lose_the_last, lose_one_in_the_middle, swap_two],
    "nothing twice": [apply_twice, let_a_stranger_move],
    "answers in order": [leave_an_answer_out],
    "one writer": [let_the_old_tab_write],
    "refused stays out": [keep_a_refused_move],
    "in time": [move_after_the_deadline, turn_the_clock_back],
    "the deal was fixed": [swap_the_secret, swap_the_seed, swap_a_nonce, show_another_promise],
    "same deal": [deal_one_of_them_other_cards],
    "tables are true": [tell_a_wrong_score, tell_a_wrong_checksum, show_a_wrong_table],
    "nothing hidden is seen": [show_a_hidden_card, show_a_watcher_a_card],
    "secrets are kept": [tell_the_seed_too_early],
    "one result": [tell_two_results],
    "the result is true": [give_points_away, rank_them_wrongly],
}


@pytest.mark.parametrize(
    ("law", "plant"),
    [(law, plant) for law, plants in PLANTED.items() for plant in plants],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_what_is_planted_is_found(law: str, plant: Callable[[DuelEvidence], None]) -> None:
    """Each kind of broken promise is reported under its law."""
    duel = made_up()
    plant(duel)
    assert law in {found.law for found in check_duel(duel)}


@pytest.mark.parametrize("note", [None, "our fault, incident 1234abcd"])
def test_an_abort_without_a_good_reason_is_reported(note: str | None) -> None:
    """A duel may end without a result if people left; not by our own fault, not in silence."""
    duel = replace(made_up(), result=None, note=note)
    duel.logs = {}
    assert [found.law for found in check_duel(duel)] == ["aborted with a reason"]
    assert not check_duel(replace(duel, note="the host left"))

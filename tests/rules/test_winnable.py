"""Deals that are known to be winnable: certified by a line that our engine plays to its end."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from typing import Any

import pytest

from samedeal_rules import deal, find_ruleset, winnable
from samedeal_rules.duel_record import (
    Check,
    DuelRecord,
    PlayerRecord,
    parse_duel_record,
    verify_duel_record,
    write_duel_record,
)
from samedeal_rules.fairness import commitment, deal_seed, nonce_hash
from samedeal_rules.winnable import (
    MAX_STATES,
    Solver,
    Verdict,
    can_solve,
    first_winnable,
    installed_solver,
    judge_deal,
)

needs_solver = pytest.mark.skipif(installed_solver() is None, reason="pyksolve is not installed")
SECRET, NONCE, DUEL = "5e" * 32, "0a" * 16, "p00winnable"


@pytest.mark.parametrize(
    ("name", "options", "can"),
    [
        ("timed", {}, True),
        ("timed", {"draw": 1}, True),
        ("klondike-1", {}, True),
        ("klondike-3", {}, True),
        ("klondike-3", {"redeals": 3}, False),
        ("klondike-1", {"redeals": 0}, False),
        ("freecell", {}, False),
        ("freecell", {"deal": "ms:1"}, False),
        ("spider-1", {}, False),
        ("spanish", {"redeals": "unlimited"}, False),
    ],
)
def test_where_there_is_a_solver(name: str, options: dict[str, Any], can: bool) -> None:
    """French Klondike with redeals without limit, by whatever name and way it was made."""
    assert can_solve(find_ruleset(name, options)[1]) is can


@needs_solver
@pytest.mark.parametrize(("name", "least"), [("klondike-1", 8), ("klondike-3", 15), ("timed", 10)])
def test_certified_deals_are_common_enough(name: str, least: int) -> None:
    """Of 40 deals; so the first certified one comes after a few."""
    ruleset = find_ruleset(name)[1]
    verdicts = [judge_deal(ruleset, deal(ruleset, str(n)), MAX_STATES) for n in range(40)]
    assert verdicts.count(Verdict.YES) >= least
    assert Verdict.NO not in verdicts[:3]  # these can be won, given more states


@needs_solver
def test_the_same_answer_in_another_process() -> None:
    """With more states to look at, and whatever was solved before."""
    code = (
        "import sys; from samedeal_rules import deal, find_ruleset\n"
        "from samedeal_rules.winnable import judge_deal\n"
        "r = find_ruleset('klondike-3')[1]\n"
        "print([judge_deal(r, deal(r, str(n)), 5000).value for n in eval(sys.argv[1])])"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code, numbers], capture_output=True, text=True, check=True
        ).stdout
        for numbers in ("range(30)", "range(29, -1, -1)")
    ]
    forwards, backwards = (json.loads(run.replace("'", '"')) for run in runs)
    assert forwards == backwards[::-1]


def _record(k: int, solver: Solver | None, name: str = "klondike-3") -> DuelRecord:
    ruleset = find_ruleset(name)[1]
    player = PlayerRecord(
        seat=0,
        player="ana",
        name="Ana",
        nonce_hash=nonce_hash(NONCE),
        nonce=NONCE,
        moves=(),
        place=1,
        score=0 if ruleset.scored else None,
        cards_up=0,
        ended="timeout",
        ended_ms=300_000,
        items={},
    )
    return DuelRecord(
        duel=DUEL,
        ruleset=name,
        options={},
        duration_ms=300_000,
        chosen_seed=None,
        commitment=commitment(DUEL, SECRET),
        secret=SECRET,
        k=k,
        seed=_seed(name, k),
        players=(player,),
        solver=solver,
    )


def _seed(name: str, k: int) -> str:
    return deal_seed(secret=SECRET, duel=DUEL, ruleset=name, options={}, nonces=[NONCE], k=k)


def _said(record: DuelRecord) -> dict[str, Check]:
    return {check.name: check for check in verify_duel_record(write_duel_record(record))}


def test_another_k_than_0_needs_a_reason() -> None:
    """Or who knows the secret could choose among deals."""
    assert "k" not in _said(_record(0, None))
    said = _said(_record(1, None))
    assert said["seed"].ok
    assert said["k"].ok is False


@pytest.mark.parametrize(
    ("solver", "name", "k"),
    [
        (Solver("pyksolve", "0.0.15", 20_000), "freecell", 3),
        (Solver("pyksolve", "0.0.15", 20_000), "klondike-3", 64),
        (Solver("pyksolve", "0.0.15", 10**9), "klondike-3", 1),
    ],
)
def test_a_solver_that_can_not_have_done_it(solver: Solver, name: str, k: int) -> None:
    """Another game, more tries than there are, or a limit that nobody could check."""
    assert _said(_record(k, solver, name))["k"].ok is False


@pytest.mark.parametrize("here", [None, "0.0.14"])
def test_what_can_not_be_checked_is_said(monkeypatch: pytest.MonkeyPatch, here: str | None) -> None:
    """Without the solver, or with another version: neither right nor wrong."""

    def version(_name: str) -> str:
        if here is None:
            raise PackageNotFoundError
        return here

    monkeypatch.setattr(winnable, "version", version)
    check = _said(_record(1, Solver("pyksolve", "0.0.15", 20_000)))["k"]
    assert check.ok is None
    assert "not installed here" in check.why


@needs_solver
def test_the_first_certified_deal_and_no_other() -> None:
    """The choice is made again; the record carries what it takes."""
    solver = installed_solver()
    assert solver is not None
    ruleset = find_ruleset("klondike-3")[1]
    k = first_winnable(ruleset, lambda k: _seed("klondike-3", k), solver.max_states)
    assert k is not None
    right = _record(k, solver)
    assert parse_duel_record(write_duel_record(right)) == right
    assert all(check.ok for check in _said(right).values())
    assert _said(_record(k + 1, solver))["k"].ok is False
    # With fewer states another deal may be the first, and the record says which limit it was.
    assert _said(replace(right, solver=replace(solver, max_states=1)))["k"].ok is False


def test_without_the_extra_nothing_else_needs_it() -> None:
    """It is imported only where something is solved."""
    assert "pyksolve" not in vars(importlib.import_module("samedeal_rules.winnable"))

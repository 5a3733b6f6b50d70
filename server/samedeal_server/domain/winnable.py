"""Which deal a duel gets that asks for one that can be won: asked and answered in two processes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from samedeal_rules import OptionValue, Ruleset, deal, find_ruleset
from samedeal_rules.winnable import Verdict, can_solve, first_winnable, judge_deal
from samedeal_server.domain.duel import Duel
from samedeal_server.domain.result import seed_of
from samedeal_server.domain.ruling import ruleset_of

__all__ = ["NONE_FOUND", "DealQuestion", "SeedQuestion", "find_k", "judge_seed", "why_not"]

NONE_FOUND = -1
"""None of the deals that were tried is certified."""


@dataclass(frozen=True, slots=True)
class DealQuestion:
    """A frozen duel whose nonces are all there."""

    duel: Duel
    secret: str
    max_states: int


@dataclass(frozen=True, slots=True)
class SeedQuestion:
    """A deal that was played."""

    ruleset: str
    options: Mapping[str, OptionValue]
    seed: str
    max_states: int


def why_not(name: str, ruleset: Ruleset, seed: str | None) -> str | None:
    """Why a duel can't ask for a deal that can be won; None if it can."""
    if seed is not None:
        return "winnable: a chosen deal is as it is"
    if can_solve(ruleset):
        return None
    if can_solve(find_ruleset(name)[1]):
        return f"winnable: no solver for {name} with these options"
    return f"winnable: no solver for {name}"


def find_k(question: DealQuestion) -> int:
    """The first k whose deal is certified, or `NONE_FOUND`. Half a second as a rule."""

    def seed(k: int) -> str:
        found = seed_of(replace(question.duel, k=k), question.secret)
        assert found is not None
        return found

    k = first_winnable(ruleset_of(question.duel), seed, question.max_states)
    return NONE_FOUND if k is None else k


def judge_seed(question: SeedQuestion) -> Verdict:
    """What is known about a deal."""
    ruleset = find_ruleset(question.ruleset, dict(question.options))[1]
    return judge_deal(ruleset, deal(ruleset, question.seed), question.max_states)

"""Deals that can be won: looked for before a start, and told after the end."""

from __future__ import annotations

from typing import Final

from samedeal_protocol import ErrorCode
from samedeal_rules import Ruleset
from samedeal_rules.winnable import Solver, Verdict, can_solve, installed_solver
from samedeal_server.domain.duel import Duel, DuelId
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.events import DealFound
from samedeal_server.domain.result import seed_of
from samedeal_server.domain.ruling import ruleset_of
from samedeal_server.domain.winnable import (
    NONE_FOUND,
    DealQuestion,
    SeedQuestion,
    find_k,
    judge_seed,
    why_not,
)
from samedeal_server.node.background import Background
from samedeal_server.node.keeper import DuelGone, Keeper
from samedeal_server.node.room import Room
from samedeal_server.node.worker import Worker
from samedeal_server.store.duels import Stored

__all__ = ["WinnableDeals", "solver_for"]

SEARCH_S: Final = 25.0
"""Less than `Timing.search_ms`, after which the start is called off."""
MAX_WAITING: Final = 32
"""Searches and verdicts of a node, half a second each."""
KNOWN_STATES: Final = 100_000
"""For what is told after the end: half a second at most, and nothing depends on it."""
KNOWN_S: Final = 30.0
"""Nobody waits for it; what is not known by the end is `unknown`."""
MAX_VERDICTS: Final = 4096
"""Duels can end on other nodes, and leave theirs behind: then the oldest goes."""


def solver_for(name: str, ruleset: Ruleset, seed: str | None) -> Solver:
    """The solver for a duel that asks for a winnable deal. Raises `PlayerError` without one."""
    reason, solver = why_not(name, ruleset, seed), installed_solver()
    if reason is not None:
        raise PlayerError(ErrorCode.UNKNOWN_RULESET, reason)
    if solver is None:
        text = "winnable: this server has no solver (it is an extra: samedeal[solver])"
        raise PlayerError(ErrorCode.UNKNOWN_RULESET, text)
    return solver


class WinnableDeals:
    """Every node that shows a duel looks for its deal; all find the same, the first is written."""

    def __init__(self, keeper: Keeper, background: Background, *, tell: bool) -> None:
        """`tell`: find out about every Klondike deal what can be told after the end."""
        self._keeper = keeper
        self._background = background
        self._worker = Worker("solver", MAX_WAITING)
        self._tell = tell
        self._under_way: set[str] = set()
        self._verdicts: dict[DuelId, Verdict] = {}

    def look_for(self, room: Room) -> None:
        """Find the deal of a duel whose nonces are all revealed."""
        stored = room.stored
        solver = stored.duel.solver
        if solver is None or stored.duel.commitment in self._under_way:
            return
        if installed_solver(solver.max_states) != solver:
            return  # another node has it, or the start is called off
        self._under_way.add(stored.duel.commitment)
        self._background.start(self._look_for(stored, solver), "deal", duel=stored.duel.id)

    async def _look_for(self, stored: Stored, solver: Solver) -> None:
        duel = stored.duel
        try:
            question = DealQuestion(duel, stored.secret, solver.max_states)
            k = await self._worker.ask(find_k, question, SEARCH_S)
            if k is not None:
                found = DealFound(duel.commitment, None if k == NONE_FOUND else k)
                await self._keeper.change(duel.id, found)
        except DuelGone:
            pass
        finally:
            self._under_way.discard(duel.commitment)

    def expect(self, room: Room) -> None:
        """A duel has begun: find out meanwhile what will be told of its deal at the end."""
        duel, seed = room.duel, seed_of(room.duel, room.stored.secret)
        told = duel.solver is None and can_solve(ruleset_of(duel))
        if self._tell and told and seed is not None and installed_solver() is not None:
            question = SeedQuestion(duel.ruleset, dict(duel.options), seed, KNOWN_STATES)
            self._background.start(self._judge(duel.id, question), "verdict", duel=duel.id)

    async def _judge(self, duel: DuelId, question: SeedQuestion) -> None:
        verdict = await self._worker.ask(judge_seed, question, KNOWN_S)
        if verdict is not None:
            self._verdicts[duel] = verdict
            if len(self._verdicts) > MAX_VERDICTS:
                del self._verdicts[next(iter(self._verdicts))]

    def known(self, duel: Duel) -> Verdict | None:
        """Whether the deal of an ended duel could be won; None in games without a solver."""
        if not can_solve(ruleset_of(duel)):
            return None
        found = self._verdicts.pop(duel.id, Verdict.UNKNOWN)
        return found if duel.solver is None else Verdict.YES

    async def close(self) -> None:
        """With the node."""
        await self._worker.close()

"""What a client knows of its duel: the server's messages folded, no I/O."""

from __future__ import annotations

from typing import Final

from samedeal_client.fair import FairCheck, OwnGame, Witness
from samedeal_client.table import Resumed, Table
from samedeal_protocol import DuelChanged, DuelPhase, Result, Snapshot, Standings
from samedeal_rules import find_ruleset

__all__ = ["OVER", "DuelState"]

OVER: Final = (DuelPhase.FINISHED, DuelPhase.ABORTED)
MAX_FORMER: Final = 64
"""Duels left behind whose late messages are recognised."""


class DuelState:
    """The duel that this client is in, or was in last."""

    def __init__(self) -> None:
        self.duel: DuelChanged | None = None
        self.table: Table | None = None
        self.standings: Standings | None = None
        self.result: Result | None = None
        self.witness: Witness | None = None
        self._former: dict[str, None] = {}

    @property
    def live(self) -> bool:
        """Whether there is a duel that is not over."""
        return self.duel is not None and self.duel.phase not in OVER

    def see_duel(self, duel: DuelChanged, *, ours: bool) -> list[FairCheck] | None:
        """Take a change; what is unfair about it. None if it is old, or of a former duel.

        `ours` marks a duel that we asked for, or that the server says we are in.
        """
        current = self.duel
        if current is None or current.id != duel.id:
            if not ours and (self.live or duel.id in self._former):
                return None
            self.leave()
            self._former.pop(duel.id, None)
            self.witness = Witness(duel.id)
        elif duel.version < current.version:
            return None
        self.duel = duel
        assert self.witness is not None
        return self.witness.see(duel)

    def see_snapshot(self, snapshot: Snapshot, *, new_line: bool) -> Resumed | None:
        """Take a table; what it changes about moves on their way. None if it is not ours.

        Raises `BrokenSnapshot` and `UnknownRuleset`.
        """
        duel = self.duel
        if duel is None or duel.id != snapshot.duel:
            return None
        if self.table is None:
            ruleset = find_ruleset(duel.ruleset, duel.options)[1]
            self.table = Table.from_snapshot(snapshot, ruleset)
            return Resumed()
        return self.table.resume(snapshot) if new_line else self.table.snapshot(snapshot)

    def see_standings(self, standings: Standings) -> bool:
        """Take standings; False if they are older than what we have, or another duel's."""
        if self.duel is None or standings.duel != self.duel.id:
            return False
        known = self.standings
        if known is not None and standings.version < known.version:
            return False
        self.standings = standings
        return True

    def see_result(self, result: Result) -> bool:
        """Take the end of our duel; False if it is another duel's."""
        if self.duel is None or result.duel != self.duel.id:
            return False
        self.result = result
        if self.table is not None:
            self.table.run_out()
        return True

    def leave(self) -> None:
        """We are in no duel."""
        if self.duel is not None:
            self._former[self.duel.id] = None
            while len(self._former) > MAX_FORMER:
                del self._former[next(iter(self._former))]
        self.duel = self.table = self.standings = self.result = self.witness = None

    def fairness(self) -> tuple[FairCheck, ...]:
        """What can be said about the deal once there is a result; nothing before."""
        if self.witness is None or self.result is None:
            return ()
        return self.witness.check(self.result, self._own_game())

    def _own_game(self) -> OwnGame | None:
        table = self.table
        if table is None:
            return None
        moves = [(entry.ms, entry.text) for entry in table.journal if entry.ms is not None]
        whole = table.base == 0 and len(moves) == len(table.journal)
        return OwnGame(table.fingerprint, moves if whole else None)

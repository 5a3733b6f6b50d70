"""Witness of a duel's fairness: remembers what was promised, checks it when all is revealed."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from samedeal_client.texts import _
from samedeal_protocol import CalledOff, DuelChanged, DuelPhase, RankingRow, Result
from samedeal_rules import (
    Game,
    IllegalMove,
    UnknownRuleset,
    deal,
    find_ruleset,
    parse_move,
)
from samedeal_rules.fairness import commitment, deal_seed, fingerprint, nonce_hash

__all__ = ["FairCheck", "OwnGame", "Witness", "own_seat_index"]

BEFORE_FREEZE: Final = (DuelPhase.OPEN, DuelPhase.READY_CHECK)


@dataclass(frozen=True, slots=True)
class FairCheck:
    """One thing that was checked."""

    name: str
    ok: bool | None
    """None: could not be checked here; `why` says what is missing."""
    why: str


@dataclass(frozen=True, slots=True)
class OwnGame:
    """What this client saw of its own game."""

    fingerprint: str
    moves: Sequence[tuple[int, str]] | None
    """The acknowledged journal from its start, or None where a part is missing."""


def own_seat_index(duel: DuelChanged) -> int | None:
    """Where our nonce stands in lists in seat order; None for a spectator."""
    if duel.you is None:
        return None
    if duel.nonce_hashes is not None and len(duel.players) == len(duel.nonce_hashes):
        seats = sorted(seat.seat for seat in duel.players)
        return seats.index(duel.you) if duel.you in seats else None
    return duel.you


class Witness:
    """One duel, from one client's seat (design.md, "Fairness")."""

    def __init__(self, duel: str) -> None:
        self.duel = duel
        self.promised: list[str] = []
        """Commitments seen before the freeze, the latest last."""
        self.frozen: DuelChanged | None = None
        """The latest duel with the hashes of all nonces."""
        self.alarms: list[FairCheck] = []
        """What was already wrong on the way."""
        self._nonces: dict[str, str] = {}
        self._open_nonce: tuple[str, str] | None = None
        self._called_off: set[str] = set()

    @property
    def called_off(self) -> int:
        """Starts that did not come about, as far as this client saw."""
        return len(self._called_off)

    def nonce_hash_for(self, promised: str) -> str:
        """The hash to say `ready` with, under this commitment: one fresh nonce for each."""
        if self._open_nonce is None or self._open_nonce[0] != promised:
            nonce = secrets.token_hex(16)
            hashed = nonce_hash(nonce)
            self._nonces[hashed] = nonce
            self._open_nonce = (promised, hashed)
        return self._open_nonce[1]

    def see(self, duel: DuelChanged) -> list[FairCheck]:
        """Remember what this change promises; what is wrong with it, if anything."""
        alarms: list[FairCheck] = []
        if duel.called_off is not None and duel.called_off.commitment not in self._called_off:
            self._called_off.add(duel.called_off.commitment)
            alarms += self._check_called_off(duel.called_off)
        if duel.phase in BEFORE_FREEZE:
            if not self.promised or self.promised[-1] != duel.commitment:
                self.promised.append(duel.commitment)
        elif duel.nonce_hashes is not None and self._is_news(duel):
            alarms += self._check_freeze(duel)
            self.frozen = duel
        self.alarms += alarms
        return alarms

    def nonce_to_reveal(self, duel: DuelChanged) -> str | None:
        """Our nonce, once all hashes are fixed and ours stands at our seat."""
        if duel.phase is not DuelPhase.FROZEN or duel.nonce_hashes is None:
            return None
        index = own_seat_index(duel)
        if index is None or index >= len(duel.nonce_hashes):
            return None
        self._open_nonce = None
        return self._nonces.get(duel.nonce_hashes[index])

    def check(self, result: Result, own: OwnGame | None) -> tuple[FairCheck, ...]:
        """Everything that this client can check once all is revealed."""
        checks = [*self.alarms, *self._check_promise(result), *self._check_nonces(result)]
        checks.append(self._check_seed(result))
        if not result.chosen_seed and result.k and not self._asked_for_winnable(result):
            why = _("the deal is another than the first one, for no reason given")
            checks.append(FairCheck("k", False, why))
        if own is not None:
            checks += self._check_own_game(result, own)
        return tuple(checks)

    def _asked_for_winnable(self, result: Result) -> bool:
        """Only then may k be another than 0; `samedeal verify` checks that it is the first."""
        asked = self.frozen is None or self.frozen.winnable
        return asked and result.solver is not None

    # On the way.

    def _is_news(self, duel: DuelChanged) -> bool:
        old = self.frozen
        return old is None or (old.commitment, old.nonce_hashes) != (
            duel.commitment,
            duel.nonce_hashes,
        )

    def _check_freeze(self, duel: DuelChanged) -> list[FairCheck]:
        alarms = []
        if self.promised and duel.commitment != self.promised[-1]:
            alarms.append(
                FairCheck("promise", False, _("the commitment changed when the duel was frozen"))
            )
        index = own_seat_index(duel)
        hashes = duel.nonce_hashes or []
        if self._nonces and index is not None:
            ours = hashes[index] if index < len(hashes) else None
            if ours not in self._nonces:
                alarms.append(
                    FairCheck(
                        "own number", False, _("our seat stands with a number that is not ours")
                    )
                )
        return alarms

    def _check_called_off(self, old: CalledOff) -> list[FairCheck]:
        alarms = []
        if commitment(self.duel, old.secret) != old.commitment:
            why = _("the secret of a start that was called off does not fit its commitment")
            alarms.append(FairCheck("called off", False, why))
        if self.promised and old.commitment not in self.promised:
            why = _("a start was called off that had another commitment than the one shown")
            alarms.append(FairCheck("called off", False, why))
        return alarms

    # At the end.

    def _check_promise(self, result: Result) -> list[FairCheck]:
        if not self.promised:
            seen = FairCheck("promise", None, _("this program came after the deal was fixed"))
        elif self.promised[-1] == result.commitment:
            seen = FairCheck("promise", True, _("the deal was promised before the start, and kept"))
        else:
            seen = FairCheck("promise", False, _("another deal was promised before the start"))
        fits = commitment(result.duel, result.secret) == result.commitment
        why = _("the secret fits the promise") if fits else _("the secret does not fit the promise")
        return [seen, FairCheck("secret", fits, why)]

    def _check_nonces(self, result: Result) -> list[FairCheck]:
        hashes = self.frozen.nonce_hashes if self.frozen is not None else None
        if self.frozen is None or hashes is None:
            missing = _("this program did not see the players' numbers being fixed")
            return [FairCheck("numbers", None, missing)]
        fit = [nonce_hash(nonce) for nonce in result.nonces] == hashes
        why = (
            _("every player's number is the one fixed before")
            if fit
            else _("a player's number is not the one fixed before")
        )
        checks = [FairCheck("numbers", fit, why)]
        index = own_seat_index(self.frozen)
        if index is not None:
            checks.append(self._check_own_nonce(result.nonces, index))
        return checks

    def _check_own_nonce(self, nonces: Sequence[str], index: int) -> FairCheck:
        if not self._nonces:
            return FairCheck("own number", None, _("this program did not draw our number itself"))
        ours = index < len(nonces) and nonces[index] in self._nonces.values()
        why = _("our own number went into it") if ours else _("our own number did not go into it")
        return FairCheck("own number", ours, why)

    def _check_seed(self, result: Result) -> FairCheck:
        if result.chosen_seed:
            why = _("the deal was chosen by somebody, who may have known it")
            return FairCheck("seed", None, why)
        seed = deal_seed(
            secret=result.secret,
            duel=result.duel,
            ruleset=result.ruleset,
            options=result.options,
            nonces=result.nonces,
            k=result.k,
        )
        fits = seed == result.seed
        why = (
            _("the deal follows from the secret and everybody's number")
            if fits
            else _("the deal does not follow from the secret and everybody's number")
        )
        return FairCheck("seed", fits, why)

    def _check_own_game(self, result: Result, own: OwnGame) -> list[FairCheck]:
        try:
            ruleset = find_ruleset(result.ruleset, result.options)[1]
        except UnknownRuleset:
            return [FairCheck("cards", None, _("this program does not know that game"))]
        board = deal(ruleset, result.seed)
        same = fingerprint(board, ruleset.deck.names) == own.fingerprint
        why = (
            _("the cards on the table were that deal")
            if same
            else _("the cards on the table were another deal")
        )
        checks = [FairCheck("cards", same, why)]
        row = self._own_row(result)
        if row is None or own.moves is None or self.frozen is None:
            missing = _(
                "this program did not see all of our moves; verify the saved record instead"
            )
            checks.append(FairCheck("own score", None, missing))
        else:
            game = Game(ruleset, board, self.frozen.duration_ms)
            checks.append(_check_replay(game, own.moves, row))
        return checks

    def _own_row(self, result: Result) -> RankingRow | None:
        if self.frozen is None or self.frozen.you is None:
            return None
        return next((row for row in result.ranking if row.seat == self.frozen.you), None)


def _check_replay(game: Game, moves: Sequence[tuple[int, str]], row: RankingRow) -> FairCheck:
    try:
        for ms, text in moves:
            move = parse_move(text, game.ruleset.deck.suits)
            if move is None:
                return FairCheck("own score", False, _("one of our moves is no move"))
            game.play(move, ms)
    except IllegalMove:
        return FairCheck(
            "own score", False, _("our own moves don't fit the deal that was revealed")
        )
    game.run_out()
    if game.score != (row.score or 0) or game.ledger() != row.items:
        return FairCheck("own score", False, _("replaying our own moves gives another score"))
    return FairCheck("own score", True, _("replaying our own moves gives exactly our score"))

"""One player's table, as confirmed by the server and as played ahead of it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from samedeal_client.outbox import Entry, Outbox
from samedeal_client.view import game_from_snapshot, learn
from samedeal_protocol import Applied, RefusalCode, Refused, Snapshot
from samedeal_rules import UNKNOWN, Game, IllegalMove, Move, RuleKey, Ruleset, parse_move
from samedeal_rules.moves import Kind

__all__ = ["Journaled", "Resumed", "Table"]

_ALWAYS_ILLEGAL: Final = {RuleKey.NOT_A_MOVE, RuleKey.NO_SUCH_PILE, RuleKey.NOT_IN_THIS_GAME}
"""Wrong whatever the unknown cards are."""
_OUT_OF_STEP: Final = {RefusalCode.GAP, RefusalCode.CONFLICT, RefusalCode.LOST}
"""Refusals that say that server and client don't count alike."""


@dataclass(frozen=True, slots=True)
class Journaled:
    """An acknowledged move."""

    text: str
    ms: int | None
    """As it counts; None where only a snapshot said that it was kept."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """What a snapshot changed about the moves on their way."""

    kept: tuple[int, ...] = ()
    """Journal indexes that turned out to be kept though their answer was lost."""
    lost: int = 0
    """Acknowledged moves that the server no longer has; they go out again."""


class Table:
    """Confirmed game, moves on their way, and the game as it will be if all of them are taken.

    The prediction runs on a view. Where it meets a card that it can't know it stops: moves
    played from there on go out *blind*, and only the answer says whether they were legal. That
    is safe: after a refused move the server takes nothing that was sent before it was known.
    """

    def __init__(self, snapshot: Snapshot, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.confirmed: Game
        self.ahead: Game
        """`confirmed` with the moves on their way played, as far as their outcome is known."""
        self.base = snapshot.seq
        """Journal index of the first entry of `journal`: 0 if this table saw the start."""
        self.journal: list[Journaled] = []
        """Acknowledged moves since `base`."""
        self.fingerprint = snapshot.fingerprint
        self.blind = False
        """Whether a move is on its way whose outcome could not be predicted."""
        self._certain = True
        self._outbox = Outbox()
        self._load(snapshot)

    @classmethod
    def from_snapshot(cls, snapshot: Snapshot, ruleset: Ruleset) -> Table:
        """The table that a snapshot shows. Raises `BrokenSnapshot`."""
        return cls(snapshot, ruleset)

    @property
    def acknowledged(self) -> int:
        """How many entries of the journal the server has acknowledged."""
        return self.base + len(self.journal)

    @property
    def next_seq(self) -> int:
        """The journal index of the next move played."""
        last = self._folded
        for entry in self._outbox.live():
            last = max(last, entry.seq + 1)
        return max(last, self.acknowledged)

    @property
    def pending(self) -> tuple[str, ...]:
        """Moves played and not yet answered, oldest first."""
        return tuple(entry.text for entry in self._outbox.live())

    @property
    def redeal_price(self) -> int:
        """Points that the next redeal brings: 0 or less."""
        return self.ruleset.scoring.redeal(self.ahead.board.redeals + 2)

    @property
    def undos_left(self) -> int:
        """Moves that the confirmed game can take back."""
        return self._undos

    def check(self, text: str, ms: int) -> None:
        """Raise `IllegalMove` if `play` would: nothing is played. Costs a copy of the game."""
        move = parse_move(text, self.ruleset.deck.suits)
        if move is None:
            raise IllegalMove(RuleKey.NOT_A_MOVE)
        undoes = move.kind is Kind.UNDO
        if self.blind or (undoes and (self.ahead.undoable or self._undos)):
            return
        game = self.ahead if undoes else self.ahead.copy()  # a copy has no history
        try:
            game.play(move, max(0, int(min(ms, game.deadline_ms - 1))))
        except IllegalMove as refusal:
            if self._is_certain(refusal):
                raise

    def play(self, text: str, ms: int) -> int:
        """Play ahead and queue the move; its journal index.

        Raises `IllegalMove` if it is certain to be refused, and `TooManyMoves`. Time is never a
        reason: only the server's clock says whether a move came in time.
        """
        move = parse_move(text, self.ruleset.deck.suits)
        if move is None:
            raise IllegalMove(RuleKey.NOT_A_MOVE)
        self._outbox.check_room()
        if not self.blind:
            game = self.confirmed.copy() if self.ahead is self.confirmed else self.ahead
            try:
                self._predict(game, move, ms)
            except IllegalMove as refusal:
                if self._is_certain(refusal):
                    raise
                self.blind = True
            self.ahead = game
        entry = Entry(self.next_seq, text, ms)
        self._outbox.add(entry)
        return entry.seq

    def take_unsent(self) -> list[Entry]:
        """What is to be sent now, at most as many as the protocol allows on their way."""
        return self._outbox.take_unsent()

    def send_again(self) -> None:
        """The server has not read some of the moves on their way: all of them go out once more."""
        self._outbox.again()

    def applied(self, answer: Applied) -> bool:
        """Fold an acknowledged move; False if the tables differ and a `sync` is due."""
        self._outbox.acknowledged(answer.seq, answer.move)
        if answer.seq < self.acknowledged:
            self._note_ms(answer)
            return True
        if answer.seq > self.acknowledged:
            return False
        self.journal.append(Journaled(answer.move, answer.ms))
        in_step = self._unloaded or answer.seq <= self._folded
        if answer.seq == self._folded and not self._unloaded:
            in_step = self._fold(answer)
        self._replay()
        return in_step

    def refused(self, answer: Refused) -> tuple[tuple[str, ...], bool]:
        """The moves that fell because of it, its own first, and whether the tables still agree.

        Empty for the answer to a move that had fallen before.
        """
        entry, fell = self._outbox.refused(answer.seq, gap=answer.code is RefusalCode.GAP)
        if entry is None or entry.fallen:
            return (), True
        self._replay()
        return (entry.text, *(other.text for other in fell)), answer.code not in _OUT_OF_STEP

    def snapshot(self, snapshot: Snapshot) -> Resumed:
        """The whole table anew, on the same connection. Raises `BrokenSnapshot`."""
        lost = self._cut(snapshot.seq)
        live = list(self._outbox.live())
        self._load(snapshot)
        if lost:
            self._outbox.requeue(self._again(lost, live))
        self._replay()
        return Resumed(lost=len(lost))

    def resume(self, snapshot: Snapshot) -> Resumed:
        """The whole table on a new connection: what was not acknowledged is to be sent again.

        Raises `BrokenSnapshot`.
        """
        lost = self._cut(snapshot.seq)
        live = list(self._outbox.live())
        kept = [entry for entry in live if entry.seq < snapshot.seq]
        live = [entry for entry in live if entry.seq >= snapshot.seq]
        self._load(snapshot)
        self.journal += [Journaled(entry.text, None) for entry in kept]
        if self.acknowledged < snapshot.seq:
            # Moves that this program never made (an earlier run of it did).
            self.base, self.journal = snapshot.seq, []
        self._outbox.restart(self._again(lost, live))
        self._replay()
        return Resumed(tuple(entry.seq for entry in kept), len(lost))

    def run_out(self) -> None:
        """The duel is over."""
        last = self.journal[-1].ms if self.journal else None
        self.confirmed.run_out(last or 0)
        self._outbox.restart([])
        self._replay()

    # How it works.

    def _is_certain(self, refusal: IllegalMove) -> bool:
        """Whether the server is sure to refuse too."""
        unsure = not self._certain or refusal.rule is RuleKey.CARD_UNKNOWN
        return refusal.rule in _ALWAYS_ILLEGAL or not unsure

    def _load(self, snapshot: Snapshot) -> None:
        self.confirmed = game_from_snapshot(snapshot, self.ruleset)
        self._folded = snapshot.seq
        self._undos = snapshot.undos_left
        self._unloaded = False
        self.ahead = self.confirmed

    def _cut(self, seq: int) -> list[Journaled]:
        """Take off the acknowledged moves that a snapshot with this seq does not know."""
        keep = max(0, seq - self.base)
        lost = self.journal[keep:]
        del self.journal[keep:]
        if seq < self.base:
            self.base = seq
        return lost

    def _again(self, lost: list[Journaled], live: list[Entry]) -> list[Entry]:
        start = self.acknowledged
        again = [Entry(start + i, moved.text, moved.ms or 0) for i, moved in enumerate(lost)]
        return again + [Entry(entry.seq, entry.text, entry.ms) for entry in live]

    def _fold(self, answer: Applied) -> bool:
        move = parse_move(answer.move, self.ruleset.deck.suits)
        if move is None:
            return False
        if move.kind is Kind.UNDO:
            # What was hidden again only the server can show: a snapshot is on its way.
            self._unloaded = True
            self.confirmed.score = answer.score or 0
            return True
        game = self.confirmed
        try:
            learn(game, answer)
            game.play(move, int(min(answer.ms, game.deadline_ms - 1)))
        except (IllegalMove, LookupError, ValueError):
            return False
        self._folded += 1
        if move.kind is not Kind.END:
            depth = self.ruleset.undo_depth
            self._undos = self._undos + 1 if depth is None else min(self._undos + 1, depth)
        same = game.board.checksum(self.ruleset.deck.names) == answer.checksum
        return same and (answer.score is None or answer.score == game.score)

    def _note_ms(self, answer: Applied) -> None:
        index = answer.seq - self.base
        if index >= 0 and self.journal[index].ms is None:
            self.journal[index] = Journaled(answer.move, answer.ms)

    def _replay(self) -> None:
        """Predict anew, from the confirmed game."""
        self.ahead, self.blind, self._certain = self.confirmed, self._unloaded, True
        for entry in self._outbox.live():
            if entry.seq < self._folded or self.blind:
                continue
            if self.ahead is self.confirmed:
                self.ahead = self.confirmed.copy()
            move = parse_move(entry.text, self.ruleset.deck.suits)
            assert move is not None
            try:
                self._predict(self.ahead, move, entry.ms)
            except IllegalMove:
                # It is on its way: the server decides, whatever we think.
                self.blind = True

    def _predict(self, game: Game, move: Move, ms: int) -> None:
        """Play ahead on `game`, or turn blind. Raises `IllegalMove`; then nothing changed."""
        if move.kind is Kind.UNDO and not game.undoable and self._undos:
            self.blind = True
            return
        played = game.play(move, max(0, int(min(ms, game.deadline_ms - 1))))
        if UNKNOWN in played.drawn or any(card == UNKNOWN for _pile, card in played.turned):
            # What comes up may set off automatic moves.
            self._certain = False

"""One player's table in a running duel: decides on each move, answers in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import orjson

from samedeal_protocol import RefusalCode
from samedeal_rules import RULE_WORDS, Board, Game, IllegalMove, RuleKey, parse_move
from samedeal_rules.moves import UNDO
from samedeal_rules.records import MAX_MOVES
from samedeal_server.domain.audience import applied_payload, snapshot_payload
from samedeal_server.domain.duel import Duel, DuelMs, PlayerId
from samedeal_server.domain.standing import Standing
from samedeal_server.net import text_frame
from samedeal_server.node.journal import Journal

__all__ = ["Reply", "Table", "TableOwner", "refused_frame"]

UNACKNOWLEDGED: Final = 16
"""Moves that may wait for their answers (design, "The life of a move")."""

_WORDS: Final = {
    RefusalCode.GAP: "moves before this one are missing",
    RefusalCode.CONFLICT: "another move was played with this number",
    RefusalCode.TOO_MANY: "too many moves wait for their answers",
    RefusalCode.FULL: "a game has no more moves than that; end it",
    RefusalCode.NOT_RUNNING: "the duel is not running",
    RefusalCode.TIME_OVER: "the time is over",
    RefusalCode.FINISHED: "your game has ended",
    RefusalCode.REPLACED: "you play on another connection now",
    RefusalCode.LOST: "the move could not be kept; here is your table",
}


def refused_frame(
    seq: int, code: RefusalCode, *, rule: RuleKey | None = None, expected: int | None = None
) -> bytes:
    """A `refused`, framed. Says the rule and nothing about the cards."""
    message = RULE_WORDS[rule] if rule is not None else _WORDS[code]
    fields: dict[str, object] = {"type": "refused", "seq": seq, "code": code, "message": message}
    if rule is not None:
        fields["rule"] = rule
    if expected is not None:
        fields["expected"] = expected
    return text_frame(orjson.dumps(fields))


class TableOwner(Protocol):
    """What a table tells the rest of the node."""

    def moved(self, player: PlayerId, standing: Standing) -> None:
        """A move was kept."""

    def refused(self, code: RefusalCode) -> None:
        """A move was not taken."""

    def refused_by_store(self, table: Table, player: PlayerId, answer: int) -> None:
        """The store did not keep a move of this table; what waits behind it is lost."""

    def failed(self, player: PlayerId) -> None:
        """Our own fault, in the `except` that caught it: the duel can't go on."""

    def wants_history(self, player: PlayerId, reply: Reply) -> None:
        """An old move was repeated: the journal knows its answer."""


class Reply:
    """A place in the order of answers."""

    __slots__ = ("frame", "move", "ms", "ready", "seq", "standing", "table")

    def __init__(self, table: Table, seq: int, move: str, frame: bytes, *, ready: bool) -> None:
        self.table = table
        self.seq = seq
        self.move = move
        self.frame = frame
        self.ready = ready
        self.ms = 0
        self.standing: Standing | None = None

    def settled(self, answer: int) -> None:
        """The store has answered for this move."""
        self.table.settle(self, answer)


class Table:
    """A game, and the answers that wait for the store."""

    __slots__ = (
        "_dealt",
        "_duel",
        "_epoch",
        "_journal",
        "_last_ms",
        "_owner",
        "_player",
        "_send",
        "_waiting",
        "game",
        "next_seq",
        "stopped",
    )

    def __init__(
        self,
        duel: Duel,
        player: PlayerId,
        epoch: str,
        dealt: Board,
        journal: Journal,
        owner: TableOwner,
        send: Callable[[bytes], None],
    ) -> None:
        self._duel = duel
        self._player = player
        self._epoch = epoch
        self._dealt = dealt
        self._journal = journal
        self._owner = owner
        self._send = send
        self._waiting: list[Reply] = []  # short, and a tenth of an empty deque
        self._last_ms = 0
        self.game: Game
        self.next_seq = 0
        self.stopped: RefusalCode | None = RefusalCode.LOST
        """Why no moves are taken just now; None when they are."""

    @property
    def epoch(self) -> str:
        """Of the connection that plays here."""
        return self._epoch

    @property
    def kept(self) -> int:
        """Entries that the store has confirmed."""
        return self.next_seq - sum(
            reply.standing is not None and not reply.ready for reply in self._waiting
        )

    @property
    def waiting(self) -> int:
        """Answers that wait for the store."""
        return len(self._waiting)

    def restore(self, game: Game, entries: int, last_ms: int) -> None:
        """Play on from here: the board is its journal."""
        self.game = game
        self.next_seq = entries
        self._last_ms = last_ms
        self._waiting.clear()
        self.stopped = None

    def play(self, seq: int, text: str, now_ms: DuelMs) -> None:
        """A move received at `now_ms`. Answered now if refused and nothing waits before it."""
        expected = self.next_seq
        if self.stopped is not None:
            self._refuse(seq, self.stopped)
        elif seq > expected:
            self._refuse(seq, RefusalCode.GAP, expected=expected)
        elif len(self._waiting) >= UNACKNOWLEDGED:
            self._refuse(seq, RefusalCode.TOO_MANY)
        elif seq < expected:
            self._repeat(seq, text)
        elif self.game.ended is not None:
            self._refuse(seq, RefusalCode.FINISHED)
        elif now_ms >= (self._duel.deadline or 0):
            self._refuse(seq, RefusalCode.TIME_OVER)
        elif seq >= MAX_MOVES - 1 and text != "end":
            # A program could go on for a day where there is no time limit; records end here.
            self._refuse(seq, RefusalCode.FULL)
        else:
            try:
                self._play_next(seq, text, now_ms)
            except Exception:
                self.stop(RefusalCode.LOST)
                self._refuse(seq, RefusalCode.LOST)
                self._owner.failed(self._player)

    def _play_next(self, seq: int, text: str, now_ms: DuelMs) -> None:
        game = self.game
        move = parse_move(text, game.ruleset.deck.suits)
        if move is None:
            self._refuse(seq, RefusalCode.ILLEGAL, rule=RuleKey.NOT_A_MOVE)
            return
        ms = max(now_ms - (self._duel.start_at or 0), self._last_ms)
        try:
            played = game.play(move, ms)
        except IllegalMove as error:
            self._refuse(seq, RefusalCode.ILLEGAL, rule=error.rule)
            return
        self._last_ms = ms
        self.next_seq = seq + 1
        frame = text_frame(applied_payload(seq, text, ms, game, played))
        if move is UNDO:
            frame += text_frame(self.snapshot(now_ms))
        reply = Reply(self, seq, text, frame, ready=False)
        reply.ms = ms
        reply.standing = standing = Standing.of(game)
        self._waiting.append(reply)
        self._journal.add(
            (self._duel.id, self._player, self._epoch, seq, ms, text, standing.text()), reply
        )

    def _repeat(self, seq: int, text: str) -> None:
        """Answered again, not applied again."""
        for reply in self._waiting:
            if reply.seq == seq and reply.standing is not None:
                if reply.move != text:
                    self._refuse(seq, RefusalCode.CONFLICT)
                else:
                    self._waiting.append(Reply(self, seq, text, reply.frame, ready=True))
                return
        reply = Reply(self, seq, text, b"", ready=False)
        self._waiting.append(reply)
        self._owner.wants_history(self._player, reply)

    def answer_repeated(self, reply: Reply, frame: bytes | None) -> None:
        """The journal has told what the answer to a repeated move was; None is a conflict."""
        reply.frame = frame or refused_frame(reply.seq, RefusalCode.CONFLICT)
        reply.ready = True
        self._flush()

    def settle(self, reply: Reply, answer: int) -> None:
        """The store has kept the move, or not."""
        if reply not in self._waiting:
            return
        if answer != reply.ms:
            self._owner.refused_by_store(self, self._player, answer)
            return
        reply.ready = True
        assert reply.standing is not None
        self._owner.moved(self._player, reply.standing)
        self._flush()

    def stop(self, code: RefusalCode) -> None:
        """Take no more moves; everything that waits for the store is refused."""
        self.stopped = code
        waiting, self._waiting = self._waiting, []
        # The answer to a repeated move is ready, and is worth no more than that to the first.
        lost = {reply.seq for reply in waiting if not reply.ready}
        for reply in waiting:
            if not reply.ready:
                self._owner.refused(code)
            kept = reply.ready and reply.seq not in lost
            self._send(reply.frame if kept else refused_frame(reply.seq, code))

    def snapshot(self, now_ms: DuelMs, req: int | None = None) -> bytes:
        """The player's whole table."""
        return snapshot_payload(self._duel, self.game, self._dealt, self.next_seq, now_ms, req)

    def send_snapshot(self, now_ms: DuelMs, req: int | None = None) -> None:
        """Send the table, in order with the answers before it."""
        self._answer(-1, text_frame(self.snapshot(now_ms, req)))

    def _refuse(
        self,
        seq: int,
        code: RefusalCode,
        *,
        rule: RuleKey | None = None,
        expected: int | None = None,
    ) -> None:
        self._owner.refused(code)
        self._answer(seq, refused_frame(seq, code, rule=rule, expected=expected))

    def _answer(self, seq: int, frame: bytes) -> None:
        """Send now, or after the answers that still wait (the session limits how many do)."""
        if self._waiting:
            self._waiting.append(Reply(self, seq, "", frame, ready=True))
        else:
            self._send(frame)

    def _flush(self) -> None:
        waiting = self._waiting
        while waiting and waiting[0].ready:
            self._send(waiting.pop(0).frame)

"""A duel from its first seat to its result, told by a made-up clock and a made-up store.

The decisions are the product's own: `step`, `Table`, `Standing`, `result_fields`. The store is a
model of what the scripts promise, in twenty lines; sockets and nodes there are none.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field, replace
from typing import Any, Final

from samedeal_protocol import RefusalCode
from samedeal_rules import Game, deal, legal_moves, move_text
from samedeal_rules.fairness import commitment, nonce_hash
from samedeal_rules.winnable import Solver
from samedeal_server.domain import events as e
from samedeal_server.domain.changes import Moment
from samedeal_server.domain.duel import Duel, DuelId, DuelMs, Phase, PlayerId, Seat, Timing
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.lifecycle import step
from samedeal_server.domain.result import parse_entry, replay, result_fields, seed_of
from samedeal_server.domain.ruling import ruleset_of
from samedeal_server.domain.standing import Standing
from samedeal_server.node.table import Reply, Table

__all__ = ["WholeLife"]

TIMING: Final = Timing(ready_ms=60_000, reveal_ms=5_000, countdown_ms=3_000, idle_ms=100_000)
PEOPLE: Final = tuple(PlayerId(name) for name in ("ann", "bob", "eve", "dan", "kim", "lou"))
RULESETS: Final = ("timed", "klondike-1", "freecell", "spider-1", "spanish")
SOLVER: Final = Solver("solver", "1", 1)
REPLACED, SEALED, GAP, TOO_LATE, OVER, CONFLICT = -3, -1, -4, -6, -2, -5
FULL: Final = 120
"""Entries of a journal after which its player only ends the game: replays stay cheap."""


@dataclass
class Kept:
    """The store: one document, journals, epochs, the seal, one result."""

    duel: Duel
    secret: str
    journals: dict[str, list[str]] = field(default_factory=dict)
    epochs: dict[str, str] = field(default_factory=dict)
    standings: dict[str, str] = field(default_factory=dict)
    sealed: bool = False
    result: str | None = None

    def commit(self, entry: Any) -> int:
        """What commit.lua promises."""
        _duel, player, epoch, seq, ms, move, standing = entry
        journal = self.journals.setdefault(player, [])
        if seq < len(journal):
            kept_ms, kept = parse_entry(journal[seq])
            return kept_ms if kept == move else CONFLICT
        if self.epochs.get(player) != epoch:
            return REPLACED
        if self.sealed:
            return SEALED
        if seq > len(journal):
            return GAP
        if ms >= (self.duel.deadline or 0) - (self.duel.start_at or 0):
            return TOO_LATE
        if self.standings.get(player, "").startswith("E"):
            return OVER
        ms = max(ms, parse_entry(journal[-1])[0] if journal else 0)
        journal.append(f"{ms} {move}")
        self.standings[player] = standing
        return int(ms)


class Connection:
    """One connection of a player: a table, what waits for the store, what was answered."""

    def __init__(self, life: WholeLife, player: PlayerId) -> None:
        self.life, self.player = life, player
        life.epochs += 1
        self.epoch = life.kept.epochs[player] = f"e{life.epochs}"
        self.queue: list[tuple[Any, Reply]] = []
        self.dead = False
        self.table = Table(
            life.kept.duel,
            player,
            self.epoch,
            life.dealt,
            self,  # type: ignore[arg-type]
            self,
            self.answer,
        )
        self.restore()

    def restore(self) -> None:
        duel, entries = self.life.kept.duel, self.life.kept.journals.get(self.player, [])
        replayed = replay(ruleset_of(duel), self.life.dealt, duel.duration_ms, entries)
        if self.life.now >= (duel.deadline or 0):
            replayed.game.run_out()
        last_ms = parse_entry(entries[-1])[0] if entries else 0
        self.table.restore(replayed.game, replayed.entries, last_ms)

    # What the table calls.

    def add(self, entry: Any, reply: Reply) -> None:
        self.queue.append((entry, reply))

    def answer(self, frame: bytes) -> None:
        """What the player hears: everything that is acknowledged must be kept."""
        for text in frame.split(b'{"type":')[1:]:
            if text.startswith(b'"applied"'):
                message = json.JSONDecoder().raw_decode(
                    '{"type":' + text.decode("utf-8", "ignore")
                )[0]
                self.life.acknowledged(self.player, message)

    def moved(self, player: PlayerId, standing: Standing) -> None:
        assert player == self.player
        assert self.life.kept.standings[player] or standing

    def refused_by_store(self, _table: Table, _player: PlayerId, answer: int) -> None:
        self.queue.clear()
        if answer in (REPLACED, SEALED, TOO_LATE):
            self.table.stop(RefusalCode.REPLACED if answer == REPLACED else RefusalCode.TIME_OVER)
            return
        self.table.stop(RefusalCode.LOST)
        self.restore()

    def refused(self, code: RefusalCode) -> None:
        assert code

    def failed(self, _player: PlayerId) -> None:
        raise AssertionError("a table failed")

    def wants_history(self, _player: PlayerId, reply: Reply) -> None:
        journal = self.life.kept.journals[self.player]
        same = reply.seq < len(journal) and parse_entry(journal[reply.seq])[1] == reply.move
        self.table.answer_repeated(reply, b"kept" if same else None)


class WholeLife:
    """A walk through one duel. `happen` does one random thing; every law is checked after it."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.now = 1_000_000
        self.events = 0
        self.epochs = 0
        self.connections: dict[PlayerId, list[Connection]] = {}
        self.heard: dict[tuple[PlayerId, int], tuple[int, str]] = {}
        self.promised: list[str] = []
        """Commitments, in the order in which they were made."""
        self.seed: str | None = None
        self.nonces: dict[str, str] = {}
        self.kept = self._made()
        self.stale = self.kept.duel
        """What another node still believes."""
        self.dealt = deal(ruleset_of(self.kept.duel), "not yet")

    def _made(self) -> Kept:
        draw = self.draw
        origin = draw.choice(("private", "private", "quick", "rematch"))
        seats = draw.randrange(1 if origin == "private" else 2, 6)
        secret, now = self._secret(), DuelMs(self.now)
        id_ = DuelId("p00life")
        duel = Duel(
            id=id_,
            code="ABCDEF",
            ruleset=draw.choice(RULESETS),
            options={},
            duration_ms=draw.choice((5_000, 30_000, 300_000)),
            hints=True,
            seats=seats,
            commitment=commitment(id_, secret),
            touched_at=now,
            origin=origin,
        )
        if draw.random() < 0.2 and origin == "private":
            duel = replace(duel, ruleset="klondike-1", solver=SOLVER, k=None)
        check = {"phase": Phase.READY_CHECK, "ready_by": DuelMs(self.now + TIMING.ready_ms)}
        if origin == "private":
            duel = replace(duel, host=PEOPLE[0], seated=(Seat(PEOPLE[0], "Ann"),))
            if seats == 1:
                duel = replace(duel, **check)  # type: ignore[arg-type]
        elif origin == "quick":
            seated = tuple(Seat(player, player) for player in PEOPLE[:seats])
            duel = replace(duel, seated=seated, **check)  # type: ignore[arg-type]
        else:
            duel = replace(duel, invited=PEOPLE[:seats])
        self.promised.append(duel.commitment)
        return Kept(duel, secret)

    def _secret(self) -> str:
        return self.draw.randbytes(32).hex()

    @property
    def over(self) -> bool:
        """Nothing more can happen to it."""
        return self.kept.result is not None or self.kept.duel.phase is Phase.ABORTED

    @property
    def running(self) -> bool:
        return self.kept.duel.phase_at(DuelMs(self.now)) is Phase.RUNNING

    def happen(self) -> None:
        """One random event."""
        self.events += 1
        if self.running and self.draw.random() < 0.93:
            self._play()
        else:
            self._change()

    # Before the start: events on what a node knows, which may be old.

    def _change(self) -> None:
        who = self.draw.choice(PEOPLE[: self.kept.duel.seats + 1])
        event = self._event(who)
        known = self.stale if self.draw.random() < 0.1 else self.kept.duel
        before = self.kept.duel
        fresh = self._secret()
        moment = Moment(DuelMs(self.now), self.kept.secret, fresh, TIMING)
        try:
            after = step(known, event, moment)
        except PlayerError:
            return
        if after is known or known.version != before.version:
            self.stale = before
            return
        if self.kept.sealed and not isinstance(event, e.Failed):
            return
        self.stale = before
        self._check_change(before, after, event, fresh)
        self.kept.duel = after
        if after.commitment != before.commitment:
            self.kept.secret = fresh
            self.promised.append(after.commitment)
        self._check()

    def _event(self, who: PlayerId) -> e.Event:
        duel, draw = self.kept.duel, self.draw
        kinds = (
            "join",
            "ready",
            "reveal",
            "start",
            "leave",
            "lose",
            "back",
            "time",
            "deal",
            "fail",
        )
        weights = (10, 16, 16, 2, 0.2, 1, 4, 2, 3, 0.03)
        match draw.choices(kinds, weights)[0]:
            case "join":
                return e.Joined(who, who.title())
            case "ready":
                nonce = draw.randbytes(16).hex()
                self.nonces[nonce_hash(nonce)] = nonce
                return e.MadeReady(who, nonce_hash(nonce))
            case "reveal":
                seat = duel.seat_of(who)
                hashed = "" if seat is None else duel.seated[seat].ready or ""
                wrong = draw.random() < 0.05
                return e.Revealed(who, "f" * 32 if wrong else self.nonces.get(hashed, "0" * 32))
            case "start":
                return e.StartAsked(who)
            case "leave":
                return e.Left(who)
            case "lose":
                return e.Lost(who)
            case "back":
                return e.Returned(who)
            case "deal":
                found = None if draw.random() < 0.1 else draw.randrange(5)
                return e.DealFound(draw.choice(self.promised[-2:]), found)
            case "fail":
                return e.Failed("our fault")
        due = duel.next_due(TIMING)
        exactly = due is not None and draw.random() < 0.2
        self.now = max(self.now, due or 0) if exactly else self.now + draw.randrange(2_500)
        return e.TimePassed()

    def _check_change(self, before: Duel, after: Duel, event: e.Event, fresh: str) -> None:
        assert before.phase is not Phase.ABORTED, "nothing leaves ABORTED"
        assert after.version == before.version + 1
        begun = before.phase_at(DuelMs(self.now)) is Phase.RUNNING
        if begun:
            assert isinstance(event, e.Failed), "nothing changes a duel that runs"
        if before.phase is Phase.COUNTDOWN and after.phase is Phase.COUNTDOWN:
            for name in ("start_at", "deadline", "commitment", "k", "code", "ruleset"):
                assert getattr(before, name) == getattr(after, name), f"{name} is fixed"
        drawn = before.phase in (Phase.FROZEN, Phase.COUNTDOWN)
        if drawn and after.phase not in (Phase.FROZEN, Phase.COUNTDOWN):
            told = after.called_off
            assert told is not None, "what was drawn for nothing is revealed"
            assert (told.secret, told.commitment) == (self.kept.secret, before.commitment)
            assert told.nonces == tuple(seat.nonce for seat in before.seated)
        if drawn and after.phase is not Phase.ABORTED and after.phase is not before.phase:
            fresh_check = after.phase in (Phase.OPEN, Phase.READY_CHECK)
            assert (after.commitment == commitment(after.id, fresh)) is fresh_check
        if isinstance(event, e.TimePassed):
            due = after.next_due(TIMING)
            assert due is None or due > self.now, "what is due has been done"

    def _check(self) -> None:
        duel, secret = self.kept.duel, self.kept.secret
        players = [seat.player for seat in duel.seated]
        assert len(set(players)) == len(players) <= duel.seats
        assert commitment(duel.id, secret) == duel.commitment
        assert len(set(self.promised)) == len(self.promised), "a promise is never made again"
        told = duel.called_off.secret if duel.called_off is not None else ""
        assert secret == told or secret not in repr(duel), "the secret lies apart"
        if duel.phase in (Phase.FROZEN, Phase.COUNTDOWN):
            assert len(players) >= duel.needed
            assert all(seat.ready is not None for seat in duel.seated)
        if duel.phase is Phase.COUNTDOWN:
            assert duel.k is not None
            assert all(nonce_hash(seat.nonce or "") == seat.ready for seat in duel.seated)
        elif duel.phase is not Phase.ABORTED:
            assert duel.start_at is None
            assert duel.deadline is None
        if duel.phase is not Phase.ABORTED:
            assert duel.next_due(TIMING) is not None, "somebody must act some day"
        else:
            assert duel.note

    # From the start on: tables over a journal that takes its time.

    def _play(self) -> None:
        duel = self.kept.duel
        seed = seed_of(duel, self.kept.secret)
        if self.seed is None:
            self.seed = seed
            self.dealt = deal(ruleset_of(duel), seed)
        assert self.seed == seed, "one seed"
        draw = self.draw
        self.now += draw.randrange(1 + (duel.duration_ms or 0) // 100)
        player = draw.choice([seat.player for seat in duel.seated])
        connections = self.connections.setdefault(player, [])
        if not connections or draw.random() < 0.02:
            connections.append(Connection(self, player))
        connection = draw.choice(connections[-2:])
        chance = draw.random()
        if chance < 0.55:
            self._move(connection)
        elif chance < 0.9:
            self._commit(connection)
        elif chance < 0.92:
            connection.queue.clear()  # its node was killed
            connections.remove(connection)
        else:
            self._seal()

    def _move(self, connection: Connection) -> None:
        table, draw = connection.table, self.draw
        suits = table.game.ruleset.deck.suits
        seq = table.next_seq
        if draw.random() < 0.1:
            seq = max(0, seq + draw.randrange(-4, 3))
        legal = list(legal_moves(table.game.ruleset, table.game.board))
        text = move_text(draw.choice(legal), suits) if legal else "u"
        if draw.random() < 0.08:
            text = draw.choice(("u", "u", "t1-t2", "nonsense"))
        if seq > FULL or draw.random() < 0.01:
            text = "end"
        table.play(seq, text, DuelMs(self.now))

    def _commit(self, connection: Connection) -> None:
        """A batch goes to the store; now and then its answer is lost and it goes again."""
        batch, connection.queue = connection.queue, []
        for entry, reply in batch:
            answer = self.kept.commit(entry)
            if self.draw.random() < 0.05:
                again = self.kept.commit(entry)
                assert again == answer or answer < 0, "again is the same"
            reply.settled(answer)

    def _seal(self) -> None:
        kept, duel = self.kept, self.kept.duel
        ended = sum(text.startswith("E") for text in kept.standings.values())
        late = self.now >= (duel.deadline or 0) + TIMING.grace_ms
        if not late and ended < len(duel.seated):
            return
        kept.sealed = True
        journals = [list(kept.journals.get(seat.player, ())) for seat in duel.seated]
        first, second = self._result(journals), self._result(journals)
        assert first == second, "whoever works it out, the result is the same"
        kept.result = first
        for connection in (c for some in self.connections.values() for c in some):
            self._commit(connection)
        after = [list(kept.journals.get(seat.player, ())) for seat in duel.seated]
        assert after == journals, "nothing gets in after the seal"
        self._check_result(json.loads(first))

    def _result(self, journals: list[list[str]]) -> str:
        found = list(result_fields(self.kept.duel, self.kept.secret, journals))
        return json.dumps(found[-1])

    def _check_result(self, result: dict[str, Any]) -> None:
        duel = self.kept.duel
        assert result["seed"] == self.seed
        for row in result["ranking"]:
            journal = self.kept.journals.get(row["player"], [])
            assert row["moves"] == len(journal)
            times = [parse_entry(entry)[0] for entry in journal]
            assert times == sorted(times)
            assert all(0 <= ms < (duel.duration_ms or 0) for ms in times)
            told = self.kept.standings.get(row["player"])
            if told is not None and told.startswith("E") and row["score"] is not None:
                assert Standing.parse(told).score == row["score"]
        for (player, seq), (ms, move) in self.heard.items():
            assert self.kept.journals[player][seq] == f"{ms} {move}", "acknowledged is kept"

    def acknowledged(self, player: PlayerId, message: dict[str, Any]) -> None:
        """A player hears `applied`: the store has it, and says the same for ever."""
        seq, told = message["seq"], (message["ms"], message["move"])
        assert self.kept.journals[player][seq] == f"{told[0]} {told[1]}", "acknowledged is kept"
        assert self.heard.setdefault((player, seq), told) == told

    def let_time_pass(self) -> None:
        """Nobody does anything any more: it ends by itself."""
        for _ in range(12):
            if self.over:
                return
            self.now = max(self.now, self.kept.duel.next_due(TIMING) or 0)
            if self.running:
                self._play()
                self._seal()
                continue
            moment = Moment(DuelMs(self.now), self.kept.secret, self._secret(), TIMING)
            after = step(self.kept.duel, e.TimePassed(), moment)
            if after.commitment != self.kept.duel.commitment:
                self.kept.secret = moment.fresh_secret
            self.kept.duel = after
        assert self.over, f"still {self.kept.duel.phase}"

    def game_of(self, player: PlayerId) -> Game:
        """As the journal says."""
        duel = self.kept.duel
        journal = self.kept.journals.get(player, [])
        return replay(ruleset_of(duel), self.dealt, duel.duration_ms, journal).game

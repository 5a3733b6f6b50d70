"""The client's table against the whole deal, over links that answer late, refuse and break."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.full_table import FullTable
from samedeal_client.outbox import MAX_IN_FLIGHT, MAX_WAITING, TooManyMoves
from samedeal_client.table import Table
from samedeal_protocol import Applied, PlayMove, Refused, ServerMessage, Snapshot
from samedeal_rules import RULESETS, IllegalMove, OptionValue, RuleKey, legal_moves, move_text

JUNK = (
    "t1-t2",
    "w-f",
    "r",
    "t7*5-t1",
    "fH-t3",
    "x1",
    "t9-t1",
    "c1-f",
    "w-t4",
    "t3-f",
    "v3-t1",
    "t10-t2",
)


class Pair:
    """A client's table and the server's, with what is on its way between them."""

    def __init__(
        self,
        seed: str,
        dice: random.Random,
        ruleset: str = "timed",
        options: Mapping[str, OptionValue] | None = None,
    ) -> None:
        self.server = FullTable(seed, ruleset=ruleset, options=options)
        self.client = Table.from_snapshot(self.server.snapshot(), self.server.ruleset)
        self.up: deque[PlayMove] = deque()
        self.down: deque[ServerMessage] = deque()
        self.dice = dice
        self.ms = 0
        self.fallen: list[str] = []

    def choose(self) -> str:
        """Mostly what looks legal from here, sometimes junk, undo now and then."""
        roll = self.dice.random()
        if roll < 0.12:
            return self.dice.choice(JUNK)
        if roll < 0.2:
            return "u"
        moves = list(legal_moves(self.client.ruleset, self.client.ahead.board))
        if not moves:
            return "d"
        return move_text(self.dice.choice(moves), self.client.ruleset.deck.suits)

    def play(self) -> None:
        try:
            self.client.play(self.choose(), self.ms)
        except (IllegalMove, TooManyMoves):
            return
        finally:
            self.pump()

    def pump(self) -> None:
        for entry in self.client.take_unsent():
            self.up.append(PlayMove(seq=entry.seq, move=entry.text))

    def serve(self) -> None:
        if self.up:
            self.ms += self.dice.randrange(200)
            self.down += self.server.answer(self.up.popleft(), self.ms)

    def hear(self) -> None:
        if not self.down:
            return
        message = self.down.popleft()
        if isinstance(message, Applied):
            assert self.client.applied(message)
        elif isinstance(message, Refused):
            fell, in_step = self.client.refused(message)
            assert in_step
            self.fallen += fell
        elif isinstance(message, Snapshot):
            assert self.client.snapshot(message).lost == 0
        self.pump()

    def cut(self, lose: int = 0) -> None:
        """The line breaks; some of what was sent arrived, some not; the store may lose a tail."""
        for _ in range(self.dice.randrange(len(self.up) + 1)):
            self.serve()
        self.up.clear()
        self.down.clear()
        lose = min(lose, len(self.server.journal))
        if lose:
            self.server.lose_tail(lose)
        acknowledged, was_pending = self.client.acknowledged, self.client.pending
        resumed = self.client.resume(self.server.snapshot())
        assert resumed.lost == max(0, acknowledged - len(self.server.journal))
        assert len(self.client.pending) == resumed.lost + len(was_pending) - len(resumed.kept)
        self.pump()

    def settle(self) -> None:
        while self.up or self.down:
            self.serve()
            self.hear()
        self.check()

    def check(self) -> None:
        names = self.server.ruleset.deck.names
        mine, theirs = self.client.confirmed, self.server.game
        assert mine.board.text(names) == theirs.board.text(names)
        assert (mine.score, mine.ledger()) == (theirs.score, theirs.ledger())
        assert (mine.scored, mine.exempt) == (theirs.scored, theirs.exempt)
        assert (mine.ended, mine.ended_ms) == (theirs.ended, theirs.ended_ms)
        assert self.client.ahead is self.client.confirmed
        assert self.client.pending == ()
        assert [entry.text for entry in self.client.journal] == [t for _, t in self.server.journal]
        assert self.client.undos_left == theirs.undoable


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**6), losing=st.booleans())
def test_client_and_server_always_agree(seed: int, losing: bool) -> None:
    """Random play with moves in flight, refusals, undo, broken lines and lost tails."""
    dice = random.Random(seed)
    pair = Pair(str(seed), dice)
    for _ in range(150):
        roll = dice.random()
        if roll < 0.45:
            pair.play()
        elif roll < 0.7:
            pair.serve()
        elif roll < 0.96:
            pair.hear()
        elif roll < 0.98:
            pair.settle()
        else:
            pair.cut(lose=dice.randrange(6) if losing else 0)
    pair.settle()


@pytest.mark.parametrize(
    ("ruleset", "options"),
    [
        *((name, {}) for name in RULESETS),
        ("spanish", {"stock": False}),
        ("klondike-1", {"draw": 3}),
    ],
    ids=str,
)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), losing=st.booleans())
def test_they_agree_in_every_game(
    ruleset: str, options: dict[str, OptionValue], seed: int, losing: bool
) -> None:
    """Cells, reserve, runs and deals to the columns, over the same bad links."""
    dice = random.Random(seed)
    pair = Pair(str(seed), dice, ruleset, options)
    for _ in range(150):
        roll = dice.random()
        if roll < 0.45:
            pair.play()
        elif roll < 0.7:
            pair.serve()
        elif roll < 0.97:
            pair.hear()
        else:
            pair.cut(lose=dice.randrange(4) if losing else 0)
    pair.settle()


def quiet_pair(seed: str = "7") -> Pair:
    return Pair(seed, random.Random(1))


def test_the_moves_after_a_refused_one_fall_and_are_not_sent_again() -> None:
    """12 refused: 13 gets `gap` and is dropped; a move played later takes 12's number."""
    pair = quiet_pair()
    for text in ("d", "w-t1", "d"):
        pair.client.play(text, 0)
    assert pair.client.blind
    pair.pump()
    pair.serve()
    pair.serve()
    pair.hear()
    pair.hear()
    if not pair.fallen:
        pytest.skip("the deal takes w-t1")
    assert pair.fallen == ["w-t1", "d"]
    assert pair.client.play("d", 0) == 1
    pair.pump()
    pair.settle()
    assert [text for _, text in pair.server.journal] == ["d", "d"]


def test_what_is_certain_to_be_illegal_is_not_sent() -> None:
    """The rules are known here too: no round trip for a typo."""
    pair = quiet_pair()
    with pytest.raises(IllegalMove) as refused:
        pair.client.play("r", 0)
    assert refused.value.rule is RuleKey.STOCK_NOT_EMPTY
    with pytest.raises(IllegalMove):
        pair.client.play("T1-T2", 0)
    assert pair.client.pending == ()
    assert pair.client.next_seq == 0


def test_a_draw_leaves_the_next_move_to_the_server() -> None:
    """What a drawn card may do can't be known here: it goes out blind, whatever it is."""
    pair = quiet_pair()
    pair.client.play("d", 0)
    assert not pair.client.blind
    pair.client.play("w-f", 0)
    assert pair.client.blind
    assert pair.client.pending == ("d", "w-f")


def test_no_more_than_sixteen_on_their_way() -> None:
    """The rest waits, and goes out as answers come."""
    pair = quiet_pair()
    for text in ("d", "w-f", *["d"] * 18):
        pair.client.play(text, 0)
    sent = pair.client.take_unsent()
    assert len(sent) == MAX_IN_FLIGHT
    assert pair.client.take_unsent() == []


def test_a_full_outbox_says_so() -> None:
    """Nothing is dropped silently, and the table stays as it was."""
    pair = quiet_pair()
    pair.client.play("d", 0)
    pair.client.play("w-f", 0)
    while len(pair.client.pending) < MAX_WAITING:
        pair.client.play("d", 0)
    with pytest.raises(TooManyMoves):
        pair.client.play("d", 0)
    assert len(pair.client.pending) == MAX_WAITING


def test_a_wrong_checksum_is_noticed() -> None:
    """The client then asks for its table anew."""
    pair = quiet_pair()
    pair.client.play("d", 0)
    pair.pump()
    pair.serve()
    answer = pair.down.popleft()
    assert isinstance(answer, Applied)
    assert not pair.client.applied(answer.model_copy(update={"checksum": answer.checksum ^ 1}))
    pair.client.snapshot(pair.server.snapshot())
    pair.check()


def test_a_repeated_answer_changes_nothing() -> None:
    """Resending is answered again."""
    pair = quiet_pair()
    pair.client.play("d", 0)
    pair.pump()
    pair.serve()
    answer = pair.down.popleft()
    assert isinstance(answer, Applied)
    assert pair.client.applied(answer)
    assert pair.client.applied(answer)
    pair.check()


def test_a_lost_tail_goes_out_again_in_order() -> None:
    """Acknowledged moves that a failover lost are sent again, before what is new."""
    pair = quiet_pair()
    for _ in range(4):
        pair.client.play("d", 0)
        pair.pump()
        pair.settle()
    pair.server.lose_tail(3)
    pair.client.play("d", 0)
    resumed = pair.client.resume(pair.server.snapshot())
    assert resumed.lost == 3
    assert [(entry.seq, entry.text) for entry in pair.client.take_unsent()] == [
        (1, "d"),
        (2, "d"),
        (3, "d"),
        (4, "d"),
    ]


def test_a_move_can_be_checked_without_playing_it() -> None:
    """What is certain to be refused is told; nothing changes, whatever comes of it."""
    table = quiet_pair().client
    before = table.ahead.board.checksum(table.ruleset.deck.names)
    for refused in ("r", "u", "nonsense"):
        with pytest.raises(IllegalMove):
            table.check(refused, 0)
    table.check("d", 0)
    assert table.pending == ()
    assert table.ahead.board.checksum(table.ruleset.deck.names) == before
    table.play("d", 0)
    table.check("u", 1)  # though the draw is still on its way
    assert table.pending == ("d",)

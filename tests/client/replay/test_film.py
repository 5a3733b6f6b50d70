"""One player's game, frame by frame."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from client.replay.records import MOVES, duel_replay, game_replay
from samedeal_client.replay.source import replay_of
from samedeal_rules import Ended, RuleKey, judge, parse_record

RECORDS = Path(__file__).parents[2] / "data" / "records"


def test_frames_are_the_deal_and_each_entry() -> None:
    """A refused entry has a frame too, with the rule; the board is as it was before."""
    film = game_replay().films[0]
    assert film.last == len(MOVES)
    frames = [film.at(number) for number in range(film.last + 1)]
    assert [frame.number for frame in frames] == list(range(6))
    assert [frame.ms for frame in frames] == [0, *(ms for ms, _move in MOVES)]
    assert [frame.move for frame in frames] == [None, *(move for _ms, move in MOVES)]
    assert [frame.why for frame in frames] == [None, None, RuleKey.NOT_A_MOVE, None, None, None]
    names = film.ruleset.deck.names
    texts = [frame.game.board.text(names) for frame in frames]
    assert texts[1] == texts[2] == texts[4]
    assert texts[3] == texts[5] != texts[1]
    assert frames[4].clock_ms == 59_000


def test_frames_can_be_looked_at_in_any_order() -> None:
    """Each is what it is when one comes to it from the start."""
    film = game_replay().films[0]
    names = film.ruleset.deck.names
    straight = [film.at(number).game.board.text(names) for number in range(film.last + 1)]
    order = list(range(film.last + 1)) * 3
    random.Random(5).shuffle(order)
    for number in order:
        assert film.at(number).game.board.text(names) == straight[number]


def test_a_frame_stays_as_it_is_when_one_goes_on() -> None:
    """It has a game of its own."""
    film = game_replay().films[0]
    first = film.at(1)
    before = first.game.board.text(film.ruleset.deck.names)
    film.at(film.last)
    assert first.game.board.text(film.ruleset.deck.names) == before


def test_numbers_outside_are_the_nearest_there_are() -> None:
    """Before the deal, after the end."""
    film = game_replay().films[0]
    assert film.at(-3).number == 0
    assert film.at(99).number == film.last


@pytest.mark.parametrize(
    ("ms", "number"), [(-1, 0), (0, 0), (999, 0), (1_000, 1), (3_999, 2), (61_000, 5), (10**9, 5)]
)
def test_the_frame_at_a_time_is_the_last_that_had_come(ms: int, number: int) -> None:
    """Of several at one moment the last."""
    assert game_replay().films[0].number_at(ms) == number


def test_a_clock_that_ran_out_is_a_frame_of_its_own() -> None:
    """Only where the duel is over, and the game did not end by itself."""
    by_itself, ran_out, _third = duel_replay().films
    assert by_itself.at(by_itself.last).move == "end"
    last = ran_out.at(ran_out.last)
    assert (last.move, last.ms, last.game.ended) == (None, 30_000, Ended.TIMEOUT)
    assert ran_out.number_at(29_999) == ran_out.last - 1
    assert ran_out.number_at(30_000) == ran_out.last
    running = game_replay().films[0]
    assert running.at(running.last).game.ended is None
    closed = game_replay(closed=True).films[0]
    assert closed.at(closed.last).ms == 120_000


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(RECORDS.glob("*.json")) if not path.stem.endswith(".expected")],
    ids=lambda path: path.stem,
)
def test_the_last_frame_is_what_the_judge_says(path: Path) -> None:
    """Of every record that there is."""
    data = path.read_bytes()
    film = replay_of(data).films[0]
    final = judge(parse_record(data)).final
    game = film.at(film.last).game
    assert (game.points, game.board.cards_up, game.ledger()) == (
        final.score,
        final.cards_up,
        final.items,
    )
    assert (game.ended.value if game.ended else "running") == final.ended

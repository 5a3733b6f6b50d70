"""Looking at a replay: steps, jumps, times, players."""

from __future__ import annotations

import pytest

from client.replay.records import duel_replay, game_replay
from samedeal_client.replay.reel import Reel


def test_steps_and_jumps_stay_within_the_game() -> None:
    """No step leads before the deal or after the end."""
    reel = Reel(game_replay())
    assert reel.step(-1) == reel
    assert reel.step(2).number == 2
    assert reel.step(2).step(-1).number == 1
    assert reel.jump(99).number == 5
    assert reel.jump(99).at_end
    assert not reel.at_end
    assert reel.jump(4).frame.move == "u"


def test_a_time_is_looked_for_and_kept() -> None:
    """The frame is the last one before it; the moment is what was asked for."""
    reel = Reel(game_replay()).seek(3_000)
    assert (reel.number, reel.ms) == (2, 3_000)
    assert reel.seek(-5).ms == 0
    assert reel.seek(10**9).ms == 120_000
    assert reel.step(1).ms == 4_000


def test_everybody_stands_at_the_same_moment() -> None:
    """Whoever's moves one steps by; nobody has moves that came later."""
    replay = duel_replay()
    for focus in range(len(replay.films)):
        reel = Reel(replay).look_at(focus)
        for number in range(0, replay.films[focus].last + 1, 3):
            reel = reel.jump(number)
            frames = reel.frames()
            assert frames[focus].number == number
            for index, frame in enumerate(frames):
                assert frame.ms <= reel.ms
                if index != focus:
                    film = replay.films[index]
                    assert frame.number == film.last or film.at(frame.number + 1).ms > reel.ms


def test_another_player_is_looked_at_at_the_same_moment() -> None:
    """And nobody whom there is not."""
    reel = Reel(duel_replay()).seek(10_000)
    other = reel.look_at(2)
    assert other.ms == reel.ms
    assert [frame.ms for frame in other.frames()] == [frame.ms for frame in reel.frames()]
    for wrong in (-1, 3):
        with pytest.raises(IndexError):
            reel.look_at(wrong)


def test_the_next_moment_is_the_next_frame_of_anybody() -> None:
    """Played at speed, nothing is skipped and it comes to an end."""
    reel, seen = Reel(duel_replay()), 0
    while (next_ms := reel.next_ms()) is not None:
        before = [frame.number for frame in reel.frames()]
        reel = reel.seek(next_ms)
        after = [frame.number for frame in reel.frames()]
        assert before != after
        assert all(b <= a for b, a in zip(before, after, strict=True))
        seen += 1
        assert seen < 200
    assert [frame.number for frame in reel.frames()] == [film.last for film in reel.replay.films]

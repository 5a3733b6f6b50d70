"""A replay that runs."""

from __future__ import annotations

from client.replay.records import duel_replay, game_replay
from samedeal_client.replay.reel import Reel
from samedeal_client.tui.replay.playback import SPEEDS, Playback


def test_time_passes_at_its_speed_and_only_while_it_runs() -> None:
    """Half a second of the viewer's at four times the speed is two of the duel."""
    held = Playback(Reel(game_replay()))
    assert held.passed(5) == held
    running = held.toggled()
    assert running.passed(0.5).reel.ms == 2_000
    assert running.paced(1).passed(0.5).reel.ms == 4_000
    assert running.passed(0.5).reel.number == 1
    assert running.toggled().running is False


def test_speeds_end_where_there_are_no_more() -> None:
    """Neither faster nor slower than that."""
    playback = Playback(Reel(game_replay()))
    assert playback.paced(99).speed == SPEEDS[-1]
    assert playback.paced(-99).speed == SPEEDS[0]


def test_it_holds_at_the_end_and_begins_anew_from_there() -> None:
    """When nothing more happens to anybody."""
    playback = Playback(Reel(duel_replay())).paced(99).toggled()
    for _tenth in range(30):
        playback = playback.passed(0.1)
    assert playback.at_end
    assert not playback.running
    again = playback.toggled()
    assert again.running
    assert again.reel.number == 0


def test_a_step_holds_it_and_another_player_does_not() -> None:
    """Who looks closer wants it to stand still."""
    playback = Playback(Reel(duel_replay())).toggled().passed(1)
    assert not playback.at(playback.reel.step(1)).running
    other = playback.seen_by(playback.reel.focus + 4)
    assert (other.running, other.reel.focus, other.reel.ms) == (True, 1, playback.reel.ms)
    assert playback.turned().opened
    assert playback.turned().running

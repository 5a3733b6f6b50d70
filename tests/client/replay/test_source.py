"""Replays from files."""

from __future__ import annotations

import pytest

from client.replay.records import duel_replay, game_bytes, game_replay
from rules.test_duel_record import true_record
from samedeal_client.replay.source import replay_of
from samedeal_rules import MalformedRecord
from samedeal_rules.duel_record import write_duel_record


def test_a_game_record_is_one_film_of_nobody() -> None:
    """It does not say whose game it is."""
    replay = game_replay()
    assert [film.name for film in replay.films] == [None]
    assert (replay.ruleset, replay.seed, replay.duration_ms) == ("timed", "7", 120_000)


def test_a_duel_is_a_film_for_each_player_by_rank() -> None:
    """The winner first."""
    by_place = sorted(true_record().players, key=lambda player: (player.place, player.seat))
    assert [film.name for film in duel_replay().films] == [player.name for player in by_place]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff",
        b'{"format":"samedeal-duel/2"}',
        game_bytes(ruleset="no"),
        write_duel_record(true_record()).encode()[:-20],
    ],
)
def test_what_is_no_record_is_said(data: bytes) -> None:
    """Never anything but `MalformedRecord`."""
    with pytest.raises(MalformedRecord):
        replay_of(data)

"""A moment of a replay, drawn."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from client.replay.records import duel_replay, game_replay
from samedeal_client.replay.reel import Reel
from samedeal_client.tui.canvas import Line
from samedeal_client.tui.look import Look
from samedeal_client.tui.replay.lines import (
    shown_players,
    standing_line,
    tables_lines,
    time_line,
)
from samedeal_client.tui.replay.playback import Playback
from samedeal_rules import RULESETS


def text(line: Line) -> str:
    return "".join(seg.text for seg in line)


@pytest.mark.parametrize(
    ("players", "focus", "width", "shown"),
    [
        (1, 0, 200, [0]),
        (3, 0, 80, [0]),
        (3, 2, 80, [2]),
        (3, 0, 103, [0, 1]),
        (3, 2, 103, [1, 2]),
        (3, 1, 200, [0, 1, 2]),
        (50, 49, 120, [48, 49]),
        (2, 1, 20, [1]),
    ],
)
def test_as_many_tables_as_fit_the_one_in_focus_among_them(
    players: int, focus: int, width: int, shown: list[int]
) -> None:
    """Neighbours by rank."""
    assert list(shown_players(players, focus, width)) == shown


@pytest.mark.parametrize("size", [(50, 16), (80, 21), (120, 37), (200, 50)], ids=str)
def test_every_line_is_as_wide_as_the_window(size: tuple[int, int]) -> None:
    """Names of any width too, and as many lines as there are rows."""
    for number in (0, 5, 29):
        playback = Playback(Reel(duel_replay()).jump(number))
        lines = tables_lines(playback, *size, Look())
        assert len(lines) == size[1]
        widths = {cell_len(text(line)) for line in lines}
        assert max(widths) <= size[0]
        assert min(widths) > size[0] - 4


def test_what_a_table_is_headed_by() -> None:
    """Name and move, clock and standing, what the last move did."""
    playback = Playback(Reel(duel_replay()).jump(2))
    first, second, third, *_table = (text(line) for line in tables_lines(playback, 80, 21, Look()))
    assert first.startswith(" 李  move 2 of 29")
    assert second.startswith(" 0:29 left, 100, 1 turned")
    assert third.startswith(" Q♠ on column 3; +100 turned column 3")


def test_face_down_cards_stay_so_unless_asked() -> None:
    """The player did not see them either."""
    playback = Playback(Reel(duel_replay()))
    closed = "\n".join(map(text, tables_lines(playback, 80, 40, Look())))
    opened = "\n".join(map(text, tables_lines(playback.turned(), 80, 40, Look())))
    assert closed != opened


def test_the_last_move_is_pointed_at() -> None:
    """Where its cards lie now; nothing is where it was refused, or before the first."""
    look = Look()
    moved = tables_lines(Playback(Reel(duel_replay()).jump(1)), 80, 30, look)
    assert any("hinted" in seg.role for line in moved for seg in line)
    for number in (0, 2):
        still = tables_lines(Playback(Reel(game_replay()).jump(number)), 80, 30, look)
        assert not any("hinted" in seg.role for line in still for seg in line)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_game_can_be_shown(ruleset: str) -> None:
    """In letters as well."""
    replay = game_replay(ruleset=ruleset, moves=[])
    lines = tables_lines(Playback(Reel(replay)), 80, 21, Look(signs=False))
    assert all(text(line).isascii() for line in lines)


def test_standing_and_time_are_one_line_each() -> None:
    """The best first; a bar as long as the duel."""
    reel = Reel(duel_replay()).jump(29)
    assert text(standing_line(reel, 80)).split("   ")[0].strip() == "李 -198"
    assert cell_len(text(standing_line(reel, 12))) <= 12
    line = text(time_line(Playback(reel.seek(15_000)), 60, Look(signs=False)))
    assert len(line) == 60
    assert line.startswith(" 0:15 ")
    assert line.endswith(" 0:30  = 4x ")
    assert line.count("=") - 1 == pytest.approx(line.count("-"), abs=1)
    running = Playback(reel, running=True).paced(-9)
    assert text(time_line(running, 60, Look())).endswith("▶ 0.5x ")


def test_the_last_move_is_told_as_one_says_it() -> None:
    """Which cards from where to where, a ten as on its card; no notation, and no `done`."""
    replay = duel_replay()
    film = replay.films[0]
    told = {
        text(tables_lines(Playback(Reel(replay).jump(number)), 200, 21, Look())[2])
        for number in range(film.last + 1)
    }
    words = " ".join(told)
    assert " from " in words
    assert "10" in words
    assert not re.search(r"\b[twfv]\d?-[twfv]\d?|: done|T[♣♦♥♠]", words)

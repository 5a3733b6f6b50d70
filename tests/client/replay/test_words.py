"""A replay in lines."""

from __future__ import annotations

import re

from client.replay.records import duel_replay, game_replay
from samedeal_client.plain.style import Style
from samedeal_client.replay.reel import Reel
from samedeal_client.replay.words import film_lines, moment_lines, replay_title, table_told
from samedeal_client.texts import speaking

WIDE, NARROW = 200, 60
SIGNS = Style(signs=True)


def test_the_title_says_what_was_played() -> None:
    """Game, length, seed; no seed where there is none."""
    assert replay_title(game_replay()) == "timed, 2:00, seed '7'"
    numbered = game_replay(
        ruleset="freecell", options={"deal": "ms:617"}, seed=None, duration_ms=None, moves=[]
    )
    assert replay_title(numbered) == "freecell deal=ms:617, no time limit"


def test_a_whole_game_is_a_line_for_each_entry() -> None:
    """What each did; refused ones with the reason; at the end how it stands."""
    lines = list(film_lines(game_replay().films[0], Style()))
    assert lines[0].split()[:4] == ["1", "1.000", "d", "100"]
    assert lines[0].endswith("drawn 3S TD JC; AC goes up by itself; +100 AC")
    assert lines[1].endswith("refused: that is not a move")
    assert "-1,000 undo" in lines[3]
    assert lines[5].startswith("not ended, -900")
    assert lines[-1].split() == ["-900", "in", "all"]


def test_a_clock_that_ran_out_is_told() -> None:
    """As the last line before the end."""
    film = duel_replay().films[1]
    lines = list(film_lines(film, Style()))
    assert lines[film.last - 1].endswith("the time is over")
    assert lines[film.last].startswith("time over, ")


def test_a_moment_is_who_where_and_the_table() -> None:
    """The clock, the score, cards turned, the last move; face-down cards stay so, unless asked."""
    reel = Reel(duel_replay()).jump(2)
    text = "\n".join(moment_lines(reel, SIGNS, NARROW))
    assert "* 李: move 2 of 29" in text
    assert "0:29 left, 100, 1 turned" in text
    assert "  Q♠ on column 3; +100 turned column 3" in text
    assert "##" in text
    assert "##" not in "\n".join(moment_lines(reel, SIGNS, NARROW, opened=True))
    assert "the deal" in "\n".join(moment_lines(reel.jump(0), SIGNS, NARROW))


def test_tables_stand_side_by_side_where_they_fit() -> None:
    """Else the others are one line each, at the same moment."""
    reel = Reel(duel_replay()).seek(10_000)
    wide = moment_lines(reel, SIGNS, WIDE)
    assert [line.count("foundations") for line in wide if "foundations" in line] == [3]
    assert max(map(len, wide)) <= WIDE
    narrow = moment_lines(reel, SIGNS, NARROW)
    assert [line.count("foundations") for line in narrow if "foundations" in line] == [1]
    assert sum("left, " in line for line in narrow) == 3


def test_colours_take_no_room() -> None:
    """Tables in colour stand where those without stand."""
    reel = Reel(duel_replay()).seek(10_000)
    plain = moment_lines(reel, SIGNS, WIDE)
    coloured = moment_lines(reel, Style(signs=True, colour=True), WIDE)
    assert [re.sub(r"\x1b\[\d+m", "", line) for line in coloured] == plain
    assert coloured != plain


def test_without_a_time_limit_the_clock_counts_up() -> None:
    """From 0:00."""
    replay = game_replay(ruleset="klondike-1", duration_ms=None, moves=[[61_500, "d"]])
    assert "  1:01, " in "\n".join(moment_lines(Reel(replay).jump(1), SIGNS, NARROW))


def test_it_is_told_in_the_language_spoken() -> None:
    """Numbers too."""
    with speaking("es"):
        text = "\n".join(moment_lines(Reel(game_replay()).jump(4), SIGNS, NARROW))
    assert "el jugador: jugada 4 de 5" in text
    assert "quedan 0:59, -900" in text


def test_in_sentences_there_are_no_tables() -> None:
    """Who stands how, what the last move did with its cards by name; the table is asked for."""
    told = Style(sentences=True)
    reel = Reel(duel_replay()).jump(4)
    lines = moment_lines(reel, told, WIDE)
    assert lines[0] == "李: move 4 of 29, 0:28 left, 100, 1 turned."
    assert len([line for line in lines if "move " in line]) == 3
    assert lines[3] == "Jack of hearts from column 1 to column 3."
    assert moment_lines(reel.jump(0), told, WIDE)[-1] == "the deal."
    table = table_told(reel)
    assert table[0].startswith("Foundations: ")
    assert "face-down" in "".join(table)
    assert "face-down" not in "".join(table_told(Reel(game_replay()), opened=True)[:3])


def test_a_refused_move_is_a_sentence_too() -> None:
    """With the reason."""
    lines = moment_lines(Reel(game_replay()).jump(2), Style(sentences=True), WIDE)
    assert lines[-1] == "nonsense: refused: that is not a move."

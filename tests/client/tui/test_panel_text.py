"""The side of the table: clock, standings, points."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from client.tui.stage import LEFT_MS, context_of
from samedeal_client.plain.board_text import state_words
from samedeal_client.texts import _, speaking
from samedeal_client.tui.panel_text import (
    _SHORT_STATES,
    PanelView,
    panel_lines,
    sparkline,
    status_line,
)
from samedeal_protocol import PlayerState
from samedeal_protocol.server_messages import StandingRow
from samedeal_rules.moves import END


def row(seat: int, name: str = "Ana") -> StandingRow:
    return StandingRow(
        place=seat + 1, seat=seat, name=name, score=100, up=3, state=PlayerState.PLAYING
    )


@pytest.mark.parametrize("height", range(1, 40))
@pytest.mark.parametrize("width", [22, 26, 34, 60])
def test_it_fits_whatever_the_size(width: int, height: int) -> None:
    """Never more lines than rows, never a line that is too long."""
    view = context_of("timed").panel()
    lines = panel_lines(view, width, height)
    assert len(lines) <= height
    assert all(sum(cell_len(seg.text) for seg in line) <= width for line in lines)


def test_in_a_large_duel_the_top_and_oneself_are_shown() -> None:
    """And how many there are."""
    rows = [row(seat) for seat in range(40)]
    view = PanelView(clock_ms=1000, rows=rows, total=500, you=39, score=100, up=3)
    text = "\n".join("".join(seg.text for seg in line) for line in panel_lines(view, 26, 20))
    assert "40 *Ana" in text
    assert " 1  Ana" in text
    assert "of 500" in text


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("state", [state for state in PlayerState if state != "playing"])
@pytest.mark.parametrize("others", [1, 20], ids=["told below", "told beside"])
def test_how_a_player_is_stays_whole(language: str, state: PlayerState, others: int) -> None:
    """The name gives way, or the bar: never the word, in either language."""
    with speaking(language):
        rows = [row(0, "Eddy-qrw").model_copy(update={"state": state, "score": 2_345})]
        rows += [row(seat) for seat in range(1, others)]
        view = PanelView(clock_ms=1000, rows=rows, total=max(2, others), you=1, score=0)
        text = "\n".join("".join(seg.text for seg in line) for line in panel_lines(view, 26, 21))
        full, short = state_words(state), _(_SHORT_STATES[state])
    assert full in text if others == 1 else f" ({short})" in text
    assert "Eddy-qrw" in text if others == 1 else "Ed" in text
    assert all(len(line) <= 26 for line in text.splitlines())


def test_who_watches_has_no_standing_of_their_own() -> None:
    """No `0 up` under the clock."""
    view = PanelView(clock_ms=1000, rows=[row(0), row(1)], total=2)
    text = "\n".join("".join(seg.text for seg in line) for line in panel_lines(view, 60, 20)[:5])
    assert " up" not in text.split("Ana")[0]


def test_after_the_end_of_our_game_it_says_what_is_waited_for() -> None:
    """And the clock of the duel runs on."""
    context = context_of("timed")
    table = context.connection.table
    assert table is not None
    table.confirmed.play(END, 60_000)
    view = context.panel()
    assert view.clock_ms == LEFT_MS
    text = " ".join("".join(seg.text for seg in line).strip() for line in panel_lines(view, 26, 30))
    assert "The result comes when all have, or at 0:00." in text


def test_wide_names_keep_the_columns() -> None:
    """Names are measured as the terminal draws them."""
    view = PanelView(clock_ms=1000, rows=[row(0, "漢字漢字漢字漢字漢字")], total=2, you=0)
    lines = panel_lines(view, 26, 20)
    assert all(sum(cell_len(seg.text) for seg in line) <= 26 for line in lines)


def test_how_a_game_ended_is_not_cut() -> None:
    """Behind the name if there is room, else below it."""
    rows = [
        row(seat, name).model_copy(update={"state": PlayerState.FINISH})
        for seat, name in enumerate(["Bo", "Carla Montserrat"])
    ]
    view = PanelView(clock_ms=1000, rows=rows, total=2, you=0, score=100, up=3)
    text = ["".join(seg.text for seg in line).rstrip() for line in panel_lines(view, 26, 20)]
    at = next(at for at, line in enumerate(text) if "Bo" in line)
    assert text[at] == "  1 *Bo (ended early) 100"
    assert "─" in text[at + 1]
    assert text[at + 2] == "  2  Carla Montserrat 100"
    assert text[at + 3].strip() == "ended early"


def test_a_sparkline_shows_how_the_score_went() -> None:
    """Nothing where nothing has changed; letters where there are no signs."""
    assert sparkline([0, 0, 0], 10, signs=True) == ""
    assert sparkline([0, 50, 100], 10, signs=True) == "▁▄█"
    assert sparkline([0, 50, 100], 10, signs=False).isascii()
    assert len(sparkline(list(range(100)), 10, signs=True)) == 10


def test_a_narrow_window_has_it_in_a_line() -> None:
    """Clock, score, place and title; no longer than the window."""
    view = context_of("timed").panel()
    line = status_line(view, "timed Klondike, 5:00, 3 players", 56)
    text = "".join(seg.text for seg in line)
    assert len(text) == 56
    assert "3:12" in text
    assert "2 of 3" in text


def test_a_title_is_cut_between_its_parts() -> None:
    """Not in the middle of a word, as long as one part fits."""
    view = context_of("timed").panel()
    text = "".join(seg.text for seg in status_line(view, "Spanish, 5:00, 3 players", 47))
    assert text.endswith(" Spanish, 5:00 ")

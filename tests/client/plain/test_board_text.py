"""How a table looks, to the character."""

from __future__ import annotations

import io

import pytest

from samedeal_client.plain.board_text import (
    board_lines,
    clock_text,
    elapsed_text,
    ledger_lines,
    limit_text,
    pass_text,
    ranking_lines,
    standings_lines,
)
from samedeal_client.plain.style import Style, printable, style_for
from samedeal_protocol import PlayerState, RankingRow, StandingRow
from samedeal_rules import Game, deal, find_ruleset, parse_move

LETTERS, SIGNS = Style(), Style(signs=True)


def game(*moves: str) -> Game:
    ruleset = find_ruleset("timed")[1]
    played = Game(ruleset, deal(ruleset, "7"), 300_000)
    for text in moves:
        move = parse_move(text, ruleset.deck.suits)
        assert move is not None
        played.play(move, 0)
    played.board = played.board.view()
    return played


OPENING = """\
  foundations  -C  -D  -H  -S
  stock 24   waste -

  1    2    3    4    5    6    7
 9S   ##   ##   ##   ##   ##   ##
      TC   ##   ##   ##   ##   ##
           8C   ##   ##   ##   ##
                AC   ##   ##   ##
                     9C   ##   ##
                          KH   ##
                               7H"""


def test_the_opening_in_letters() -> None:
    """Fit for LANG=C."""
    text = "\n".join(board_lines(game(), LETTERS))
    assert text.isascii()
    assert text == OPENING


def test_the_waste_shows_three_and_marks_the_top() -> None:
    """Only the top is in play; how many lie below is a count."""
    lines = board_lines(game("d", "d", "d"), SIGNS)
    assert lines[1].startswith("  stock 15   waste (6+) ")
    shown = lines[1].split("(6+) ")[1].split()
    assert len(shown) == 3
    assert shown[2].startswith("[")
    assert shown[2][2] in "♣♦♥♠"


def test_colour_changes_no_width() -> None:
    """Escapes stripped, the coloured board is the plain one."""
    plain = "\n".join(board_lines(game("d"), SIGNS))
    coloured = "\n".join(board_lines(game("d"), Style(signs=True, colour=True)))
    assert coloured != plain
    for escape in ("\x1b[31m", "\x1b[2m", "\x1b[0m"):
        coloured = coloured.replace(escape, "")
    assert coloured == plain


def test_the_price_of_the_next_redeal_is_shown() -> None:
    """The third pass costs."""
    assert pass_text(game()) == "pass 1, next redeal free"
    assert pass_text(game(*["d"] * 8, "r")) == "pass 2, next redeal -400"


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (300_000, "5:00"),
        (299_001, "5:00"),
        (299_000, "4:59"),
        (1, "0:01"),
        (0, "0:00"),
        (-5, "0:00"),
    ],
)
def test_the_clock_reaches_zero_at_the_end_and_not_before(ms: int, text: str) -> None:
    """Seconds rounded up."""
    assert clock_text(ms) == text


@pytest.mark.parametrize(
    ("ms", "text"),
    [(-5, "0:00"), (999, "0:00"), (61_999, "1:01"), (3_599_999, "59:59"), (3_723_000, "1:02:03")],
)
def test_a_clock_that_counts_up_is_rounded_down(ms: int, text: str) -> None:
    """With hours, since there is no limit."""
    assert elapsed_text(ms) == text
    assert limit_text(None) == "no time limit"
    assert limit_text(300_000) == "5:00"


def test_points_item_by_item() -> None:
    """In the order of the rules, with a sum."""
    assert ledger_lines({"undo": -1000, "foundation": 1500}, 500) == [
        "   +1,500  cards on the foundations",
        "   -1,000  undo",
        "      500  in all",
    ]


def test_standings_mark_our_own_line() -> None:
    """Names from elsewhere can't move the cursor."""
    rows = [
        StandingRow(place=1, seat=1, name="Bo\x1b[2J", score=1200, up=5, state=PlayerState.AWAY),
        StandingRow(place=2, seat=0, name="Ana", score=-100, up=0, state=PlayerState.PLAYING),
    ]
    assert standings_lines(rows, 0) == [
        "   1. Bo?[2J                  1,200   5 up  away",
        "*  2. Ana                      -100   0 up",
    ]


def test_the_ranking_explains_every_point() -> None:
    """A line for the player, one for each reason."""
    row = RankingRow(
        place=1,
        seat=0,
        player="ana",
        name="Ana",
        score=600,
        up=3,
        ended=PlayerState.TIMEOUT,
        ended_ms=30_000,
        moves=12,
        items={"foundation": 600},
    )
    assert ranking_lines([row], None) == [
        "   1. Ana                       600   3 up  time over, 12 moves",
        "             +600  cards on the foundations",
    ]


@pytest.mark.parametrize(
    ("encoding", "signs"),
    [("utf-8", True), ("ascii", False), ("latin-1", False)],
)
def test_signs_only_where_they_can_be_written(encoding: str, signs: bool) -> None:
    """Cases 71 and 75: LANG=C and Latin-1 get letters; red and black differ without colour."""
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    assert style_for(out).signs is signs
    assert not style_for(out, ascii_only=True).signs


class Screen(io.StringIO):
    """Says that it is a terminal."""

    encoding = "utf-8"  # type: ignore[assignment]

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "colour", "clears"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False, True),
        ({"TERM": "dumb"}, False, False),
        ({"TERM": ""}, False, False),
        ({}, False, False),
    ],
)
def test_colour_only_on_a_terminal_that_has_it(
    environment: dict[str, str], colour: bool, clears: bool
) -> None:
    """NO_COLOR, dumb and missing terminals are respected; pipes never get escapes."""
    style = style_for(Screen(), environment=environment)
    assert (style.colour, style.clears) == (colour, clears)
    assert not style_for(io.StringIO(), environment=environment).colour


def test_control_signs_never_reach_the_terminal() -> None:
    """Whatever a server or a friend is called."""
    assert printable("a\x1b]0;x\x07\u202e\n") == "a?]0;x???"
    assert printable("Íñigo 李 Zoë") == "Íñigo 李 Zoë"

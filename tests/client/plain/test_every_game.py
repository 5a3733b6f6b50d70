"""Every ruleset in the line client: how its table looks, what its help lists, what can be typed."""

from __future__ import annotations

import pytest

from samedeal_client.plain.board_text import board_lines, pass_text, ranking_lines, standings_lines
from samedeal_client.plain.help_text import help_lines
from samedeal_client.plain.short_forms import move_typed
from samedeal_client.plain.style import Style
from samedeal_client.plain.words import (
    game_title,
    points_text,
    standing_words,
    what_happened,
)
from samedeal_protocol import Applied, PlayerState, PointsEarned, RankingRow, StandingRow
from samedeal_rules import RULESETS, Game, OptionValue, Ruleset, deal, find_ruleset, parse_move

LETTERS, SIGNS, COLOURS = Style(), Style(signs=True), Style(signs=True, colour=True)


def rules(name: str, **options: OptionValue) -> Ruleset:
    return find_ruleset(name, options)[1]


def played(ruleset: Ruleset, *moves: str) -> Game:
    game = Game(ruleset, deal(ruleset, "7"), 300_000)
    for text in moves:
        move = parse_move(text, ruleset.deck.suits)
        assert move is not None
        game.play(move, 0)
    game.board = game.board.view()
    return game


def test_freecell_shows_its_cells_and_how_many_cards_may_move() -> None:
    """No stock, no waste; an empty cell is a dash."""
    game = played(rules("freecell"), "t1-c2")
    card = LETTERS.card(game.ruleset.deck, game.board.cells[1])
    lines = board_lines(game, LETTERS)
    assert lines[1] == f"  cells  c1 --   c2 {card}   c3 --   c4 --"
    assert not any("stock" in line for line in lines)
    assert pass_text(game) == "4 cards at once"


def test_spider_shows_ten_columns_the_runs_gone_and_the_deals_left() -> None:
    """Signs for the suits of its packs too."""
    game = played(rules("spider-2"), "d")
    game.board.gone = [3, 2]
    lines = board_lines(game, SIGNS)
    assert lines[0] == "  runs gone  ♠ ♥   (2 of 8)"
    assert lines[1] == "  stock 40"
    assert lines[3].split() == [str(number) for number in range(1, 11)]
    assert "♠" in lines[10]
    assert pass_text(game) == "4 deals left"


def test_spanish_cards_have_their_own_suits() -> None:
    """Letters everywhere: there are no signs for them; foundations have names."""
    game = played(rules("spanish"), "d")
    lines = board_lines(game, SIGNS)
    assert lines[0] == "  foundations  oros -  copas -  espadas -  bastos -"
    assert "\n".join(lines).isascii()
    assert pass_text(game) == "pass 1, 3 redeals left"
    coloured = "\n".join(board_lines(game, COLOURS))
    assert "\x1b[31m" in coloured
    assert "\x1b[32m" in coloured


def test_the_reserve_has_numbered_places_that_stay() -> None:
    """An emptied place keeps its number; lines fit 80 columns."""
    game = played(rules("spanish", stock=False, deck=48))
    game.board.reserve[2] = type(game.board.reserve[2])(0)
    lines = board_lines(game, LETTERS)
    assert lines[1].split() == ["reserve", *(f"v{number}" for number in range(1, 11))]
    assert lines[2].split()[2] == "--"
    assert lines[3].split() == [f"v{number}" for number in range(11, 21)]
    assert max(map(len, lines)) <= 80
    assert not any("stock" in line for line in lines)
    assert pass_text(game) == ""


@pytest.mark.parametrize(
    ("redeals", "text"),
    [(0, "pass 1, the last"), (1, "pass 1, 1 redeal left"), (3, "pass 1, 3 redeals left")],
)
def test_redeals_left_are_counted(redeals: int, text: str) -> None:
    """With the price, where there is one."""
    assert pass_text(played(rules("klondike-1", redeals=redeals))) == text
    game = played(rules("timed", redeals=3), *["d"] * 8, "r")
    assert pass_text(game) == "pass 2, 2 redeals left, the next -400"


@pytest.mark.parametrize("name", RULESETS)
def test_the_help_lists_only_what_the_game_has(name: str) -> None:
    """Each short form in it is read; other games' moves are not there."""
    text = "\n".join(help_lines(RULESETS[name]))
    assert ("waste" in text) == RULESETS[name].has_waste
    assert ("x3" in text) == (name == "timed")
    assert ("cell" in text) == (name == "freecell")
    assert ("back from" in text) == (RULESETS[name].gives_back)
    assert ("oros" in text) == (name == "spanish")
    assert max(map(len, text.splitlines())) <= 100
    assert "reserve" in "\n".join(help_lines(rules("spanish", stock=False)))
    assert "redeal" not in "\n".join(help_lines(rules("spanish", redeals=0)))


@pytest.mark.parametrize(
    ("name", "typed", "move"),
    [
        ("freecell", "4a", "t4-c1"),
        ("freecell", "4c1", "t4-c1"),
        ("freecell", "c1-5", "c1-t5"),
        ("freecell", "c15", "c1-t5"),
        ("freecell", "c1 5", "c1-t5"),
        ("freecell", "c1f", "c1-f"),
        ("spider-1", "10-3", "t10-t3"),
        ("spider-1", "30", "t3-t10"),
        ("spider-1", "03", "t10-t3"),
        ("spider-1", "3*2-10", "t3*2-t10"),
        ("spanish", "v3-2", "v3-t2"),
        ("spanish", "v3 2", "v3-t2"),
        ("spanish", "v12f", "v12-f"),
        ("spanish", "v12-3", "v12-t3"),
    ],
)
def test_short_forms_of_every_game(name: str, typed: str, move: str) -> None:
    """As the help has them."""
    ruleset = RULESETS[name]
    assert move_typed(typed, ruleset, deal(ruleset, "7")) == move


def test_the_first_empty_cell_is_meant() -> None:
    """With all taken the rules say so."""
    ruleset = RULESETS["freecell"]
    game = played(ruleset, "t1-c1", "t1-c3")
    assert move_typed("4a", ruleset, game.board) == "t4-c2"
    game = played(ruleset, "t1-c1", "t2-c2", "t1-c3", "t2-c4")
    assert move_typed("4a", ruleset, game.board) == "t4-c1"


def test_a_run_goes_to_an_empty_column_as_far_as_the_cells_allow() -> None:
    """Without a count as many as fit."""
    ruleset = RULESETS["freecell"]
    board = deal(ruleset, "7")
    codes = ruleset.deck.codes
    board.columns[0] = [codes[name] for name in ["2C", "TH", "9S", "8H", "7S"]]
    board.columns[1] = []
    board.cells[0], board.cells[1] = codes["KC"], codes["KD"]
    assert move_typed("12", ruleset, board) == "t1*3-t2"


def test_runs_and_spanish_names_are_told() -> None:
    """What leaves the table, and who a caballo is."""
    deck = RULESETS["spider-1"].deck
    points = [PointsEarned(item="runs", points=65, what="t3")]
    answer = Applied(seq=0, move="d", ms=0, score=65, checksum=0, runs=[("t3", "S")], points=points)
    assert what_happened(answer, SIGNS, deck) == "the run of ♠ leaves t3; +65 run t3"
    assert points_text(points[0], SIGNS, deck) == "+65 run t3"
    spanish = RULESETS["spanish"].deck
    drawn = Applied(seq=0, move="d", ms=0, score=None, checksum=0, drawn=["CE"])
    assert what_happened(drawn, SIGNS, spanish) == "drawn CE (caballo de espadas)"


def test_without_points_cards_up_are_what_counts() -> None:
    """In the standings, the result and the title."""
    row = StandingRow(place=1, seat=0, name="Ana", score=None, up=12, state=PlayerState.PLAYING)
    assert standings_lines([row], 0) == ["*  1. Ana                   12 up"]
    final = RankingRow(
        place=1,
        seat=0,
        player="ana",
        name="Ana",
        score=None,
        up=40,
        ended=PlayerState.CLEARED,
        ended_ms=93_400,
        moves=80,
        items={},
    )
    assert ranking_lines([final], 0) == [
        "*  1. Ana                   40 up  cleared! after 93.4 s, 80 moves"
    ]
    assert standing_words(None, 12) == "12 up"
    assert game_title("spanish", {"stock": False, "deck": 48}) == "spanish stock=false deck=48"

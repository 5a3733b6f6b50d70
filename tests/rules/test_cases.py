"""Group a of the cases: faults that people have met elsewhere, as far as `timed` has them."""

from __future__ import annotations

from collections import Counter

import pytest

from samedeal_rules import OptionValue
from samedeal_rules.cards import FRENCH

from .games import attempt, new_game
from .positions import automatic, cards_text, column, frozen, game_at, play


def test_case_1_an_undone_draw_draws_the_same_again() -> None:
    """Draw, undo, draw: the waste is again 5C 9D KS with the king in play; -1000 once."""
    game = game_at("s: 5C 9D KS 2H")
    before = game.board.copy()
    play(game, "d", "u")
    assert game.board.same_as(before)
    assert game.ledger() == {"undo": -1000}
    play(game, "d")
    assert cards_text(game.board.waste) == "5C 9D KS"
    assert attempt(game, 0, "w-t1") is None


def test_case_3_one_undo_reverts_the_automatic_moves_too_and_costs_once() -> None:
    """All back, nothing moves by itself again, and a second undo reverts the move before."""
    game = game_at("t1: 2H 2S KD\nt3: 9C\nt4: 8D\nf: CA DA HA SA")
    play(game, "t4-t3")
    before = game.board.copy()
    assert automatic(play(game, "t1-t2")) == ["2S", "2H"]
    assert automatic(play(game, "u")) == []
    assert game.board.same_as(before)
    assert game.score == -1000
    play(game, "u")
    assert (column(game, "t3"), column(game, "t4")) == ("9C", "8D")


def test_case_4_a_card_taken_back_stays_until_it_is_put_up_by_hand() -> None:
    """5H back onto 6S is there after every later move; 0 points each way."""
    game = game_at("t1: 6S\nt2: 9C\nt3: 8D\ns: 9S TS JS QS\nf: C4 D4 H5 S4")
    assert automatic(play(game, "fH-t1")) == []
    for text in ("t3-t2", "d", "d", "r", "u"):
        play(game, text)
        assert column(game, "t1") == "6S 5H"
    play(game, "t1-f")
    assert game.ledger() == {"undo": -1000}


def test_case_5_a_card_back_and_up_ten_times_scores_once() -> None:
    """7S went up for 700; ten cycles later its total is still 700."""
    game = game_at("t1: 7S\nt2: 8H\nf: S6")
    play(game, "t1-f")
    for _ in range(10):
        play(game, "fS-t2")
        assert game.score == 700
        play(game, "t2-f")
        assert game.score == 700


def test_case_7_undo_takes_back_the_points_of_a_turned_card() -> None:
    """300, +100, undo is 300 - 1000, the same move again -600."""
    game = game_at("t1: 2H\nt2: AH\nt3: [5C 9D]")
    play(game, "t2-f", "t1-f")
    assert game.score == 300
    play(game, "x3")
    assert game.score == 400
    play(game, "u")
    assert (game.score, column(game, "t3")) == (-700, "[5C 9D]")
    play(game, "x3")
    assert game.score == -600
    assert game.ledger()["turned"] == 100


@pytest.mark.parametrize("text", ["t1*2-f", "t1-f", "fH-t1"])
def test_case_15_a_card_in_the_middle_of_a_column_does_not_go_up(text: str) -> None:
    """4H under 3S stays: no spelling of a move takes it alone."""
    game = game_at("t1: 4H 3S\nf: H3")
    before = frozen(game)
    assert attempt(game, 0, text) is not None
    assert frozen(game) == before


def test_case_17_the_position_can_be_played_with_a_card_taken_back() -> None:
    """3C up turns 4H, 3C returns onto it, 2H onto 3C turns 5C, then all three onto 5C."""
    game = game_at("t1: [AD 5C] 2H\nt2: [9S 4H] 3C\nf: C2")
    play(game, "t2-f", "x2", "fC-t2", "t1-t2", "x1", "t2*3-t1")
    assert (column(game, "t1"), column(game, "t2")) == ("[AD] 5C 4H 3C 2H", "[9S]")
    # The return gives 0, each of the turns 100; 3C scored in the game to this position or now.
    assert game.ledger() == {"foundation": 300, "turned": 200}


@pytest.mark.parametrize("chosen", [{}, {"draw": 1}, {"redeals": 0}])
def test_case_20_each_card_is_dealt_once(chosen: dict[str, OptionValue]) -> None:
    """28 on the table and 24 in the stock are the 52 cards."""
    board = new_game("s", chosen).board
    cards = [card for pile in [*board.columns, board.talon] for card in pile]
    assert Counter(cards) == Counter(FRENCH.cards)
    assert len(board.talon) == 24


def test_case_21_a_pass_of_22_cards_is_seven_draws_of_three_and_one_of_one() -> None:
    """Two waste cards played in pass 1: pass 2 draws 7 x 3 + 1, in the old order minus the two."""
    stock = "5C JH QS 2C 2D 3C 3S 4C 4D 5D 6C 6D 7C 7S 8C 8S 9C 9S TC TS JC JD QC 9D"
    game = game_at(f"t1: KH\ns: {stock}")
    play(game, "d", "w-t1", "w-t1", *["d"] * 7, "r")
    assert column(game, "t1") == "KH QS JH"
    left = stock.replace("JH QS ", "")
    assert cards_text(game.board.stock) == left
    draws = [cards_text(play(game, "d").drawn) for _ in range(8)]
    assert [len(draw.split()) for draw in draws] == [3] * 7 + [1]
    assert " ".join(draws) == left
    assert attempt(game, 0, "d") == "stock_empty"


def test_case_21_the_card_beneath_a_played_one_is_shown_and_playable() -> None:
    """After the only visible waste card is played, the one beneath is in play."""
    game = game_at("t1: 6S\nt2: 6H\nw: 5C\ns: 5D")
    play(game, "d", "w-t1", "w-t2")
    assert (column(game, "t1"), column(game, "t2")) == ("6S 5D", "6H 5C")


@pytest.mark.parametrize(
    ("ms", "points"), [(0, 100), (200_000, 33), (297_000, 1), (297_001, 0), (299_999, 0)]
)
def test_case_22_the_time_bonus_is_added_once_and_never_below_zero(ms: int, points: int) -> None:
    """Stopped at 200 s: 100 s left = +33; at the deadline nothing; a second end adds nothing."""
    game = game_at("t1: KS")
    play(game, "end", ms=ms)
    assert game.score == points
    assert attempt(game, ms, "end") == "game_over"
    game.run_out()
    assert game.score == points


def test_case_24_a_card_goes_by_itself_only_when_all_of_the_rank_below_are_up() -> None:
    """5H waits for 4D; then every exposed 5 goes, a 6 not until all 5s are up; one undo."""
    game = game_at("t1: 5H\nt2: [4D]\nt3: 5S\nt4: 6H\nt5: 9C\nt6: 8D\nf: H4 S4 C4 D3")
    assert automatic(play(game, "t6-t5")) == []
    before, score = game.board.copy(), game.score
    assert automatic(play(game, "x2")) == ["4D", "5S", "5H"]
    assert game.score - score == 100 + 400 + 500 + 500
    play(game, "u")
    assert game.board.same_as(before)
    assert game.score == score - 1000


def test_case_24_a_six_goes_when_all_fives_are_up() -> None:
    """The last 5 put up by hand sends the 6 after it."""
    game = game_at("t1: 5H\nt4: 6H\nf: H4 S5 C5 D4\nw: 5D")
    assert automatic(play(game, "t1-f")) == ["5D", "6H"]

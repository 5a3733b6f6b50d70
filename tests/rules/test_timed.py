"""Section 1 of rules.md: every row of its tables and every reading."""

from __future__ import annotations

import pytest

from samedeal_rules import Ended
from samedeal_rules.rulesets.timed import TIMED

from .games import attempt, new_game
from .positions import automatic, cards_text, column, game_at, play

# What is allowed.


def test_52_cards_7_columns_4_foundations() -> None:
    """ "52 cards, 7 columns ..., 24 in the stock, four foundations by suit, ace to king"."""
    board = new_game("s").board
    assert (len(TIMED.deck.cards), len(board.columns), len(board.stock)) == (52, 7, 24)
    game = game_at("t1: KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H AH")
    assert attempt(game, 0, "t1*2-f") == "not_a_run"
    play(game, *["t1-f"] * 13)
    assert game.board.foundations == [0, 0, 13, 0]


def test_foundations_are_by_suit_and_in_order() -> None:
    """A 2 of another suit, or a card that skips one, does not go up."""
    game = game_at("t1: 2S\nt2: 3H\nt3: 2H\nf: HA")
    assert [attempt(game, 0, text) for text in ("t1-f", "t2-f", "t3-f", "t2-f")] == [
        "foundation_order",
        "foundation_order",
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("card", "allowed"), [("7S", True), ("7C", True), ("7D", False), ("6S", False), ("9S", False)]
)
def test_tableau_is_down_by_one_in_alternating_colours(card: str, allowed: bool) -> None:
    """ "down by one, alternating colours"."""
    game = game_at(f"t1: 8H\nt2: {card}")
    assert attempt(game, 0, "t2-t1") == (None if allowed else "does_not_fit")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_whole_runs_or_any_lower_part_of_one(count: int) -> None:
    """ "whole runs or any lower part of one": from any card of the run on."""
    target = {1: "7C", 2: "8D", 3: "9C"}[count]
    game = game_at(f"t1: [KC] 8H 7S 6D\nt2: {target}")
    text = "t1-t2" if count == 1 else f"t1*{count}-t2"
    assert attempt(game, 0, text) is None
    assert len(game.board.columns[1]) == count + 1


def test_only_a_king_goes_to_an_empty_column() -> None:
    """ "only a king, or a run that starts with a king"."""
    game = game_at("t1: KS QH\nt2: QD\nw: KD")
    assert attempt(game, 0, "t2-t3") == "needs_king"
    assert attempt(game, 0, "t1-t3") == "needs_king"
    play(game, "w-t3", "t1*2-t4")
    assert (column(game, "t3"), column(game, "t4"), column(game, "t1")) == ("KD", "KS QH", "")


def test_draw_three_at_a_time_fewer_if_fewer_are_left() -> None:
    """ "three cards at a time (fewer if fewer are left)"."""
    game = game_at("s: 5C 9D KS 2H 3H")
    assert cards_text(play(game, "d").drawn) == "5C 9D KS"
    assert cards_text(play(game, "d").drawn) == "2H 3H"
    assert attempt(game, 0, "d") == "stock_empty"


def test_only_the_top_of_the_waste_is_in_play() -> None:
    """The next card is in play when the one above has gone."""
    game = game_at("t1: 6S\nt2: 6H\nw: 5C 5D")
    assert attempt(game, 0, "w-t2") == "does_not_fit"
    play(game, "w-t1", "w-t2")
    assert (column(game, "t1"), column(game, "t2")) == ("6S 5D", "6H 5C")


def test_the_stock_comes_back_in_the_same_order() -> None:
    """ "redeal: unlimited; the stock comes back in the same order"."""
    game = game_at("s: 5C 9D KS 2H")
    for _ in range(50):
        play(game, "d", "d", "r")
        assert cards_text(game.board.stock) == "5C 9D KS 2H"
    assert game.board.redeals == 50


def test_a_redeal_waits_for_the_empty_stock() -> None:
    """ "r: refused unless the stock is empty and the waste is not" (section 9)."""
    game = game_at("s: 5C 9D KS 2H")
    assert attempt(game, 0, "r") == "stock_not_empty"
    play(game, "d")
    assert attempt(game, 0, "r") == "stock_not_empty"
    play(game, "d")
    assert attempt(game, 0, "r") is None
    assert attempt(game_at("t1: KS"), 0, "r") == "waste_empty"


def test_drawing_never_becomes_a_redeal() -> None:
    """ "Refused when the stock is empty" (section 9), though the waste is not."""
    game = game_at("w: 5C 9D")
    assert attempt(game, 0, "d") == "stock_empty"
    assert cards_text(game.board.waste) == "5C 9D"


def test_an_uncovered_card_stays_face_down_until_it_is_turned_by_hand() -> None:
    """ "the uncovered face-down card stays face down until the player turns it (`x3`)"."""
    game = game_at("t3: [5C 9D] 8S\nt1: 9H")
    assert play(game, "t3-t1").turned == []
    assert column(game, "t3") == "[5C 9D]"
    played = play(game, "x3")
    assert [(index, cards_text([card])) for index, card in played.turned] == [(2, "9D")]
    assert column(game, "t3") == "[5C] 9D"


def test_a_face_down_card_cannot_be_moved_and_nothing_can_be_put_on_it() -> None:
    """ "A face-down card can't be moved, and nothing can be put on it"."""
    game = game_at("t1: [9D]\nt2: 8S\nt3: TS\nt4: [AC]")
    for text in ("t1-t3", "t1-f", "t4-f", "t2-t1", "t2-t4"):
        assert attempt(game, 0, text) == "face_down", text


def test_a_face_down_ace_does_not_go_up_by_itself() -> None:
    """Automatic moves are for face-up cards; turned, it goes at once, in the same move."""
    game = game_at("t1: [9D AC]\ns: 5C")
    assert automatic(play(game, "d")) == []
    assert automatic(play(game, "x1")) == ["AC"]
    assert column(game, "t1") == "[9D]"


def test_only_the_end_card_of_a_column_can_be_turned() -> None:
    """A column with a face-up end, or with no card, has nothing to turn."""
    game = game_at("t1: [9D] 8S")
    assert [attempt(game, 0, text) for text in ("x1", "x2")] == ["not_face_down"] * 2


def test_a_foundations_top_card_may_go_back_to_a_column_where_it_fits() -> None:
    """ "allowed: the top card of a foundation may go back to a column where it fits"."""
    game = game_at("t1: 6S\nt2: 6H\nf: H5 DK")
    assert attempt(game, 0, "fH-t2") == "does_not_fit"
    assert attempt(game, 0, "fC-t1") == "pile_empty"
    play(game, "fH-t1", "fD-t3")
    assert (column(game, "t1"), column(game, "t3")) == ("6S 5H", "KD")
    assert game.board.foundations == [0, 12, 4, 0]
    assert attempt(game, 0, "fH-t2") == "does_not_fit"


# Automatic moves.


def test_an_ace_always_goes_up_by_itself() -> None:
    """ "(an ace: always)": from a column and off the waste."""
    game = game_at("t1: AH\nt2: 9C\nt3: 8D\ns: 5C 9D AS")
    assert automatic(play(game, "t3-t2")) == ["AH"]
    assert automatic(play(game, "d")) == ["AS"]


@pytest.mark.parametrize("missing", "CDHS")
def test_a_card_waits_for_all_four_of_the_rank_below(missing: str) -> None:
    """ "when all four cards of the rank below are on the foundations"."""
    tops = " ".join(suit + ("3" if suit == missing else "4") for suit in "CDHS")
    other = "C" if missing != "C" else "D"
    game = game_at(f"t1: 5{other}\nt2: [4{missing}]\ns: 9C\nf: {tops}")
    assert automatic(play(game, "d")) == []
    assert automatic(play(game, "x2")) == ["4" + missing, "5" + other]


@pytest.mark.parametrize("rank", range(2, 14))
def test_automatic_moves_are_taken_literally_for_every_rank(rank: int) -> None:
    """Reading: "We take it literally for every rank"."""
    ranks = "A23456789TJQK"
    below, drawn = ranks[rank - 2], "4C" if rank == 9 else "9C"
    game = game_at(f"t1: {ranks[rank - 1]}H\ns: {drawn}\nf: C{below} D{below} H{below} S{below}")
    assert automatic(play(game, "d")) == [ranks[rank - 1] + "H"]


def test_automatic_moves_include_the_top_of_the_waste() -> None:
    """Reading: "we include the top of the waste", and the card below it once it is the top."""
    game = game_at("t1: 9C\nt2: 8D\nw: 5D AS AH\ns: 9S")
    assert automatic(play(game, "t2-t1")) == ["AH", "AS"]
    assert cards_text(game.board.waste) == "5D"


def test_automatic_moves_follow_every_kind_of_move() -> None:
    """ "after each accepted move (turning and drawing too)", a redeal and a taking back too."""
    for text in ("d", "x2", "t3-t4", "w-t4", "fH-t5"):
        game = game_at("t1: AS\nt2: [9C]\nt3: 8D\nt4: 9S\nt5: 3S\nw: 8H\ns: 7C\nf: H2")
        assert automatic(play(game, text)) == ["AS"], text
    game = game_at("t1: AS\nw: 8H")
    assert automatic(play(game, "r")) == ["AS"]


def test_automatic_moves_score_as_if_made_by_hand() -> None:
    """ "They score as if made by hand"."""
    game = game_at("t1: AS\nt2: 2S\nt3: 3S\ns: 9C\nf: C2 D2 H2")
    play(game, "d")
    assert game.ledger() == {"foundation": 100 + 200 + 300}


def test_automatic_moves_can_clear_the_table() -> None:
    """The last cards may go up by themselves: the game is over and both bonuses fall."""
    game = game_at("t1: KC\nt2: KD\nt3: KH\nt4: QS\nt5: KS\nf: CQ DQ HQ SJ")
    play(game, "t4-f", ms=174_100)
    assert game.ended is Ended.CLEARED
    assert game.ledger() == {"foundation": 5000, "minutes": 300, "early_end": 41}


def test_a_card_taken_back_never_goes_up_by_itself_again() -> None:
    """Reading: "never sent up automatically again in that game; ... by hand"."""
    game = game_at("t1: 6S\nt2: 6C\ns: 9C TC JC QC\nf: C4 D4 H5 S4")
    assert automatic(play(game, "fH-t1")) == []
    assert automatic(play(game, "d")) == []
    play(game, "t1-f")
    # Put up by hand and taken back once more, it stays exempt all the same.
    assert automatic(play(game, "fH-t2")) == []
    assert automatic(play(game, "d")) == []
    assert column(game, "t2") == "6C 5H"


def test_an_undo_of_the_taking_back_lifts_the_exemption() -> None:
    """Reading: "An undo of the move that took it back lifts this"."""
    game = game_at("t1: 6S\nt2: 5H\ns: 9C TC JC QC\nf: C4 D4 H4 S4")
    assert automatic(play(game, "d")) == ["5H"]
    play(game, "fH-t1", "u", "u")
    assert column(game, "t2") == "5H"
    assert automatic(play(game, "d")) == ["5H"]


def test_an_undo_of_a_second_taking_back_does_not_lift_the_exemption() -> None:
    """It was taken back before, and that move still stands."""
    game = game_at("t1: 6S\nt2: 6C\ns: 9C TC JC QC\nf: C4 D4 H5 S4")
    play(game, "fH-t1", "t1-f", "fH-t2", "u", "u")
    assert column(game, "t1") == "6S 5H"
    assert automatic(play(game, "d")) == []


def test_other_cards_still_go_past_an_exempt_one() -> None:
    """Only the card itself is left alone."""
    game = game_at("t1: 6S\nt2: 5D\ns: 9C\nf: C4 D4 H5 S4")
    assert automatic(play(game, "fH-t1")) == ["5D"]


# Points.

VALUES = dict(zip("A23456789TJQK", [*range(100, 1000, 100), *[1000] * 4], strict=True))


@pytest.mark.parametrize("rank", VALUES)
@pytest.mark.parametrize("suit", "CDHS")
def test_a_card_on_its_foundation_scores_its_value(rank: str, suit: str) -> None:
    """ace 100, 2 200, ... 9 900, 10 / J / Q / K 1000, whatever the suit."""
    ranks = list(VALUES)
    below = "" if rank == "A" else f"f: {suit}{ranks[ranks.index(rank) - 1]}"
    game = game_at(f"t1: {rank}{suit}\nt2: 5C\n{below}")
    points = play(game, "t1-f").points
    assert [(point.points, point.what) for point in points] == [(VALUES[rank], rank + suit)]
    assert game.ledger() == {"foundation": VALUES[rank]}


def test_the_table_adds_up_to_34_000() -> None:
    """Reading: "8,500 a suit, 34,000 in all ... no cap, no bonus on top"; 36,100 with turns."""
    card_up = TIMED.scoring.card_up
    assert card_up[1:] == tuple(VALUES.values())
    assert sum(card_up) == 8500
    assert 4 * sum(card_up) + 21 * TIMED.scoring.turned == 36_100


def test_turning_a_card_scores_100() -> None:
    """ "turning a column's face-down card +100"; 21 lie face down at the deal."""
    game = game_at("t1: [5C 9D]")
    play(game, "x1")
    assert game.ledger() == {"turned": 100}
    assert sum(new_game("s").board.down) == 21


def test_each_pass_from_the_third_on_costs_400_when_its_redeal_is_made() -> None:
    """Reading: the first redeal (pass 2) is free, the second (pass 3) and each later cost 400."""
    game, passes = game_at("s: 5C 9D KS 2H"), []
    for _ in range(5):
        play(game, "d", "d")
        before = game.score
        play(game, "r")
        passes.append(game.score - before)
    assert passes == [0, -400, -400, -400, -400]
    assert game.ledger() == {"passes": -1600}


def test_undo_takes_the_points_back_then_1000() -> None:
    """ "the move's points are taken back, then -1000"; a -400 comes back as well."""
    game = game_at("w: 5C 9D", redeals=1)
    play(game, "r")
    assert game.score == -400
    play(game, "u")
    assert game.ledger() == {"undo": -1000}


def test_undo_reaches_all_the_way_to_the_deal() -> None:
    """Reading: "reaches all the way to the deal", each for 1000."""
    game = new_game("s")
    play(game, *["d"] * 8, *["r", *["d"] * 8] * 20)
    moves = game.undoable
    assert moves == 188
    play(game, *["u"] * moves)
    assert game.board.same_as(new_game("s").board)
    assert game.score == -1000 * moves
    assert attempt(game, 0, "u") == "nothing_to_undo"


def test_a_card_back_and_up_again_scores_nothing() -> None:
    """ "card back from a foundation 0; putting it up again: 0"."""
    game = game_at("t1: 6S\nt2: 5H\nf: C3 H4")
    play(game, "t2-f")
    for _ in range(3):
        assert play(game, "fH-t1").points == []
        assert play(game, "t1-f").points == []
    assert game.ledger() == {"foundation": 500}


def test_a_clear_table_gets_both_bonuses() -> None:
    """Reading: "clear with 125.9 s left: 2 x 150 + floor(125/3) = 300 + 41 = 341"."""
    game = game_at("t1: KS\nf: CK DK HK SQ")
    play(game, "t1-f", ms=300_000 - 125_900)
    assert game.ledger() == {"foundation": 1000, "minutes": 300, "early_end": 41}
    assert game.score == 1341


def test_an_early_end_gets_1_for_every_whole_3_seconds() -> None:
    """ "+1 for every whole 3 seconds that remain", minutes only with a clear table."""
    game = game_at("t1: KS\nf: CK DK HK SQ")
    play(game, "end", ms=300_000 - 125_900)
    assert game.ledger() == {"early_end": 41}


def test_the_countdown_ends_with_nothing_more() -> None:
    """ "the countdown ends: nothing more"."""
    game = game_at("t1: 2H\nf: HA")
    play(game, "t1-f")
    game.run_out()
    assert game.ledger() == {"foundation": 200}


def test_the_score_may_be_below_zero() -> None:
    """Reading: "penalties may make the score negative", with no floor at any step."""
    game = game_at("t1: 2H\ns: 5C\nf: HA")
    play(game, "d", "u")
    assert game.score == -1000
    play(game, "t1-f")
    assert game.score == -800

"""Section 2 of rules.md: classic Klondike, line by line."""

from __future__ import annotations

import pytest

from samedeal_rules import Ended
from samedeal_rules.rulesets.klondike import KLONDIKE_1, KLONDIKE_3
from samedeal_rules.rulesets.timed import TIMED

from .games import attempt, new_game
from .positions import automatic, cards_text, column, game_of, play

BOTH = pytest.mark.parametrize("name", ["klondike-1", "klondike-3"])
ALL_OPEN = """
    t1: KC QD JC
    t2: KD QC
    t3: KH QS
    t4: KS QH
    f: CT DJ HJ SJ
"""


@BOTH
def test_deck_deal_tableau_and_foundations_are_those_of_timed(name: str) -> None:
    """ "As `timed` in deck, deal, tableau, empty columns, foundations"."""
    ruleset = new_game("s", name=name).ruleset
    assert (ruleset.deck, ruleset.stacks, ruleset.fills_empty) == (
        TIMED.deck,
        TIMED.stacks,
        TIMED.fills_empty,
    )
    assert new_game("s", name=name).board.same_as(new_game("s").board)
    game = game_of(name, "t1: 8H\nt2: 7S 6D\nt3: 7D\nt4: QC")
    assert attempt(game, 0, "t3-t1") == "does_not_fit"
    assert attempt(game, 0, "t4-t5") == "needs_king"
    play(game, "t2*2-t1")
    assert column(game, "t1") == "8H 7S 6D"


def test_foundation_to_tableau_as_in_timed() -> None:
    """ "and foundation to tableau": the top card goes back where it fits."""
    game = game_of("klondike-1", "t1: 6S\nt2: [5C] 6H\nf: H5")
    assert attempt(game, 0, "fH-t2") == "does_not_fit"
    play(game, "fH-t1")
    assert column(game, "t1") == "6S 5H"


def test_draw_one_and_draw_three() -> None:
    """ "draw one / draw three", by the name; `draw` may change it (section 6)."""
    stock = "s: 5C 9D KS 2H"
    assert cards_text(play(game_of("klondike-1", stock), "d").drawn) == "5C"
    assert cards_text(play(game_of("klondike-3", stock), "d").drawn) == "5C 9D KS"
    assert cards_text(play(game_of("klondike-3", stock, draw=1), "d").drawn) == "5C"


@BOTH
def test_a_face_down_card_turns_by_itself(name: str) -> None:
    """ "a face-down card turns by itself when the card on it moves away"; +5, one undo."""
    game = game_of(name, "t1: [5C 9D] 8S\nt2: 9H\nt3: [4C] AS")
    played = play(game, "t1-t2")
    assert [(index, cards_text([card])) for index, card in played.turned] == [(0, "9D")]
    assert column(game, "t1") == "[5C] 9D"
    play(game, "t3-f")
    assert column(game, "t3") == "4C"
    assert game.ledger() == {"foundation": 10, "turned": 10}
    play(game, "u", "u")
    assert (column(game, "t1"), column(game, "t3"), game.score) == ("[5C 9D] 8S", "[4C] AS", 0)
    assert attempt(game, 0, "x1") == "not_in_this_game"


def test_only_an_uncovered_card_turns() -> None:
    """A card moved off face-up cards turns nothing."""
    game = game_of("klondike-1", "t1: [5C] 9D 8S\nt2: 9H")
    assert play(game, "t1-t2").turned == []


@BOTH
def test_redeals_are_unlimited_and_free(name: str) -> None:
    """ "unlimited redeals, free", the stock in the same order."""
    game = game_of(name, "t1: [4C] 4D\ns: 5C 9D KS 2H", score=50)
    for _ in range(30):
        while attempt(game, 0, "d") is None:
            pass
        play(game, "r")
    assert (cards_text(game.board.stock), game.score) == ("5C 9D KS 2H", 50)


@BOTH
def test_no_card_goes_up_by_itself_during_play(name: str) -> None:
    """ "No card goes up by itself during play": not even an ace."""
    game = game_of(name, "t1: AS\nt2: [4C] AH\ns: 5C 6C 9D 2H")
    assert automatic(play(game, "d")) == []
    assert column(game, "t1") == "AS"


@BOTH
def test_auto_finish(name: str) -> None:
    """ "the remaining cards go up by themselves (and score)": in sweeps; one undo brings all."""
    game = game_of(name, ALL_OPEN, score=450)
    played = play(game, "t1-f")
    assert automatic(played) == ["QD", "QC", "QS", "QH", "KC", "KD", "KH", "KS"]
    assert game.ended is Ended.CLEARED
    assert game.ledger()["foundation"] == 450 + 90
    game = game_of(name, "t1: 2C AC\nt2: [3H] 4D\nt3: 5C", score=0)
    before = game.board.copy()
    assert automatic(play(game, "t2-t3")) == ["AC", "2C"]
    play(game, "u")
    assert (game.board.same_as(before), game.score) == (True, 0)


def test_auto_finish_sends_up_cards_that_were_taken_back() -> None:
    """ "also those that were once taken back from a foundation"."""
    game = game_of("klondike-1", "t1: 6S\nt2: [9D] TS\nt4: JD\nf: H5 S5 D8")
    assert automatic(play(game, "fH-t1")) == []
    assert automatic(play(game, "t2-t4")) == ["5H", "9D", "6S"]


@pytest.mark.parametrize(
    ("rest", "finishes"),
    [
        ("", True),
        ("w: 2D", True),
        ("w: 2D 3D", False),
        ("s: 2D", False),
        ("t3: [2D] 3H", False),
    ],
)
def test_case_9_auto_finish_waits_for_stock_waste_and_face_down_cards(
    rest: str, finishes: bool
) -> None:
    """Stock 0 / waste 0 and 0 / 1 complete; 0 / 2, 1 / 0 and one hidden card do not."""
    game = game_of("klondike-3", f"t1: 2C AC\nt2: 9C\nt4: TD\nf: DA\n{rest}")
    went = automatic(play(game, "t2-t4"))
    assert went == ((["AC", "2D", "2C"] if "w" in rest else ["AC", "2C"]) if finishes else [])


def test_case_9_after_completing_52_are_up_at_10_points_each() -> None:
    """52 up, 10 points per card that went up, one finish event."""
    game = game_of("klondike-3", ALL_OPEN.replace("CT", "C9") + "t5: TC")
    play(game, "t5-f", ms=299_000)
    assert (game.board.cards_up, game.ended) == (52, Ended.CLEARED)
    assert game.ledger() == {"foundation": 100, "time_bonus": 1400 - 2 * 299}
    assert attempt(game, 299_000, "end") == "game_over"


# Points.


def test_a_card_to_its_foundation_scores_10_every_time() -> None:
    """ "a card to its foundation +10 (every time)"."""
    game = game_of("klondike-1", "t1: [KC] 6S\nt2: 5H\nf: H4")
    play(game, "t2-f", "fH-t1", "t1-f")
    assert game.ledger() == {"foundation": 20, "foundation_to_tableau": -10}


def test_waste_to_tableau_scores_5() -> None:
    """ "waste to tableau +5"; undone, the item is empty again."""
    game = game_of("klondike-1", "t1: [4C] 6S\nw: 5H")
    play(game, "w-t1")
    assert game.ledger() == {"waste_to_tableau": 5}
    play(game, "u")
    assert game.ledger() == {}
    assert cards_text(game.board.waste) == "5H"


def test_case_5_a_cycle_costs_5_and_never_gives_more_than_10_at_the_floor() -> None:
    """Score 100, one cycle (-15, +10): 95. At 0, five cycles: never above 10."""
    game = game_of("klondike-1", "t1: [KC] 8D\nf: S7", score=100)
    play(game, "fS-t1", "t1-f")
    assert game.score == 95
    game = game_of("klondike-1", "t1: [KC] 8D\nf: S7")
    for _ in range(5):
        play(game, "fS-t1")
        assert game.score == 0
        play(game, "t1-f")
        assert game.score == 10
    assert sum(game.ledger().values()) == game.score


def test_the_floor_is_0_at_each_step_and_an_item_counts_what_was_really_taken() -> None:
    """ "never below 0 (it is clamped at each step ...)": -15 from 10 takes 10; undo gives 10."""
    game = game_of("klondike-1", "t1: [KC] 8D\nf: S7", score=10)
    played = play(game, "fS-t1")
    assert [points.points for points in played.points] == [-10]
    assert game.ledger() == {"foundation": 10, "foundation_to_tableau": -10}
    play(game, "u")
    assert (game.score, game.ledger()) == (10, {"foundation": 10})


@pytest.mark.parametrize(
    ("seconds", "one", "three"),
    [
        (0, 700, 1400),
        (100, 500, 1200),
        (349, 2, 702),
        (350, 0, 700),
        (351, 0, 698),
        (699, 0, 2),
        (700, 0, 0),
        (100_000, 0, 0),
    ],
)
def test_case_22_the_time_bonus_by_the_draw_count_in_force(
    seconds: int, one: int, three: int
) -> None:
    """ "+ max(0, B - 2 x elapsed seconds), B = 700 ... 1400 ..., whatever the ruleset's name"."""
    for name, options, bonus in [
        ("klondike-1", {}, one),
        ("klondike-3", {"draw": 1}, one),
        ("klondike-3", {}, three),
        ("klondike-1", {"draw": 3}, three),
    ]:
        game = game_of(name, "t1: KS\nf: CK DK HK SQ", duration_ms=None, **options)
        play(game, "t1-f", ms=seconds * 1000 + 999)
        assert game.score == 10 + bonus, (name, options)


def test_only_a_clear_table_gets_the_bonus() -> None:
    """ "table clear": an early end or the countdown's end brings nothing."""
    game = game_of("klondike-1", "t1: KS")
    play(game, "end")
    assert game.ledger() == {}


def test_undo_is_free_and_restores_the_score_before() -> None:
    """ "free; restores the score before the move"."""
    game = game_of("klondike-1", "t1: [5C 9D] 8S\nt2: 9H\nw: 8C", score=3)
    play(game, "t1-t2", "u")
    assert (game.score, game.ledger()) == (3, {"foundation": 3})


@BOTH
def test_undo_reaches_back_150_moves(name: str) -> None:
    """ "depth 150": the last 150 accepted moves that have not been undone; then `undo_depth`."""
    game = game_of(name, "t1: [4C] 4D\ns: 5C 9D KS 2H")
    made = 0
    while made < 151:
        made += attempt(game, 0, "d") is None or attempt(game, 0, "r") is None
    play(game, *["u"] * 150)
    assert attempt(game, 0, "u") == "undo_depth"
    assert game.board.drawn > 0
    fresh = game_of(name, "s: 5C 9D")
    play(fresh, "d", "u")
    assert attempt(fresh, 0, "u") == "nothing_to_undo"


def test_what_they_say_of_themselves() -> None:
    """Hints allowed, 300 s, 150 moves; `klondike-3` differs in the draw alone."""
    for ruleset, draw in ((KLONDIKE_1, 1), (KLONDIKE_3, 3)):
        assert (ruleset.draw, ruleset.hints, ruleset.undo_depth) == (draw, True, 150)
        assert ruleset.defaults() == {"draw": draw, "redeals": "unlimited"}
        assert (ruleset.duration_ms, ruleset.may_be_untimed) == (300_000, True)

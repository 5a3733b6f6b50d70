"""Section 5 of rules.md: Klondike with the Spanish deck and the house options, line by line."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from samedeal_rules import Ended, UnknownRuleset, find_ruleset
from samedeal_rules.cards import SPANISH_40, SPANISH_48, rank_of
from samedeal_rules.duel_record import ranking_places
from samedeal_rules.ranking import Outcome, first_to_clear, places
from samedeal_rules.rulesets.spanish import SPANISH

from .games import attempt, new_game
from .positions import column, game_of, play

N40, N48 = SPANISH_40.names, SPANISH_48.names


def table(**options: Any) -> Any:
    return new_game("s", options, name="spanish").board


@pytest.mark.parametrize(
    ("deck", "ranks"), [(SPANISH_40, "1234567SCR"), (SPANISH_48, "123456789SCR")]
)
def test_case_20_the_decks(deck: Any, ranks: str) -> None:
    """ "oros, copas (red), espadas, bastos (green), ranks as, 2 to 7, sota, caballo, rey"."""
    counts = Counter(deck.names[card] for card in deck.cards)
    assert counts == {rank + suit: 1 for suit in "OCEB" for rank in ranks}
    assert {deck.suits[suit] for suit in deck.red} == {"O", "C"}
    assert [deck.names[card] for card in deck.cards[: len(ranks)]] == [rank + "O" for rank in ranks]


def test_the_sota_comes_right_after_the_7_or_after_the_9_with_48_cards() -> None:
    """And is followed by caballo and rey."""
    sota40, sota48 = SPANISH_40.codes["SO"], SPANISH_48.codes["SO"]
    assert (rank_of(sota40), rank_of(sota48)) == (8, 10)
    game = game_of("spanish", "t1: SO\nt2: [1E] 7O\nf: O6")
    play(game, "t2-f", "t1-f")
    assert game.board.foundations[0] == 8
    game = game_of("spanish", "t1: SO\nt2: [1E] 9O\nf: O8", deck=48)
    play(game, "t2-f", "t1-f")


def test_seven_columns_of_28_cards_and_12_or_20_left() -> None:
    """ "Seven columns as in Klondike (28 cards), 12 in the stock"; with 48 cards 20."""
    for options, left in (({}, 12), ({"deck": 48}, 20)):
        board = table(**options)
        assert [len(pile) for pile in board.columns] == [1, 2, 3, 4, 5, 6, 7]
        assert board.down == [0, 1, 2, 3, 4, 5, 6]
        assert (len(board.stock), board.reserve) == (left, [])


def test_case_20_down_by_one_in_alternating_colours() -> None:
    """Only a 7 of the other colour may lie on a sota; oros and copas are one colour."""
    for card, allowed in [("7E", True), ("7B", True), ("7C", False), ("7O", False), ("6E", False)]:
        game = game_of("spanish", f"t1: SO\nt2: [1C] {card}")
        assert attempt(game, 0, "t2-t1") == (None if allowed else "does_not_fit"), card


def test_only_a_rey_or_a_run_from_a_rey_on_an_empty_column() -> None:
    """ "empty column: only a rey, or a run from a rey"."""
    game = game_of("spanish", "t1: [1C] RO CE\nt2: CB")
    assert attempt(game, 0, "t2-t3") == "needs_king"
    assert attempt(game, 0, "t1-t3") == "needs_king"
    play(game, "t1*2-t3")
    assert column(game, "t3") == "RO CE"


def test_of_48_cards_too_only_a_rey_fills_an_empty_column() -> None:
    """A sota has the number there that a rey has among 40."""
    game = game_of("spanish", "t1: [1C] RO\nt2: [1B] SO", deck=48)
    assert attempt(game, 0, "t2-t3") == "needs_king"
    play(game, "t1-t3")
    assert column(game, "t3") == "RO"


def test_an_uncovered_face_down_card_turns_by_itself_without_points() -> None:
    """ "An uncovered face-down card turns by itself."; no points."""
    game = game_of("spanish", "t1: [1C] 7E\nt2: SO")
    assert [N40[card] for _, card in play(game, "t1-t2").turned] == ["1C"]
    assert (game.score, game.points, game.ledger()) == (0, None, {})
    assert attempt(game, 0, "x1") == "not_in_this_game"


def test_draw_one_and_three_redeals() -> None:
    """ "Draw one; three redeals": pass 4 is the last."""
    game = game_of("spanish", "t1: [2C] 1E\ns: 5C 7O")
    for _ in range(3):
        assert [N40[card] for card in play(game, "d").drawn] == ["5C"]
        play(game, "d", "r")
    play(game, "d", "d")
    assert attempt(game, 0, "r") == "no_redeals_left"


def test_no_card_goes_up_by_itself_and_there_is_no_auto_finish() -> None:
    """ "No card goes up by itself, and there is no auto-finish." """
    game = game_of("spanish", "t1: RO\nt2: 1E\nt3: CE\nf: OC")
    assert play(game, "t3-t1").automatic == []
    assert column(game, "t2") == "1E"


def test_undo_is_free_to_the_deal() -> None:
    """ "Undo free, to the deal"; Reading: "undo has no limit"."""
    game = game_of("spanish", "s: 5C 7O", redeals=0)
    game.ruleset = find_ruleset("spanish", {"redeals": "unlimited"})[1]
    play(game, *["d", "d", "r"] * 70, *["u"] * 210)
    assert attempt(game, 0, "u") == "nothing_to_undo"
    assert game.ledger() == {}
    assert SPANISH.undo_depth is None


def test_no_points() -> None:
    """ "No points": clearing brings none, the score is null."""
    game = game_of("spanish", "t1: RO\nf: OC CR ER BR")
    play(game, "t1-f", ms=1000)
    assert (game.ended, game.points, game.ledger(), game.board.cards_up) == (
        Ended.CLEARED,
        None,
        {},
        40,
    )


def test_foundations_do_not_give_cards_back() -> None:
    """Reading: "take cards one at a time, and do not give them back"."""
    game = game_of("spanish", "t1: SE\nt2: SE\nf: O7")
    assert attempt(game, 0, "fO-t1") == "not_in_this_game"
    assert attempt(game_of("spanish", "t1: 2O 1E\nf: O1"), 0, "t1*2-f") == "one_card_only"


def rank(*rows: tuple[int, bool, int]) -> list[int]:
    """Places of (cards up, clear, ended at)."""
    return list(
        places(first_to_clear, {i: Outcome(None, *row) for i, row in enumerate(rows)}).values()
    )


def test_standing_clear_before_not_clear_the_earlier_then_more_cards_up() -> None:
    """ "clear before not clear; among the clear, the earlier; else more cards up"."""
    assert rank((40, True, 200), (39, False, 10), (40, True, 100), (12, False, 5)) == [2, 3, 1, 4]


def test_not_clear_and_equal_cards_up_is_the_same_place_whoever_ended_earlier() -> None:
    """Reading; and the next place is skipped."""
    assert rank((7, False, 300), (7, False, 5), (6, False, 1)) == [1, 1, 3]
    assert rank((40, True, 100), (40, True, 100), (39, False, 5)) == [1, 1, 3]


def test_the_ranking_is_the_rulesets() -> None:
    """`spanish` ranks by its own rule, every other ruleset by score and time."""
    rows = {0: (None, 5, "finish", 10), 1: (None, 5, "timeout", 300), 2: (None, 40, "cleared", 250)}
    assert ranking_places(SPANISH, rows) == {2: 1, 0: 2, 1: 2}
    scored = {0: (5, 5, "finish", 10), 1: (5, 6, "timeout", 300), 2: (4, 52, "cleared", 1)}
    for name in ("timed", "klondike-1", "freecell", "spider-4"):
        assert ranking_places(find_ruleset(name)[1], scored) == {0: 1, 1: 2, 2: 3}


# House options.


@pytest.mark.parametrize("redeals", [0, 1, 3, "unlimited"])
def test_redeals(redeals: int | str) -> None:
    """0 is "sin vueltas": one pass and no redeal (Reading)."""
    game = game_of("spanish", "t1: [2C] 1E\ns: 5C")
    game.ruleset = find_ruleset("spanish", {"redeals": redeals})[1]
    made = 0
    play(game, "d")
    while made < 9 and attempt(game, 0, "r") is None:
        made += 1
        play(game, "d")
    assert made == (9 if redeals == "unlimited" else redeals)


def test_draw_three_at_a_time() -> None:
    """Case 21: "Spanish 48 with draw three: 20 = six draws of three and one of two"."""
    game = new_game("s", {"deck": 48, "draw": 3}, name="spanish")
    assert [len(play(game, "d").drawn) for _ in range(7)] == [3] * 6 + [2]
    assert attempt(game, 0, "d") == "stock_empty"


def test_sin_mazo_the_left_over_cards_are_a_reserve_in_play() -> None:
    """ "lie face up in a row, a reserve, all in play; no draw, no redeals"."""
    board, plain = table(stock=False), table()
    assert board.columns == plain.columns
    assert (board.reserve, board.talon) == (plain.talon, [])
    assert len(table(stock=False, deck=48).reserve) == 20
    game = new_game("s", {"stock": False}, name="spanish")
    assert [attempt(game, 0, text) for text in ("d", "r")] == ["not_in_this_game"] * 2
    assert [attempt(game, 0, text) for text in ("w-t1", "v13-f", "v1-c1")] == ["no_such_pile"] * 3


def test_a_place_of_the_reserve_that_was_emptied_stays_empty() -> None:
    """ "A place that was emptied stays empty; the others keep their numbers": `v4-t2`, `v4-f`."""
    game = game_of("spanish", "t2: SO\nv: 5C 1O 2E 7E 2O", stock=False)
    play(game, "v4-t2", "v2-f", "v5-f")
    assert [N40[card] if card else "--" for card in game.board.reserve] == [
        "5C",
        "--",
        "2E",
        "--",
        "--",
    ]
    assert (column(game, "t2"), game.board.foundations[0]) == ("SO 7E", 2)
    assert attempt(game, 0, "v4-t2") == "pile_empty"
    assert attempt(game, 0, "v3-f") == "foundation_order"
    assert attempt(game, 0, "v1-t3") == "needs_king"
    assert game.board.text(N40) == "0 0 2,0,0,0 //SO7E///// v5C--2E----"
    play(game, "u", "u", "u")
    assert [N40[card] for card in game.board.reserve] == ["5C", "1O", "2E", "7E", "2O"]


def test_deck_48_adds_ochos_and_nueves() -> None:
    """ "foundations of twelve": clear is 48 cards."""
    game = game_of("spanish", "t1: RO\nf: OC CR ER BR", deck=48)
    play(game, "t1-f")
    assert (game.ended, game.board.cards_up) == (Ended.CLEARED, 48)


@pytest.mark.parametrize(
    "options",
    [
        {"stock": False, "draw": 1},
        {"stock": False, "draw": 3},
        {"stock": False, "redeals": 0},
        {"stock": False, "redeals": 3},
        {"stock": False, "redeals": "unlimited", "draw": 1},
    ],
)
def test_no_stock_with_draw_or_redeals_is_refused_whatever_their_value(
    options: dict[str, object],
) -> None:
    """ "`stock: false` together with `draw` or `redeals` is refused, whatever their value"."""
    with pytest.raises(
        UnknownRuleset, match=r"stock false and (draw|redeals) can't be set together"
    ):
        find_ruleset("spanish", options)


VALUES: dict[str, list[Any]] = {
    "redeals": [0, 1, 3, "unlimited"],
    "draw": [1, 3],
    "stock": [True, False],
    "deck": [40, 48],
}
DEFAULT = {"redeals": 3, "draw": 1, "stock": True, "deck": 40}


def test_all_combinable_where_they_make_sense() -> None:
    """Each pair of values makes a ruleset, or is one of those above; defaults are left out."""
    for one, two in combinations(VALUES, 2):
        for first in VALUES[one]:
            for second in VALUES[two]:
                options = {one: first, two: second}
                if options.get("stock") is False and {"draw", "redeals"} & options.keys():
                    continue
                canonical, _ = find_ruleset("spanish", options)
                assert canonical == {k: v for k, v in options.items() if v != DEFAULT[k]}


@pytest.mark.parametrize(
    "options",
    [
        {"deck": 52},
        {"deck": "40"},
        {"deck": 40.0},
        {"stock": 0},
        {"stock": "false"},
        {"draw": 2},
        {"redeals": 2},
        {"redeals": None},
        {"deal": "ms:1"},
        {"vueltas": 0},
    ],
)
def test_anything_else_is_refused(options: dict[str, object]) -> None:
    """With the values that there are; 0 is not false."""
    with pytest.raises(UnknownRuleset):
        find_ruleset("spanish", options)


def test_what_it_says_of_itself() -> None:
    """Hints allowed, 300 s, no points."""
    assert (SPANISH.hints, SPANISH.duration_ms, SPANISH.scored) == (True, 300_000, False)
    assert SPANISH.defaults() == DEFAULT

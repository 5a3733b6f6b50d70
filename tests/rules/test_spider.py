"""Section 4 of rules.md: Spider, line by line."""

from __future__ import annotations

from collections import Counter

import pytest

from samedeal_rules import Ended, Ruleset, legal_moves
from samedeal_rules.cards import UNKNOWN
from samedeal_rules.rulesets.spider import SPIDER_1, SPIDER_2, SPIDER_4

from .games import attempt, new_game
from .positions import NAMES, cards_text, column, frozen, game_of, play

EACH = pytest.mark.parametrize("name", ["spider-1", "spider-2", "spider-4"])
TO_2 = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S"
RUN = f"{TO_2} AS"
OTHERS = "\n".join(f"t{n}: KH" for n in range(2, 11))


@pytest.mark.parametrize(
    ("ruleset", "copies"),
    [(SPIDER_1, {"S": 8}), (SPIDER_2, {"S": 4, "H": 4}), (SPIDER_4, dict.fromkeys("CDHS", 2))],
)
def test_case_20_104_cards_of_one_two_or_four_suits(
    ruleset: Ruleset, copies: dict[str, int]
) -> None:
    """ "one suit (8 sets of spades), two (4 spades, 4 hearts), four (2 of each)"."""
    counts = Counter(ruleset.deck.names[card] for card in ruleset.deck.cards)
    assert counts == {
        rank + suit: times for suit, times in copies.items() for rank in ruleset.deck.ranks
    }
    assert len(ruleset.deck.cards) == 104


def test_the_canonical_order() -> None:
    """Section 8: set after set, in each "spades, hearts, clubs, diamonds ... as are in play"."""
    firsts = {
        ruleset.name: "".join(NAMES[card][1] for card in ruleset.deck.cards[::13])
        for ruleset in (SPIDER_1, SPIDER_2, SPIDER_4)
    }
    assert firsts == {"spider-1": "S" * 8, "spider-2": "SH" * 4, "spider-4": "SHCDSHCD"}
    assert [NAMES[card] for card in SPIDER_4.deck.cards[:2]] == ["AS", "2S"]


@EACH
def test_ten_columns_of_six_and_five_the_last_face_up_50_in_the_stock(name: str) -> None:
    """ "the first four get 6 cards, the other six 5, the last one face up. 50 in the stock." """
    board = new_game("s", name=name).board
    assert [len(pile) for pile in board.columns] == [6] * 4 + [5] * 6
    assert board.down == [5] * 4 + [4] * 6
    assert (len(board.stock), board.waste) == (50, [])


def test_cards_are_dealt_one_to_each_column_in_turn() -> None:
    """Section 8: "the short columns just get none in the last row"; the rest is the stock."""
    board = SPIDER_1.deal(SPIDER_1.deck.cards)
    assert cards_text([pile[0] for pile in board.columns]) == "AS 2S 3S 4S 5S 6S 7S 8S 9S TS"
    assert cards_text([pile[-1] for pile in board.columns[:4]]) == "QS KS AS 2S"
    assert cards_text(board.stock[:2]) == "3S 4S"


def test_a_card_may_go_on_any_card_one_rank_higher() -> None:
    """ "whatever the suit"."""
    game = game_of("spider-4", "t1: 8H\nt2: 7D\nt3: 7S\nt4: 6H\nt5: 9H")
    assert attempt(game, 0, "t4-t1") == "does_not_fit"
    assert attempt(game, 0, "t5-t1") == "does_not_fit"
    play(game, "t2-t1", "t4-t3")
    assert (column(game, "t1"), column(game, "t3")) == ("8H 7D", "7S 6H")


def test_a_run_moves_only_if_it_is_all_of_one_suit() -> None:
    """ "A run moves only if it is all of one suit"; the part that is may move."""
    game = game_of("spider-4", "t1: 8H 7S 6S\nt2: 9C\nt3: 8C")
    assert attempt(game, 0, "t1*3-t2") == "not_a_run"
    assert attempt(game, 0, "t1*3-t4") == "not_a_run"
    play(game, "t1*2-t3")
    assert column(game, "t3") == "8C 7S 6S"
    assert attempt(game, 0, "t3*3-t2") == "not_a_run"


def test_any_card_or_one_suit_run_may_go_to_an_empty_column() -> None:
    """ "Any card or one-suit run may go to an empty column", without a limit."""
    game = game_of("spider-2", "t1: 9H 8S 7S 6S\nt2: 3H")
    play(game, "t1*3-t3", "t2-t4")
    assert (column(game, "t3"), column(game, "t4")) == ("8S 7S 6S", "3H")


def test_an_uncovered_face_down_card_turns_by_itself() -> None:
    """ "(+5)"; undo hides it again."""
    game = game_of("spider-1", "t1: [5S 9S] 7S\nt2: 8S")
    assert [NAMES[card] for _, card in play(game, "t1-t2").turned] == ["9S"]
    assert (column(game, "t1"), game.ledger()) == ("[5S] 9S", {"turned": 5})
    play(game, "u")
    assert (column(game, "t1"), game.score) == ("[5S 9S] 7S", 0)
    assert attempt(game, 0, "x1") == "not_in_this_game"


@EACH
def test_a_deal_puts_one_card_on_each_column(name: str) -> None:
    """ "*Deal* (`draw`): one card face up on each of the ten columns"; undo takes them back."""
    game = new_game("deal", name=name)
    before, next_ten = game.board.copy(), game.board.stock[:10]
    assert play(game, "d").drawn == next_ten
    assert [pile[-1] for pile in game.board.columns] == next_ten
    assert (game.board.down, len(game.board.stock)) == (before.down, 40)
    play(game, "u")
    assert game.board.same_as(before)
    play(game, *["d"] * 5)
    assert attempt(game, 0, "d") == "stock_empty"
    assert attempt(game, 0, "r") == "not_in_this_game"
    assert attempt(game, 0, "w-t1") == "no_such_pile"


def filled(counts: list[int], stock: int) -> str:
    """Columns of so many cards that make no run, and a stock."""
    cards = ["9S", "4S", "6S", "2S", "8S", "3S", "5S", "JS"]
    lines = [f"t{n}: {' '.join(cards[:count])}" for n, count in enumerate(counts, 1)]
    return "\n".join([*lines, "s: " + " ".join(["KS"] * stock)])


def test_case_11_no_deal_while_a_column_is_empty() -> None:
    """58 on the table, one column empty, 20 in stock: refused, stock still 20, no undo step."""
    game = game_of("spider-1", filled([8, 8, 8, 8, 8, 8, 4, 4, 2, 0], 20))
    before = frozen(game)
    assert attempt(game, 0, "d") == "column_empty"
    assert frozen(game) == before
    assert attempt(game, 0, "u") == "nothing_to_undo"


@pytest.mark.parametrize(
    ("counts", "stock", "after"),
    [([1, 1, 1, *[0] * 7], 10, 13), ([9, *[0] * 9], 30, 19), ([1] * 9 + [0], 30, 19)],
)
def test_case_11_fewer_cards_than_columns_may_be_dealt_on(
    counts: list[int], stock: int, after: int
) -> None:
    """3 on the table with 10 in stock: allowed, 13 on the table; the same with 9 and 30."""
    text = filled([min(count, 8) for count in counts], stock)
    if counts[0] == 9:
        text = text.replace("t1: ", "t1: QS ")
    game = game_of("spider-1", text)
    play(game, "d")
    assert sum(map(len, game.board.columns)) == after


def test_ten_cards_on_the_table_are_not_fewer_than_ten_columns() -> None:
    """The exception is for fewer than columns, not for as many."""
    game = game_of("spider-1", filled([2, *[1] * 8, 0], 10))
    assert attempt(game, 0, "d") == "column_empty"


def test_a_complete_run_leaves_by_itself_and_turns_the_card_under_it() -> None:
    """ "A complete run from king to ace of one suit ... leaves the table by itself"; 65 points."""
    game = game_of("spider-2", f"t1: [5H 9S] {TO_2}\nt2: 2H AS")
    played = play(game, "t2-t1")
    assert (played.runs, [NAMES[card] for _, card in played.turned]) == ([(0, 3)], ["9S"])
    assert (column(game, "t1"), game.board.gone, game.board.cards_up) == ("[5H] 9S", [3], 13)
    assert game.ledger() == {"runs": 65, "turned": 5}


def test_a_run_leaves_by_a_move_of_many_cards_or_of_a_whole_run() -> None:
    """ "whatever completed it (a move or a deal)"; the source's card turns as well."""
    game = game_of("spider-1", "t1: [5S] 6S 5S 4S 3S 2S AS\nt2: [4S] KS QS JS TS 9S 8S 7S")
    played = play(game, "t1*6-t2")
    assert [(index, NAMES[card]) for index, card in played.turned] == [(0, "5S"), (1, "4S")]
    assert game.ledger() == {"runs": 65, "turned": 10}
    play(game, "u")
    assert column(game, "t1") == "[5S] 6S 5S 4S 3S 2S AS"
    assert column(game, "t2") == "[4S] KS QS JS TS 9S 8S 7S"


def test_case_13_a_run_completed_by_the_deal_leaves_at_once() -> None:
    """13 cards leave, +65, the hidden card turns (+5); one undo brings back all of it."""
    stock = "AS 9H 9H 9H 9H 9H 9H 9H 9H 9H"
    game = game_of("spider-2", f"t1: [5H] {TO_2}\n{OTHERS}\ns: {stock}", score=20)
    before = game.board.copy()
    played = play(game, "d")
    assert cards_text(played.drawn) == stock
    assert (column(game, "t1"), column(game, "t2")) == ("5H", "KH 9H")
    assert game.score == 20 + 65 + 5
    play(game, "u")
    assert (game.board.same_as(before), game.score) == (True, 20)
    assert len(game.board.stock) == 10


@pytest.mark.parametrize(
    "text",
    [
        "[KS QS JS] TS 9S 8S 7S 6S 5S 4S 3S 2S",
        "[KS] QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S",
        TO_2.replace("7S", "7H"),
        TO_2.replace("KS", "KH"),
        TO_2.removeprefix("KS "),
    ],
)
def test_case_13_nothing_else_leaves(text: str) -> None:
    """K Q J face down and 10 ... A face up; another suit in it; a card short: 0 points."""
    game = game_of("spider-2", f"t1: {text}\nt2: [3H] AS")
    played = play(game, "t2-t1")
    assert (played.runs, game.board.gone, game.ledger()) == ([], [], {"turned": 5})


def test_a_run_that_ends_elsewhere_stays() -> None:
    """Only at the end of a column: cards on the ace keep it there (they can't lie there)."""
    game = game_of(
        "spider-2", f"t1: {TO_2}\nt2: KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H AH 9S 8H\nt3: 9H"
    )
    assert play(game, "t2-t3").runs == []
    assert len(game.board.columns[1]) == 14


def test_two_runs_may_leave_by_one_deal() -> None:
    """From the left, each with its points; undo brings both back."""
    two = TO_2.replace("S", "H")
    stock = "AS AH 9H 9H 9H 9H 9H 9H 9H 9H"
    rest = "\n".join(f"t{n}: KH" for n in range(3, 11))
    game = game_of("spider-2", f"t1: {TO_2}\nt2: [4H] {two}\n{rest}\ns: {stock}")
    before = game.board.copy()
    assert play(game, "d").runs == [(0, 3), (1, 2)]
    assert game.ledger() == {"runs": 130, "turned": 5}
    play(game, "u")
    assert game.board.same_as(before)


@pytest.mark.parametrize(
    ("seconds", "bonus"), [(0, 1400), (100, 1200), (699, 2), (700, 0), (701, 0), (100_000, 0)]
)
def test_case_22_clear_when_all_eight_runs_are_gone(seconds: int, bonus: int) -> None:
    """ "Clear when all eight runs are gone: + max(0, 1400 - 2 x elapsed)"."""
    game = game_of("spider-1", f"t1: {TO_2}\nt2: AS\ng: S S S S S S S", duration_ms=None)
    play(game, "t2-t1", ms=seconds * 1000)
    assert (game.ended, game.board.cards_up) == (Ended.CLEARED, 104)
    assert game.score == 65 + bonus


def test_seven_runs_are_not_clear() -> None:
    """The last column may be empty long before the end."""
    game = game_of("spider-1", f"t1: {TO_2}\nt2: AS\nt3: 9S\ng: S S S S S S")
    play(game, "t2-t1")
    assert (game.ended, game.board.cards_up) == (None, 7 * 13)


@EACH
def test_no_foundations_to_play_to_by_hand(name: str) -> None:
    """ "No foundations to play to by hand", none to take from, no cells, no reserve."""
    game = game_of(name, "t1: AS")
    assert attempt(game, 0, "t1-f") == "not_in_this_game"
    assert attempt(game, 0, "fS-t1") == "not_in_this_game"
    assert [attempt(game, 0, text) for text in ("t1-c1", "c1-t1", "v1-t1")] == ["no_such_pile"] * 3


def test_undo_is_free_and_150_deep() -> None:
    """ "Undo free, 150 moves (a deal is undone too)"."""
    game = game_of("spider-1", "t1: 9S", score=7)
    play(game, "t1-t2", *["t2-t1", "t1-t2"] * 75, *["u"] * 150)
    assert attempt(game, 0, "u") == "undo_depth"
    assert (column(game, "t2"), game.score) == ("9S", 7)


def test_the_stock_is_unknown_in_a_view_and_learned_by_the_deal() -> None:
    """A view knows neither the stock nor the face-down cards; `drawn` has ten in column order."""
    game = new_game("v", name="spider-4")
    view = new_game("v", name="spider-4")
    view.board = game.board.view()
    assert set(view.board.stock) == {UNKNOWN}
    played = play(game, "d")
    view.board.learn(played.turned, played.drawn)
    assert play(view, "d").drawn == played.drawn
    assert view.board.same_as(game.board.view())


def test_an_unknown_card_guesses_nothing() -> None:
    """Played ahead on a view: what an unknown card lies on or makes a run with is not known."""
    game = game_of("spider-1", "t1: [5S] 7S\nt2: 8S\nt3: 9S")
    game.board = game.board.view()
    play(game, "t1-t2")
    assert attempt(game, 0, "t1-t4") == "card_unknown"
    assert attempt(game, 0, "t1-t3") == "card_unknown"
    assert {move.source for move in legal_moves(game.ruleset, game.board)} == {1, 2}


def test_the_canonical_text_names_the_runs_that_are_gone() -> None:
    """` g` and the suits' numbers, where there are any."""
    game = game_of("spider-2", "t1: [5H] 7S\ng: S H S")
    assert game.board.text(NAMES) == "0 0 0,0,0,0 /##7S///////// g323"

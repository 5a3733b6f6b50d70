"""Section 3 of rules.md: FreeCell, line by line."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from samedeal_rules import Ended, UnknownRuleset, deal, find_ruleset
from samedeal_rules.cards import FRENCH
from samedeal_rules.rulesets.freecell import FREECELL

from .games import attempt, new_game
from .naive_deals import naive_microsoft
from .positions import NAMES, automatic, cells, column, frozen, game_of, play

RUN = "t1: [KC] 9S 8H 7S 6H 5S 4H 3S 2H"


def test_52_cards_face_up_in_8_columns_and_no_stock() -> None:
    """ "the first four get 7, the other four 6. Four cells ... No stock." """
    board = new_game("s", name="freecell").board
    assert [len(pile) for pile in board.columns] == [7] * 4 + [6] * 4
    assert (board.down, board.talon, board.cells) == ([0] * 8, [], [0] * 4)
    game = new_game("s", name="freecell")
    assert [attempt(game, 0, text) for text in ("d", "r", "x1")] == ["not_in_this_game"] * 3
    assert [attempt(game, 0, text) for text in ("w-t1", "w-f", "v1-t1", "t9-t1", "t1-t9")] == [
        "no_such_pile"
    ] * 5


def test_down_by_one_alternating_colours_and_anything_on_an_empty_column() -> None:
    """ "Tableau: down by one, alternating colours. Any card or run may go to an empty column"."""
    game = game_of("freecell", "t1: 8H\nt2: 7S 6D\nt3: 7D\nt4: 9C")
    assert attempt(game, 0, "t3-t1") == "does_not_fit"
    play(game, "t2*2-t1", "t1*3-t2")
    assert column(game, "t2") == "8H 7S 6D"
    play(game, "t4-t1")
    assert column(game, "t1") == "9C"


def test_a_run_is_in_sequence() -> None:
    """Cards that are not a run don't move together."""
    game = game_of("freecell", "t1: 9S 8S\nt2: TH")
    assert attempt(game, 0, "t1*2-t2") == "not_a_run"


def test_cells_hold_one_card_each() -> None:
    """ "Four cells, one card each": `t1-c3`; a taken one refuses."""
    game = game_of("freecell", "t1: 9S 8S 7C\nc: -- 5H -- --")
    assert attempt(game, 0, "t1-c2") == "cell_taken"
    assert attempt(game, 0, "t1*2-c1") == "not_a_run"
    assert attempt(game_of("freecell", "t1: 9S 8H"), 0, "t1*2-c1") == "one_card_only"
    play(game, "t1-c3")
    assert cells(game) == "-- 5H 7C --"
    play(game, "u")
    assert (cells(game), column(game, "t1")) == ("-- 5H -- --", "9S 8S 7C")


def test_from_a_cell_to_a_column_or_the_foundation() -> None:
    """ "From a cell a card may go to a column or to its foundation": `c2-t5`, `c2-f`."""
    game = game_of("freecell", "t5: 6S\nt6: KC KD KH KS\nc: 3H 5H QD --\nf: H2")
    assert attempt(game, 0, "c4-t5") == "pile_empty"
    assert attempt(game, 0, "c3-f") == "foundation_order"
    play(game, "c2-t5")
    assert (column(game, "t5"), cells(game)) == ("6S 5H", "3H -- QD --")
    play(game, "c1-f")
    assert (game.board.foundations[2], cells(game)) == (3, "-- -- QD --")
    play(game, "u", "u")
    assert (column(game, "t5"), cells(game)) == ("6S", "3H 5H QD --")


LIMITS = [
    # cells free, empty columns that are not the destination, cards
    (0, 0, 1),
    (2, 0, 3),
    (2, 1, 6),
    (4, 2, 20),
    (0, 3, 8),
    (4, 0, 5),
    (3, 1, 8),
]


def table(run: int, cells_free: int, empty: int, *, onto_empty: bool) -> str:
    """A run of so many cards (13 at most) in t1; where it goes is t2; t3 on are filled or empty."""
    names = ["KD", "QS", "JD", "TS", "9D", "8S", "7D", "6S", "5D", "4S", "3D", "2S", "AD"]
    first = 13 - run
    lines = [f"t1: {' '.join(names[first:])}"]
    if not onto_empty:
        onto = ["KD", "QC", "JD", "TC", "9D", "8C", "7D", "6C", "5D", "4C", "3D", "2C"]
        lines.append(f"t2: {onto[first - 1]}")
    lines += [f"t{n}: 9H" for n in range(3, 9 - empty)]
    taken = ["JH"] * (4 - cells_free) + ["--"] * cells_free
    return "\n".join([*lines, f"c: {' '.join(taken)}"])


@pytest.mark.parametrize(("cells_free", "empty", "limit"), LIMITS)
@pytest.mark.parametrize("onto_empty", [False, True])
def test_case_10_the_supermove_limit(
    cells_free: int, empty: int, limit: int, onto_empty: bool
) -> None:
    """n <= (empty cells + 1) x 2^(empty columns), the destination not counted."""
    longest = 13 if onto_empty else 12
    for run in range(1, longest + 1):
        game = game_of("freecell", table(run, cells_free, empty, onto_empty=onto_empty))
        before = frozen(game)
        why = attempt(game, 0, "t1-t2" if run == 1 else f"t1*{run}-t2")
        assert why == (None if run <= limit else "too_many_cards"), run
        assert why is None or frozen(game) == before


def test_case_10_two_cells_and_two_empty_columns_one_of_them_the_destination_is_6() -> None:
    """And no cell with one empty column that is the destination is 1."""
    assert FREECELL.limit is not None
    game = game_of("freecell", table(6, 2, 1, onto_empty=True))
    assert FREECELL.limit(game.board, 1) == 6
    assert attempt(game, 0, "t1*6-t2") is None
    game = game_of("freecell", table(2, 0, 0, onto_empty=True))
    assert FREECELL.limit(game.board, 1) == 1
    assert attempt(game, 0, "t1*2-t2") == "too_many_cards"


def test_a_foundations_top_card_may_go_back_to_a_column() -> None:
    """ "A foundation's top card may go back to a column"; -15."""
    game = game_of("freecell", "t1: 6S\nt2: KC KD\nf: H5", score=100)
    play(game, "fH-t1")
    assert (column(game, "t1"), game.score) == ("6S 5H", 85)


# Automatic moves.


@pytest.mark.parametrize(
    ("tops", "card", "goes"),
    [
        ("C4 S4 H4 DA", "5H", True),
        ("C4 S3 H4 D4", "5H", False),
        ("C3 S4 H4 D4", "5H", False),
        ("C5 S6 H4", "5H", True),
        ("C4 S4 H3", "5H", False),
        ("CA S4 H4 D4", "5S", True),
        ("C4 S4 H3 D4", "5S", False),
        ("C4 S4 H4 D3", "5S", False),
    ],
)
def test_a_card_goes_when_both_of_the_other_colour_and_rank_below_are_up(
    tops: str, card: str, goes: bool
) -> None:
    """Reading: "both cards of the other colour and of the rank below are on their foundations"."""
    game = game_of("freecell", f"t1: KD {card}\nt2: KS QC\nt3: KH\nf: {tops}")
    assert automatic(play(game, "t2-c1")) == ([card] if goes else [])


def test_aces_and_twos_go_as_soon_as_they_fit() -> None:
    """ "(aces and twos as soon as they fit)": no other foundation matters."""
    game = game_of("freecell", "t1: KD 3H 2H AH\nt2: KS QC")
    assert automatic(play(game, "t2-c1")) == ["AH", "2H"]
    assert column(game, "t1") == "KD 3H"


def test_columns_first_then_cells() -> None:
    """ "Columns first, then cells", sweep after sweep, +10 each."""
    game = game_of("freecell", "t1: KD 2C\nt3: KS QC\nt4: KC AH\nc: AC 2H AD --")
    assert automatic(play(game, "t3-c4")) == ["AH", "AC", "2H", "AD", "2C"]
    assert game.ledger() == {"foundation": 50}


def test_a_card_taken_back_is_left_alone() -> None:
    """ "A card taken back from a foundation is left alone, as in `timed`"; undo lifts it."""
    game = game_of("freecell", "t1: 6S\nt2: KD QD\nt3: KC\nf: C5 S5 H5")
    assert automatic(play(game, "fH-t1")) == []
    assert automatic(play(game, "t2-c1")) == []
    assert column(game, "t1") == "6S 5H"
    play(game, "u", "u")
    assert game.exempt == 0


def test_there_is_no_other_auto_finish() -> None:
    """A table in order does not finish by itself while a card may still be needed."""
    game = game_of("freecell", "t1: KC 4C\nt2: KD 3D\nt3: KH QS\nf: C3 D2 HA")
    assert automatic(play(game, "t3-c1")) == []


def test_case_3_one_undo_reverts_the_automatic_moves_too() -> None:
    """KD to the cell, 2S and 2H go up; one undo brings all three back, and nothing moves again."""
    game = game_of("freecell", "t1: 2H 2S KD\nt3: 9C\nt4: 8D\nt5: KC 3C\nf: CA DA HA SA", score=40)
    play(game, "t4-t3")
    before = game.board.copy()
    assert automatic(play(game, "t1-c1")) == ["2S", "2H"]
    assert game.score == 60
    assert automatic(play(game, "u")) == []
    assert (game.board.same_as(before), game.score) == (True, 40)
    play(game, "u")
    assert (column(game, "t3"), column(game, "t4")) == ("9C", "8D")


# Points and deals.


@pytest.mark.parametrize(
    ("seconds", "bonus"), [(0, 700), (100, 500), (349, 2), (350, 0), (351, 0), (100_000, 0)]
)
def test_case_22_the_time_bonus(seconds: int, bonus: int) -> None:
    """ "clear: + max(0, 700 - 2 x elapsed)"."""
    game = game_of("freecell", "t1: KS\nf: CK DK HK SQ", duration_ms=None)
    play(game, "t1-f", ms=seconds * 1000)
    assert game.ended is Ended.CLEARED
    assert game.score == 10 + bonus


def test_scores_as_in_section_2() -> None:
    """+10 a card, -15 back, floor 0, undo free and 150 deep, hints allowed."""
    scoring = FREECELL.scoring
    assert set(scoring.card_up[1:]) == {10}
    assert (scoring.foundation_to_tableau, scoring.floor, scoring.undo) == (-15, 0, 0)
    assert (FREECELL.undo_depth, FREECELL.hints, FREECELL.defaults()) == (150, True, {})
    game = game_of("freecell", "t1: 6S\nt2: KC KD\nf: H5", score=10)
    play(game, "fH-t1")
    assert game.ledger() == {"foundation": 10, "foundation_to_tableau": -10}
    play(game, "u")
    assert game.ledger() == {"foundation": 10}


def test_the_151st_undo_is_refused() -> None:
    """ "undo free, 150 moves"."""
    game = game_of("freecell", "t1: KC QC")
    play(game, "t1-c1", *["c1-t2", "t2-c1"] * 75)
    play(game, *["u"] * 150)
    assert attempt(game, 0, "u") == "undo_depth"


MICROSOFT_1 = """
    JD 2D 9H JC 5D 7H 7C 5H
    KD KC 9S 5S AD QC KH 3H
    2S KS 9D QD JS AS AH 3C
    4C 5C TS QH 4H AC 4D 7S
    3S TD 4S TH 8H 2C JH 7D
    6D 8S 8D QS 6C 3D 8C TC
    6S 9C 2H 6H
"""


def rows(number: int) -> list[str]:
    """A numbered deal row by row, as it is printed everywhere."""
    board = deal(find_ruleset("freecell", {"deal": f"ms:{number}"})[1], None)
    lines = zip_longest(*board.columns, fillvalue=0)
    return [" ".join(NAMES[card] for card in line if card) for line in lines]


def test_microsoft_deal_1_is_the_well_known_one() -> None:
    """The layout that every FreeCell page shows for game #1."""
    assert rows(1) == [line.strip() for line in MICROSOFT_1.split("\n") if line.strip()]


@pytest.mark.parametrize("number", [1, 2, 617, 11_982, 31_999, 32_000, 32_001, 146_692, 1_000_000])
def test_numbered_deals_agree_with_ten_other_lines(number: int) -> None:
    """The shuffle of pysol-cards against the referee's rand()."""
    cards = naive_microsoft(number)
    assert rows(number) == [" ".join(cards[at : at + 8]) for at in range(0, 52, 8)]


def test_of_a_numbered_deal_the_seed_is_ignored() -> None:
    """ "there is no seed then"; without the option a seed is needed."""
    ruleset = find_ruleset("freecell", {"deal": "ms:617"})[1]
    assert deal(ruleset, "a").same_as(deal(ruleset, None))
    with pytest.raises(ValueError, match="needs a seed"):
        deal(FREECELL, None)


@pytest.mark.parametrize(
    "value",
    [
        "ms:0",
        "ms:1000001",
        "ms:01",
        "ms:",
        "ms:-1",
        "ms:1 ",
        "MS:1",
        "ms:1\n",
        "ms:١",
        "1",
        1,
        None,
        True,
        "pysol:1",
        "ms:1.0",
        ["ms:1"],
    ],
)
def test_other_numbers_are_refused(value: object) -> None:
    """ "N from 1 to 1,000,000", in one spelling."""
    with pytest.raises(UnknownRuleset, match=r"ms:1, \.\.\. ms:1000000"):
        find_ruleset("freecell", {"deal": value})


@pytest.mark.parametrize("name", ["timed", "klondike-1", "klondike-3", "spider-1", "spanish"])
def test_numbered_deals_are_refused_elsewhere(name: str) -> None:
    """By name, with the options that there are."""
    with pytest.raises(UnknownRuleset, match="has no such option; it has: "):
        find_ruleset(name, {"deal": "ms:1"})


def test_the_option_is_canonical_as_it_is() -> None:
    """It has no default to leave out."""
    options, ruleset = find_ruleset("freecell", {"deal": "ms:11982"})
    assert (options, ruleset.deal_number) == ({"deal": "ms:11982"}, 11_982)
    assert find_ruleset("freecell", {"deal": "ms:11982"})[1] == ruleset


def test_cards_are_dealt_one_to_each_column_in_turn() -> None:
    """Section 8: left to right, until the columns are full."""
    board = FREECELL.deal(FRENCH.cards)
    assert [NAMES[pile[0]] for pile in board.columns] == [
        "AC",
        "2C",
        "3C",
        "4C",
        "5C",
        "6C",
        "7C",
        "8C",
    ]
    assert [NAMES[pile[-1]] for pile in board.columns[:4]] == ["TS", "JS", "QS", "KS"]

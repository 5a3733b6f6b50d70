"""Every move has one spelling (rules, section 9)."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from samedeal_rules import Move, move_text, parse_move
from samedeal_rules.moves import (
    CELL,
    DRAW,
    END,
    FOUNDATION,
    FROM_FOUNDATION,
    MAX_MOVE_LENGTH,
    REDEAL,
    RESERVE,
    UNDO,
    WASTE,
    Kind,
    column_move,
    pile_text,
    turn_move,
)

from .naive import SPELLED

FRENCH_SUITS = "CDHS"
SPANISH_SUITS = "OCEB"


def test_all_texts_that_are_moves_are_read_and_spelled_back() -> None:
    """The referee lists every text that is a move: each is read, no two alike."""
    moves = {text: parse_move(text, FRENCH_SUITS) for text in SPELLED}
    assert None not in moves.values()
    assert len(set(moves.values())) == len(SPELLED)
    for text, move in moves.items():
        assert move is not None
        assert move_text(move, FRENCH_SUITS) == text


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("d", DRAW),
        ("r", REDEAL),
        ("u", UNDO),
        ("end", END),
        ("x3", turn_move(2)),
        ("x10", turn_move(9)),
        ("t5-t2", column_move(4, 1)),
        ("t5*3-t2", column_move(4, 1, 3)),
        ("t10*13-t9", column_move(9, 8, 13)),
        ("w-t3", column_move(WASTE, 2)),
        ("w-f", column_move(WASTE, FOUNDATION)),
        ("t4-f", column_move(3, FOUNDATION)),
        ("c2-f", column_move(CELL + 1, FOUNDATION)),
        ("c2-t5", column_move(CELL + 1, 4)),
        ("t1-c3", column_move(0, CELL + 2)),
        ("v4-t2", column_move(RESERVE + 3, 1)),
        ("v20-f", column_move(RESERVE + 19, FOUNDATION)),
        ("fH-t3", column_move(FROM_FOUNDATION + 2, 2)),
    ],
)
def test_the_moves_of_the_table_mean_what_it_says(text: str, move: Move) -> None:
    """Each row of the table in section 9."""
    assert parse_move(text, FRENCH_SUITS) == move


@pytest.mark.parametrize(
    ("why", "texts"),
    [
        ("a destination foundation is always f", "w-fH t1-fC c1-fD v1-fS"),
        ("a source foundation is always named", "f-t3 fX-t1 fh-t3"),
        ("foundations of the deck in play", "fO-t1 fE-t1 fB-t1"),
        ("no count of one", "t5*1-t2 w*1-t2 t5*0-t2"),
        ("no count but from a column", "w*2-t2 c1*2-t2 v1*2-t1 fH*2-t1"),
        ("no count beyond thirteen", "t5*14-t2 t5*20-t2 t5*100-t2"),
        ("no leading zero", "x03 t01-t2 t1-t02 t1*02-t2 v01-f c01-f x0 t0-t1"),
        ("no capitals", "D R U END End X3 T1-t2 t1-T2 W-f w-F"),
        ("no blanks", " d|d |d\n|\td|t1 -t2|t1- t2|t1 - t2|t1*2 -t3|x 3|\u00a0d"),
        ("piles there never are", "t11-t1 t1-t11 x11 c5-f t1-c5 v21-f v0-f t1-v2 t1-w c0-t1"),
        ("source and destination are different", "t1-t1 t1*3-t1 t10-t10 c1-c1"),
        ("from a foundation only to a column", "fH-f fH-c1"),
        ("from a cell only to a column or up", "c1-c2"),
        ("nothing else", "|dd|undo|draw|e|en|endd|t1|t1-|-t1|t1t2|t1-t2-t3|x|x1-t1|t1+t2|t1*-t2|?"),
        ("no look-alike digits or letters", "x３ t١-t2 ｄ t1–t2 t1−t2 х3 w‐f"),
    ],
)
def test_any_other_text_is_not_a_move(why: str, texts: str) -> None:
    """ "Every move has one spelling ... Any other text is not a move" (section 9)."""
    for text in texts.split("|" if "|" in texts else " "):
        assert parse_move(text, FRENCH_SUITS) is None, (why, text)


@given(
    st.one_of(st.text(max_size=12), st.text(alphabet="druendxtwcfvCDHS-*0123456789", max_size=9))
)
@example("t1*13-t10")
@example("t1-f\n")
def test_any_text_is_no_move_or_is_spelled_back(text: str) -> None:
    """A text is read only if it is the one spelling of what was read."""
    move = parse_move(text, FRENCH_SUITS)
    assert (move is not None) is (text in SPELLED)
    if move is not None:
        assert move_text(move, FRENCH_SUITS) == text


def test_spanish_foundations_have_their_own_letters() -> None:
    """`fO fC fE fB`: the same letter may mean another suit in another deck."""
    oros, copas = parse_move("fO-t1", SPANISH_SUITS), parse_move("fC-t1", SPANISH_SUITS)
    assert (oros, copas) == (column_move(FROM_FOUNDATION, 0), column_move(FROM_FOUNDATION + 1, 0))
    assert parse_move("fC-t1", FRENCH_SUITS) == oros
    assert parse_move("fH-t1", SPANISH_SUITS) is None


def test_no_move_is_longer_than_the_limit() -> None:
    """The wire bounds its texts by MAX_MOVE_LENGTH."""
    assert max(map(len, SPELLED)) == MAX_MOVE_LENGTH


def test_piles_have_names() -> None:
    """Pile: `t1` ... `t10`, `w`, `f`, `fC fD fH fS`, `c1` ... `c4`, `v1` ... `v20`."""
    numbers = [*range(14), WASTE, FOUNDATION, *range(16, 20), *range(20, 40)]
    names = [pile_text(number, FRENCH_SUITS) for number in numbers]
    assert names == [
        *(f"t{n}" for n in range(1, 11)),
        *(f"c{n}" for n in range(1, 5)),
        "w",
        "f",
        *("fC", "fD", "fH", "fS"),
        *(f"v{n}" for n in range(1, 21)),
    ]


def test_kinds_of_move() -> None:
    """Six kinds; only carries have piles and sizes."""
    assert list(Kind) == [Kind.DRAW, Kind.REDEAL, Kind.TURN, Kind.CARRY, Kind.UNDO, Kind.END]

"""What people type, as moves."""

from __future__ import annotations

import pytest

from samedeal_client.plain.short_forms import move_typed
from samedeal_rules import Board, Card, find_ruleset

TIMED = find_ruleset("timed")[1]
CODES = TIMED.deck.codes


def board(*columns: str, down: tuple[int, ...] = ()) -> Board:
    piles: list[list[Card]] = [[CODES[name] for name in column.split()] for column in columns]
    piles += [[] for _ in range(7 - len(piles))]
    return Board(piles, [*down, *[0] * (7 - len(down))], [])


PLAIN = board()


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("d", "d"),
        ("D", "d"),
        ("r", "r"),
        ("u", "u"),
        ("end", "end"),
        ("x3", "x3"),
        ("X3", "x3"),
        ("w3", "w-t3"),
        ("w-3", "w-t3"),
        ("wt3", "w-t3"),
        ("w 3", "w-t3"),
        ("w-t3", "w-t3"),
        ("wf", "w-f"),
        ("w-f", "w-f"),
        ("3f", "t3-f"),
        ("3-f", "t3-f"),
        ("t3-f", "t3-f"),
        ("3-5", "t3-t5"),
        ("35", "t3-t5"),
        ("3 5", "t3-t5"),
        ("t3t5", "t3-t5"),
        ("3*2-5", "t3*2-t5"),
        ("3*1-5", "t3-t5"),
        ("t3*2-t5", "t3*2-t5"),
        ("fh3", "fH-t3"),
        ("fh-3", "fH-t3"),
        ("fH-t3", "fH-t3"),
        ("FS4", "fS-t4"),
        ("1c2", "t1-c2"),
        ("c2f", "c2-f"),
        ("v12-3", "v12-t3"),
        ("  d  ", "d"),
    ],
)
def test_short_and_full_forms(typed: str, move: str) -> None:
    """Capitals, blanks and dashes don't matter."""
    assert move_typed(typed, TIMED, PLAIN) == move


@pytest.mark.parametrize(
    "typed",
    ["", " ", "33", "3", "w", "f3", "zz", "3-", "-3", "drop", "3*14-5", "fx3", "3-5-6"],
)
def test_what_is_no_move_is_none(typed: str) -> None:
    """Then the help is offered."""
    assert move_typed(typed, TIMED, PLAIN) is None


def test_without_a_count_as_many_as_fit() -> None:
    """A run goes as far as it fits; the full notation is taken as it stands."""
    table = board("2C TH 9S 8H", "TS")
    assert move_typed("1-2", TIMED, table) == "t1-t2"
    table = board("2C TH 9S 8H", "TD")
    assert move_typed("1-2", TIMED, table) == "t1*2-t2"
    assert move_typed("12", TIMED, table) == "t1*2-t2"
    assert move_typed("t1-t2", TIMED, table) == "t1-t2"
    assert move_typed("1*3-2", TIMED, table) == "t1*3-t2"
    table = board("2C KH QS JH")
    assert move_typed("14", TIMED, table) == "t1*3-t4"


def test_face_down_cards_are_never_counted_in() -> None:
    """Only what lies open can be meant."""
    table = board("9S 8H", "TD", down=(1,))
    assert move_typed("12", TIMED, table) == "t1-t2"

"""Which rule a refused move breaks, and the list of moves that break none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from samedeal_rules import OptionValue, legal_moves, move_text, parse_move
from samedeal_rules.legality import is_legal

from .games import SUITS, attempt, new_game, options, picks, run, seeds
from .naive import SPELLED
from .positions import frozen, game_at

TABLE = """
    t1: [9C] 8H 7S 6D
    t2: [2C 3C]
    t4: 9S
    t5: KD QC
    t6: TH 9C 3D
    w: 4C 5C
    s: KH
    f: H2 DA
"""


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("T1-t2", "not_a_move"),
        ("", "not_a_move"),
        ("t8-t1", "no_such_pile"),
        ("t1-t8", "no_such_pile"),
        ("x8", "no_such_pile"),
        ("t1-c1", "no_such_pile"),
        ("c1-f", "no_such_pile"),
        ("v1-t1", "no_such_pile"),
        ("t3-f", "pile_empty"),
        ("t3-t1", "pile_empty"),
        ("fC-t1", "pile_empty"),
        ("t4*2-t1", "not_enough_cards"),
        ("t1*5-t3", "not_enough_cards"),
        ("t1*4-t3", "face_down"),
        ("t2-f", "face_down"),
        ("t2-t1", "face_down"),
        ("t4-t2", "face_down"),
        ("w-t2", "face_down"),
        ("t5*2-f", "one_card_only"),
        ("x1", "not_face_down"),
        ("x3", "not_face_down"),
        ("t6*2-t3", "not_a_run"),
        ("t4-t1", "does_not_fit"),
        ("t5-t1", "does_not_fit"),
        ("t1*2-t4", "does_not_fit"),
        ("w-t4", "does_not_fit"),
        ("fH-t1", "does_not_fit"),
        ("t4-t3", "needs_king"),
        ("t5-t3", "needs_king"),
        ("w-t3", "needs_king"),
        ("fH-t3", "needs_king"),
        ("t4-f", "foundation_order"),
        ("t6-f", "foundation_order"),
        ("w-f", "foundation_order"),
        ("r", "stock_not_empty"),
        ("u", "nothing_to_undo"),
    ],
)
def test_a_refusal_names_the_rule_and_changes_nothing(text: str, rule: str) -> None:
    """ "A move that is not allowed changes nothing ... names the rule it broke" (section 0)."""
    game = game_at(TABLE)
    before = frozen(game)
    assert attempt(game, 0, text) == rule
    assert frozen(game) == before


@pytest.mark.parametrize(
    ("table", "text", "rule"),
    [
        ("w: 5C", "d", "stock_empty"),
        ("t1: 5C", "d", "stock_empty"),
        ("t1: 5C", "r", "waste_empty"),
        ("t1: 5C\ns: 4C", "w-t1", "waste_empty"),
        ("t1: 5C\ns: 4C", "w-f", "waste_empty"),
    ],
)
def test_refusals_of_empty_stock_and_waste(table: str, text: str, rule: str) -> None:
    """Drawing never becomes a redeal by accident; a redeal needs a waste."""
    assert attempt(game_at(table), 0, text) == rule


def test_redeals_run_out() -> None:
    """`redeals: 1` allows one redeal and refuses the second."""
    game = game_at("w: 5C 9D", redeals=1)
    assert attempt(game, 0, "r") is None
    game = game_at("w: 5C 9D")
    game.ruleset = new_game("", {"redeals": 1}).ruleset
    assert [attempt(game, 0, text) for text in ("r", "d", "r")] == [None, None, "no_redeals_left"]


def test_the_rule_that_says_least_comes_first() -> None:
    """A face-down end card answers `face_down` whatever it is and wherever it should go."""
    for hidden in ("AC", "KC", "8D"):
        game = game_at(f"t1: [{hidden}]\nt2: 9S\nt3: [KH {hidden}]")
        for text in ("t1-f", "t1-t2", "t1-t3", "t1-t4", "t2-t1"):
            assert attempt(game, 0, text) == "face_down", (hidden, text)


@given(seeds, options, picks)
@settings(max_examples=30, deadline=None)
def test_legal_moves_are_all_that_are_not_refused(
    seed: str, chosen: dict[str, OptionValue], numbers: list[int]
) -> None:
    """Of every spelled move but `u` and `end`: in the list if and only if it is accepted."""
    game = new_game(seed, chosen)
    run(game, numbers)
    if game.ended:
        return
    listed = [move_text(move, SUITS) for move in legal_moves(game.ruleset, game.board)]
    assert len(listed) == len(set(listed))
    accepted = {text for text in SPELLED if attempt(game.copy(), 0, text) is None}
    assert set(listed) == accepted - {"u", "end"}
    moves = {text: parse_move(text, SUITS) for text in SPELLED.keys() - {"u", "end"}}
    legal = {
        text for text, move in moves.items() if move and is_legal(game.ruleset, game.board, move)
    }
    assert set(listed) == legal


def test_legal_moves_come_in_a_fixed_order() -> None:
    """Up, turns, carries by column and count, off the waste, back, draw, redeal."""
    game = game_at(
        """
        t1: [9C] 8H 7S
        t2: [2C]
        t4: 8D
        t5: 9S
        t6: 4S
        w: 3H
        s: KH
        f: H2 D2
        """
    )
    listed = [move_text(move, SUITS) for move in legal_moves(game.ruleset, game.board)]
    assert listed == ["w-f", "x2", "t1-t4", "t1*2-t5", "t4-t5", "w-t6", "d"]

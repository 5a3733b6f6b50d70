"""The keys that play a move, and the move that they play."""

from __future__ import annotations

import pytest

from client.tui.tables import GAMES, table_of
from samedeal_client.tui.actions import find_action
from samedeal_client.tui.hand import Hand, press
from samedeal_client.tui.keystrokes import move_keys
from samedeal_rules import legal_moves, parse_move
from samedeal_rules.moves import CELL, FOUNDATION, RESERVE, WASTE, Kind


def key(name: str) -> str:
    action = find_action(name)
    assert action is not None
    return action.keys.split(",")[0]


@pytest.mark.parametrize(
    ("move", "keys"),
    [
        ("d", "space"),
        ("r", "r"),
        ("x3", "3"),
        ("t3*2-t10", "3 0"),
        ("w-f", "w 0"),
        ("t7-c1", "7 w"),
        ("c3-t2", "r 2"),
    ],
)
def test_keys_of_moves(move: str, keys: str) -> None:
    """One or two keystrokes each."""
    parsed = parse_move(move, "CDHS")
    assert parsed is not None
    assert move_keys(parsed, key) == keys


@pytest.mark.parametrize("name", GAMES)
def test_the_keys_play_the_move(name: str) -> None:
    """For every legal carry of as many cards as fit, in every game."""
    game = table_of(name)
    piles = {str(n % 10): n - 1 for n in range(1, len(game.board.columns) + 1)}
    piles |= {"w": CELL if game.board.cells else WASTE, "e": CELL + 1, "r": CELL + 2, "t": CELL + 3}
    piles |= {chr(ord("A") + n): RESERVE + n for n in range(20)}
    if len(game.board.columns) < CELL:
        piles["0"] = FOUNDATION
    for move in legal_moves(game.ruleset, game.board):
        if move.kind is not Kind.CARRY or FOUNDATION < move.source < RESERVE:
            continue
        first, second = move_keys(move, key).split()
        wanted = press(press(Hand(), game, piles[first]).hand, game, piles[second])
        assert wanted.move is not None
        assert (wanted.move.source, wanted.move.target) == (move.source, move.target)
        assert wanted.move.size >= move.size

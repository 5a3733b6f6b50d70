"""Where cards can go, and where they had best go."""

from __future__ import annotations

import pytest

from client.tui.tables import after, played
from samedeal_client.reach import as_many_as_fit, best_move, carries_from, run_length, upward
from samedeal_rules import legal_moves, move_text
from samedeal_rules.moves import CELL, FOUNDATION, WASTE, Kind


@pytest.mark.parametrize("name", ["klondike-1", "freecell", "spider-2", "spanish"])
def test_it_agrees_with_the_rules(name: str) -> None:
    """The carries from all piles together are all the carries that are legal."""
    for moves in (0, 7, 20):
        game = played(name, moves)
        legal = [m for m in legal_moves(game.ruleset, game.board) if m.kind is Kind.CARRY]
        piles = sorted({move.source for move in legal})
        assert sorted(legal) == sorted(
            move for pile in piles for move in carries_from(game.ruleset, game.board, pile)
        )
        for move in legal:
            best = as_many_as_fit(game.ruleset, game.board, move.source, move.target)
            assert best is not None
            assert best.size >= move.size


def test_runs_are_as_long_as_the_rules_let_them_move() -> None:
    """A face-down end card is none; an empty waste neither."""
    game = played("klondike-1", 0)
    assert [run_length(game.ruleset, game.board, pile) for pile in range(7)] == [1] * 7
    assert run_length(game.ruleset, game.board, WASTE) == 0
    assert run_length(game.ruleset, game.board, FOUNDATION) == 0


def test_up_is_better_than_anything_and_a_cell_the_last_resort() -> None:
    """FreeCell: a card with no other place goes to a cell."""
    game = played("freecell", 0)
    targets = set()
    for pile in range(8):
        move = best_move(game.ruleset, game.board, pile)
        assert move is not None
        targets.add("up" if move.target == FOUNDATION else "cell" if move.target >= CELL else "t")
        others = list(carries_from(game.ruleset, game.board, pile))
        if move.target >= CELL and move.target != FOUNDATION:
            assert all(CELL <= other.target < WASTE for other in others)
    assert "cell" in targets


def test_one_card_goes_up_at_a_time() -> None:
    """The first that fits; none if none does."""
    game = played("klondike-1", 40)
    while (move := upward(game.ruleset, game.board)) is not None:
        assert move.target == FOUNDATION
        game = after(game, move_text(move, game.ruleset.deck.suits))
    assert not any(
        m.target == FOUNDATION
        for pile in range(7)
        for m in carries_from(game.ruleset, game.board, pile)
    )

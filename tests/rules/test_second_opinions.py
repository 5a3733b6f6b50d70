"""Solvers that other people wrote: what they call a solution clears the table here too."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace

import pytest

from samedeal_rules import Board, Ended, Game, Ruleset, deal, find_ruleset, parse_move
from samedeal_rules.cards import rank_of, suit_of

# KlondikeSolver numbers the suits from 1 in our order: clubs, diamonds, hearts, spades.
_SOLVER_SUIT = (1, 2, 3, 4)
_MAX_STATES = 20_000


def _klondike_cards(board: Board) -> str:
    """The deal as KlondikeSolver reads it: row by row, then the stock; three digits a card."""
    rows = [column[row] for row in range(7) for column in board.columns[row:] if len(column) > row]
    return "".join(f"{rank_of(c):02}{_SOLVER_SUIT[suit_of(c)]}" for c in rows + board.stock)


def _klondike_moves(solution: str) -> Iterator[str]:
    """KlondikeSolver's moves in our notation; cards that turn by themselves are left out."""
    for word in solution.split():
        if word == "NEW":
            yield "r"
        elif draws := re.fullmatch(r"DR(\d+)", word):
            yield from ["d"] * int(draws[1])
        elif carry := re.fullmatch(r"([W1-7CDSH])([1-7CDSH])(?:-(\d+))?", word):
            source = {"W": "w"}.get(carry[1]) or (
                f"t{carry[1]}" if carry[1].isdigit() else f"f{carry[1]}"
            )
            target = f"t{carry[2]}" if carry[2].isdigit() else "f"
            count = f"*{carry[3]}" if carry[3] and carry[3] != "1" else ""
            yield f"{source}{count}-{target}"
        else:
            assert re.fullmatch(r"F[1-7]", word), word


def _replay(ruleset: Ruleset, board: Board, moves: Iterator[str]) -> Game:
    game = Game(ruleset, board.copy(), 10**9)
    for text in moves:
        move = parse_move(text, ruleset.deck.suits)
        assert move is not None, text
        game.play(move, 1000)
        if game.ended is not None:
            break
    return game


@pytest.mark.parametrize("draw", [1, 3])
def test_klondike_solver_agrees(draw: int) -> None:
    """pyksolve's winning lines clear the table, for draw one and draw three."""
    solver = pytest.importorskip("pyksolve.solver")
    _options, ruleset = find_ruleset(f"klondike-{draw}")
    solved = 0
    for seed in range(40):
        board = deal(ruleset, str(seed))
        game = solver.Solitaire()
        game.draw_count = draw
        game.load_solitaire(_klondike_cards(board))
        game.reset_game(draw)
        if game.solve_fast(max_closed_count=_MAX_STATES).name.startswith("Solved"):
            solved += 1
            played = _replay(ruleset, board, _klondike_moves(game.moves_made()))
            assert played.ended is Ended.CLEARED, f"seed {seed}"
            assert played.ledger()["foundation"] >= 520
    assert solved >= 10


def _freecell_moves(output: str) -> Iterator[str]:
    """fc-solve's moves in our notation."""
    piles = r"(stack|freecell) (\d+)"
    for line in output.splitlines():
        if found := re.fullmatch(rf"Move (a|\d+) cards? from {piles} to {piles}", line):
            count = f"*{found[1]}" if found[1] not in ("a", "1") else ""
            yield f"{_pile(found[2], found[3])}{count}-{_pile(found[4], found[5])}"
        elif found := re.fullmatch(rf"Move a card from {piles} to the foundations", line):
            yield f"{_pile(found[1], found[2])}-f"
        else:
            assert not line.startswith("Move"), line


def _pile(kind: str, number: str) -> str:
    return f"{'t' if kind == 'stack' else 'c'}{int(number) + 1}"


@pytest.mark.skipif(shutil.which("fc-solve") is None, reason="freecell-solver is not installed")
def test_freecell_solver_agrees() -> None:
    """fc-solve's winning lines of Microsoft deals clear the table.

    It moves safe cards when it likes, so they don't go up by themselves here.
    """
    solved = 0
    for number in range(1, 31):
        _options, ruleset = find_ruleset("freecell", {"deal": f"ms:{number}"})
        board = deal(ruleset, None)
        names = ruleset.deck.names
        text = "".join(" ".join(names[card] for card in column) + "\n" for column in board.columns)
        command = ["fc-solve", "-m", "-mi", "50000"]
        run = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        if "This game is solveable" in run.stdout:
            solved += 1
            by_hand = replace(ruleset, automatic=None)
            game = _replay(by_hand, board, _freecell_moves(run.stdout))
            assert game.ended is Ended.CLEARED, f"ms:{number}"
    assert solved >= 20

"""Deals that are known to be winnable: a solver finds a line, and our own engine plays it.

The solver is pyksolve (KlondikeSolver), an optional extra. It is bounded by a number of states,
never by time, so that anybody with the same version comes to the same answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from samedeal_rules.board import Board
from samedeal_rules.cards import rank_of, suit_of
from samedeal_rules.deals import deal
from samedeal_rules.errors import IllegalMove
from samedeal_rules.game import Ended, Game
from samedeal_rules.moves import parse_move
from samedeal_rules.ruleset import Ruleset
from samedeal_rules.wording import Wording

__all__ = [
    "MAX_STATES",
    "MAX_TRIES",
    "Solver",
    "Verdict",
    "can_solve",
    "check_first",
    "first_winnable",
    "installed_solver",
    "judge_deal",
]

MAX_STATES: Final = 20_000
"""For choosing a deal: 0.1 s, and of three or four deals one is certified."""
MAX_CHECKED_STATES: Final = 1_000_000
"""A record that names a higher limit would keep who checks it busy for ever."""
MAX_TRIES: Final = 64
"""Deals that are looked at before a start is called off; one in a billion starts needs more."""

_NAME: Final = "pyksolve"
_RULESETS: Final = frozenset({"timed", "klondike-1", "klondike-3"})
_CARRY: Final = re.compile(r"([W1-7CDSH])([1-7CDSH])(?:-(\d+))?")


@dataclass(frozen=True, slots=True)
class Solver:
    """Which solver chose a deal: with the same one the choice can be made again."""

    name: str
    version: str
    max_states: int


class Verdict(StrEnum):
    """What is known about a deal."""

    YES = "yes"
    """There is a line that clears the table; it was played."""
    NO = "no"
    """The solver has looked at everything that can be reached."""
    UNKNOWN = "unknown"


def installed_solver(max_states: int = MAX_STATES) -> Solver | None:
    """The solver that is here; None if the extra is not installed."""
    try:
        return Solver(_NAME, version(_NAME), max_states)
    except PackageNotFoundError:
        return None


def can_solve(ruleset: Ruleset) -> bool:
    """Whether the solver knows this game: Klondike, draw one or three, redeals without limit."""
    return (
        ruleset.name in _RULESETS
        and ruleset.draw in (1, 3)
        and ruleset.redeals is None
        and ruleset.deal_number is None
    )


def first_winnable(ruleset: Ruleset, seed_of: Callable[[int], str], max_states: int) -> int | None:
    """The first k whose deal is certified; None if none of `MAX_TRIES` is."""
    for k in range(MAX_TRIES):
        if judge_deal(ruleset, deal(ruleset, seed_of(k)), max_states) is Verdict.YES:
            return k
    return None


def check_first(
    ruleset: Ruleset, seed_of: Callable[[int], str], k: int, solver: Solver
) -> tuple[bool | None, str]:
    """Whether k is what this solver makes of it, in words too; None if it is not here."""
    if k >= MAX_TRIES or solver.max_states > MAX_CHECKED_STATES:
        return False, Wording("the deal is none that the solver would have come to")
    if installed_solver(solver.max_states) != solver:
        return None, Wording(
            "that it is the first deal that can be won takes {solver} {version} to check, "
            "which is not installed here",
            solver=solver.name,
            version=solver.version,
        )
    if first_winnable(ruleset, seed_of, solver.max_states) == k:
        return True, Wording(
            "it is the first deal that {solver} can win, number {k} from 0", solver=solver.name, k=k
        )
    return False, Wording("it is not the first deal that {solver} can win", solver=solver.name)


def judge_deal(ruleset: Ruleset, board: Board, max_states: int) -> Verdict:
    """What the solver finds out about a deal within so many states.

    In `timed` cards go up by themselves, which can break a line that draws three: then nothing
    is known. (It never helps: what can't be won by hand can't be won there.)
    """
    from pyksolve.solver import Solitaire, SolveResult  # the optional extra

    game = Solitaire()
    game.draw_count = ruleset.draw
    game.load_solitaire(_cards(board))
    game.reset_game(ruleset.draw)
    found = game.solve_fast(max_closed_count=max_states)
    if found is SolveResult.Impossible:
        return Verdict.NO
    solved = found in (SolveResult.SolvedMinimal, SolveResult.SolvedMayNotBeMinimal)
    if solved and _clears(ruleset, board, game.moves_made()):
        return Verdict.YES
    return Verdict.UNKNOWN


def _cards(board: Board) -> str:
    """The deal as the solver reads it: row by row, then the stock; rank and suit in 3 digits."""
    rows = [column[row] for row in range(7) for column in board.columns[row:] if len(column) > row]
    return "".join(f"{rank_of(card):02}{suit_of(card) + 1}" for card in rows + board.stock)


def _clears(ruleset: Ruleset, board: Board, solution: str) -> bool:
    """Play the solver's line."""
    game = Game(ruleset, board.copy(), None)
    for text in _moves(solution):
        _turn_all(game)
        move = parse_move(text, ruleset.deck.suits)
        if move is None:
            return False
        try:
            game.play(move, 0)
        except IllegalMove:
            if not text.endswith("-f"):
                return False
            # Up it is already, by itself; or else the line breaks a little later.
        if game.ended is not None:
            break
    _turn_all(game)
    return game.ended is Ended.CLEARED


def _turn_all(game: Game) -> None:
    """Where cards are turned by hand, the solver takes it for done."""
    if not game.ruleset.turns_by_hand:
        return
    for index, (column, down) in enumerate(zip(game.board.columns, game.board.down, strict=True)):
        if down and down == len(column) and game.ended is None:
            move = parse_move(f"x{index + 1}", game.ruleset.deck.suits)
            assert move is not None
            game.play(move, 0)


def _moves(solution: str) -> Iterator[str]:
    """The solver's moves in our notation; cards that it turns are left out."""
    for word in solution.split():
        if word == "NEW":
            yield "r"
        elif word.startswith("DR"):
            yield from ["d"] * int(word[2:])
        elif carry := _CARRY.fullmatch(word):
            source, target, count = carry.groups()
            taken = "w" if source == "W" else f"{'t' if source.isdigit() else 'f'}{source}"
            many = f"*{count}" if count and count != "1" else ""
            yield f"{taken}{many}-{f't{target}' if target.isdigit() else 'f'}"

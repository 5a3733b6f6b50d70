"""Where the arrow keys go: along the piles. Pure."""

from __future__ import annotations

from samedeal_client.tui.spots import STOCK
from samedeal_rules import Game
from samedeal_rules.moves import CELL, FOUNDATION, RESERVE, WASTE

__all__ = ["piles_in_order", "step"]


def piles_in_order(game: Game) -> list[int]:
    """Columns first, then what lies above them."""
    board, ruleset = game.board, game.ruleset
    piles = list(range(len(board.columns)))
    if ruleset.draw:
        piles.append(STOCK)
    if ruleset.has_waste:
        piles.append(WASTE)
    piles += [CELL + index for index in range(len(board.cells))]
    piles += [RESERVE + index for index in range(len(board.reserve))]
    if ruleset.leaves is None:
        piles.append(FOUNDATION)
    return piles


def step(game: Game, pile: int | None, by: int) -> int:
    """The next pile in a direction, round and round; the first column to begin with."""
    piles = piles_in_order(game)
    if pile not in piles:
        return piles[0 if by > 0 else -1]
    return piles[(piles.index(pile) + by) % len(piles)]

"""The keys that play a move. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from samedeal_rules import Move
from samedeal_rules.moves import CELL, FOUNDATION, RESERVE, WASTE, Kind

__all__ = ["move_keys"]

_CELLS: Final = ("waste", "cell_2", "redeal", "cell_4")
"""Actions whose keys the four cells have."""


def move_keys(move: Move, key: Callable[[str], str]) -> str:
    """`7 w`, `SPACE`; told the key of each action."""
    if move.kind is Kind.DRAW:
        return key("draw")
    if move.kind is Kind.REDEAL:
        return key("redeal")
    if move.kind is Kind.TURN:
        return _pile(move.source, key)
    return f"{_pile(move.source, key)} {_pile(move.target, key)}"


def _pile(pile: int, key: Callable[[str], str]) -> str:
    if pile < CELL:
        return key(f"column_{pile + 1}")
    if pile < WASTE:
        return key(_CELLS[pile - CELL])
    if pile == WASTE:
        return key("waste")
    if FOUNDATION <= pile < RESERVE:
        return key("column_10")
    return chr(ord("A") + pile - RESERVE)

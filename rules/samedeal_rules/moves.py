"""Moves and their one spelling (rules, section 9)."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from typing import Final, NamedTuple

__all__ = [
    "CELL",
    "DRAW",
    "END",
    "FOUNDATION",
    "FROM_FOUNDATION",
    "MAX_MOVE_LENGTH",
    "REDEAL",
    "RESERVE",
    "UNDO",
    "WASTE",
    "Kind",
    "Move",
    "column_move",
    "move_text",
    "parse_move",
    "pile_text",
    "turn_move",
]


class Kind(IntEnum):
    """What a move does."""

    DRAW = 0
    REDEAL = 1
    TURN = 2
    CARRY = 3
    """Cards from one pile to another."""
    UNDO = 4
    END = 5


class Move(NamedTuple):
    """A parsed move. Piles are numbers: columns 0 to 9, then the constants below."""

    kind: Kind
    source: int = 0
    target: int = 0
    size: int = 1


CELL: Final = 10
"""Cells c1 to c4 are piles 10 to 13."""
WASTE: Final = 14
FOUNDATION: Final = 15
"""As a target: the foundation of the card's own suit."""
FROM_FOUNDATION: Final = 16
"""Named foundations, as a source: 16 + suit."""
RESERVE: Final = 20
"""Places v1 to v20 of the reserve are piles 20 to 39."""

DRAW: Final = Move(Kind.DRAW)
REDEAL: Final = Move(Kind.REDEAL)
UNDO: Final = Move(Kind.UNDO)
END: Final = Move(Kind.END)

MAX_MOVE_LENGTH: Final = 9
"""Characters of the longest move: t10*13-t9."""

_WORDS: Final = {"d": DRAW, "r": REDEAL, "u": UNDO, "end": END}
_SPELLING: Final = re.compile(
    r"x(?P<turn>[1-9]|10)"
    r"|(?:t(?P<column>[1-9]|10)(?:\*(?P<count>[2-9]|1[0-3]))?"
    r"|(?P<waste>w)|c(?P<cell>[1-4])|f(?P<suit>[A-Z])|v(?P<place>[1-9]|1[0-9]|20))"
    r"-(?:t(?P<to_column>[1-9]|10)|c(?P<to_cell>[1-4])|(?P<up>f))",
    re.ASCII,
)


def turn_move(column: int) -> Move:
    """Turn the face-down end card of column `column` (from 0)."""
    return Move(Kind.TURN, column)


def column_move(source: int, target: int, count: int = 1) -> Move:
    """`count` cards from pile `source` to pile `target`."""
    return Move(Kind.CARRY, source, target, count)


@lru_cache(maxsize=4096)
def parse_move(text: str, suits: str) -> Move | None:
    """The move that `text` spells in a game with these suit letters, or None if it spells none.

    Strict: every move has one spelling (no blanks, capitals, leading zeros, counts of one).
    A spelled move may still name a pile that the game at hand does not have.
    """
    word = _WORDS.get(text)
    if word is not None:
        return word
    match = _SPELLING.fullmatch(text)
    if match is None:
        return None
    if match["turn"]:
        return turn_move(int(match["turn"]) - 1)
    source = _source(match, suits)
    target = _target(match)
    if source is None or source == target or not _gives_to(source, target):
        return None
    return Move(Kind.CARRY, source, target, int(match["count"] or 1))


def _source(match: re.Match[str], suits: str) -> int | None:
    if match["column"]:
        return int(match["column"]) - 1
    if match["waste"]:
        return WASTE
    if match["cell"]:
        return CELL + int(match["cell"]) - 1
    if match["place"]:
        return RESERVE + int(match["place"]) - 1
    suit = suits.find(match["suit"])
    return None if suit < 0 else FROM_FOUNDATION + suit


def _target(match: re.Match[str]) -> int:
    if match["to_column"]:
        return int(match["to_column"]) - 1
    if match["to_cell"]:
        return CELL + int(match["to_cell"]) - 1
    return FOUNDATION


def _gives_to(source: int, target: int) -> bool:
    """From a foundation only to a column, from a cell only to a column or up (rules, section 0)."""
    if source >= FROM_FOUNDATION and source < RESERVE:
        return target < CELL
    if CELL <= source < WASTE:
        return target < CELL or target == FOUNDATION
    return True


def pile_text(pile: int, suits: str) -> str:
    """`t1`, `w`, `f`, `fH`, `c1` or `v1`."""
    if pile < CELL:
        return f"t{pile + 1}"
    if pile < WASTE:
        return f"c{pile - CELL + 1}"
    if pile == WASTE:
        return "w"
    if pile == FOUNDATION:
        return "f"
    if pile < RESERVE:
        return f"f{suits[pile - FROM_FOUNDATION]}"
    return f"v{pile - RESERVE + 1}"


@lru_cache(maxsize=4096)
def move_text(move: Move, suits: str) -> str:
    """The one spelling of a move; `parse_move` reads it back."""
    if move.kind is Kind.TURN:
        return f"x{move.source + 1}"
    if move.kind is Kind.CARRY:
        count = f"*{move.size}" if move.size > 1 else ""
        return f"{pile_text(move.source, suits)}{count}-{pile_text(move.target, suits)}"
    return {Kind.DRAW: "d", Kind.REDEAL: "r", Kind.UNDO: "u", Kind.END: "end"}[move.kind]

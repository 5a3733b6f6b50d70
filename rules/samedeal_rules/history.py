"""What was done to a board, packed so that it can be undone exactly."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from struct import Struct
from typing import Final, NamedTuple

__all__ = ["FIRST_ARRIVAL", "FIRST_OF_MOVE", "ITEM_BITS", "TAKEN_BACK", "Deed", "History", "Verb"]

_PACKED: Final = Struct("<BBBBBxh")
"""Eight bytes a deed: 5 to 9 times less than a tuple, and moves are what a game consists of."""


class Verb(IntEnum):
    """The smallest changes of a board."""

    CARRY = 0
    TURN = 1
    DRAW = 2
    REDEAL = 3
    DEAL = 4
    """From the stock, one card on each of the first `size` columns."""
    LEAVE = 5
    """A complete run off the end of column `source`; `target` is its suit."""


class Deed(NamedTuple):
    """One small change; each has an exact inverse."""

    verb: Verb
    source: int = 0
    target: int = 0
    size: int = 0
    marks: int = 0
    """FIRST_OF_MOVE, FIRST_ARRIVAL and TAKEN_BACK as they apply; the low bits are the item."""
    points: int = 0


FIRST_OF_MOVE: Final = 128
FIRST_ARRIVAL: Final = 64
"""The card scored for the first time."""
TAKEN_BACK: Final = 32
"""The card became exempt from automatic moves."""
ITEM_BITS: Final = 31


class History:
    """The deeds of all moves that have not been undone, oldest first."""

    __slots__ = ("_bytes",)

    def __init__(self) -> None:
        self._bytes = bytearray()

    def __len__(self) -> int:
        """Bytes kept."""
        return len(self._bytes)

    def add(
        self,
        verb: Verb,
        source: int = 0,
        target: int = 0,
        size: int = 0,
        marks: int = 0,
        points: int = 0,
    ) -> None:
        """Append a deed; the first of a move has FIRST_OF_MOVE in its marks."""
        self._bytes += _PACKED.pack(verb, source, target, size, marks, points)

    def pop_move(self) -> Iterator[Deed]:
        """Take off the deeds of the last move, newest first. Nothing if there is no move."""
        while self._bytes:
            deed = Deed(*_PACKED.unpack(self._bytes[-_PACKED.size :]))
            del self._bytes[-_PACKED.size :]
            yield deed
            if deed.marks & FIRST_OF_MOVE:
                return

"""The table as it lies, or as much of it as a viewer may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from zlib import crc32

from samedeal_rules.cards import FACE_DOWN, UNKNOWN, Card

__all__ = ["EMPTY", "RUN_LENGTH", "Board"]

EMPTY: Final = UNKNOWN
"""What stands in a cell, or on a place of the reserve, where no card is."""

RUN_LENGTH: Final = 13
"""Cards of a run that leaves the table (rules, section 4)."""

_NO_CARD: Final = "--"


class Board:
    """All piles of one table. Mutable; only `Game` changes it.

    The same class is the whole truth and a *view* of it: in a view, cards that the viewer may
    not know are `UNKNOWN`.
    """

    __slots__ = (
        "cells",
        "columns",
        "down",
        "drawn",
        "foundations",
        "gone",
        "redeals",
        "reserve",
        "talon",
    )

    def __init__(
        self,
        columns: list[list[Card]],
        down: list[int],
        talon: list[Card],
        *,
        drawn: int = 0,
        redeals: int = 0,
        foundations: list[int] | None = None,
        cells: list[Card] | None = None,
        reserve: list[Card] | None = None,
        gone: list[int] | None = None,
    ) -> None:
        self.columns = columns
        """Each from the bottom card to the end card."""
        self.down = down
        """How many cards at the bottom of each column lie face down."""
        self.talon = talon
        """Waste and stock in one list, in pass order: `talon[:drawn]` is the waste.

        In Spider the cards go from the stock to the columns, and `drawn` stays 0.
        """
        self.drawn = drawn
        self.redeals = redeals
        """Redeals made; the pass under way is this + 1."""
        self.foundations = foundations or [0, 0, 0, 0]
        """The rank on top of each suit's foundation; 0 is empty."""
        self.cells = cells or []
        """The card in each cell, or `EMPTY`; no cells at all in most games."""
        self.reserve = reserve or []
        """The card on each place, or `EMPTY` once it was taken: places keep their numbers."""
        self.gone = gone or []
        """The suit of each run that has left the table, in the order in which they left."""

    @property
    def waste(self) -> list[Card]:
        """The card in play is the last."""
        return self.talon[: self.drawn]

    @property
    def stock(self) -> list[Card]:
        """The next card drawn is the first."""
        return self.talon[self.drawn :]

    @property
    def cards_up(self) -> int:
        """Cards on the foundations; in Spider those of the runs that are gone."""
        return sum(self.foundations) + RUN_LENGTH * len(self.gone)

    def copy(self) -> Board:
        """An independent board."""
        board = Board.__new__(Board)  # half of the time would be the call of __init__
        board.columns = [column.copy() for column in self.columns]
        board.down = self.down.copy()
        board.talon = self.talon.copy()
        board.drawn = self.drawn
        board.redeals = self.redeals
        board.foundations = self.foundations.copy()
        board.cells = self.cells.copy()
        board.reserve = self.reserve.copy()
        board.gone = self.gone.copy()
        return board

    def view(self) -> Board:
        """What the player at this table may know: the only way from a board to a view.

        Face-down cards are unknown. The stock is unknown in the first pass; a redeal brings the
        same cards in the same order, so from the second pass on all of it has been seen.
        """
        view = self.copy()
        for column, down in zip(view.columns, view.down, strict=True):
            column[:down] = [UNKNOWN] * down
        if view.redeals == 0:
            view.talon[view.drawn :] = [UNKNOWN] * (len(view.talon) - view.drawn)
        return view

    def learn(self, turned: Sequence[tuple[int, Card]], drawn: Sequence[Card]) -> None:
        """Write into a view the cards that the next move will turn up or draw.

        To be called before that move is played; then the fold goes on as on the whole board.
        A move turns at most one card of a column.
        """
        for index, card in turned:
            self.columns[index][self.down[index] - 1] = card
        self.talon[self.drawn : self.drawn + len(drawn)] = drawn

    def text(self, names: tuple[str, ...]) -> str:
        """The canonical text of the visible board (PROTOCOL.md, "Checksum").

        Says the same for a board and its view: face-down cards are `##`, the stock is a count.
        Cards in the stock, redeals made, the top ranks of the foundations with commas, each with
        a blank after it; then the cards of the waste, then each column after a `/`. What a game
        does not have says nothing; where there is any, there follow ` c` and the cells, ` v` and
        the reserve (an empty place is `--`), ` g` and the suits (0 to 3, in the deck's order) of
        the runs that are gone, in the order in which they left.
        """
        drawn = self.drawn
        one, two, three, four = self.foundations
        text = f"{len(self.talon) - drawn} {self.redeals} {one},{two},{three},{four} "
        # Appending in place is the fastest way here; this runs for each accepted move.
        for card in self.talon[:drawn]:
            text += names[card]
        for column, down in zip(self.columns, self.down, strict=True):
            text += "/" + FACE_DOWN * down
            for card in column[down:]:
                text += names[card]
        if self.cells:
            text += " c" + _places_text(self.cells, names)
        if self.reserve:
            text += " v" + _places_text(self.reserve, names)
        if self.gone:
            text += " g" + "".join(map(str, self.gone))
        return text

    def checksum(self, names: tuple[str, ...]) -> int:
        """CRC-32 of the canonical text: 0 to 2^32 - 1."""
        return crc32(self.text(names).encode("ascii"))

    def same_as(self, other: Board) -> bool:
        """Whether every pile is the same, known and unknown cards alike."""
        return all(getattr(self, slot) == getattr(other, slot) for slot in self.__slots__)


def _places_text(places: Sequence[Card], names: tuple[str, ...]) -> str:
    return "".join(_NO_CARD if card == EMPTY else names[card] for card in places)

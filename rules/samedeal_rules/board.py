"""The table as it lies, or as much of it as a viewer may know."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from samedeal_rules.cards import FACE_DOWN, UNKNOWN, Card

__all__ = ["Board"]


class Board:
    """All piles of one table. Mutable; only `Game` changes it.

    The same class is the whole truth and a *view* of it: in a view, cards that the viewer may
    not know are `UNKNOWN`.
    """

    __slots__ = ("columns", "down", "drawn", "foundations", "redeals", "talon")

    def __init__(
        self,
        columns: list[list[Card]],
        down: list[int],
        talon: list[Card],
        *,
        drawn: int = 0,
        redeals: int = 0,
        foundations: list[int] | None = None,
    ) -> None:
        self.columns = columns
        """Each from the bottom card to the end card."""
        self.down = down
        """How many cards at the bottom of each column lie face down."""
        self.talon = talon
        """Waste and stock in one list, in pass order: `talon[:drawn]` is the waste."""
        self.drawn = drawn
        self.redeals = redeals
        """Redeals made; the pass under way is this + 1."""
        self.foundations = foundations or [0, 0, 0, 0]
        """The rank on top of each suit's foundation; 0 is empty."""

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
        """Cards on the foundations."""
        return sum(self.foundations)

    def copy(self) -> Board:
        """An independent board."""
        return Board(
            [column.copy() for column in self.columns],
            self.down.copy(),
            self.talon.copy(),
            drawn=self.drawn,
            redeals=self.redeals,
            foundations=self.foundations.copy(),
        )

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
        """
        for index, card in turned:
            self.columns[index][self.down[index] - 1] = card
        self.talon[self.drawn : self.drawn + len(drawn)] = drawn

    def text(self, names: tuple[str, ...]) -> str:
        """The canonical text of the visible board (PROTOCOL.md, "Checksum").

        Says the same for a board and its view: face-down cards are `##`, the stock is a count.
        """
        drawn = self.drawn
        tops = ",".join(map(str, self.foundations))
        text = f"{len(self.talon) - drawn} {self.redeals} {tops} "
        # Appending in place is the fastest way here; this runs for each accepted move.
        for card in self.talon[:drawn]:
            text += names[card]
        for column, down in zip(self.columns, self.down, strict=True):
            text += "/" + FACE_DOWN * down
            for card in column[down:]:
                text += names[card]
        return text

    def checksum(self, names: tuple[str, ...]) -> int:
        """CRC-32 of the canonical text: 0 to 2^32 - 1."""
        return crc32(self.text(names).encode("ascii"))

    def same_as(self, other: Board) -> bool:
        """Whether every pile is the same, known and unknown cards alike."""
        return all(getattr(self, slot) == getattr(other, slot) for slot in self.__slots__)

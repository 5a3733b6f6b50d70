"""A table as it goes over the wire."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from samedeal_protocol.fields import CardText, Count, Message

__all__ = ["BoardView", "SuitText"]

Card = CardText
SuitText = Annotated[str, Field(min_length=1, max_length=1)]


class BoardView(Message):
    """A table as its player may see it."""

    columns: Annotated[list[Annotated[list[Card], Field(max_length=104)]], Field(max_length=10)]
    """Each from the bottom card to the end card; `##` is face down."""
    down: Annotated[list[Annotated[int, Field(ge=0, le=52)]], Field(max_length=10)]
    """How many cards at the bottom of each column lie face down."""
    waste: Annotated[list[Card], Field(max_length=52)]
    """The card in play is the last."""
    stock: Annotated[list[Card], Field(max_length=52)]
    """The next card drawn is the first; known from the second pass on, else `##`."""
    foundations: Annotated[list[Annotated[int, Field(ge=0, le=13)]], Field(max_length=4)]
    """The rank on top, by suit in the deck's order."""
    redeals: Count
    cells: Annotated[list[Card | None], Field(max_length=4)] = []
    """FreeCell: the card in each cell; null is empty."""
    reserve: Annotated[list[Card | None], Field(max_length=20)] = []
    """Spanish without a stock: the card on each place; null once it was taken."""
    runs: Annotated[list[SuitText], Field(max_length=8)] = []
    """Spider: the suit of each run that has left the table, in that order."""

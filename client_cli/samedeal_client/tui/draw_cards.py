"""Single cards on a canvas: whole, covered, face down, squeezed, and empty places. Pure."""

from __future__ import annotations

from typing import Final

from samedeal_client.texts import _
from samedeal_client.tui.canvas import Canvas, role_of
from samedeal_client.tui.layout import Layout
from samedeal_client.tui.look import Look
from samedeal_rules import Card, Deck
from samedeal_rules.board import EMPTY
from samedeal_rules.cards import UNKNOWN, suit_of

__all__ = ["CardPen"]

_NAMED_FROM: Final = 3
"""Rows from which a card has room for the name of its suit."""


class CardPen:
    """Draws one card after another. Roles are `card.INK.STATE`, `back.STATE`, `empty.STATE`."""

    def __init__(self, canvas: Canvas, look: Look, deck: Deck, layout: Layout) -> None:
        self._canvas, self._look, self._deck = canvas, look, deck
        self._width, self._height = layout.card_width, layout.card_height

    @property
    def turn_words(self) -> str:
        """What stands on a face-down card that can be turned."""
        return _("turn") if self._width > 5 else "?"

    def card(
        self,
        x: int,
        y: int,
        card: Card,
        state: str,
        *,
        height: int | None = None,
        seen: int | None = None,
    ) -> None:
        """A whole card: rank and suit in two corners, where its rows allow.

        `seen` are the columns that show of a card which another one covers from the right.
        """
        height = height or self._height
        covered_sideways = seen is not None
        self.edge(x, y, card, state, seen=seen)
        if height == 1:
            return
        frame, inner = self._look.frame(state), self._width - 2
        role = self._role(card, state)
        for row in range(1, height - 1):
            self._canvas.put(x, y + row, frame.down + " " * inner + frame.down, role)
        text = "" if covered_sideways else self._text(card)
        name = self._look.suit_name(self._deck, suit_of(card)) if card else ""
        if name and height >= _NAMED_FROM and not covered_sideways:
            name = name if len(name) <= inner else name[: inner - 1] + "."
            self._canvas.put(x + 1, y + (height - 1) // 2, name.center(inner), role)
        elif height >= 5:
            sign = self._look.suit(self._deck, suit_of(card)) if card else " "
            self._canvas.put(x + self._width // 2, y + height // 2, sign, role)
        bottom = frame.across * (inner - len(text)) + text
        self._canvas.put(x, y + height - 1, frame.bottom_left + bottom + frame.bottom_right, role)

    def edge(self, x: int, y: int, card: Card, state: str, *, seen: int | None = None) -> None:
        """The first row of a face-up card; all that is seen of a covered one."""
        frame, text = self._look.frame(state), self._text(card)
        inner = self._width - 2
        line = frame.top_left + text + frame.across * (inner - len(text)) + frame.top_right
        if seen is not None and seen <= len(text):  # no room for the corner of a ten
            line = text
        self._canvas.put(x, y, line, self._role(card, state))

    def side(self, x: int, y: int, card: Card, state: str, *, rows: int) -> None:
        """More rows of a covered card."""
        frame, inner = self._look.frame(state), self._width - 2
        for row in range(rows):
            line = frame.down + " " * inner + frame.down
            self._canvas.put(x, y + row, line, self._role(card, state))

    def squeezed(self, x: int, y: int, card: Card, count: int, state: str) -> None:
        """Several covered face-up cards in one row."""
        frame, inner = self._look.frame(state), self._width - 2
        text = f"+{count}"
        line = frame.down + text.center(inner) + frame.down
        self._canvas.put(x, y, line[: self._width], self._role(card, state))

    def back(self, x: int, y: int, state: str, *, height: int | None = None) -> None:
        """A face-down card that nothing covers."""
        height = height or self._height
        frame, inner = self._look.frame(state), self._width - 2
        role = role_of("back", state)
        self._canvas.put(x, y, frame.top_left + frame.across * inner + frame.top_right, role)
        for row in range(1, height - 1):
            self._canvas.put(x, y + row, frame.down + self._look.fill * inner + frame.down, role)
        if height > 1:
            line = frame.bottom_left + frame.across * inner + frame.bottom_right
            self._canvas.put(x, y + height - 1, line, role)

    def back_edge(self, x: int, y: int, count: int, state: str) -> None:
        """One or several covered face-down cards in one row."""
        frame, inner = self._look.frame(state), self._width - 2
        text = self._look.fill * inner if count == 1 else f"{count}".center(inner, self._look.fill)
        self._canvas.put(x, y, frame.top_left + text + frame.top_right, role_of("back", state))

    def middle(self, x: int, y: int, text: str, role: str, *, height: int | None = None) -> None:
        """Words on the middle of a card."""
        row = (height or self._height) // 2 if (height or self._height) > 2 else 0
        inner = self._width - 2
        self._canvas.put(x + 1, y + row, text[:inner].center(inner), role)

    def empty(self, x: int, y: int, state: str, sign: str = "", ink: str = "") -> None:
        """A place without a card: a dashed line around what may come here."""
        frame = self._look.frame("empty" if state == "plain" else state)
        inner = self._width - 2
        role = role_of("empty", state)
        self._canvas.put(x, y, frame.top_left + frame.across * inner + frame.top_right, role)
        for row in range(1, self._height - 1):
            self._canvas.put(x, y + row, frame.down + " " * inner + frame.down, role)
        line = frame.bottom_left + frame.across * inner + frame.bottom_right
        self._canvas.put(x, y + self._height - 1, line, role)
        if sign:
            row = self._height // 2 if self._height > 2 else 0
            sign_role = role_of("sign", ink) if ink else role
            self._canvas.put(x + (self._width - 1) // 2, y + row, sign, sign_role)

    def small(self, x: int, y: int, card: Card, state: str) -> None:
        """Three characters in one row: a place of the reserve."""
        if card == EMPTY:
            self._canvas.put(x, y, " · " if self._look.signs else " . ", role_of("empty", state))
            return
        marks = {"selected": "[]", "target": "<>", "hinted": "!!"}.get(state, "")
        text = self._text(card)
        line = f"{marks[0]}{text}" if marks else f" {text}"
        self._canvas.put(x, y, line[:3].ljust(3), self._role(card, state))

    def _text(self, card: Card) -> str:
        return "??" if card == UNKNOWN else self._look.text(self._deck, card)

    def _role(self, card: Card, state: str) -> str:
        ink = "unknown" if card == UNKNOWN else self._look.ink(self._deck, suit_of(card))
        return role_of("card", ink, state)

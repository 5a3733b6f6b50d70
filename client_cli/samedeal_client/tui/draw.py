"""The whole table as lines of segments, and what lies where. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from samedeal_client.tui.canvas import Canvas, Line
from samedeal_client.tui.draw_cards import CardPen
from samedeal_client.tui.layout import Layout, Shape, lay_out, plan_column, spread
from samedeal_client.tui.look import Look
from samedeal_client.tui.spots import STOCK, Box, Marks, Spot
from samedeal_client.tui.table_words import info_words
from samedeal_rules import Card, Game
from samedeal_rules.board import EMPTY
from samedeal_rules.cards import rank_of
from samedeal_rules.moves import CELL, FROM_FOUNDATION, RESERVE, WASTE

__all__ = ["Drawn", "draw_table"]

WASTE_SHOWN: Final = 3
"""Cards of the waste that are shown; only the top one is in play."""


@dataclass(frozen=True)
class Drawn:
    """A drawn table."""

    lines: list[Line]
    boxes: list[Box]
    """Later ones lie on top."""

    def at(self, x: int, y: int) -> Spot | None:
        """What lies at a character."""
        return next((box.spot for box in reversed(self.boxes) if box.has(x, y)), None)


def draw_table(
    game: Game,
    width: int,
    height: int,
    look: Look,
    marks: Marks,
    *,
    cell_keys: str = "wert",
) -> Drawn:
    """Draw it as large as it fits; about 1 ms for 90 x 38."""
    layout = lay_out(Shape.of(game.ruleset, game.board), width, height)
    drawing = _Drawing(game, layout, look, marks)
    drawing.top(cell_keys)
    drawing.reserve()
    drawing.numbers()
    for index in range(len(game.board.columns)):
        drawing.column(index)
    return Drawn(drawing.canvas.lines(), drawing.boxes)


class _Drawing:
    """One table being drawn."""

    def __init__(self, game: Game, layout: Layout, look: Look, marks: Marks) -> None:
        self.game, self.layout, self.look, self.marks = game, layout, look, marks
        self.canvas = Canvas(layout.width, layout.height)
        self.boxes: list[Box] = []
        columns = zip(map(len, game.board.columns), game.board.down, strict=True)
        self.step = spread(columns, layout.rows, layout.card_height)
        self.pen = CardPen(self.canvas, look, game.ruleset.deck, layout)

    def box(self, x: int, y: int, spot: Spot, *, width: int | None = None, height: int = 0) -> None:
        """Remember what was drawn here."""
        tall = height or self.layout.card_height
        self.boxes.append(Box(x, y, width or self.layout.card_width, tall, spot))

    # The piles at the top.

    def top(self, cell_keys: str) -> None:
        """Stock and waste, or cells, to the left; foundations, or runs gone, to the right."""
        game, layout = self.game, self.layout
        if game.ruleset.draw:
            self._stock()
        if game.ruleset.has_waste:
            self._waste()
        for index, card in enumerate(game.board.cells):
            self._place(layout.x(index), card, CELL + index, cell_keys[index])
        if game.ruleset.leaves is None:
            self._foundations()
        else:
            self._runs()
        words = info_words(game)
        x = layout.x(len(game.board.cells)) if game.board.cells else layout.left
        self.canvas.put(x, layout.info_y, words, "note")

    def _stock(self) -> None:
        board, layout = self.game.board, self.layout
        x, left = layout.left, len(board.talon) - board.drawn
        state = self.marks.state(STOCK, 1)
        if left:
            self.pen.back(x, 0, state)
            self.pen.middle(x, 0, str(left), "back.count")
        else:
            again = self.game.ruleset.has_waste and bool(board.drawn)
            redeals = self.game.ruleset.redeals
            again = again and (redeals is None or board.redeals < redeals)
            sign = ("↻" if self.look.signs else "r") if again else ("✕" if self.look.signs else "x")
            self.pen.empty(x, 0, state, sign)
        self.box(x, 0, Spot(STOCK))

    def _waste(self) -> None:
        board, layout, pen = self.game.board, self.layout, self.pen
        x = layout.x(1)
        shown = board.talon[max(0, board.drawn - WASTE_SHOWN) : board.drawn]
        if not shown:
            pen.empty(x, 0, self.marks.state(WASTE, 1))
            self.box(x, 0, Spot(WASTE, 0))
            return
        room = layout.x(3) - 1 - x if len(board.columns) > 3 else layout.card_width
        step = min(4, (room - layout.card_width) // (WASTE_SHOWN - 1))
        for index, card in enumerate(shown):
            top = index == len(shown) - 1
            state = self.marks.state(WASTE, 1) if top else "plain"
            pen.card(x + index * step, 0, card, state, seen=None if top else step)
        self.box(x + (len(shown) - 1) * step, 0, Spot(WASTE))

    def _foundations(self) -> None:
        board, layout = self.game.board, self.layout
        deck = self.game.ruleset.deck
        first = len(board.columns) - len(deck.suits)
        for suit, rank in enumerate(board.foundations):
            x, pile = layout.x(first + suit), FROM_FOUNDATION + suit
            state = self.marks.state(pile, 1)
            if rank:
                self.pen.card(x, 0, Card(suit << 4 | rank), state)
            else:
                self.pen.empty(x, 0, state, self.look.suit(deck, suit), self.look.ink(deck, suit))
            self.box(x, 0, Spot(pile))

    def _runs(self) -> None:
        """Spider: a king for each run that has left the table."""
        board, layout = self.game.board, self.layout
        deck = self.game.ruleset.deck
        runs = len(deck.cards) // len(deck.ranks)
        king = len(deck.ranks)
        for index in range(runs):
            x = layout.x(len(board.columns) - runs + index)
            if index < len(board.gone):
                self.pen.card(x, 0, Card(board.gone[index] << 4 | king), "plain")
            else:
                self.pen.empty(x, 0, "plain")

    def _place(self, x: int, card: Card, pile: int, key: str) -> None:
        state = self.marks.state(pile, 1)
        if card == EMPTY:
            self.pen.empty(x, 0, state)
        else:
            self.pen.card(x, 0, card, state)
        role = "label.hot" if state != "plain" or self.marks.cursor == pile else "label"
        self.canvas.put(x + self.layout.card_width // 2, self.layout.info_y, key, role)
        self.box(x, 0, Spot(pile, 0 if card == EMPTY else 1))

    # The reserve.

    def reserve(self) -> None:
        """A letter over each place; an emptied place keeps its letter."""
        for place, card in enumerate(self.game.board.reserve):
            x, y = self.layout.reserve_at(place)
            state = self.marks.state(RESERVE + place, 1)
            hot = state != "plain" or self.marks.cursor == RESERVE + place
            role = "label.hot" if hot else "label"
            self.canvas.put(x + 1, y - 1, chr(ord("A") + place), role)
            self.pen.small(x, y, card, state)
            spot = Spot(RESERVE + place, 0 if card == EMPTY else 1)
            self.box(x, y, spot, width=3, height=1)

    # The columns.

    def numbers(self) -> None:
        """The key of each column over it; where cards may go is pointed at."""
        layout, marks = self.layout, self.marks
        for index in range(len(self.game.board.columns)):
            state = marks.state(index, 1)
            number = str((index + 1) % 10)
            role = "label"
            if state == "target":
                number, role = (f"▸{number}◂" if self.look.signs else f">{number}<"), "label.hot"
            elif state in ("selected", "hinted") or marks.cursor == index:
                number, role = f"[{number}]", "label.hot"
            x = layout.x(index) + (layout.card_width - len(number)) // 2
            self.canvas.put(x, layout.numbers_y, number, role)

    def column(self, index: int) -> None:
        """All its cards, the end card whole."""
        board, layout, pen = self.game.board, self.layout, self.pen
        column, down = board.columns[index], board.down[index]
        x, top = layout.x(index), layout.columns_y
        rows = layout.rows
        if not column:
            pen.empty(x, top, self.marks.state(index, 1), self._wanted())
            self.box(x, top, Spot(index, 0), height=rows)
            return
        self.box(x, top, Spot(index), height=rows)
        for row in plan_column(len(column), down, rows, layout.card_height, self.step):
            y, from_end = top + row.y, len(column) - row.first
            state = self.marks.state(index, from_end)
            if row.first < down:
                if from_end == 1:
                    pen.back(x, y, state, height=row.height)
                    pen.middle(x, y, pen.turn_words, "back.turn", height=row.height)
                else:
                    pen.back_edge(x, y, row.count, state)
            elif row.count > 1:
                pen.squeezed(x, y, column[row.first], row.count, state)
            elif from_end == 1:
                pen.card(x, y, column[-1], state, height=row.height)
            else:
                pen.edge(x, y, column[row.first], state)
                pen.side(x, y + 1, column[row.first], state, rows=row.height - 1)
            self.box(x, y, Spot(index, from_end), height=row.height)

    def _wanted(self) -> str:
        """What an empty column takes, where that is one rank."""
        ruleset = self.game.ruleset
        ranks = {rank_of(card) for card in ruleset.deck.cards if ruleset.fills_empty >> card & 1}
        return ruleset.deck.ranks[ranks.pop() - 1] if len(ranks) == 1 else ""

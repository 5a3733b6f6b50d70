"""The table on the screen: draws the game, and says where it was clicked."""

from __future__ import annotations

from textual import events
from textual.message import Message

from samedeal_client.tui.canvas import Seg
from samedeal_client.tui.draw import Drawn, draw_table
from samedeal_client.tui.look import Look
from samedeal_client.tui.palette import Palette
from samedeal_client.tui.spots import Marks, Spot
from samedeal_client.tui.widgets.lines import Lines
from samedeal_rules import Game

__all__ = ["TableView"]


class TableView(Lines):
    """Knows nothing of moves: spots go up as messages."""

    class Clicked(Message):
        """A spot was clicked; `chain` is 2 for the second click of a double one."""

        def __init__(self, spot: Spot, chain: int, *, choose: bool) -> None:
            super().__init__()
            self.spot, self.chain, self.choose = spot, chain, choose

    class Dragged(Message):
        """Cards were dragged from one spot to another."""

        def __init__(self, source: Spot, target: Spot) -> None:
            super().__init__()
            self.source, self.target = source, target

    def __init__(self, palette: Palette, look: Look) -> None:
        super().__init__(palette, id="table", ground="felt")
        self.look = look
        self._game: Game | None = None
        self._marks = Marks()
        self._cell_keys = "wert"
        self._drawn = Drawn([], [])
        self._pressed: Spot | None = None
        self._dragged = False

    def show_game(self, game: Game | None, marks: Marks, cell_keys: str = "wert") -> None:
        """Draw this game with these marks."""
        self._game, self._marks, self._cell_keys = game, marks, cell_keys
        self._draw()

    def on_resize(self) -> None:
        """Another size: drawn anew."""
        self._strips.clear()
        self._draw()

    def spot_at(self, x: int, y: int) -> Spot | None:
        """What lies at a character of this widget."""
        return self._drawn.at(x, y)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Perhaps a drag begins."""
        self._pressed = self.spot_at(event.x, event.y)
        self.capture_mouse()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """The end of a drag, if it ends elsewhere."""
        self.release_mouse()
        source, self._pressed = self._pressed, None
        target = self.spot_at(event.x, event.y)
        self._dragged = source is not None and target is not None and source.pile != target.pile
        if source is not None and target is not None and self._dragged:
            self.post_message(self.Dragged(source, target))

    def on_click(self, event: events.Click) -> None:
        """A click on a spot; with the right button, or Ctrl, it chooses."""
        spot = self.spot_at(event.x, event.y)
        if spot is not None and not self._dragged:
            choose = event.button != 1 or event.ctrl
            self.post_message(self.Clicked(spot, event.chain, choose=choose))

    def _draw(self) -> None:
        width, height = self.size
        if self._game is None or not width:
            self._drawn = Drawn([], [])
        else:
            self._drawn = draw_table(
                self._game, width, height, self.look, self._marks, cell_keys=self._cell_keys
            )
        self.show([line or [Seg("", "felt")] for line in self._drawn.lines])

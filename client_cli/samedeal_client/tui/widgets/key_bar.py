"""The last line: what keys do now. A click on one does it."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events

from samedeal_client.tui.canvas import Line, Seg
from samedeal_client.tui.palette import Palette
from samedeal_client.tui.widgets.lines import Lines

__all__ = ["KeyBar"]


class KeyBar(Lines):
    """Shows as many as fit; the last one, help, always."""

    def __init__(self, palette: Palette) -> None:
        super().__init__(palette, id="keys")
        self._items: Sequence[tuple[str, str, str]] = ()
        self._places: list[tuple[int, int, str]] = []

    def offer(self, items: Sequence[tuple[str, str, str]]) -> None:
        """Key, words and action of each."""
        self._items = items
        self._fill()

    def on_resize(self) -> None:
        """More or fewer fit."""
        self._fill()

    async def on_click(self, event: events.Click) -> None:
        """The key under the mouse."""
        for start, end, action in self._places:
            if start <= event.x < end:
                await self.screen.run_action(action)
                return

    def _fill(self) -> None:
        *items, last = self._items or [("", "", "")]
        width, at = self.size.width, 0
        line: Line = []
        self._places = []
        room = width - _length(last)
        for item in items:
            if at + _length(item) > room:
                break
            at = self._add(line, at, item)
        if last[0]:
            self._add(line, at, last)
        self.show([line])

    def _add(self, line: Line, at: int, item: tuple[str, str, str]) -> int:
        key, words, action = item
        line += [Seg(f" {key} ", "key"), Seg(f"{words} ", "dim")]
        self._places.append((at, at + _length(item), action))
        return at + _length(item)


def _length(item: tuple[str, str, str]) -> int:
    return len(item[0]) + len(item[1]) + 3

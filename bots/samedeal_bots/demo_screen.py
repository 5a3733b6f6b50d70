"""Where the demo is shown: lines for any output, and a block redrawn in place on a terminal."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Final, TextIO

__all__ = ["Screen"]

PLAIN_WIDTH: Final = 80
MOST_WIDTH: Final = 100
"""Longer lines are harder to read, however wide the window is."""
LEAST_WIDTH: Final = 60
"""In a narrower window the standings are lines, not a block."""

_CODES: Final = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "cyan": "36",
}
_HIDE_CURSOR: Final = "\x1b[?25l"
_SHOW_CURSOR: Final = "\x1b[?25h"
_CLEAR_BELOW: Final = "\x1b[J"
_CLEAR_LINE: Final = "\x1b[K"


class Screen:
    """Use as a context manager: it leaves the terminal as it was, whatever happens."""

    def __init__(
        self,
        out: TextIO,
        *,
        plain: bool = False,
        colour: bool = True,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        term = environment.get("TERM", "dumb")
        capable = out.isatty() and term not in ("", "dumb", "unknown")
        self._out = out
        self._in_place = capable and not plain
        self._colour = capable and colour and not environment.get("NO_COLOR")
        self.signs = _shows(out, "█▌░▲▼·…", environment)
        """Whether signs beyond ASCII can be shown."""
        self._drawn: list[str] = []
        self._hidden = False

    def __enter__(self) -> Screen:
        """Nothing happens yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """What is drawn stays; the cursor comes back."""
        self.keep()

    @property
    def width(self) -> int:
        """Columns to use."""
        return min(self._size()[0] - 1, MOST_WIDTH)

    def draws(self, lines: int) -> bool:
        """Whether a block of so many lines can be drawn in place, as the window is now."""
        columns, rows = self._size()
        return self._in_place and columns >= LEAST_WIDTH and rows > lines + 1

    def paint(self, text: str, *how: str) -> str:
        """In colour, if there is any. Paint what is padded already."""
        if not self._colour or not how:
            return text
        return f"\x1b[{';'.join(_CODES[name] for name in how)}m{text}\x1b[0m"

    def say(self, *lines: str) -> None:
        """Lines that stay."""
        self.keep()
        self._write("".join(f"{line}\n" for line in lines))

    def part(self, text: str) -> None:
        """A part of a line that stays."""
        self.keep()
        self._write(text)

    def draw(self, lines: Iterable[str]) -> None:
        """A block in place of the one drawn before."""
        block = list(lines)
        if block == self._drawn:
            return
        text = "" if self._hidden else _HIDE_CURSOR
        self._hidden = True
        if self._drawn:
            text += f"\x1b[{len(self._drawn)}A\r"
        text += "".join(f"{line}{_CLEAR_LINE}\n" for line in block)
        self._drawn = block
        self._write(text + _CLEAR_BELOW)

    def keep(self) -> None:
        """The block as it was drawn last stays; what comes next goes below it."""
        self._drawn = []
        if self._hidden:
            self._hidden = False
            self._write(_SHOW_CURSOR)

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()

    def _size(self) -> tuple[int, int]:
        try:
            columns, rows = os.get_terminal_size(self._out.fileno())
        except (OSError, ValueError):
            return PLAIN_WIDTH + 1, 24
        # 0 x 0 is what some terminals say that don't know.
        return (columns or PLAIN_WIDTH + 1), (rows or 24)


def _shows(out: TextIO, signs: str, environment: Mapping[str, str]) -> bool:
    asked = environment.get("LC_ALL") or environment.get("LANG", "")
    if asked in ("C", "POSIX"):
        return False  # Python takes it for UTF-8 all the same; the terminal may not
    try:
        signs.encode(out.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True

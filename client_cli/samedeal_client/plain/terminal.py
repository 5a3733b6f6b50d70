"""Lines in and lines out, on a terminal or through pipes; a prompt that output does not tear."""

from __future__ import annotations

import asyncio
import codecs
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Final, TextIO

from samedeal_client.plain.style import Style, printable

__all__ = ["Terminal"]

MAX_LINE: Final = 4096
"""Nobody types a longer one; the rest of it is read and forgotten."""
_WIPE: Final = "\r\x1b[K"


class Terminal:
    """Reads a line at a time, at the pace of who asks: typing ahead waits in the pipe.

    A thread does the reading, from the file descriptor itself: that works for terminals, pipes
    and files alike, and nothing it holds can block the end of the program. (The loop's
    `add_reader` refuses files, and would change flags of a terminal that others share.)
    """

    def __init__(self, source: TextIO, out: TextIO, style: Style) -> None:
        self.style = style
        self.interactive = source.isatty()
        """Whether a person types; else the lines are a script."""
        self._source = source
        self._out = out
        self._prompt: str | Callable[[], str] = ""
        self._prompting = False
        self._lines: asyncio.Queue[str | None] = asyncio.Queue(maxsize=1)
        self._loop = asyncio.get_running_loop()
        self._closed = False
        self._reader = threading.Thread(target=self._read, name="stdin", daemon=True)
        self._reader.start()

    async def ask(self, prompt: str | Callable[[], str]) -> str | None:
        """The next line, stripped; None when there are no more.

        A prompt that changes (a clock, a score) is asked for anew whenever it is drawn.
        """
        if self._closed:
            return None
        if self.interactive:
            self._prompt = prompt
            self._prompting = True
            self._write(_text(prompt))
        try:
            line = await self._lines.get()
        finally:
            self._prompting = False
        if line is None:
            self._closed = True
            if self.interactive:
                self._write("\n")
            return None
        if not self.interactive:
            # No terminal echoed it; so a transcript reads like a session.
            self._write(f"{_text(prompt)}{printable(line)}\n")
        return line

    def say(self, *lines: str) -> None:
        """Print lines; a prompt that stands is moved below them."""
        text = "\n".join(lines) + "\n"
        if self._prompting:
            start = _WIPE if self.style.clears else "\n"
            text = f"{start}{text}{_text(self._prompt)}"
        self._write(text)

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()

    def _read(self) -> None:
        decode = codecs.getincrementaldecoder(self._source.encoding or "utf-8")("replace").decode
        try:
            handle = self._source.fileno()
            pending = ""
            while data := os.read(handle, 4096):
                pending += decode(data)
                *lines, pending = pending.split("\n")
                pending = pending[:MAX_LINE]
                for line in lines:
                    self._hand_over(line[:MAX_LINE].strip())
            if pending.strip():
                self._hand_over(pending.strip())
        except (OSError, ValueError):
            pass  # the terminal is gone: the same as its end
        self._hand_over(None)

    def _hand_over(self, line: str | None) -> None:
        """Wait until the line is taken: a fast writer must not fill our memory."""
        try:
            asyncio.run_coroutine_threadsafe(self._lines.put(line), self._loop).result()
        except (RuntimeError, CancelledError):
            sys.exit()  # the loop is over; ends this thread only


def _text(prompt: str | Callable[[], str]) -> str:
    return prompt if isinstance(prompt, str) else prompt()

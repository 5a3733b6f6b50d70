"""Who asks for a name on a terminal of lines."""

from __future__ import annotations

from samedeal_client.plain.terminal import Terminal
from samedeal_client.texts import _

__all__ = ["LineGreeter"]


class LineGreeter:
    """Asks until there is a name; the end of the input takes what was offered."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal

    def tell(self, words: str) -> None:
        """A line."""
        self._terminal.say(words)

    async def ask_name(self, default: str | None) -> str | None:
        """What was typed, else the default; None at the end of the input."""
        hint = f" [{default}]" if default else ""
        while True:
            line = await self._terminal.ask(_("Your name{default}: ").format(default=hint))
            if line or default or line is None:
                return line or default

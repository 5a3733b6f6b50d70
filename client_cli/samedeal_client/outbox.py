"""Moves on their way: sent or to be sent, until each has its answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

__all__ = ["MAX_IN_FLIGHT", "MAX_WAITING", "Entry", "Outbox", "TooManyMoves"]

MAX_IN_FLIGHT: Final = 16
"""The protocol allows no more unacknowledged moves; the rest wait here."""
MAX_WAITING: Final = 256
"""Moves not yet answered, sent or not. Nobody plays that far ahead of a server by hand."""


class TooManyMoves(Exception):
    """The server has not answered for so long that nothing more is taken. Play later."""


@dataclass(slots=True)
class Entry:
    """One move on its way."""

    seq: int
    text: str
    ms: int
    """When it was played, for the prediction; the server stamps it anew."""
    sent: bool = False
    fallen: bool = False
    """A move before it was refused: its own answer can only be `gap`, and is awaited for order."""


class Outbox:
    """First in, first answered: answers leave the server in order."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []

    def live(self) -> Iterator[Entry]:
        """The entries that may still count, oldest first."""
        return (entry for entry in self._entries if not entry.fallen)

    def check_room(self) -> None:
        """Raises `TooManyMoves` when full."""
        if len(self._entries) >= MAX_WAITING:
            raise TooManyMoves

    def add(self, entry: Entry) -> None:
        """Queue a move."""
        self._entries.append(entry)

    def take_unsent(self) -> list[Entry]:
        """What may be sent now; marked as sent."""
        room = MAX_IN_FLIGHT - sum(entry.sent for entry in self._entries)
        taken = [entry for entry in self._entries if not entry.sent][: max(0, room)]
        for entry in taken:
            entry.sent = True
        return taken

    def acknowledged(self, seq: int, text: str) -> Entry | None:
        """The entry that an `applied` answers; None if it is an answer repeated."""
        for index, entry in enumerate(self._entries):
            if entry.seq == seq and entry.text == text and not entry.fallen:
                self._drop(index)
                return entry
        return None

    def refused(self, seq: int, *, gap: bool) -> tuple[Entry | None, list[Entry]]:
        """The entry that a `refused` answers, and those that fall with it.

        Those that were sent stay until their own answer (`gap`) has come.
        """
        for index, entry in enumerate(self._entries):
            if entry.seq == seq and entry.sent and (gap or not entry.fallen):
                self._drop(index)
                return entry, ([] if entry.fallen else self._fell())
        return None, []

    def restart(self, entries: Iterable[Entry]) -> None:
        """A new connection: no old answer will come. These are to be sent, in this order."""
        self._entries = list(entries)

    def requeue(self, entries: Iterable[Entry]) -> None:
        """Same connection, but the server has lost moves: all go out again under their numbers."""
        for entry in self._entries:
            entry.fallen = True
        self._entries = [entry for entry in self._entries if entry.sent]
        self._entries += entries

    def again(self) -> None:
        """Same connection, but the server has not read all that was sent: all goes out again."""
        self.requeue([Entry(entry.seq, entry.text, entry.ms) for entry in self.live()])

    def _fell(self) -> list[Entry]:
        fell = [entry for entry in self._entries if not entry.fallen]
        for entry in fell:
            entry.fallen = True
        self._entries = [entry for entry in self._entries if entry.sent]
        return fell

    def _drop(self, index: int) -> None:
        """Answered; fallen entries before it can't be answered any more."""
        before = [entry for entry in self._entries[:index] if not entry.fallen]
        self._entries[: index + 1] = before

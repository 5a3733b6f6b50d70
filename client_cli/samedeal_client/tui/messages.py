"""What workers tell the screens. Workers touch no widgets: they post these."""

from __future__ import annotations

from textual.message import Message

from samedeal_client.events import Event

__all__ = ["Failed", "Heard", "LineEnded"]


class Heard(Message):
    """Something came from the server, or happened to the line."""

    def __init__(self, event: Event) -> None:
        super().__init__()
        self.event = event


class Failed(Message):
    """What was asked for could not be done."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words


class LineEnded(Message):
    """The connection has ended for good."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words

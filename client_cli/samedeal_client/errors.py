"""What can go wrong on the client's side of the line."""

from __future__ import annotations

from samedeal_client.server_words import error_words
from samedeal_protocol import Error, ErrorCode, Refused

__all__ = [
    "BadCode",
    "ClientError",
    "ConnectionClosed",
    "ConnectionFailed",
    "ConnectionLost",
    "MoveRefused",
    "NotAtATable",
    "RequestFailed",
]


class ClientError(Exception):
    """The root of what this package raises."""


class ConnectionFailed(ClientError):
    """No server could be reached, or what answered is none, or it has no room now."""

    def __init__(self, words: str, retry_after_s: float = 0.0) -> None:
        """`retry_after_s`: what the server asked us to wait, if it did."""
        super().__init__(words)
        self.retry_after_s = retry_after_s


class ConnectionClosed(ClientError):
    """The connection has ended for good."""


class ConnectionLost(ClientError):
    """The line broke before the answer came, and asking again could do the thing twice."""


class NotAtATable(ClientError):
    """There is no running game here to play in."""


class BadCode(ClientError):
    """A text that can't be the code of a duel."""


class RequestFailed(ClientError):
    """The server did not do what was asked; nothing changed."""

    def __init__(self, error: Error) -> None:
        super().__init__(error_words(error.code, error.message))
        self.code: ErrorCode = error.code
        self.message = error.message
        """The server's own words, in English."""
        self.retry_after_ms = error.retry_after_ms


class MoveRefused(ClientError):
    """The server did not take the move, or it fell with one that was refused before it."""

    def __init__(self, move: str, because: Refused) -> None:
        super().__init__(because.message)
        self.move = move
        self.because = because

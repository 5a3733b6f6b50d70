"""What a player is told when a request can't be done."""

from __future__ import annotations

from samedeal_protocol import ErrorCode

__all__ = ["PlayerError"]


class PlayerError(Exception):
    """The player's request can't be done; nothing changed. Shown to the player as it is."""

    def __init__(self, code: ErrorCode, message: str, *, retry_after_ms: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retry_after_ms = retry_after_ms

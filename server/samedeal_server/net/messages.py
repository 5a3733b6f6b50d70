"""From frames to whole text messages: joining fragments and checking UTF-8."""

from __future__ import annotations

import codecs
from typing import Final

__all__ = ["FragmentedText", "MessageRefused", "is_utf8"]

_Utf8Decoder: Final = codecs.getincrementaldecoder("utf-8")


class MessageRefused(Exception):
    """The client sent a message that ends its connection."""

    def __init__(self, code: int, reason: str) -> None:
        """`code` and `reason` are those of the close frame it deserves."""
        super().__init__(f"{code} {reason}")
        self.code = code
        self.reason = reason


def is_utf8(payload: bytes) -> bool:
    """Whether `payload` is valid UTF-8 (no surrogates, nothing overlong)."""
    # Moves are ASCII, and isascii() makes no string.
    if payload.isascii():
        return True
    try:
        payload.decode()
    except UnicodeDecodeError:
        return False
    return True


class FragmentedText:
    """One text message that arrives in pieces; made at its first piece, dropped after its last."""

    __slots__ = ("_decoder", "_max_fragments", "_max_size", "_parts", "_size")

    def __init__(self, *, max_size: int, max_fragments: int) -> None:
        """`max_size` in bytes of the whole message; `max_fragments` counts empty ones too."""
        self._max_size = max_size
        self._max_fragments = max_fragments
        self._parts: list[bytes] = []
        self._size = 0
        # Fails at the first wrong byte, also when a character is split between two frames.
        self._decoder = _Utf8Decoder()

    def add(self, part: bytes, *, last: bool) -> bytes | None:
        """Take one more piece; the whole message after the last one, else None.

        Raises MessageRefused: 1007 for bytes that are not UTF-8, 1009 for too much text,
        1008 for too many pieces.
        """
        self._parts.append(part)
        self._size += len(part)
        if self._size > self._max_size:
            raise MessageRefused(1009, "message too big")
        if len(self._parts) > self._max_fragments:
            raise MessageRefused(1008, "too many fragments")
        try:
            self._decoder.decode(part, last)
        except UnicodeDecodeError:
            raise MessageRefused(1007, "text is not UTF-8") from None
        return b"".join(self._parts) if last else None

"""The few frames a server of text sends, built by hand: they are the hot half of the library."""

from __future__ import annotations

from typing import Final

from websockets.frames import Close

__all__ = ["PING", "close_frame", "shorten_reason", "text_frame"]

PING: Final = b"\x89\x00"
"""A ping without payload: whatever arrives after it proves that the client lives."""

_REASON_MAX_BYTES: Final = 123
"""RFC 6455, 5.5: a control frame holds 125 bytes, two of which are the code."""


def text_frame(payload: bytes) -> bytes:
    """One whole unmasked text frame. `payload` must be valid UTF-8; it is not checked."""
    size = len(payload)
    if size < 126:
        return bytes((0x81, size)) + payload
    if size < 65_536:
        return b"\x81\x7e" + size.to_bytes(2, "big") + payload
    return b"\x81\x7f" + size.to_bytes(8, "big") + payload


def close_frame(code: int, reason: str) -> bytes:
    """A close frame; the reason is cut to what fits.

    Raises websockets.exceptions.ProtocolError for a code that must not be sent.
    """
    payload = Close(code, shorten_reason(reason)).serialize()
    return bytes((0x88, len(payload))) + payload


def shorten_reason(reason: str) -> str:
    """`reason` cut to 123 bytes of UTF-8, never within a character."""
    raw = reason.encode(errors="replace")
    return raw[:_REASON_MAX_BYTES].decode(errors="ignore")

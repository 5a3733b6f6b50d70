"""Which protocol this is."""

from __future__ import annotations

from typing import Final

__all__ = ["SUBPROTOCOL", "VERSION"]

VERSION: Final = 1
SUBPROTOCOL: Final = f"samedeal.{VERSION}"
"""The WebSocket subprotocol; a change that old clients can't read makes a new one."""

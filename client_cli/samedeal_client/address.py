"""Server addresses and duel codes as people write them."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from samedeal_client.errors import BadCode
from samedeal_client.texts import _
from samedeal_protocol import CODE_LENGTH

__all__ = ["DEFAULT_PORT", "BadAddress", "clean_code", "is_code", "is_local", "server_address"]

DEFAULT_PORT: Final = 7777
PATH: Final = "/ws"
_SCHEMES: Final = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}


class BadAddress(ValueError):
    """A text that is no address of a server."""

    def __init__(self, text: str) -> None:
        super().__init__(_("not an address of a server: {text}").format(text=repr(text)))


def server_address(text: str) -> str:
    """The WebSocket URL that `example.org`, `host:7777` or `https://host/` mean.

    Also the key under which an identity is kept, so one server has one spelling.
    """
    text = text.strip()
    if not re.match(r"^[a-z]+://", text, re.IGNORECASE):
        text = f"ws://{text}"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise BadAddress(text) from None
    scheme = _SCHEMES.get(parts.scheme.lower())
    if scheme is None or not parts.hostname or parts.username is not None:
        raise BadAddress(text)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    if port is None and scheme == "ws":
        port = 80 if parts.scheme == "http" else DEFAULT_PORT
    path = PATH if parts.path in ("", "/") else parts.path
    return f"{scheme}://{host}{f':{port}' if port else ''}{path}"


def is_local(address: str) -> bool:
    """Whether the server runs on this machine."""
    return urlsplit(address).hostname in ("127.0.0.1", "localhost", "::1")


def is_code(text: str) -> bool:
    """Whether this can be the code of a duel."""
    code = _squeezed(text)
    return len(code) == CODE_LENGTH and code.isascii() and code.isalnum()


def clean_code(text: str) -> str:
    """The code in `hjk 347`, `HJK-347`; raises `BadCode` for what can be none."""
    if not is_code(text):
        raise BadCode(_("a code has {count} letters and digits").format(count=CODE_LENGTH))
    return _squeezed(text)


def _squeezed(text: str) -> str:
    return re.sub(r"[\s-]+", "", text).upper()

"""New ids, codes and secrets: the only place that draws them."""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Final

from samedeal_protocol import CODE_ALPHABET, CODE_LENGTH
from samedeal_server.domain.duel import DuelId, PlayerId

__all__ = [
    "hash_token",
    "new_code",
    "new_duel_id",
    "new_epoch",
    "new_node_id",
    "new_player_id",
    "new_secret",
    "new_token",
    "read_code",
    "token_owner",
]

_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"


_ID_LENGTH: Final = 12
_TOKEN_LENGTH: Final = 43


def _word(length: int) -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


def new_duel_id(partition: str) -> DuelId:
    """The partition, then 60 random bits."""
    return DuelId(partition + _word(12))


def new_player_id() -> PlayerId:
    """60 random bits."""
    return PlayerId(_word(_ID_LENGTH))


def new_node_id() -> str:
    """40 random bits: nodes are few."""
    return _word(8)


def new_epoch() -> str:
    """A random id, never a count: a failover could rewind a count."""
    return _word(12)


def new_secret() -> str:
    """32 bytes in hex."""
    return secrets.token_hex(32)


def new_token(player: PlayerId) -> str:
    """The player's id and 186 random bits in URL-safe Base64: 43 characters in all.

    The id tells where to look the token up: one call of the store instead of two.
    """
    return player + secrets.token_urlsafe(24)[: _TOKEN_LENGTH - len(player)]


def token_owner(token: str) -> PlayerId:
    """Whose token it claims to be; only its hash in the store proves it."""
    return PlayerId(token[:_ID_LENGTH])


def hash_token(token: str) -> str:
    """All that the store ever sees of a token."""
    return sha256(token.encode()).hexdigest()


def new_code() -> str:
    """A code to be read out."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def read_code(typed: str) -> str:
    """A code as it was given out, whatever case, blanks and dashes it was typed with."""
    return "".join(sign for sign in typed.upper() if sign in CODE_ALPHABET)

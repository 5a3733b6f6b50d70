"""How a deal is fixed before a duel and chosen by nobody; used by server, client and verify."""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final

from samedeal_rules.board import Board
from samedeal_rules.ruleset import OptionValue
from samedeal_rules.words import WORDS

__all__ = ["canonical_options", "commitment", "deal_seed", "fingerprint", "nonce_hash"]

VERSION: Final = "samedeal/1"
_FINGERPRINT_WORDS: Final = 4


def commitment(duel: str, secret: str) -> str:
    """SHA-256 of the duel's id, a line feed and the secret (64 lower-case hex digits, as text)."""
    return sha256(f"{duel}\n{secret}".encode()).hexdigest()


def nonce_hash(nonce: str) -> str:
    """SHA-256 of a player's nonce (32 lower-case hex digits, as text)."""
    return sha256(nonce.encode()).hexdigest()


def canonical_options(options: Mapping[str, OptionValue]) -> str:
    """Canonical options as JSON: sorted keys, no spaces; defaults must be left out already."""
    return json.dumps(dict(options), sort_keys=True, separators=(",", ":"))


def deal_seed(
    *,
    secret: str,
    duel: str,
    ruleset: str,
    options: Mapping[str, OptionValue],
    nonces: Sequence[str],
    k: int,
) -> str:
    """The seed of a server-made deal: 64 lower-case hex digits, taken as text.

    HMAC-SHA256 with the secret (as text) as the key; nonces in seat order; k is 0 unless the
    deal must be winnable.
    """
    parts = (VERSION, duel, ruleset, canonical_options(options), ",".join(nonces), str(k))
    return hmac.new(secret.encode(), "\n".join(parts).encode(), sha256).hexdigest()


def fingerprint(board: Board, names: tuple[str, ...]) -> str:
    """Four words for the visible deal, for players who compare by voice that theirs is the same."""
    digest = sha256(board.text(names).encode()).digest()
    return " ".join(WORDS[byte] for byte in digest[:_FINGERPRINT_WORDS])

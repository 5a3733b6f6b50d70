"""The derivation of a deal's seed, against vectors made by hand."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from samedeal_rules.cards import FRENCH
from samedeal_rules.fairness import (
    canonical_options,
    commitment,
    deal_seed,
    fingerprint,
    nonce_hash,
)
from samedeal_rules.words import WORDS

from .games import new_game

DUEL = "p07-abcdef"
SECRET = "0123456789abcdef" * 4
NONCES = ["00112233445566778899aabbccddeeff", "ffeeddccbbaa99887766554433221100"]


def seed(**changed: object) -> str:
    given = {
        "secret": SECRET,
        "duel": DUEL,
        "ruleset": "timed",
        "options": {},
        "nonces": NONCES,
        "k": 0,
    }
    return deal_seed(**{**given, **changed})  # type: ignore[arg-type]


def test_commitment_is_the_hash_of_id_line_feed_and_secret() -> None:
    """SHA-256(duel id LF secret), the secret as its hex text."""
    text = "p07-abcdef\n" + SECRET
    assert commitment(DUEL, SECRET) == hashlib.sha256(text.encode("ascii")).hexdigest()
    # printf 'p07-abcdef\n0123456789abcdef...' | sha256sum
    assert (
        commitment(DUEL, SECRET)
        == "eb4b7c6f39ec37ff0366e1af7941d2e381ed7bc8f0b0e8520373d39d26357dd6"
    )


def test_nonce_hash_is_the_hash_of_the_nonce_as_text() -> None:
    """Of the 32 hex digits, not of the 16 bytes that they stand for."""
    assert nonce_hash(NONCES[0]) == hashlib.sha256(NONCES[0].encode("ascii")).hexdigest()
    assert nonce_hash(NONCES[0]) != hashlib.sha256(bytes.fromhex(NONCES[0])).hexdigest()


def test_seed_is_the_hmac_of_the_seven_lines() -> None:
    """HMAC-SHA256(secret, "samedeal/1" LF duel LF ruleset LF options LF nonces LF k)."""
    message = (
        "samedeal/1\np07-abcdef\ntimed\n"
        '{"draw":1,"redeals":"unlimited"}\n'
        "00112233445566778899aabbccddeeff,ffeeddccbbaa99887766554433221100\n"
        "12"
    )
    expected = hmac.digest(SECRET.encode(), message.encode(), "sha256").hex()
    assert seed(options={"redeals": "unlimited", "draw": 1}, k=12) == expected


def test_seed_vector() -> None:
    """A fixed value, made once with openssl: it must never change."""
    assert seed() == "f62a04aea67a7789181d9b560637c58ec9b0f2c11fdf106905ac4796f224d253"


@pytest.mark.parametrize(
    "changed",
    [
        {"secret": SECRET[::-1]},
        {"duel": "p07-abcdeg"},
        {"ruleset": "klondike-1"},
        {"options": {"draw": 1}},
        {"nonces": NONCES[::-1]},
        {"nonces": NONCES[:1]},
        {"k": 1},
    ],
)
def test_everything_that_goes_in_counts(changed: dict[str, object]) -> None:
    """Another secret, duel, ruleset, option, nonce, seat order or k is another seed."""
    assert seed(**changed) != seed()


def test_options_are_canonical_json() -> None:
    """Sorted keys, no spaces."""
    assert canonical_options({}) == "{}"
    assert canonical_options({"stock": False, "draw": 3, "deal": "ms:1"}) == (
        '{"deal":"ms:1","draw":3,"stock":false}'
    )


def test_fingerprint_is_four_words_of_the_visible_deal() -> None:
    """The first four bytes of SHA-256 of the canonical text, as words; a view has the same."""
    board = new_game("s").board
    digest = hashlib.sha256(board.text(FRENCH.names).encode()).digest()
    assert fingerprint(board, FRENCH.names) == " ".join(WORDS[byte] for byte in digest[:4])
    assert fingerprint(board.view(), FRENCH.names) == fingerprint(board, FRENCH.names)
    assert fingerprint(new_game("t").board, FRENCH.names) != fingerprint(board, FRENCH.names)


def test_there_is_a_word_for_every_byte() -> None:
    """256 different words, plain letters."""
    assert len(set(WORDS)) == len(WORDS) == 256
    assert all(word.isascii() and word.isalpha() and word.islower() for word in WORDS)

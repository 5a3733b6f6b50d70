"""Section 8, to the bit."""

from __future__ import annotations

from hashlib import sha256
from itertools import chain, islice, repeat

import pytest

from samedeal_rules.shuffle import below, random_words, shuffle

from .naive import naive_deck


def test_words_are_the_blocks_of_sha_256_read_big_endian() -> None:
    """ "block k is SHA-256(seed + k as 8 bytes, big endian) ... eight 32-bit big-endian words"."""
    blocks = b"".join(sha256(b"seed" + bytes(7) + bytes([k])).digest() for k in range(3))
    expected = [int.from_bytes(blocks[i : i + 4], "big") for i in range(0, 96, 4)]
    assert list(islice(random_words(b"seed"), 24)) == expected


def test_the_first_words_of_the_empty_seed() -> None:
    """SHA-256 of eight zero bytes is af5570f5 a1810b7a f78caf4b ... (from sha256sum)."""
    assert [f"{word:08x}" for word in islice(random_words(b""), 3)] == [
        "af5570f5",
        "a1810b7a",
        "f78caf4b",
    ]


@pytest.mark.parametrize("n", [3, 5, 6, 7, 52])
def test_below_skips_words_that_would_favour_small_numbers(n: int) -> None:
    """ "if w >= 2^32 - (2^32 mod n), take the next; else w mod n"."""
    limit = 2**32 - 2**32 % n
    assert below(iter([limit - 1]), n) == n - 1
    assert below(iter([limit, 2**32 - 1, 8 * n + 2]), n) == 2
    with pytest.raises(StopIteration):
        below(iter([limit]), n)


@pytest.mark.parametrize("n", [1, 2, 4, 32])
def test_below_a_power_of_two_skips_nothing(n: int) -> None:
    """2^32 mod n is 0: every word is used."""
    assert below(iter([2**32 - 1]), n) == n - 1


def test_shuffle_swaps_from_the_last_card_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """ "for i from n-1 down to 1: j = below(i+1), swap deck[i] and deck[j]"."""
    monkeypatch.setattr("samedeal_rules.shuffle.random_words", lambda seed: repeat(0))
    deck = list("abcd")
    shuffle(deck, b"")
    # j is always 0: abcd, dbca, cbda, bcda.
    assert "".join(deck) == "bcda"


def test_shuffle_takes_no_word_for_the_first_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """n cards take n - 1 numbers."""
    words = chain([3, 2, 1], iter(()))
    monkeypatch.setattr("samedeal_rules.shuffle.random_words", lambda seed: words)
    deck = list("abcd")
    shuffle(deck, b"")
    assert "".join(deck) == "abcd"


@pytest.mark.parametrize("seed", ["", "a", "42", "Íñigo", "李", "f" * 64])
def test_shuffle_agrees_with_twenty_other_lines(seed: str) -> None:
    """The referee's own shuffle gives the same order."""
    deck = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    shuffle(deck, seed.encode())
    assert deck == naive_deck(seed)

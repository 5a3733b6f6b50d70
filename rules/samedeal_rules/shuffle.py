"""Seeded order of a deck, to the bit (rules, section 8)."""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence
from hashlib import sha256
from struct import unpack
from typing import TypeVar

__all__ = ["below", "random_words", "shuffle"]

T = TypeVar("T")


def random_words(seed: bytes) -> Iterator[int]:
    """32-bit words without end: block k is SHA-256(seed + k as 8 bytes), eight words each."""
    block = 0
    while True:
        yield from unpack(">8I", sha256(seed + block.to_bytes(8, "big")).digest())
        block += 1


def below(words: Iterator[int], n: int) -> int:
    """A number from 0 to n - 1, all equally likely; words that would favour some are skipped."""
    limit = 2**32 - 2**32 % n
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % n


def shuffle(deck: MutableSequence[T], seed: bytes) -> None:
    """Fisher-Yates from the last card down, in place."""
    words = random_words(seed)
    for i in range(len(deck) - 1, 0, -1):
        j = below(words, i + 1)
        deck[i], deck[j] = deck[j], deck[i]

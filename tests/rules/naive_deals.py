"""Section 8 of rules.md a second time: shuffles, sharing no code with the engine."""

from __future__ import annotations

import hashlib

FRENCH = "A23456789TJQK"


def naive_seeded(deck: list[str], seed: str) -> list[str]:
    """The shuffle of section 8."""
    words: list[int] = []
    deck, block = list(deck), 0
    for i in range(len(deck) - 1, 0, -1):
        while True:
            if not words:
                digest = hashlib.sha256(seed.encode() + block.to_bytes(8, "big")).digest()
                words = [int.from_bytes(digest[k : k + 4], "big") for k in range(0, 32, 4)]
                block += 1
            word = words.pop(0)
            if word < 2**32 - 2**32 % (i + 1):
                break
        j = word % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def naive_microsoft(number: int) -> list[str]:
    """The rand() of an old C library, and cards taken from a sorted pack, the last into the gap."""
    pack = [rank + suit for rank in FRENCH for suit in "CDHS"]
    dealt, state = [], number
    while pack:
        state = (state * 214013 + 2531011) % 2**31
        chosen = (state >> 16) % len(pack)
        dealt.append(pack[chosen])
        pack[chosen] = pack[-1]
        pack.pop()
    return dealt

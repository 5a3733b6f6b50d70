"""Leaderboards in the store, and the outbox through which finished duels get there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pydantic import TypeAdapter

from samedeal_protocol import MAX_TOP_ROWS
from samedeal_server.domain.duel import DuelMs
from samedeal_server.domain.tops import TopEntry, TopGame
from samedeal_server.store.client import Client, text
from samedeal_server.store.keys import outbox_key, outbox_lease_key, top_key
from samedeal_server.store.scripts import load_script

__all__ = ["Listed", "TopStore", "read_top_entry", "top_entry_text"]

KEPT: Final = MAX_TOP_ROWS
"""Games of a leaderboard: as many as anybody can ask for. What falls off can't come back."""

_ENTRY: Final = TypeAdapter(TopEntry)


def top_entry_text(entry: TopEntry | None) -> str:
    """An entry as the outbox holds it; empty is none."""
    return "" if entry is None else _ENTRY.dump_json(entry).decode()


def read_top_entry(stored: str) -> TopEntry:
    """The inverse. Raises `ValueError`."""
    return _ENTRY.validate_json(stored)


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of a leaderboard, without its place."""

    name: str
    ruleset: str
    score: int | None
    elapsed_ms: int
    at_ms: DuelMs


def _member(entry: TopEntry, game: TopGame) -> str:
    """A game whole, so that one key is the leaderboard; unique by its duel and player.

    The sorted set puts equal values in the order of their texts: the date comes first, padded.
    """
    score = "-" if game.score is None else game.score
    return (
        f"{game.at_ms:015d} {entry.duel} {game.player} {entry.ruleset} "
        f"{score} {game.elapsed_ms} {game.name}"
    )


def _listed(member: str) -> Listed:
    at_ms, _duel, _player, ruleset, score, elapsed_ms, name = member.split(" ", 6)
    points = None if score == "-" else int(score)
    return Listed(name, ruleset, points, int(elapsed_ms), DuelMs(int(at_ms)))


class TopStore:
    """Raises the library's errors when the store is away; all of it may be done again then."""

    def __init__(self, redis: Client, node: str) -> None:
        self._redis = redis
        self._node = node
        self._claim = load_script(redis, "claim_outbox")
        self._top = load_script(redis, "top")

    async def claim(self, partition: str, lease_ms: int, count: int) -> list[tuple[str, str]]:
        """Id and text of the oldest entries, unless another node is at it."""
        keys = [outbox_key(partition), outbox_lease_key(partition)]
        found = [text(part) for part in await self._claim(keys, [self._node, lease_ms, count])]
        return list(zip(found[::2], found[1::2], strict=True))

    async def apply(self, entry: TopEntry) -> None:
        """Put a duel's games where they belong; a second time changes nothing."""
        args: list[str | int] = [KEPT]
        for game in entry.games:
            args += [game.sort_value, _member(entry, game)]
        await self._top([top_key(entry.table)], args)

    async def forget(self, partition: str, ids: list[str]) -> None:
        """These entries are applied."""
        await self._redis.xdel(outbox_key(partition), *ids)

    async def best(self, table: str, count: int) -> list[Listed]:
        """The first lines of a leaderboard."""
        found = await self._redis.zrange(top_key(table), 0, count - 1)
        return [_listed(str(member)) for member in found]

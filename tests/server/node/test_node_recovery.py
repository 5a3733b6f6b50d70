"""What a node does after something went wrong: it goes on by itself, for everybody else too."""

from __future__ import annotations

from typing import Any

import pytest
from redis.asyncio import Redis

from samedeal_server.node.sweeper import Sweeper
from samedeal_server.store.duels import Stored
from support.nodes import eventually, nodes
from support.player import opponents


async def test_a_duel_that_cannot_be_read_keeps_no_news_from_others(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a gap all duels are read anew; one that fails is logged, and passed over."""
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, two.port, duration_ms=60_000) as (ann, _bob),
        opponents(one.port, two.port, duration_ms=60_000) as (eve, dan),
        Redis.from_url(store_url) as redis,
    ):
        broken = ann.last("duel")["id"]
        read = two.store.read
        tried = 0

        async def fails(duel: Any) -> Stored | None:
            nonlocal tried
            if duel == broken:
                tried += 1
                raise ValueError("a document that nobody can read")
            return await read(duel)

        monkeypatch.setattr(two.store, "read", fails)
        await redis.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
        await eventually(lambda: tried)
        score = (await eve.play("d"))["score"]
        await dan.until("standings", lambda m: any(r["score"] == score for r in m["rows"]))


async def test_a_duel_that_cannot_be_read_keeps_no_other_from_its_end(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sweeper ends the overdue duels behind it all the same."""
    async with nodes(store_url) as (node,):
        ended: list[str] = []

        async def due(*_args: Any) -> list[str]:
            return ["p00broken", "p00other"]

        async def read(duel: str) -> Stored | None:
            if duel == "p00broken":
                raise ValueError("a document that nobody can read")
            return None

        async def forget(duel: str) -> None:
            ended.append(duel)

        monkeypatch.setattr(node.store, "claim_due", due)
        monkeypatch.setattr(node.store, "read", read)
        monkeypatch.setattr(node.store, "forget_due", forget)
        await Sweeper(node.store, node.keeper, node.clock, "p00").sweep()
        assert ended == ["p00other"]

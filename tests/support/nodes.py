"""Nodes in this process, quick ones, on a store of one test's own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from redis.asyncio import Redis

from samedeal_server.node.node import Node, running_node
from samedeal_server.settings import Settings

__all__ = ["eventually", "nodes", "quick_settings"]


def quick_settings(**changes: Any) -> Settings:
    """Short times and wide limits; what a test is about it sets itself."""
    values: dict[str, Any] = {
        "port": 0,
        "min_duration_ms": 100,
        "countdown_s": 0.15,
        "reveal_s": 3,
        "standings_hz": 50,
        "grace_ms": 50,
        "tell_winnable": False,  # a process for each node
        "stop_s": 3,
        "player_duels_per_min": 1_000_000,
        "busy_lag_ms": 60_000,  # the tests themselves hold the loop up
        "moves_per_s": 5000,
        "moves_burst": 5000,
        "requests_per_s": 5000,
        "requests_burst": 5000,
    }
    return Settings(**{**values, **changes})


@asynccontextmanager
async def nodes(store_url: str, count: int = 1, **changes: Any) -> AsyncIterator[list[Node]]:
    """So many nodes on an empty store. (Fixtures empty a Cluster and a Sentinel set.)"""
    if "+" not in store_url:
        async with Redis.from_url(store_url) as redis:
            await redis.flushdb()
    settings = quick_settings(**changes)
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(running_node(settings, store_url)) for _ in range(count)
        ]


async def eventually(check: Any, patience_s: float = 20.0) -> Any:
    """What `check` (or what it awaits) gives, once that is true."""
    async with asyncio.timeout(patience_s):
        while True:
            found = check()
            if asyncio.iscoroutine(found):
                found = await found
            if found:
                return found
            await asyncio.sleep(0.02)

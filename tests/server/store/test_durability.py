"""What operators are told about the store at hand."""

from __future__ import annotations

import pytest

from samedeal_server.store.client import open_client
from samedeal_server.store.durability import durability


@pytest.mark.parametrize(
    ("appendonly", "appendfsync", "lossless", "word"),
    [
        ("yes", "always", True, "nothing acknowledged is lost"),
        ("yes", "everysec", False, "two seconds"),
        ("no", "always", False, "appendonly yes"),
    ],
)
async def test_operators_are_told_what_a_power_loss_loses(
    store_url: str, appendonly: str, appendfsync: str, lossless: bool, word: str
) -> None:
    """Design, "How long is kept": said honestly, to operators at start-up."""
    redis = open_client(store_url)
    before = await redis.config_get("append*")
    try:
        await redis.config_set("appendonly", appendonly)
        await redis.config_set("appendfsync", appendfsync)
        told = await durability(redis)
        assert told[0] is lossless
        assert word in told[1]
    finally:
        for name in ("appendonly", "appendfsync"):
            await redis.config_set(name, before[name])
        await redis.aclose()

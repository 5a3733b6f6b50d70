"""What the store at hand loses, and when; said to who runs the server (docs/operations.md)."""

from __future__ import annotations

from redis.asyncio import Redis
from redis.exceptions import RedisError

from samedeal_server.store.client import text

__all__ = ["durability"]


async def durability(redis: Redis) -> tuple[bool, str]:
    """Whether a power loss loses nothing acknowledged, and the sentence that says what it loses."""
    try:
        found = await redis.config_get("append*")
    except RedisError:
        return False, "the store does not tell how it keeps data: a power loss may lose some"
    told = {text(name): text(value or "") for name, value in found.items() if name}
    if told.get("appendonly") != "yes":
        return False, (
            "the store keeps no append-only file: if it stops, all since its last snapshot is "
            "lost; set appendonly yes"
        )
    if told.get("appendfsync") != "always":
        return False, "a power loss may lose the last two seconds; appendfsync always loses nothing"
    return True, "nothing acknowledged is lost when processes are killed or the power fails"

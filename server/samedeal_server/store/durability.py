"""What the store at hand loses, and when; said to who runs the server (docs/operations.md)."""

from __future__ import annotations

from typing import Any

from redis.exceptions import RedisError

from samedeal_server.store.client import Client, Cluster, text

__all__ = ["durability"]


async def durability(client: Client) -> tuple[bool, str]:
    """Whether a power loss loses nothing acknowledged, and the sentence that says what it loses.

    Of a Cluster: its weakest primary.
    """
    try:
        if isinstance(client, Cluster):
            answers = await client.config_get("append*", target_nodes=Cluster.PRIMARIES)
            # One primary's answer comes bare, several come by name.
            nested = any(isinstance(answer, dict) for answer in answers.values())
            found = list(answers.values()) if nested else [answers]
        else:
            found = [await client.config_get("append*")]
    except RedisError:
        return False, "the store does not tell how it keeps data: a power loss may lose some"
    return min(_judged(one) for one in found)


def _judged(found: Any) -> tuple[bool, str]:
    told = {text(name): text(value or "") for name, value in found.items() if name}
    if told.get("appendonly") != "yes":
        return False, (
            "the store keeps no append-only file: if it stops, all since its last snapshot is "
            "lost; set appendonly yes"
        )
    if told.get("appendfsync") != "always":
        return False, "a power loss may lose the last two seconds; appendfsync always loses nothing"
    return True, "nothing acknowledged is lost when processes are killed or the power fails"

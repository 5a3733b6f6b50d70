"""What the store at hand loses, and when; said to who runs the server (docs/operations.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from redis.exceptions import RedisError

from samedeal_server.store.client import Client, Cluster, text
from samedeal_server.store.replication import NO_REPLICAS, Replicas

__all__ = ["durability"]


async def durability(client: Client, replicas: Replicas = NO_REPLICAS) -> tuple[bool, str]:
    """Whether nothing acknowledged is lost, and the sentences that say what is, and when.

    Of a Cluster: its weakest primary.
    """
    try:
        settings = await _each(client, "CONFIG GET", "append*")
        replication = await _each(client, "INFO", "replication")
    except RedisError:
        return False, "the store does not tell how it keeps data: a power loss may lose some"
    power = min(_power_loss(found) for found in settings)
    connected = [int(found.get("connected_slaves", 0)) for found in replication]
    failover = _failover(min(connected), max(connected), replicas)
    if failover is None:
        return power
    return power[0] and failover[0], f"{power[1]}. {failover[1]}"


async def _each(client: Client, command: str, argument: str) -> list[dict[Any, Any]]:
    """The answers of all primaries."""
    if not isinstance(client, Cluster):
        return [await client.execute_command(command, argument)]
    await client.initialize()
    return [
        await client.execute_command(command, argument, target_nodes=node)
        for node in client.get_primaries()
    ]


def _power_loss(found: Mapping[Any, Any]) -> tuple[bool, str]:
    told = {text(name): text(value or "") for name, value in found.items() if name}
    if told.get("appendonly") != "yes":
        return False, (
            "the store keeps no append-only file: if it stops, all since its last snapshot is "
            "lost; set appendonly yes"
        )
    if told.get("appendfsync") != "always":
        return False, "a power loss may lose the last two seconds; appendfsync always loses nothing"
    return True, "nothing acknowledged is lost when processes are killed or the power fails"


def _failover(fewest: int, most: int, replicas: Replicas) -> tuple[bool, str] | None:
    """By how many replicas the primaries have; None if none could take over, nor should."""
    if fewest < replicas.acked:
        return False, (
            f"Moves wait for replicas_acked={replicas.acked}, but replicas connected are "
            f"{fewest}: nothing is acknowledged until there are more"
        )
    if replicas.acked:
        return True, (
            "A failover loses nothing acknowledged as long as a replica takes over that has it: "
            f"{replicas.acked} of {fewest} must have each move"
        )
    if most:
        return False, (
            "A failover may lose the latest moves: clients send them again; with replicas_acked=1 "
            "a move waits for a replica"
        )
    return None

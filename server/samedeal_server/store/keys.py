"""Every key of the store is built here (design, "The store").

A duel's keys share its partition's hash tag, so that one script call can serve many duels.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "NODES",
    "OPEN",
    "PARTITIONS",
    "clock_key",
    "code_key",
    "due_key",
    "duel_channel",
    "duel_key",
    "duel_keys",
    "duel_prefix",
    "here_key",
    "journal_key",
    "mark_key",
    "name_key",
    "node_channel",
    "node_prefix",
    "nodes_key",
    "outbox_key",
    "outbox_lease_key",
    "partition_of",
    "player_key",
    "progress_key",
    "queue_key",
    "queue_tickets_key",
    "seats_key",
    "secret_key",
    "top_key",
]

PARTITIONS = "sd:partitions"
"""String: the partitions of this store, `p00 p03 ...`."""
NODES = "sd:nodes"
"""Sorted set: node id by the time until which it is alive."""
OPEN = "sd:open"
"""Sorted set with an expiry: duels that anybody may join, by the time they were made."""


def partition_of(duel: str) -> str:
    """`p07` of `p07k3…`."""
    return duel[:3]


def duel_prefix(partition: str) -> str:
    """What the keys of a partition's duels begin with; scripts append `ID` and a suffix."""
    return f"sd:{{{partition}}}:d:"


def duel_key(duel: str) -> str:
    """Hash: doc, v, start_at, deadline, sealed, result, rematch."""
    return duel_prefix(partition_of(duel)) + duel


def secret_key(duel: str) -> str:
    """String, apart from the rest so that nothing shows it by accident."""
    return duel_key(duel) + ":secret"


def seats_key(duel: str) -> str:
    """Hash: player -> epoch of the one connection that may write the player's journal."""
    return duel_key(duel) + ":seats"


def progress_key(duel: str) -> str:
    """Hash: player -> standing (see `Standing.text`)."""
    return duel_key(duel) + ":progress"


def here_key(duel: str) -> str:
    """Hash: player -> the node that holds the player's connection; empty is away."""
    return duel_key(duel) + ":here"


def nodes_key(duel: str) -> str:
    """Set: nodes that want to hear of this duel."""
    return duel_key(duel) + ":nodes"


def journal_key(duel: str, player: str) -> str:
    """List: the player's entries, `ms move`; the index is the seq."""
    return f"{duel_key(duel)}:j:{player}"


def duel_keys(duel: str, players: Iterable[str]) -> list[str]:
    """All keys of a duel."""
    kinds = (duel_key, secret_key, seats_key, progress_key, here_key, nodes_key)
    return [kind(duel) for kind in kinds] + [journal_key(duel, player) for player in players]


def clock_key(partition: str) -> str:
    """String: milliseconds that nodes add to the TIME of the primary that has the partition."""
    return f"sd:{{{partition}}}:clock"


def due_key(partition: str) -> str:
    """Sorted set: duels by the time at which somebody must act."""
    return f"sd:{{{partition}}}:due"


def outbox_key(partition: str) -> str:
    """Stream: what finished duels add elsewhere, until it is there."""
    return f"sd:{{{partition}}}:outbox"


def outbox_lease_key(partition: str) -> str:
    """String with an expiry: the node that empties the outbox just now."""
    return outbox_key(partition) + ":lease"


def mark_key(key: str) -> str:
    """String with an expiry, in the slot of `key`: written so that replicas can be waited for."""
    opened, _, rest = key.partition("{")
    tag = rest.partition("}")[0] or opened
    return f"sd:{{{tag}}}:mark"


def node_prefix(partition: str) -> str:
    """What the names of the channels of a partition begin with; a node's id follows."""
    return f"sd:{{{partition}}}:n:"


def duel_channel(partition: str, node: str) -> str:
    """Sharded channel: what other nodes did to duels that this node holds players of."""
    return node_prefix(partition) + node


def node_channel(node: str) -> str:
    """Channel: what concerns players connected to this node."""
    return f"sd:n:{node}"


def code_key(code: str) -> str:
    """String: duel id."""
    return f"sd:code:{code}"


def name_key(folded: str) -> str:
    """String: the player whose name it is."""
    return f"sd:name:{folded}"


def player_key(player: str) -> str:
    """Hash: name, hash of the token, epoch and node of the newest connection, at (duel, queue)."""
    return f"sd:p:{player}"


def queue_key(ruleset: str, seats: int) -> str:
    """Sorted set: waiting players by the time since when."""
    return f"sd:{{q:{ruleset}:{seats}}}"


def queue_tickets_key(ruleset: str, seats: int) -> str:
    """Hash: player -> ticket; `m:` + match id -> who was taken."""
    return queue_key(ruleset, seats) + ":tickets"


def top_key(table: str) -> str:
    """Sorted set: games of a leaderboard, whole, by how good they are (see `tops.py`)."""
    return f"sd:top:{table}"

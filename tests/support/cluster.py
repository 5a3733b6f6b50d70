"""A real Cluster of three primaries on loopback, made without a command-line tool."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from redis.crc import key_slot

from .valkeys import Valkey, free_ports, until

__all__ = ["ValkeyCluster", "running_cluster"]

SLOTS = 16384
NODE_TIMEOUT_MS = 1000


@dataclass
class ValkeyCluster:
    """Three primaries; each is in charge of a third of the slots at the start."""

    nodes: list[Valkey]
    """The primaries, and then the replica of the first, if there is one."""

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def clear(self) -> None:
        for node in self.nodes:
            node.redis.flushall()

    def ids(self) -> list[str]:
        return [str(node.redis.execute_command("CLUSTER MYID")) for node in self.nodes]

    def owner(self, key: str) -> int:
        """The number of the node that has the key's slot."""
        slot = key_slot(key.encode())
        for number, node in enumerate(self.nodes):
            for shard in node.redis.execute_command("CLUSTER SLOTS"):
                first, last, primary = shard[:3]
                if first <= slot <= last and primary[1] == node.port:
                    return number
        raise AssertionError("nobody has it")

    def agree(self) -> None:
        """Until all nodes see all, and all slots are served."""
        known = f"cluster_known_nodes:{len(self.nodes)}\n"
        until(lambda: all(_agrees(node, known) for node in self.nodes))

    def replicate(self) -> None:
        """The last node becomes a replica of the first, and has all of it."""
        first, last = self.nodes[0], self.nodes[-1]
        last.redis.execute_command("CLUSTER REPLICATE", self.ids()[0])
        until(lambda: last.redis.info("replication").get("master_link_status") == "up")
        until(lambda: first.redis.info("replication")["connected_slaves"] == 1)

    def begin_move(self, key: str, to: int) -> None:
        """From here on the slot is half here, half there (`CLUSTER SETSLOT`)."""
        slot, ids, source = key_slot(key.encode()), self.ids(), self.owner(key)
        self.nodes[to].redis.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", ids[source])
        self.nodes[source].redis.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", ids[to])

    def move_keys(self, key: str, source: int, to: int, part: str = "") -> int:
        """The slot's keys whose names have a part; how many there were."""
        slot = key_slot(key.encode())
        keys = self.nodes[source].redis.execute_command("CLUSTER GETKEYSINSLOT", slot, 10_000)
        keys = [name for name in keys if part in name]
        if keys:
            self.nodes[source].redis.execute_command(
                "MIGRATE", "127.0.0.1", self.nodes[to].port, "", 0, 5000, "KEYS", *keys
            )
        return len(keys)

    def end_move(self, key: str, to: int) -> None:
        slot, ids = key_slot(key.encode()), self.ids()
        for number in (to, *(n for n in range(len(self.nodes)) if n != to)):
            self.nodes[number].redis.execute_command("CLUSTER SETSLOT", slot, "NODE", ids[to])


@contextmanager
def running_cluster(directory: Path, *, replica: bool = False) -> Iterator[ValkeyCluster]:
    """Up and agreed; gone at the end."""
    count = 3 + replica
    ports = free_ports(2 * count)
    nodes = [
        Valkey(
            directory / f"n{number}",
            ports[number],
            cluster_enabled="yes",
            cluster_port=ports[number + count],
            cluster_node_timeout=NODE_TIMEOUT_MS,
            cluster_require_full_coverage="no",
            appendonly="yes",
            appendfsync="always",  # or a kill while the disk is busy may lose two seconds
        )
        for number in range(count)
    ]
    try:
        for number, node in enumerate(nodes):
            node.start()
            if number < 3:
                first, last = number * SLOTS // 3, (number + 1) * SLOTS // 3 - 1
                node.redis.execute_command("CLUSTER ADDSLOTSRANGE", first, last)
            node.redis.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
        for node in nodes[1:]:
            node.redis.execute_command("CLUSTER MEET", "127.0.0.1", nodes[0].port, ports[count])
        cluster = ValkeyCluster(nodes)
        cluster.agree()
        if replica:
            cluster.replicate()
        yield cluster
    finally:
        for node in nodes:
            node.kill()


def _agrees(node: Valkey, known: str) -> bool:
    info = node.redis.execute_command("CLUSTER INFO")
    text = info if isinstance(info, str) else "".join(f"{k}:{v}\n" for k, v in info.items())
    return "cluster_state:ok" in text and known in text and "slots_ok:16384" in text

"""A real Sentinel set on loopback: a primary, a replica, three sentinels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from .valkeys import Valkey, free_ports, until

__all__ = ["SERVICE", "SentinelSet", "running_sentinel_set"]

SERVICE = "duels"
DOWN_AFTER_MS = 500


@dataclass
class SentinelSet:
    servers: list[Valkey]
    sentinels: list[Valkey]

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in self.sentinels)
        return f"redis+sentinel://{hosts}/{SERVICE}"

    def primary(self) -> Valkey:
        """Whom the sentinels name."""
        _, port = self.sentinels[0].redis.execute_command(
            "SENTINEL GET-MASTER-ADDR-BY-NAME", SERVICE
        )
        return next(server for server in self.servers if server.port == int(port))

    def replica(self) -> Valkey:
        primary = self.primary()
        return next(server for server in self.servers if server is not primary)

    def fail_over(self) -> Valkey:
        """Kill the primary; the new one, once it is one."""
        old, new = self.primary(), self.replica()
        old.kill()
        until(lambda: self.primary() is new and new.redis.role()[0] == "master")
        return new

    def restore(self) -> None:
        """All running, replicated, and known to all sentinels; for the next test."""
        primary = self.primary()
        for server in self.servers:
            if not server.is_running:
                server.start()
            if server is not primary:  # in 10 s it would be told by the sentinels
                until(partial(server.redis.replicaof, "127.0.0.1", primary.port))
        until(self._is_whole, 30)

    def _is_whole(self) -> bool:
        primary = self.primary()
        info = primary.redis.info("replication")
        whole = info["role"] == "master" and info["connected_slaves"] == len(self.servers) - 1
        return bool(
            whole
            and self._has_caught_up()
            and all(self._sees_all(sentinel) for sentinel in self.sentinels)
        )

    def catch_up(self) -> None:
        """Until the replica has all that the primary has now."""
        until(self._has_caught_up)

    def _has_caught_up(self) -> bool:
        theirs = self.replica().redis.info("replication")
        offset = self.primary().redis.info("replication")["master_repl_offset"]
        return bool(
            theirs["role"] == "slave"
            and theirs["master_link_status"] == "up"
            and theirs["slave_repl_offset"] >= offset
        )

    def _sees_all(self, sentinel: Valkey) -> bool:
        seen = sentinel.redis.sentinel_masters()[SERVICE]
        return bool(
            seen["num-other-sentinels"] == len(self.sentinels) - 1
            and seen["num-slaves"] == len(self.servers) - 1
            and not seen["is_sdown"]
            and seen["port"] == self.primary().port
        )


@contextmanager
def running_sentinel_set(directory: Path) -> Iterator[SentinelSet]:
    """Up and agreed; gone at the end."""
    ports = free_ports(5)
    durable = {"appendonly": "yes", "appendfsync": "everysec", "repl_timeout": 5}
    primary = Valkey(directory / "s0", ports[0], **durable)
    replica = Valkey(directory / "s1", ports[1], replicaof=f"127.0.0.1 {ports[0]}", **durable)
    sentinels = [
        Valkey(directory / f"w{n}", ports[n + 2], sentinel=True).add(
            f"sentinel monitor {SERVICE} 127.0.0.1 {ports[0]} 2",
            f"sentinel down-after-milliseconds {SERVICE} {DOWN_AFTER_MS}",
            f"sentinel failover-timeout {SERVICE} 3000",
        )
        for n in range(3)
    ]
    found = SentinelSet([primary, replica], sentinels)
    try:
        for process in (primary, replica, *sentinels):
            process.start()
        found.restore()
        yield found
    finally:
        for process in (*sentinels, replica, primary):
            process.kill()

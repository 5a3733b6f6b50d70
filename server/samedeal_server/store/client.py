"""Connections to the store, whatever kind it is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

from redis.asyncio import BlockingConnectionPool, ConnectionPool, Redis, RedisCluster
from redis.asyncio.client import PubSub
from redis.asyncio.cluster import ClusterNode, ClusterPipeline
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import (
    MasterNotFoundError,
    Sentinel,
    SentinelManagedConnection,
    SentinelManagedSSLConnection,
)
from redis.backoff import ExponentialBackoff
from redis.exceptions import (
    BusyLoadingError,
    ClusterDownError,
    ClusterError,
    ConnectionError,  # noqa: A004
    MasterDownError,
    MovedError,
    ReadOnlyError,
    RedisClusterException,
    TimeoutError,  # noqa: A004
    TryAgainError,
)

from samedeal_server.store.address import StoreAddress, StoreKind, StoreTls, parse_store_url
from samedeal_server.store.replication import ReplicationLags

__all__ = [
    "STORE_AWAY",
    "Client",
    "Cluster",
    "bare_connection",
    "look_again",
    "open_client",
    "subscriber",
    "text",
]

Client = Redis | RedisCluster
"""What the stores call: every call of theirs touches one slot, or is a pipeline of such calls."""

STORE_AWAY: Final = (
    ConnectionError,
    TimeoutError,
    BusyLoadingError,
    ReadOnlyError,
    MasterDownError,
    ClusterDownError,
    ClusterError,
    TryAgainError,
    ReplicationLags,
)
"""What is raised when the store can't be used just now; all of it passes."""

MAX_CONNECTIONS: Final = 16
"""Of one node. Moves use one of them at a time, requests of the lobby the others; who finds
none free waits (a full pool that raises would show players our plumbing)."""

POOL_WAIT_S: Final = 30.0
"""After a restart some ten thousand players say hello at once, about a thousand a second."""
SOCKET_TIMEOUT_S: Final = 5.0
"""A store that does not answer for so long is away; the call is made again."""
SENTINEL_TIMEOUT_S: Final = 1.0
"""A sentinel that does not answer for so long is passed over: there are others."""
CLUSTER_RETRIES: Final = 5
"""Of a call that found its primary gone: a failover takes longer, and callers try again."""


def open_client(url: str, *, retries: int = 2, tls: StoreTls | None = None) -> Client:
    """A client with a pool of its own. Connects at the first command.

    `retries` are the library's, for commands that may run twice: every script of ours may.
    Raises `ValueError` for a URL that is none.
    """
    address = parse_store_url(url)
    options: dict[str, Any] = {
        "decode_responses": True,
        "encoding_errors": "replace",
        "socket_timeout": SOCKET_TIMEOUT_S,
        "socket_connect_timeout": SOCKET_TIMEOUT_S,
        "health_check_interval": 15,
        **((tls or StoreTls()).options() if address.tls else {}),
        **address.options,
    }
    if address.kind is StoreKind.CLUSTER:
        return _cluster(address, options)
    pool_options = {
        **options,
        "max_connections": MAX_CONNECTIONS,
        "timeout": POOL_WAIT_S,
        "retry": Retry(ExponentialBackoff(cap=0.5, base=0.05), retries),
    }
    pool: BlockingConnectionPool
    if address.kind is StoreKind.SENTINEL:
        pool = _SentinelPool(_sentinel(address, options), address, **pool_options)
    else:
        pool = BlockingConnectionPool(**pool_options)
    return Redis.from_pool(pool)  # the client closes it


class _Primary:
    """The primary of a Sentinel set, asked for at each new connection; stands in for the pool
    that the library's connections ask."""

    is_master = True
    check_connection = False

    def __init__(self, sentinel: Sentinel, service: str) -> None:
        self._sentinel = sentinel
        self._service = service
        self._alone = asyncio.Lock()
        """The library puts the sentinel that answered first; two at once could lose another."""

    async def get_master_address(self) -> tuple[str, int]:
        async with self._alone:
            try:
                found: tuple[str, int] = await self._sentinel.discover_master(self._service)
            except MasterNotFoundError:
                # The library's words show all options of its connections.
                text = f"no sentinel names a primary of {self._service!r} that is up"
                raise MasterNotFoundError(text) from None
        return found


class _SentinelPool(BlockingConnectionPool):
    """The library's pool for sentinels fails when it is full; this one waits."""

    def __init__(self, sentinel: Sentinel, address: StoreAddress, **options: Any) -> None:
        super().__init__(
            **options
            | {
                "connection_class": (
                    SentinelManagedSSLConnection if address.tls else SentinelManagedConnection
                ),
                "connection_pool": _Primary(sentinel, address.service),
            }
        )
        self._sentinel = sentinel

    async def aclose(self) -> None:
        await super().aclose()
        await self._sentinel.aclose()


def _sentinel(address: StoreAddress, options: dict[str, Any]) -> Sentinel:
    tls = {name: value for name, value in options.items() if name.startswith("ssl_")}
    sentinel: Sentinel = Sentinel(  # type: ignore[no-untyped-call]
        address.hosts,
        sentinel_kwargs={
            "socket_timeout": SENTINEL_TIMEOUT_S,
            "socket_connect_timeout": SENTINEL_TIMEOUT_S,
            **({"ssl": True, **tls} if address.tls else {}),
            **address.sentinel_options,
        },
    )
    return sentinel


@contextmanager
def _away() -> Iterator[None]:
    """Some of the library's errors of a Cluster are no `RedisError`; these pass as well."""
    try:
        yield
    except RedisClusterException as error:
        raise ConnectionError(str(error)) from error


class _Pipeline(ClusterPipeline):
    async def execute(
        self, raise_on_error: bool = True, allow_redirections: bool = True
    ) -> list[Any]:
        client = self.cluster_client
        assert isinstance(client, Cluster)
        async with client.turn:
            with _away():
                return await super().execute(raise_on_error, allow_redirections)


class Cluster(RedisCluster):
    """The library's client; who finds no connection free waits instead of failing."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.turn = asyncio.Semaphore(MAX_CONNECTIONS)

    async def initialize(self, *args: Any, **kwargs: Any) -> RedisCluster:
        with _away():
            return await super().initialize(*args, **kwargs)

    async def execute_command(self, *args: Any, **kwargs: Any) -> Any:
        async with self.turn:
            with _away():
                return await super().execute_command(*args, **kwargs)

    def pipeline(self, transaction: Any = None, shard_hint: Any = None) -> ClusterPipeline:
        return _Pipeline(self, transaction)  # type: ignore[abstract]  # nor is the library's own

    async def owner(self, key: str, *, again: bool = False) -> ClusterNode:
        """The primary that has a key, as far as we know; `again` asks the cluster first."""
        with _away():
            await self.initialize()
            if again:
                await self.nodes_manager.initialize()
            return self.nodes_manager.get_node_from_slot(self.keyslot(key))


def _cluster(address: StoreAddress, options: dict[str, Any]) -> Cluster:
    options.pop("connection_class", None)
    options.pop("db", None)
    nodes = [ClusterNode(host, port) for host, port in address.hosts]
    retry = Retry(ExponentialBackoff(cap=0.5, base=0.05), CLUSTER_RETRIES)
    return Cluster(
        startup_nodes=nodes,
        ssl=address.tls,
        retry=retry,
        require_full_coverage=False,  # the cluster decides whether it serves a part
        max_connections=2 * MAX_CONNECTIONS,  # a pipeline may send a command again by itself
        **options,
    )


async def look_again(client: Client, key: str, error: Exception) -> None:
    """After an error of a connection made for `key`: find out where the key is now.

    Raises the library's errors while nobody can tell.
    """
    if not isinstance(client, Cluster):
        return
    if isinstance(error, MovedError):
        await client.nodes_manager.move_slot(error)
    else:
        await client.owner(key, again=True)


async def bare_connection(client: Client, key: str, **changes: Any) -> AbstractConnection:
    """A connection of the caller's own to the primary that has the key, not yet connected.

    To a server or a Sentinel set it finds the primary anew each time it connects; to a Cluster,
    the caller makes another after `look_again`.
    """
    if isinstance(client, Cluster):
        node = await client.owner(key)
        connection: AbstractConnection = node.connection_class(**node.connection_kwargs | changes)
        return connection
    assert isinstance(client, Redis)
    pool = client.connection_pool
    return pool.connection_class(**pool.connection_kwargs | changes)


@asynccontextmanager
async def subscriber(client: Client, key: str) -> AsyncIterator[PubSub]:
    """A subscription to channels of the key's slot (and to channels of the whole store)."""
    if isinstance(client, Cluster):
        node = await client.owner(key)
        pool = ConnectionPool(connection_class=node.connection_class, **node.connection_kwargs)
        try:
            async with PubSub(pool) as pubsub:
                yield pubsub
        finally:
            await pool.aclose()
    else:
        async with client.pubsub() as pubsub:
            yield pubsub


def text(value: bytes | str) -> str:
    """What the library calls bytes or text is text: our clients decode."""
    return value if isinstance(value, str) else value.decode("utf-8", "replace")

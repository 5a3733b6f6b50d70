"""Connections to the store."""

from __future__ import annotations

from typing import Final

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff
from redis.exceptions import (
    BusyLoadingError,
    ClusterDownError,
    ConnectionError,  # noqa: A004
    MasterDownError,
    ReadOnlyError,
    TimeoutError,  # noqa: A004
    TryAgainError,
)

__all__ = ["STORE_AWAY", "open_client", "text"]

STORE_AWAY: Final = (
    ConnectionError,
    TimeoutError,
    BusyLoadingError,
    ReadOnlyError,
    MasterDownError,
    ClusterDownError,
    TryAgainError,
)
"""What is raised when the store can't be used just now; all of it passes."""

MAX_CONNECTIONS: Final = 16
"""Of one node. Moves use one of them at a time, requests of the lobby the others; who finds
none free waits (a full pool that raises would show players our plumbing)."""

POOL_WAIT_S: Final = 30.0
"""After a restart some ten thousand players say hello at once, about a thousand a second."""
SOCKET_TIMEOUT_S: Final = 5.0
"""A store that does not answer for so long is away; the call is made again."""


def open_client(url: str, *, retries: int = 2) -> Redis:
    """A client with a pool of its own. Connects at the first command.

    `retries` are the library's, for commands that may run twice: every script of ours may.
    """
    pool: BlockingConnectionPool = BlockingConnectionPool.from_url(
        url,
        max_connections=MAX_CONNECTIONS,
        timeout=POOL_WAIT_S,
        decode_responses=True,
        encoding_errors="replace",
        socket_timeout=SOCKET_TIMEOUT_S,
        socket_connect_timeout=SOCKET_TIMEOUT_S,
        retry=Retry(ExponentialBackoff(cap=0.5, base=0.05), retries),
        health_check_interval=15,
    )
    return Redis.from_pool(pool)  # the client closes it


def text(value: bytes | str) -> str:
    """What the library calls bytes or text is text: our clients decode."""
    return value if isinstance(value, str) else value.decode("utf-8", "replace")

"""What other nodes tell this one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import structlog
from redis.exceptions import ConnectionError, RedisError  # noqa: A004

from samedeal_server.metrics.counts import Counts
from samedeal_server.store.client import STORE_AWAY, Client, look_again, subscriber, text
from samedeal_server.store.keys import duel_channel, node_channel
from samedeal_server.store.partitions import FIRST_PARTITION, Partitions

__all__ = ["News"]

_log = structlog.get_logger()

SILENCE_S: Final = 5.0
"""Without news for this long, ask whether the store still hears us."""
ANSWER_S: Final = 5.0
AGAIN_S: Final = 0.5


class News:
    """Subscribes to this node's channels, for ever; reads everything anew after a gap."""

    def __init__(
        self,
        client: Client,
        partitions: Partitions,
        node: str,
        handle: Callable[[str], Awaitable[None]],
        missed: Callable[[str], Awaitable[None]],
        counts: Counts,
    ) -> None:
        self._client = client
        self._partitions = partitions
        self._node = node
        self._handle = handle
        self._missed = missed
        """Told the partition of which news were missed."""
        self._counts = counts
        self._heard: set[str] = set()
        self.listening = asyncio.Event()
        """Set once all first subscriptions stand."""

    async def keep(self) -> None:
        """Listen to each partition on a connection to its primary."""
        async with asyncio.TaskGroup() as tasks:
            for partition in self._partitions.names:
                tasks.create_task(self._keep(partition))

    async def _keep(self, partition: str) -> None:
        """Listen; when the connection fails or falls silent, listen anew."""
        channel = duel_channel(partition, self._node)
        while True:
            try:
                await self._listen(partition, channel)
            except (RedisError, TimeoutError, OSError) as error:
                self._counts.store_errors["news"] += 1
                _log.warning("news from other nodes are cut off", error=type(error).__name__)
                failed = error
            await asyncio.sleep(AGAIN_S)
            try:
                await look_again(self._client, channel, failed)
            except STORE_AWAY:
                continue

    async def _listen(self, partition: str, channel: str) -> None:
        async with subscriber(self._client, channel) as pubsub:
            if partition == FIRST_PARTITION:
                await pubsub.subscribe(node_channel(self._node))
            await pubsub.ssubscribe(channel)
            asked = False
            while True:
                message: dict[str, Any] | None = await pubsub.get_message(
                    timeout=ANSWER_S if asked else SILENCE_S
                )
                if message is None and asked:
                    raise TimeoutError
                if message is None:
                    await pubsub.ping()
                    asked = True
                    continue
                asked = False
                if message["type"] in ("message", "smessage"):
                    await self._one(text(message["data"]))
                elif message["type"] == "ssubscribe":
                    await self._stands(partition)
                elif message["type"] == "sunsubscribe":
                    raise ConnectionError("the partition has another primary now")

    async def _stands(self, partition: str) -> None:
        """Again when the library has connected anew by itself: news were missed then."""
        if partition in self._heard:
            await self._missed(partition)
        self._heard.add(partition)
        if self._heard >= set(self._partitions.names):
            self.listening.set()

    async def _one(self, news: str) -> None:
        try:
            await self._handle(news)
        except RedisError:
            raise
        except Exception:
            kind, *rest = news.split(" ")
            about = {"player" if kind in ("m", "k") else "duel": rest[0]} if rest else {}
            _log.exception("news could not be handled", kind=kind[:8], **about)

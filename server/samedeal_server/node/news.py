"""What other nodes tell this one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from samedeal_server.store.client import text
from samedeal_server.store.keys import duel_channel, node_channel

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
        redis: Redis,
        partition: str,
        node: str,
        handle: Callable[[str], Awaitable[None]],
        missed: Callable[[], Awaitable[None]],
    ) -> None:
        self._redis = redis
        self._duels = duel_channel(partition, node)
        self._players = node_channel(node)
        self._handle = handle
        self._missed = missed
        self.listening = asyncio.Event()
        """Set once the first subscription stands."""

    async def keep(self) -> None:
        """Listen; when the connection fails or falls silent, listen anew."""
        while True:
            try:
                await self._listen()
            except (RedisError, TimeoutError, OSError) as error:
                _log.warning("news from other nodes are cut off", error=type(error).__name__)
            await asyncio.sleep(AGAIN_S)

    async def _listen(self) -> None:
        async with self._redis.pubsub() as pubsub:
            await pubsub.subscribe(self._players)
            await pubsub.ssubscribe(self._duels)
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
                    # Again when the library has connected anew by itself: news were missed then.
                    if self.listening.is_set():
                        await self._missed()
                    self.listening.set()

    async def _one(self, news: str) -> None:
        try:
            await self._handle(news)
        except RedisError:
            raise
        except Exception:
            _log.exception("news could not be handled", news=news[:80])

"""Starts the embedded store again when it dies under a living node."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import BusyLoadingError, ConnectionError, RedisError  # noqa: A004

from samedeal_server.store.embedded import (
    EmbeddedStore,
    StoreUnavailable,
    close_embedded,
    open_embedded,
    revive_embedded,
)

__all__ = ["watched_store"]

_log = structlog.get_logger()

LOOK_EVERY_S: Final = 1.0


@asynccontextmanager
async def watched_store(data_dir: Path) -> AsyncIterator[EmbeddedStore]:
    """The embedded store, kept alive until the end. Raises `StoreUnavailable` at the start."""
    watch = _Watch(await open_embedded(data_dir))
    task = asyncio.get_running_loop().create_task(watch.keep(), name="store watch")
    try:
        yield watch.store
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await close_embedded(watch.store)


class _Watch:
    def __init__(self, store: EmbeddedStore) -> None:
        self.store = store

    async def keep(self) -> None:
        """Look for ever. A store that is only slow, or loading, is left alone."""
        redis = Redis.from_url(self.store.url, retry=Retry(NoBackoff(), 0), socket_timeout=5)
        try:
            while True:
                await asyncio.sleep(LOOK_EVERY_S)
                if await self._is_dead(redis):
                    await self._revive()
        finally:
            await redis.aclose()

    async def _is_dead(self, redis: Redis) -> bool:
        """Nobody listens on the socket any more."""
        try:
            await redis.ping()
        except BusyLoadingError:
            return False
        except ConnectionError:
            return True
        except RedisError:
            return False
        return False

    async def _revive(self) -> None:
        _log.warning("the store died; starting it again", data_dir=str(self.store.data_dir))
        try:
            self.store = await revive_embedded(self.store)
        except StoreUnavailable as error:
            _log.error("the store can't be started again; still trying", why=str(error))

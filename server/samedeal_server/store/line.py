"""A connection of its own for the one script that every move needs.

The library's pooled client costs a task, a time-out and some forty calls for each command; its
bare connection does the same handshake, authentication and parsing without them. A batch of moves
waits for this, several hundred times a second.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import NoScriptError, TimeoutError  # noqa: A004

from samedeal_server.store.client import SOCKET_TIMEOUT_S
from samedeal_server.store.scripts import script_source

__all__ = ["Line"]

_EVALSHA: Final = "EVALSHA"


class Line:
    """Calls one script, one call after the other. Reconnects by itself at the next call.

    Raises the library's errors. A call that is cut short, whatever the way, takes its connection
    with it: nobody gets another call's answer.
    """

    def __init__(self, redis: Redis, name: str) -> None:
        self._script = script_source(name)
        self._sha: str = redis.register_script(self._script).sha
        pool = redis.connection_pool
        kwargs = pool.connection_kwargs | {"socket_timeout": None, "health_check_interval": 0}
        self._connection: AbstractConnection = pool.connection_class(**kwargs)

    async def call(self, keys: Sequence[str], args: Sequence[str | int]) -> Any:
        """The script's answer."""
        try:
            async with asyncio.timeout(SOCKET_TIMEOUT_S):
                try:
                    return await self._send(_EVALSHA, self._sha, len(keys), *keys, *args)
                except NoScriptError:
                    return await self._send("EVAL", self._script, len(keys), *keys, *args)
        except BaseException as error:
            await self._connection.disconnect(nowait=True)
            if isinstance(error, asyncio.TimeoutError):
                raise TimeoutError("the store does not answer") from None
            raise

    async def _send(self, *command: str | int) -> Any:
        connection = self._connection
        await connection.send_packed_command(connection.pack_command(*command), check_health=False)
        return await connection.read_response()

    async def close(self) -> None:
        """Close the connection."""
        await self._connection.disconnect(nowait=True)

"""A connection of its own for the one script that every move needs, and for waits for replicas.

The library's pooled client costs a task, a time-out and some forty calls for each command; its
bare connection does the same handshake, authentication and parsing without them. A batch of moves
waits for this, several hundred times a second.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from hashlib import sha1
from typing import Any, Final

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import (
    AskError,
    MovedError,
    NoScriptError,
    ResponseError,
    TimeoutError,  # noqa: A004
    TryAgainError,
)

from samedeal_server.store.client import (
    SOCKET_TIMEOUT_S,
    Client,
    bare_connection,
    look_again,
)
from samedeal_server.store.replication import NO_REPLICAS, Replicas, ReplicationLags
from samedeal_server.store.scripts import script_source

__all__ = ["Line"]

_EVALSHA: Final = "EVALSHA"

REDIRECTIONS: Final = 3
"""Of one call. More means that the cluster is still making up its mind: the caller tries again."""


class Line:
    """Calls one script for one slot, one call after the other. Reconnects at the next call.

    With `replicas`, an answer means that so many have what the call wrote or found written.

    Raises the library's errors. A call that is cut short, whatever the way, takes its connection
    with it: nobody gets another call's answer.
    """

    def __init__(
        self, client: Client, key: str, replicas: Replicas = NO_REPLICAS, *, script: str = ""
    ) -> None:
        self._client = client
        self._key = key
        """Any key of the slot; says which primary to call. `confirm` may choose another."""
        self._script = script_source(script) if script else ""
        self._sha = sha1(self._script.encode(), usedforsecurity=False).hexdigest()
        self._replicas = replicas if replicas.acked else None
        self._connection: AbstractConnection | None = None
        self._failed: Exception | None = None

    async def call(self, keys: Sequence[str], args: Sequence[str | int]) -> Any:
        """The script's answer."""
        return await self._safely(partial(self._run, keys, args))

    async def confirm(self, key: str) -> None:
        """Nothing but the wait for replicas, at the primary that has `key` now."""
        self._key = key
        await self._safely(partial(self._send, "PING"))

    async def _safely(self, send: Callable[[], Awaitable[Any]]) -> Any:
        try:
            async with asyncio.timeout(SOCKET_TIMEOUT_S):
                for _ in range(REDIRECTIONS):
                    try:
                        return await send()
                    except MovedError as error:
                        await self._drop()
                        self._failed = error
                    except AskError:
                        # Half of the slot's keys are there, half here, and the script would take
                        # those of the other half for missing. Until the move is over, moves wait.
                        raise TryAgainError("the slot is being moved") from None
                raise TryAgainError("the slot is now here, now there")
        except BaseException as error:
            self._failed = error if isinstance(error, Exception) else None
            await self._drop()
            if isinstance(error, asyncio.TimeoutError):
                raise TimeoutError("the store does not answer") from None
            raise

    async def _run(self, keys: Sequence[str], args: Sequence[str | int]) -> Any:
        try:
            return await self._send(_EVALSHA, self._sha, len(keys), *keys, *args)
        except NoScriptError:
            return await self._send("EVAL", self._script, len(keys), *keys, *args)

    async def _send(self, *command: str | int) -> Any:
        connection = self._connection
        if connection is None:
            connection = await self._connect()
        if self._replicas is not None:
            return await self._send_and_wait(connection, self._replicas, command)
        await connection.send_packed_command(connection.pack_command(*command), check_health=False)
        return await connection.read_response()

    async def _send_and_wait(
        self, connection: AbstractConnection, replicas: Replicas, command: tuple[str | int, ...]
    ) -> Any:
        """All in one write; the script's error, if it has one, once all replies are read."""
        commands = (command, *replicas.commands(self._key))
        await connection.send_packed_command(connection.pack_commands(commands), check_health=False)
        answer: Any = None
        failed: ResponseError | None = None
        try:
            answer = await connection.read_response()
        except ResponseError as error:
            failed = error
        await connection.read_response()
        try:
            acked = await connection.read_response()
        except ResponseError as error:
            if failed is None and str(error).startswith("UNBLOCKED"):
                # The primary was made a replica while we waited for those it had.
                raise ReplicationLags("there is another primary now") from None
            raise
        if failed is not None:
            raise failed
        replicas.check(acked)
        return answer

    async def _connect(self) -> AbstractConnection:
        if self._failed is not None:
            await look_again(self._client, self._key, self._failed)
            self._failed = None
        self._connection = await bare_connection(
            self._client, self._key, socket_timeout=None, health_check_interval=0
        )
        await self._connection.connect()  # type: ignore[no-untyped-call]
        return self._connection

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.disconnect(nowait=True)

    async def close(self) -> None:
        """Close the connection."""
        await self._drop()

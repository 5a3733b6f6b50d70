"""Everything behind the screens: server, identity, connection, bots. No Textual."""

from __future__ import annotations

import asyncio
import contextlib
import os

from samedeal_client.address import server_address
from samedeal_client.connection import Connection
from samedeal_client.entry import Greeter, enter
from samedeal_client.identity import HERE, Identities
from samedeal_client.local_server import find_or_start, start_bot
from samedeal_client.order import Order
from samedeal_client.plain.client import Wish
from samedeal_protocol import DuelChanged

__all__ = ["Session"]


class Session:
    """One stay at one server. `open` first; `aclose` stops what was started here."""

    def __init__(self, wish: Wish, identities: Identities | None = None) -> None:
        self._wish = wish
        self._identities = identities or Identities()
        self._stack = contextlib.AsyncExitStack()
        self._bots: list[asyncio.subprocess.Process] = []
        self._connection: Connection | None = None
        self.url = ""
        self.key = ""
        self.private = False
        """Whether the server was started for us and stops when we go."""

    @property
    def connection(self) -> Connection:
        """The line, once there is one."""
        assert self._connection is not None
        return self._connection

    @property
    def open(self) -> bool:
        """Whether there is a line, standing or coming back."""
        return self._connection is not None

    @property
    def address(self) -> str:
        """As one tells it to others."""
        return self.url.removesuffix("/ws")

    async def find_server(self) -> None:
        """The one named, the one here, or a private one. Raises `ClientError`, ValueError."""
        named = self._wish.server or os.environ.get("SAMEDEAL_SERVER")
        if named:
            self.url = self.key = server_address(named)
            return
        local = await find_or_start()
        self._stack.push_async_callback(local.stop)
        self.url, self.key, self.private = local.url, HERE, local.started

    async def enter(self, greeter: Greeter) -> None:
        """Connect as the player of last time, or as a new one. Raises `ClientError`."""
        connection = await enter(greeter, self._identities, self.url, self.key, self._wish.name)
        self._stack.push_async_callback(connection.aclose)
        self._connection = connection

    # Duels.

    async def create(self, order: Order) -> DuelChanged:
        """Open a duel. Raises `ClientError`."""
        return await self.connection.request(order.request())

    async def race_bot(self, order: Order, level: str) -> DuelChanged:
        """A duel with a bot on its way to it. Raises `ClientError`."""
        duel = await self.create(order)
        bot = await start_bot(duel.code, level, self.url)
        self._bots.append(bot)
        return duel

    async def aclose(self) -> None:
        """Bots, line and private server go when we go."""
        for bot in self._bots:
            with contextlib.suppress(ProcessLookupError):
                bot.terminate()
        await self._stack.aclose()
        self._identities.release()

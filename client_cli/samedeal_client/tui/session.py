"""Everything behind the screens: server, identity, connection, bots. No Textual."""

from __future__ import annotations

import asyncio
import contextlib
import os
from dataclasses import dataclass
from typing import Final, Protocol

from samedeal_client.address import server_address
from samedeal_client.connection import Connection
from samedeal_client.errors import ClientError, RequestFailed
from samedeal_client.identity import Identities, Identity
from samedeal_client.link import Link
from samedeal_client.local_server import HERE, find_or_start, program
from samedeal_client.plain.choosing import Choice
from samedeal_client.plain.client import Wish
from samedeal_client.plain.entry import NoEntry
from samedeal_client.plain.style import printable
from samedeal_client.texts import _
from samedeal_protocol import Create, DuelChanged, ErrorCode

__all__ = ["Greeter", "Order", "Session"]

_ANOTHER_NAME: Final = {ErrorCode.NAME_TAKEN, ErrorCode.BAD_NAME, ErrorCode.LOOKALIKE_NAME}


class Greeter(Protocol):
    """Who asks the person for a name."""

    async def ask_name(self, default: str, why: str) -> str | None:
        """A name; None when the person would rather go. `why` says what was wrong before."""


@dataclass(frozen=True, slots=True)
class Order:
    """A duel that somebody wants."""

    game: Choice
    seats: int = 2
    duration_s: float | None = None
    untimed: bool = False
    seed: str | None = None
    winnable: bool = False

    def request(self) -> Create:
        """As it goes to the server. Raises `ClientError` for what can't be asked."""
        duration = None if self.duration_s is None else round(self.duration_s * 1000)
        try:
            return Create(
                req=0,
                ruleset=self.game.ruleset,
                options=dict(self.game.options),
                seats=self.seats,
                duration_ms=None if self.untimed else duration,
                untimed=self.untimed and self.seats == 1,
                seed=self.seed,
                winnable=self.winnable,
            )
        except ValueError:
            raise ClientError(_("seats, duration or seed are out of range")) from None


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

    def known_name(self) -> str | None:
        """The name that will be used without asking."""
        known = self._identities.find(self.key, self._wish.name)
        return known.name if known is not None else self._wish.name

    async def enter(self, greeter: Greeter, default: str) -> None:
        """Connect as the player of last time, or as a new one. Raises `ClientError`."""
        async with Link(self.url):
            pass  # nobody thinks of a name for a server that is not there
        name, why = self._wish.name, ""
        while self._connection is None:
            known = self._identities.find(self.key, name)
            if known is not None and not self._identities.claim(self.key, known.name):
                why = _("{name} plays in another window here already.")
                why = why.format(name=printable(known.name))
                name, known = await self._ask(greeter, f"{known.name}2", why), None
            elif known is None and name is None:
                name = await self._ask(greeter, default, why)
            known = self._identities.find(self.key, name)
            name, why = await self._try(known, name)

    async def _ask(self, greeter: Greeter, default: str, why: str) -> str:
        name = await greeter.ask_name(default, why)
        if name is None:
            raise NoEntry(_("no name was given"))
        return name

    async def _try(self, known: Identity | None, name: str | None) -> tuple[str | None, str]:
        """One try; the name for the next one and what was wrong."""
        token = known.token if known is not None else None
        connection = Connection(self.url, name=name, token=token)
        try:
            await self._stack.enter_async_context(connection)
        except RequestFailed as error:
            if error.code is ErrorCode.BAD_TOKEN and known is not None:
                self._identities.forget(known)
                return known.name, ""
            if error.code in _ANOTHER_NAME:
                return None, printable(error.message) + "."
            raise
        self._connection = connection
        self._keep(connection)
        return name, ""

    def _keep(self, connection: Connection) -> None:
        if connection.name is not None and connection.token is not None:
            with contextlib.suppress(OSError):
                self._identities.keep(Identity(self.key, connection.name, connection.token))
            self._identities.claim(self.key, connection.name)

    # Duels.

    async def create(self, order: Order) -> DuelChanged:
        """Open a duel. Raises `ClientError`."""
        return await self.connection.request(order.request())

    async def race_bot(self, order: Order, level: str) -> DuelChanged:
        """A duel with a bot on its way to it. Raises `ClientError`."""
        duel = await self.create(order)
        arguments = ("bot", duel.code, "--stay", "--level", level, "--server", self.url)
        bot = await asyncio.create_subprocess_exec(
            *program(*arguments),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        self._bots.append(bot)
        return duel

    async def aclose(self) -> None:
        """Bots, line and private server go when we go."""
        for bot in self._bots:
            with contextlib.suppress(ProcessLookupError):
                bot.terminate()
        await self._stack.aclose()
        self._identities.release()

"""Getting in: under which name; a person is asked only where it has to be."""

from __future__ import annotations

import getpass
from typing import Final, Protocol

from samedeal_client.address import is_local
from samedeal_client.connection import Connection
from samedeal_client.errors import ClientError, RequestFailed
from samedeal_client.identity import Identities, Identity
from samedeal_client.link import Link
from samedeal_client.plain.style import printable
from samedeal_client.texts import _
from samedeal_protocol import ErrorCode

__all__ = ["Greeter", "NoEntry", "enter"]

_ANOTHER_NAME: Final = {ErrorCode.NAME_TAKEN, ErrorCode.BAD_NAME, ErrorCode.LOOKALIKE_NAME}
MAX_TRIES: Final = 10
"""Names that a script may be refused before it gives up."""
MAX_NEIGHBOURS: Final = 3
"""Players of other servers here that are tried before a name is asked for."""


class NoEntry(ClientError):
    """No name was given that the server takes."""


class Greeter(Protocol):
    """Who talks to the person at the door."""

    def tell(self, words: str) -> None:
        """Say this, before the next question if there is one."""

    async def ask_name(self, default: str | None) -> str | None:
        """A name; None when the person gives none."""


async def enter(
    greeter: Greeter, identities: Identities, url: str, key: str, name: str | None
) -> Connection:
    """An open connection, as the player of last time or a new one.

    `key` is what the server is called in the identities. Raises `ConnectionFailed`,
    `RequestFailed` and `NoEntry`.
    """
    beside: Identity | None = None
    unknown: set[str] = set()
    for _try in range(MAX_TRIES):
        known = identities.find(key, name) or _neighbour(identities, url, key, name, unknown)
        if known is not None and not identities.claim(known.server, known.name):
            words = _("{name} plays in another window here already.")
            greeter.tell(words.format(name=printable(known.name)))
            beside = known
            name = await _asked(greeter, f"{known.name}2")
            continue
        if known is None and name is None:
            async with Link(url):
                pass  # nobody thinks of a name for a server that is not there
            name = await _asked(greeter, _login_name())
            continue
        connection = Connection(url, name=name, token=known.token if known is not None else None)
        try:
            await connection.__aenter__()
        except RequestFailed as error:
            if known is not None and known.server != key and error.code is ErrorCode.BAD_TOKEN:
                unknown.add(known.token)  # of another server's store; it is good there
            else:
                name = await _next_name(greeter, identities, known, error)
            continue
        _keep(greeter, identities, key, connection, beside)
        return connection
    raise NoEntry(_("no name that the server takes"))


def _neighbour(
    identities: Identities, url: str, key: str, name: str | None, unknown: set[str]
) -> Identity | None:
    """Who we are at another server of this machine: the two may share a store.

    Only for a server here, so that no token goes to another machine.
    """
    if not is_local(url):
        return None
    neighbours = identities.neighbours(key, name, is_local)
    players = [known for known in neighbours if known.token not in unknown]
    return players[0] if players and len(unknown) < MAX_NEIGHBOURS else None


async def _next_name(
    greeter: Greeter, identities: Identities, known: Identity | None, error: RequestFailed
) -> str:
    """The name to try after a refusal; raises the refusal where no name would help."""
    if error.code is ErrorCode.BAD_TOKEN and known is not None:
        words = _("The server does not know {name} any more.")
        greeter.tell(words.format(name=printable(known.name)))
        identities.forget(known)
        return known.name
    if error.code not in _ANOTHER_NAME:
        raise error
    greeter.tell(f"{printable(str(error))}.")
    return await _asked(greeter, None)


async def _asked(greeter: Greeter, default: str | None) -> str:
    name = await greeter.ask_name(default)
    if name is None:
        raise NoEntry(_("no name was given"))
    return name


def _keep(
    greeter: Greeter,
    identities: Identities,
    key: str,
    connection: Connection,
    beside: Identity | None,
) -> None:
    """`beside`: the player of the first window, who comes back the next time."""
    assert connection.name is not None
    assert connection.token is not None
    try:
        identities.keep(Identity(key, connection.name, connection.token), behind=beside)
    except OSError as error:
        why = error.strerror or str(error)
        greeter.tell(_("(This name can't be kept for the next time: {why}.)").format(why=why))
    identities.claim(key, connection.name)


def _login_name() -> str:
    try:
        return getpass.getuser()[:20] or "player"
    except (OSError, KeyError):
        return "player"

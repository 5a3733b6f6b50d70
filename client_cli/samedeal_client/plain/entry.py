"""Getting in: which server, under which name; asks a person only where it has to."""

from __future__ import annotations

import getpass
from typing import Final

from samedeal_client.connection import Connection
from samedeal_client.errors import ClientError, RequestFailed
from samedeal_client.identity import Identities, Identity
from samedeal_client.link import Link
from samedeal_client.plain.style import printable
from samedeal_client.plain.terminal import Terminal
from samedeal_client.texts import _
from samedeal_protocol import ErrorCode

__all__ = ["NoEntry", "enter"]

_ANOTHER_NAME: Final = {ErrorCode.NAME_TAKEN, ErrorCode.BAD_NAME, ErrorCode.LOOKALIKE_NAME}
MAX_TRIES: Final = 10
"""Names that a script may be refused before it gives up."""


class NoEntry(ClientError):
    """No name was given that the server takes."""


async def enter(
    terminal: Terminal, identities: Identities, url: str, key: str, name: str | None
) -> Connection:
    """An open connection, as the player of last time or a new one.

    `key` is what the server is called in the identities. Raises `ConnectionFailed`,
    `RequestFailed` and `NoEntry`.
    """
    for _try in range(MAX_TRIES):
        known = identities.find(key, name)
        if known is not None and not identities.claim(key, known.name):
            terminal.say(
                _("{name} plays in another window here already.").format(name=printable(known.name))
            )
            name = await _another_name(terminal, f"{known.name}2")
            continue
        if known is None and name is None:
            async with Link(url):
                pass  # nobody thinks of a name for a server that is not there
            name = await _another_name(terminal, _login_name())
            continue
        token = known.token if known is not None else None
        connection = Connection(url, name=name, token=token)
        try:
            await connection.__aenter__()
        except RequestFailed as error:
            if error.code is ErrorCode.BAD_TOKEN and known is not None:
                terminal.say(
                    _("The server does not know {name} any more.").format(
                        name=printable(known.name)
                    )
                )
                identities.forget(known)
                name = known.name
                continue
            if error.code not in _ANOTHER_NAME:
                raise
            terminal.say(f"{printable(str(error))}.")
            name = await _another_name(terminal, None)
            continue
        _keep(terminal, identities, key, connection)
        return connection
    raise NoEntry(_("no name that the server takes"))


def _keep(terminal: Terminal, identities: Identities, key: str, connection: Connection) -> None:
    assert connection.name is not None
    assert connection.token is not None
    try:
        identities.keep(Identity(key, connection.name, connection.token))
    except OSError as error:
        why = error.strerror or str(error)
        terminal.say(_("(This name can't be kept for the next time: {why}.)").format(why=why))
    identities.claim(key, connection.name)


async def _another_name(terminal: Terminal, default: str | None) -> str:
    hint = f" [{default}]" if default else ""
    line = await terminal.ask(_("Your name{default}: ").format(default=hint))
    if line is None and not default:
        raise NoEntry(_("no name was given"))
    name = line or default
    if not name:
        return await _another_name(terminal, default)
    return name


def _login_name() -> str:
    try:
        return getpass.getuser()[:20] or "player"
    except (OSError, KeyError):
        return "player"

"""The record of a finished duel, from the server that it was played on."""

from __future__ import annotations

import contextlib
import os
from typing import Final

from samedeal_client.address import clean_code, server_address
from samedeal_client.connection import Connection
from samedeal_client.errors import ClientError, RequestFailed
from samedeal_client.identity import HERE, Identities, Identity
from samedeal_client.local_server import find_or_start
from samedeal_client.texts import _
from samedeal_protocol import ErrorCode

__all__ = ["fetch_record"]

_NOT_YET: Final = {ErrorCode.NOT_SEALED, ErrorCode.WRONG_STATE}


async def fetch_record(code: str, server: str | None, name: str | None) -> bytes:
    """The record of the duel with this code, as whoever played last from here, or as `name`.

    Raises `ClientError` and `BadAddress`, in words.
    """
    code = clean_code(code)
    named = server or os.environ.get("SAMEDEAL_SERVER")
    url = server_address(named) if named else None
    async with contextlib.AsyncExitStack() as stack:
        identities = Identities()
        stack.callback(identities.release)
        known = _claimed(identities, url or HERE, name)
        if url is None:
            local = await find_or_start()
            stack.push_async_callback(local.stop)
            url = local.url
        connection = await stack.enter_async_context(
            Connection(url, name=known.name, token=known.token)
        )
        await connection.watch(code)
        try:
            return (await connection.record()).encode()
        except RequestFailed as error:
            if error.code in _NOT_YET:
                raise ClientError(_("that duel is not over yet")) from None
            raise


def _claimed(identities: Identities, key: str, name: str | None) -> Identity:
    """Who asks; nobody who plays in another window, who would be thrown out there."""
    known = identities.find(key, name)
    if known is None:
        raise ClientError(_("nobody has played there from here yet; --name says who it was"))
    if not identities.claim(key, known.name):
        busy = _("{name} plays in another window; `save` there writes the record to a file")
        raise ClientError(busy.format(name=known.name))
    return known

"""Requests under way: each waits for the message that quotes its number."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from samedeal_client.errors import ConnectionLost, RequestFailed
from samedeal_client.texts import _
from samedeal_protocol import (
    Cancel,
    Create,
    Error,
    GetHint,
    GetOpen,
    GetRecord,
    Join,
    Leave,
    Queue,
    Ready,
    Rematch,
    Reveal,
    ServerMessage,
    Start,
    Sync,
    Watch,
    Where,
)

__all__ = ["Request", "Requests"]

Request = (
    Create
    | Join
    | Watch
    | Ready
    | Reveal
    | Start
    | Leave
    | Queue
    | Cancel
    | Rematch
    | Sync
    | Where
    | GetHint
    | GetOpen
    | GetRecord
)

MAX_REQUESTS: Final = 64
"""Under way at once; a program that asks for more does not read the answers."""


@dataclass(slots=True)
class _Pending:
    request: Request
    answer: asyncio.Future[ServerMessage] = field(repr=False)
    sent: bool = False


class Requests:
    """Numbers requests, matches answers, and knows what a broken line means for each."""

    def __init__(self) -> None:
        self._pending: dict[int, _Pending] = {}
        self._next = 1

    def add(self, request: Request) -> tuple[Request, asyncio.Future[ServerMessage]]:
        """The request with its number, and what will hold its answer."""
        if len(self._pending) >= MAX_REQUESTS:
            raise ConnectionLost(_("too many requests wait for their answers"))
        number, self._next = self._next, self._next + 1
        numbered = request.model_copy(update={"req": number})
        answer: asyncio.Future[ServerMessage] = asyncio.get_running_loop().create_future()
        self._pending[number] = _Pending(numbered, answer)
        return numbered, answer

    def sent(self, request: Request) -> None:
        """It went out on the current line."""
        self._pending[request.req].sent = True

    def forget(self, request: Request) -> None:
        """Nobody waits for it any more."""
        self._pending.pop(request.req, None)

    def answered(self, message: ServerMessage) -> Request | None:
        """Hand an answer to who waits for it; the request that it answers."""
        number = getattr(message, "req", None)
        pending = self._pending.pop(number, None) if number is not None else None
        if pending is None:
            return None
        if not pending.answer.done():
            if isinstance(message, Error):
                pending.answer.set_exception(RequestFailed(message))
            else:
                pending.answer.set_result(message)
        return pending.request

    def line_broke(self) -> None:
        """All but `create` do no harm when they are done twice, so they are asked again."""
        for number, pending in list(self._pending.items()):
            if isinstance(pending.request, Create) and pending.sent:
                del self._pending[number]
                if not pending.answer.done():
                    pending.answer.set_exception(
                        ConnectionLost(_("the line broke before the duel was made known"))
                    )
            pending.sent = False

    def unsent(self) -> Iterator[Request]:
        """What is to be sent on a new line, in order."""
        return (pending.request for pending in self._pending.values() if not pending.sent)

    def fail_all(self, error: Exception) -> None:
        """The end."""
        pending, self._pending = self._pending, {}
        for one in pending.values():
            if not one.answer.done():
                one.answer.set_exception(error)

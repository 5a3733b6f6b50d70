"""The reading half of a connection: parsing in slices, and not reading for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Final

from websockets.protocol import Event

from samedeal_server.net.endpoint import Endpoint, FrameCore
from samedeal_server.net.wire import Wire

__all__ = ["BY_BACKLOG", "BY_PEER", "Intake"]

_SLICE_BYTES: Final = 4096
"""Input handled in one turn of the loop: at most 600 empty messages, about 70 moves."""

# Why we don't read; the bits of Intake._blocked.
BY_PEER: Final = 1
BY_BACKLOG: Final = 2
BY_TURN: Final = 4


class Intake(Wire):
    """Feeds the core and hands its events to `_deliver`, in order, none while blocked.

    What is not parsed yet stays in `_held`, what is parsed and not delivered in `_events`; the
    transport is paused as long as there is any of either.
    """

    __slots__ = ("_blocked", "_core", "_events", "_heard", "_held")

    def __init__(self, endpoint: Endpoint, transport: asyncio.Transport, core: FrameCore) -> None:
        """`core` has done its handshake."""
        super().__init__(endpoint, transport)
        self._core = core
        self._blocked = 0
        self._heard = False
        """Something arrived since the keepalive last looked."""
        self._events: Iterator[Event] | None = None
        self._held: bytearray | None = None

    def _deliver(self, events: Iterator[Event]) -> None:
        """Handle events until blocked; puts the iterator into `_events` if any are left."""
        raise NotImplementedError

    def data_received(self, data: bytes) -> None:
        """Parse and deliver; a large batch over several turns of the loop, so others get theirs."""
        self._heard = True
        if self._blocked or self._ended or len(data) > _SLICE_BYTES:
            self._set_aside(data)
            return
        core = self._core
        core.receive_data(data)
        self._deliver(iter(core.events_received()))

    def _set_aside(self, data: bytes) -> None:
        if self._ended:
            return
        if self._held is None:
            self._held = bytearray()
        self._held += data
        if not self._blocked:
            self._continue_later()

    def _continue_later(self) -> None:
        self._block(BY_TURN)
        self._endpoint.loop.call_soon(self._continue)

    def _continue(self) -> None:
        """Handle one more portion of what was set aside, unless somebody else blocks."""
        self._blocked &= ~BY_TURN
        if self._blocked or self._ended:
            return
        events, held = self._events, self._held
        if events is not None:
            self._events = None
            self._deliver(events)
        elif held:
            part = bytes(held[:_SLICE_BYTES])
            del held[:_SLICE_BYTES]
            self._core.receive_data(part)
            self._deliver(iter(self._core.events_received()))
        if not self._blocked:
            self._read_on()

    def _read_on(self) -> None:
        if not self._ended and (self._events is not None or self._held):
            self._continue_later()
            return
        self._held = None
        self._resume_transport()

    def _block(self, why: int) -> None:
        self._blocked |= why
        self._pause_transport()

    def _unblock(self, why: int) -> None:
        if self._blocked & why:
            self._blocked &= ~why
            if not self._blocked:
                self._read_on()

    def _drop_input(self) -> None:
        self._events = self._held = None
        self._blocked = 0

    def _forget(self) -> None:
        """The transport is gone: let the memory go too."""
        self._drop_input()
        # The core's generator and the core hold each other; without this, closed connections
        # pile up until a full garbage collection.
        self._core.parser.close()

"""One timer for all connections: a wheel of coarse slots instead of a timer for each."""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

__all__ = ["KeepaliveWheel", "Timed"]

_STALL_S: Final = 1.0
"""A turn this late means that we hung, not the clients: they get a turn to be heard."""


class Timed(Protocol):
    """Something with at most one deadline at a time."""

    wheel_slot: int
    """Where the wheel keeps it; -1 when it has no deadline. Only the wheel writes this."""

    def due(self) -> None:
        """The deadline has come; it is disarmed, and may be armed again from here."""


class KeepaliveWheel:
    """Calls `due()` of things some time after they were armed: never early, a slot late.

    Arming and disarming are O(1) and make no timer handle; the one timer runs only while
    something is armed.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, resolution: float) -> None:
        """`resolution` is the width of a slot in seconds."""
        self._loop = loop
        self._resolution = resolution
        self._slots: dict[int, set[Timed]] = {}
        self._next_slot = 0
        self._timer: asyncio.TimerHandle | None = None

    def arm(self, timed: Timed, delay: float) -> None:
        """Call `timed.due()` in `delay` seconds, instead of what was armed before."""
        self.disarm(timed)
        now = self._loop.time()
        # The slot after the one the deadline falls into: late by up to a slot, never early.
        slot = int((now + delay) / self._resolution) + 1
        timed.wheel_slot = slot
        self._slots.setdefault(slot, set()).add(timed)
        if self._timer is None:
            self._next_slot = int(now / self._resolution) + 1
            self._schedule()

    def disarm(self, timed: Timed) -> None:
        """Forget the deadline; nothing happens if there is none."""
        slot = timed.wheel_slot
        if slot < 0:
            return
        timed.wheel_slot = -1
        members = self._slots.get(slot)
        if members is not None:
            members.discard(timed)
            if not members:
                del self._slots[slot]

    def stop(self) -> None:
        """Forget everything; the wheel may be armed again."""
        for members in self._slots.values():
            for timed in members:
                timed.wheel_slot = -1
        self._slots.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _schedule(self) -> None:
        at = self._next_slot * self._resolution
        self._timer = self._loop.call_at(at, self._turn, at)

    def _turn(self, expected: float) -> None:
        now = self._loop.time()
        if now - expected > _STALL_S:
            self._timer = self._loop.call_later(self._resolution, self._turn, now)
            return
        last = int(now / self._resolution)
        # Slots missed by a stall are few beside the connections in them.
        for slot in range(self._next_slot, last + 1):
            for timed in tuple(self._slots.get(slot, ())):
                if timed.wheel_slot == slot:
                    self.disarm(timed)
                    timed.due()
        self._next_slot = last + 1
        self._timer = None
        if self._slots:
            self._schedule()

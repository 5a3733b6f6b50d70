"""The wheel: never early, in the end always."""

from __future__ import annotations

import asyncio
import time

from edge_testing import until

from samedeal_server.net.keepalive import KeepaliveWheel


class Alarm:
    """Notes when it went off, and may set itself again."""

    def __init__(self, wheel: KeepaliveWheel, again: int = 0) -> None:
        self.wheel_slot = -1
        self.wheel = wheel
        self.again = again
        self.rung: list[float] = []

    def due(self) -> None:
        self.rung.append(asyncio.get_running_loop().time())
        if len(self.rung) <= self.again:
            self.wheel.arm(self, 0.03)


async def test_never_early_and_always() -> None:
    """Each of many delays is at least waited for."""
    loop = asyncio.get_running_loop()
    wheel = KeepaliveWheel(loop, 0.01)
    alarms = [(loop.time() + i / 500, Alarm(wheel)) for i in range(50)]
    for at, alarm in alarms:
        wheel.arm(alarm, at - loop.time())
    await until(lambda: all(alarm.rung for _, alarm in alarms))
    assert all(alarm.rung[0] >= at for at, alarm in alarms)
    assert wheel._timer is None, "an empty wheel does not turn"


async def test_arming_again_moves_the_deadline() -> None:
    """One deadline for each, the last one."""
    wheel = KeepaliveWheel(asyncio.get_running_loop(), 0.01)
    alarm, other = Alarm(wheel), Alarm(wheel)
    wheel.arm(alarm, 0.02)
    wheel.arm(alarm, 60)
    wheel.arm(other, 0.06)
    await until(lambda: other.rung)
    assert not alarm.rung
    wheel.stop()
    assert alarm.wheel_slot == -1


async def test_disarmed_is_silent() -> None:
    """Also when a neighbour of the same turn disarms it, and twice."""
    wheel = KeepaliveWheel(asyncio.get_running_loop(), 0.05)

    class Rival(Alarm):
        rival: Alarm

        def due(self) -> None:
            super().due()
            self.wheel.disarm(self.rival)

    one, two = Rival(wheel), Rival(wheel)
    one.rival, two.rival = two, one
    wheel.arm(one, 0.01)
    two_slot = one.wheel_slot
    wheel.arm(two, 0.01)
    assert two.wheel_slot in (two_slot, two_slot + 1)
    await asyncio.sleep(0.2)
    if two.wheel_slot == two_slot:
        assert len(one.rung) + len(two.rung) == 1
    wheel.disarm(one)


async def test_due_may_arm_again() -> None:
    """A repeating deadline is one that arms itself."""
    wheel = KeepaliveWheel(asyncio.get_running_loop(), 0.01)
    alarm = Alarm(wheel, again=3)
    wheel.arm(alarm, 0.01)
    await until(lambda: len(alarm.rung) == 4)


async def test_a_stall_is_not_the_clients_fault() -> None:
    """After the loop hung, what arrived meanwhile is read before anybody is blamed."""
    loop = asyncio.get_running_loop()
    wheel = KeepaliveWheel(loop, 0.01)
    alarm = Alarm(wheel)
    wheel.arm(alarm, 0.01)
    order: list[str] = []
    time.sleep(0.05)  # the loop hangs
    wheel._turn(loop.time() - 5.0)
    loop.call_soon(order.append, "read")
    assert not alarm.rung
    await until(lambda: alarm.rung)
    assert order == ["read"]
    wheel.stop()

"""Tasks that nobody awaits: one failing stops no other, and all of them end with the node."""

from __future__ import annotations

import asyncio

import pytest
from redis.exceptions import ReadOnlyError

from samedeal_server.node import background as background_module
from samedeal_server.node.background import Background


async def test_a_swallowed_cancellation_is_repeated() -> None:
    """As `asyncio.wait_for` does until Python 3.12: the node stops all the same."""

    async def stubborn() -> None:
        for _ in range(2):
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                pass
        await asyncio.sleep(60)

    background = Background()
    background.start(stubborn(), "stubborn")
    await asyncio.sleep(0)
    async with asyncio.timeout(10):
        await background.cancel()


async def test_one_that_fails_stops_no_other() -> None:
    """Logged by its name; the others go on."""
    done = asyncio.Event()

    async def failing() -> None:
        raise ValueError("a bug")

    async def working() -> None:
        await asyncio.sleep(0.05)
        done.set()

    background = Background()
    background.start(failing(), "failing")
    background.start(working(), "working")
    await background.finished(10)
    assert done.is_set()


async def test_what_does_not_end_is_ended() -> None:
    """After the patience for those that end by themselves."""
    background = Background()
    background.start(asyncio.Event().wait(), "for ever")  # type: ignore[arg-type]
    async with asyncio.timeout(10):
        await background.finished(0.05)


async def test_a_loop_that_fails_runs_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it failed with: a node without one of its loops only looks alive."""
    monkeypatch.setattr(background_module, "START_AGAIN_S", 0.01)
    runs = 0
    enough = asyncio.Event()

    async def loop() -> None:
        nonlocal runs
        runs += 1
        if runs == 3:
            enough.set()
            await asyncio.sleep(60)
        raise ReadOnlyError("READONLY You can't write against a read only replica.")

    background = Background()
    background.keep_up(loop, "loop")
    async with asyncio.timeout(10):
        await enough.wait()
        await background.cancel()

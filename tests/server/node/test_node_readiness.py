"""`/readyz` and `/healthz`: who should get connections, and who should be left alone."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

from samedeal_server.domain.readiness import ANSWERED_WITHIN_MS, not_ready
from samedeal_server.node.node import Node, running_node
from samedeal_server.store.embedded import embedded_store
from support.nodes import eventually, nodes, quick_settings
from support.player import Player


async def _get(node: Node, path: str) -> tuple[int, str]:
    reader, writer = await asyncio.open_connection("127.0.0.1", node.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    answer = (await reader.read()).decode()
    writer.close()
    return int(answer.split(" ")[1]), answer.rpartition("\r\n\r\n")[2].strip()


def test_the_reason_is_said() -> None:
    """Stopping comes before the store; a store that was silent for a moment is no reason."""
    assert not_ready(draining=False, moves_wait=False, store_silent_ms=3_000) is None
    late = ANSWERED_WITHIN_MS + 1
    for moves_wait, silent in ((True, 0), (False, late)):
        why = not_ready(draining=False, moves_wait=moves_wait, store_silent_ms=silent)
        assert why == "the store does not answer"
    assert not_ready(draining=True, moves_wait=True, store_silent_ms=late) == "stopping"


async def test_not_ready_from_the_moment_it_is_asked_to_stop(store_url: str) -> None:
    """Within the delay all goes on, new connections included; only /readyz says no."""
    async with nodes(store_url, drain_delay_s=600) as (node,):
        assert await _get(node, "/readyz") == (200, "ready")
        waiting = asyncio.create_task(node.let_it_be_known())
        await asyncio.sleep(0)
        assert await _get(node, "/readyz") == (503, "stopping")
        assert await _get(node, "/healthz") == (200, "ok")
        player = await Player.hello(node.port)
        assert (await player.create())["phase"] == "open"
        assert not waiting.done()
        waiting.cancel()
        await player.close()


async def test_a_frozen_store_makes_it_not_ready_and_it_comes_back(tmp_path: Path) -> None:
    """The process is alive all the time; it is ready again once the store answers."""
    async with (
        embedded_store(tmp_path, sync="everysec") as store,
        running_node(quick_settings(), store.url) as node,
    ):
        assert await _get(node, "/readyz") == (200, "ready")
        os.kill(store.pid, signal.SIGSTOP)
        try:

            async def says_no() -> bool:
                return await _get(node, "/readyz") == (503, "the store does not answer")

            await eventually(says_no)
            assert await _get(node, "/healthz") == (200, "ok")
        finally:
            os.kill(store.pid, signal.SIGCONT)

        async def says_yes() -> bool:
            return await _get(node, "/readyz") == (200, "ready")

        await eventually(says_yes)

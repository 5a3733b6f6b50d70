"""`samedeal serve --workers`: one port, several processes; killed, exchanged, drained."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from redis.asyncio import Redis
from websockets.exceptions import ConnectionClosed

from support.games import line
from support.nodes import eventually
from support.player import Player, opponents
from support.scraping import scrape
from support.serving import Server, children, free_port, lives

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")


def workers(server: Server) -> set[int]:
    """The pids of its workers."""
    found = set()
    for pid in children(server.process.pid):
        with suppress(FileNotFoundError, ProcessLookupError):
            if b"workers.child" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.add(pid)
    return found


async def on_different_workers(server: Server) -> tuple[Player, Player]:
    """Two players that the kernel has sent to different processes."""
    socket = (server.data_dir / "store" / "valkey.sock").readlink()
    async with Redis.from_url(f"unix://{socket}") as redis:
        first = await Player.hello(server.port)
        node = await redis.hget(f"sd:p:{first.id}", "node")
        for _ in range(64):
            second = await Player.hello(server.port)
            if await redis.hget(f"sd:p:{second.id}", "node") != node:
                return first, second
            await second.close()
    raise AssertionError("all on one worker")


async def test_players_of_one_duel_on_different_workers(data_dir: Path) -> None:
    """One port, two nodes: standings cross over, a killed worker costs a reconnect, all stops."""
    moves = line("workers", 20)
    with Server(data_dir, "--workers", "2") as server:
        ann, bob = await on_different_workers(server)
        made = await ann.create(seed="workers", duration_ms=60_000)
        await bob.join(made["code"])
        await asyncio.gather(ann.ready(), bob.ready())
        await asyncio.gather(ann.until("snapshot"), bob.until("snapshot"))
        for move in moves:
            assert (await ann.play(move))["type"] == "applied"
        score = ann.last("applied")["score"]
        await bob.until("standings", lambda m: any(r["score"] == score for r in m["rows"]))

        before = workers(server)
        assert len(before) == 2
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        await asyncio.gather(ann.end(), bob.end())
        ann, bob = await asyncio.gather(ann.again(server.port), bob.again(server.port))
        snapshot = await ann.has("snapshot")
        assert (snapshot["seq"], snapshot["score"]) == (20, score)
        await bob.has("snapshot")
        await eventually(lambda: len(workers(server)) == 2)
        now = workers(server)
        assert not now & before

        await asyncio.gather(ann.play("end"), bob.play("end"))
        results = await asyncio.gather(ann.until("result"), bob.until("result"))
        assert results[0] == results[1]
        store = server.store_pid()
        server.stop()
        server.stop()
        assert await ann.end() == await bob.end() == 1012
        server.stop()
        assert await asyncio.to_thread(server.code) == 0
        assert not any(map(lives, [*now, store]))
        assert "Traceback" not in "".join(server.errors)


async def test_a_killed_parent_leaves_nothing(data_dir: Path) -> None:
    """Workers drain, the last of them stops the store; the next start has the port and the duel."""
    port = free_port()
    with Server(data_dir, "--workers", "2", port=port) as server:
        async with opponents(port, port, seed="orphans", duration_ms=60_000) as (ann, bob):
            for move in line("orphans", 10):
                await ann.play(move)
            pids, store = workers(server), server.store_pid()
            assert len(pids) == 2
            server.kill()
            assert await ann.end() == await bob.end() == 1012
        with Server(data_dir, "--workers", "2", port=port) as again:
            await eventually(lambda: not any(map(lives, pids)))
            back = await ann.again(port)
            assert (await back.has("snapshot"))["seq"] == 10
            await back.close()
            heirs = [*workers(again), again.store_pid(), store]
            again.kill()
            await eventually(lambda: not any(map(lives, heirs)))


async def test_ctrl_c_before_anything_serves(data_dir: Path) -> None:
    """Asked to stop while its workers start: exit 0, nothing left, not a word of Python."""
    with Server(data_dir, "--workers", "2", wait=False) as server:
        await eventually(lambda: children(server.process.pid))
        server.ctrl_c()
        code = await asyncio.to_thread(server.code)
        server._drain.join(5)
        assert code == 0, server.errors
        await eventually(lambda: not workers(server))
        assert "Traceback" not in "".join(server.errors)


async def test_rolling_restart_on_one_machine(data_dir: Path) -> None:
    """SIGHUP: every worker is exchanged, no connection refused, no move lost or played twice."""
    moves = line("rolling", 60)
    with Server(data_dir, "--workers", "2") as server:
        before = workers(server)
        refused = 0
        over = asyncio.Event()

        async def knock() -> None:
            nonlocal refused
            while not over.is_set():
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", server.port)
                    writer.close()
                except OSError:
                    refused += 1
                await asyncio.sleep(0.02)

        knocking = asyncio.create_task(knock())
        async with opponents(
            server.port, server.port, seed="rolling", duration_ms=120_000
        ) as players:
            ann = players[0]
            await ann.play(moves[0])
            server.process.send_signal(signal.SIGHUP)
            at = 1
            while workers(server) & before:
                if ann.closed is not None:
                    assert ann.closed == 1012
                    ann = await ann.again(server.port)
                    kept = (await ann.has("snapshot"))["seq"]
                    assert kept in (at, at + 1), "a move may be kept without our having heard so"
                    at = ann.next_seq = kept
                if at < len(moves):
                    try:
                        answer = await ann.play(moves[at])
                    except (OSError, ConnectionClosed):  # the end came in between
                        await ann.end()
                    else:
                        assert answer["type"] == "applied"
                        at += 1
                await asyncio.sleep(0.05)
            players[0] = ann
            over.set()
            await knocking
            assert refused == 0
            assert len(workers(server)) == 2
        server.stop()
        assert await asyncio.to_thread(server.code) == 0


async def test_the_port_belongs_to_one_service(data_dir: Path) -> None:
    """A second server, with workers or without, is told that one runs."""
    with Server(data_dir, "--workers", "2") as server:
        for flags in ((), ("--workers", "2")):
            with (
                pytest.raises(AssertionError, match=r"can't listen.*Is another server running"),
                Server(data_dir, *flags, port=server.port),
            ):
                pass
        server.ctrl_c()
        assert await asyncio.to_thread(server.code) == 0


async def test_the_figures_are_those_of_all_workers(data_dir: Path) -> None:
    """Whichever answers; what a killed one counted stays, and its connections are no more."""
    with Server(data_dir, "--workers", "2") as server:
        ann, bob = await on_different_workers(server)
        for player in (ann, bob):
            await player.create(seats=1, duration_ms=60_000)
            await player.ready()
            await player.until("snapshot")
            assert (await player.play("d"))["type"] == "applied"

        async def both() -> bool:
            seen = await scrape(server.port)
            return seen["samedeal_players"] == seen["samedeal_moves_accepted_total"] == 2

        for _ in range(5):
            await eventually(both)
        victim = workers(server).pop()
        os.kill(victim, signal.SIGKILL)

        async def only_one() -> bool:
            with suppress(OSError, AssertionError):  # sent to the one that has just died
                seen = await scrape(server.port)
                return seen["samedeal_players"] == 1 and seen["samedeal_moves_accepted_total"] == 2
            return False

        await eventually(only_one)
        for player in (ann, bob):
            await player.close()

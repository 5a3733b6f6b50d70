"""/metrics: what happens is counted, for one process and for several on one port."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.multiprocess import mark_process_dead
from redis.exceptions import ConnectionError  # noqa: A004
from websockets.exceptions import InvalidStatus

from samedeal_server.domain.pressure import Level
from samedeal_server.metrics import page as page_module
from samedeal_server.metrics.shared import SHARED_DIR
from support.nodes import eventually, nodes
from support.player import Answered, Player, opponents
from support.scraping import get, scrape
from support.serving import Server


@pytest.fixture(autouse=True)
def _always_a_fresh_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "MIN_AGE_S", 0.0)


async def test_what_happens_is_counted(store_url: str) -> None:
    """Connections, players, duels, moves, requests, standings, hints: each by its name."""
    async with nodes(store_url) as (node,):
        async with opponents(node.port, node.port, ruleset="klondike-1", duration_ms=60_000) as (
            ann,
            bob,
        ):
            for _ in range(3):
                assert (await ann.play("d"))["type"] == "applied"
            assert (await bob.play("r"))["code"] == "illegal"
            assert (await bob.play("d", seq=7))["code"] == "gap"
            with pytest.raises(Answered, match="already_placed"):
                await bob.create()
            await eventually(lambda: bob.seen("standings"))
            hinted = await ann.ask("hint")
            seen = await scrape(node.port)
        assert seen["samedeal_connections"] == seen["samedeal_players"] == 2
        assert seen["samedeal_connections_opened_total"] == 2
        assert seen['samedeal_duels{phase="running"}'] == 1
        assert seen['samedeal_duels{phase="open"}'] == 0
        assert seen["samedeal_moves_accepted_total"] == 3
        assert seen['samedeal_moves_refused_total{code="illegal"}'] == 1
        assert seen['samedeal_moves_refused_total{code="gap"}'] == 1
        assert seen['samedeal_moves_refused_total{code="lost"}'] == 0
        assert seen['samedeal_errors_total{code="already_placed"}'] == 1
        assert seen[f'samedeal_hints_total{{answer="{hinted["answer"]}"}}'] == 1
        assert seen["samedeal_move_ack_seconds_count"] == 3
        assert 0 < seen["samedeal_move_ack_seconds_sum"] < 60
        assert seen['samedeal_commit_batch_moves_bucket{le="+Inf"}'] == 3
        assert seen["samedeal_commit_batch_moves_sum"] == 3
        assert seen["samedeal_commit_seconds_count"] == 3
        assert seen["samedeal_request_seconds_count"] >= 8
        assert seen["samedeal_standings_sent_total"] >= 2
        assert seen["samedeal_moves_waiting"] == seen["samedeal_partitions_away"] == 0
        assert seen["process_cpu_seconds_total"] > 0
        await eventually(lambda: node.connections == 0)
        seen = await scrape(node.port)
        assert seen["samedeal_connections"] == seen["samedeal_players"] == 0
        closed = {name: n for name, n in seen.items() if name.startswith("samedeal_connections_c")}
        assert (
            sum(closed.values()) == closed['samedeal_connections_closed_total{why="normal"}'] == 2
        )


async def test_nobody_is_named(store_url: str) -> None:
    """Case 49's reason too: no player, duel, code or token makes a label or grows the page."""
    async with nodes(store_url) as (node,):
        await scrape(node.port)
        before = len((await scrape(node.port)).keys())
        async with opponents(node.port, node.port, duration_ms=60_000) as players:
            await players[0].play("d")
            await players[0].play("end")
            _status, body = await get(node.port, "/metrics")
            duel = players[0].last("duel")
            for player in players:
                for told in (player.id, player.name, player.token, duel["id"], duel["code"]):
                    assert told not in body
        assert len(await scrape(node.port)) == before


async def test_figures_can_be_switched_off(store_url: str) -> None:
    """Then there is nothing at that path; the node lives all the same."""
    async with nodes(store_url, metrics=False) as (node,):
        assert (await get(node.port, "/metrics"))[0] == 404
        assert (await get(node.port, "/healthz"))[0] == 200


async def test_a_store_that_is_away_shows(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves wait, failures are counted; afterwards nothing waits, and the delay is on record."""
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, duration_ms=60_000) as (ann,),
    ):
        commit = node.store.commit

        async def away(*_args: Any) -> list[int]:
            raise ConnectionError("away")

        monkeypatch.setattr(node.store, "commit", away)
        await ann.move("d")
        await ann.move("d")
        await eventually(lambda: node.journals.away)
        seen = await scrape(node.port)
        assert seen["samedeal_moves_waiting"] == 2
        assert seen["samedeal_partitions_away"] == 1
        assert seen['samedeal_store_errors_total{work="moves"}'] >= 1
        assert seen["samedeal_moves_accepted_total"] == 0
        monkeypatch.setattr(node.store, "commit", commit)
        await ann.until("applied", seq=1)
        seen = await scrape(node.port)
        assert seen["samedeal_moves_waiting"] == seen["samedeal_partitions_away"] == 0
        assert seen["samedeal_moves_accepted_total"] == 2


async def test_a_loop_that_is_held_up_shows(store_url: str) -> None:
    """A timer that was late by a quarter of a second is counted as one."""
    async with nodes(store_url) as (node,):
        await asyncio.sleep(0.1)
        time.sleep(0.6)  # the fault itself

        async def late() -> bool:
            seen = await scrape(node.port)
            bucket = 'samedeal_event_loop_lag_seconds_bucket{le="%s"}'
            return seen[bucket % "+Inf"] > seen[bucket % "0.2"]

        await eventually(late)


async def test_who_is_turned_away_shows(store_url: str) -> None:
    """For want of room, and because all is too much; and how the node feels."""
    async with nodes(store_url, max_connections=1, busy_lag_ms=100) as (node,):
        ann = await Player.hello(node.port)
        with pytest.raises(InvalidStatus):
            await Player.connect(node.port)
        await ann.close()
        await eventually(lambda: node.connections == 0)
        while node.doorkeeper.level is not Level.OVERLOADED:
            node.doorkeeper.sampled(60_000)
        with pytest.raises(InvalidStatus):
            await Player.connect(node.port)
        seen = await scrape(node.port)
        assert seen['samedeal_turned_away_total{why="full"}'] == 1
        assert seen['samedeal_turned_away_total{why="busy"}'] == 1
        assert seen['samedeal_turned_away_total{why="address"}'] == 0
        assert seen["samedeal_pressure"] == 2


async def test_who_asks_too_often_gets_the_same_page(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Making it costs as much as many moves; nobody can make us do that all the time."""
    monkeypatch.setattr(page_module, "MIN_AGE_S", 3600.0)
    async with nodes(store_url) as (node,):
        page = await get(node.port, "/metrics")
        ann = await Player.hello(node.port)
        assert await get(node.port, "/metrics") == page
        await ann.close()


async def test_any_worker_tells_the_sum(store_url: str, tmp_path: Path) -> None:
    """Two processes that share a directory: each page is about both; of one that has died the
    gauges go, and what it counted stays."""
    shared = tmp_path / "shared"
    shared.mkdir()
    env = {SHARED_DIR: str(shared)}
    flags = ("--store-url", store_url)
    with (
        Server(tmp_path / "one", *flags, **env) as one,
        Server(tmp_path / "two", *flags, **env) as two,
    ):
        async with opponents(one.port, two.port, two.port, duration_ms=60_000) as players:
            for player in players:
                assert (await player.play("d"))["type"] == "applied"
            for port in (one.port, two.port):

                async def both(port: int = port) -> bool:
                    seen = await scrape(port)
                    return (
                        seen["samedeal_connections"] == 3
                        and seen["samedeal_moves_accepted_total"] == 3
                        and seen["samedeal_move_ack_seconds_count"] == 3
                        and seen['samedeal_duels{phase="running"}'] == 2
                    )

                await eventually(both)
            two.kill()
            mark_process_dead(two.process.pid, str(shared))  # as the parent of workers does
            await asyncio.sleep(0.6)
            seen = await scrape(one.port)
            assert seen["samedeal_connections"] == 1
            assert seen["samedeal_moves_accepted_total"] == 3
    assert str(os.getpid()) not in "".join(path.name for path in shared.iterdir())

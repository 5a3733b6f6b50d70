"""Connections to the store: one that falls silent, and a pool that is smaller than the rush."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from redis.asyncio import Redis

from samedeal_server.node import news
from samedeal_server.node.node import running_node
from samedeal_server.store import client
from support.games import line
from support.nodes import eventually, nodes, quick_settings
from support.player import Answered, Player, opponents
from support.proxy import store_proxy


def _shows(player: Player, score: int) -> bool:
    return any(row["score"] == score for row in player.last("standings")["rows"])


async def test_a_subscription_that_falls_silent_is_made_anew(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 55: dropped packets, no error: play goes on meanwhile, then standings do, all of them
    read anew since news were missed, with one listener for each channel and not two."""
    monkeypatch.setattr(news, "SILENCE_S", 0.3)
    monkeypatch.setattr(news, "ANSWER_S", 0.3)
    moves = line("silent", 30)
    async with (
        Redis.from_url(store_url, decode_responses=True) as redis,
        store_proxy(store_url) as proxy,
        running_node(quick_settings(), proxy.url) as one,
        running_node(quick_settings(), proxy.url) as two,
        opponents(one.port, two.port, seed="silent", duration_ms=60_000) as (ann, bob),
    ):
        score = (await ann.play(moves[0]))["score"]
        await eventually(lambda: _shows(bob, score))
        proxy.silent = True
        for move in moves[1:20]:
            assert (await ann.play(move))["type"] == "applied"
        score = ann.last("applied")["score"]
        # The subscriptions of both nodes, and a second try of each that got no answer either.
        await eventually(lambda: proxy.silenced >= 4)
        assert (await bob.play("d"))["type"] == "applied"
        assert not _shows(bob, score)
        proxy.heal()
        await eventually(lambda: _shows(bob, score))

        async def listeners() -> bool:
            channels = [f"sd:{{p00}}:n:{node.id}" for node in (one, two)]
            counts = await redis.execute_command("PUBSUB", "SHARDNUMSUB", *channels)
            return list(counts[1::2]) == [1, 1]

        await eventually(listeners)
        for move in moves[20:]:
            await ann.play(move)
        await eventually(lambda: _shows(bob, ann.last("applied")["score"]))


POOL = 5


async def test_a_rush_on_a_small_pool_waits_and_leaves_it_whole(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 56: 300 calls at once, 50 of them cancelled, while players play and ask: nobody is shown
    an error, and afterwards every connection but the subscription's is free."""
    monkeypatch.setattr(client, "MAX_CONNECTIONS", POOL)
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, two.port, one.port, seed="rush", duration_ms=60_000) as players,
    ):
        duel = one.keeper.rooms[0].duel.id
        moves = line("rush", 30)

        async def read() -> Any:
            return await one.store.standings(duel)

        calls = [asyncio.create_task(read()) for _ in range(300)]

        async def cancel() -> None:
            for call in calls[::6]:
                await asyncio.sleep(0)
                call.cancel()

        async def play(player: Player) -> None:
            for move in moves:
                assert (await player.play(move))["type"] == "applied"

        async def ask(player: Player) -> None:
            for _ in range(10):
                assert (await player.ask("where"))["place"] == "duel"

        await asyncio.gather(cancel(), *map(play, players), *map(ask, players))
        done = await asyncio.gather(*calls, return_exceptions=True)
        cancelled = [found for found in done if isinstance(found, BaseException)]
        assert len(cancelled) >= 40
        assert all(isinstance(found, asyncio.CancelledError) for found in cancelled)
        assert not any(player.seen("error") for player in players)
        score = players[0].last("applied")["score"]
        for player in players:
            await eventually(lambda player=player: _shows(player, score))

        pool = one._redis.connection_pool
        async with asyncio.timeout(20):
            free = [await pool.get_connection() for _ in range(POOL - 1)]
        assert len(set(free)) == POOL - 1
        for connection in free:
            await pool.release(connection)


async def test_moves_do_not_wait_for_the_pool(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 56: no connection is free, and the wait for one ends: moves are taken all the same, and
    the standings catch up."""
    monkeypatch.setattr(client, "MAX_CONNECTIONS", POOL)
    monkeypatch.setattr(client, "POOL_WAIT_S", 0.3)
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, two.port, seed="pool", duration_ms=60_000) as (ann, bob),
    ):
        moves = line("pool", 12)
        pool = two._redis.connection_pool
        taken = [await pool.get_connection() for _ in range(POOL - 1)]
        try:
            for move in moves:
                assert (await ann.play(move))["type"] == "applied"
                assert (await bob.play(move))["type"] == "applied"
            with pytest.raises(Answered, match="store_away"):
                await bob.ask("where")
        finally:
            for connection in taken:
                await pool.release(connection)
        score = ann.last("applied")["score"]
        await eventually(lambda: [r["score"] for r in bob.last("standings")["rows"]] == [score] * 2)
        assert (await bob.ask("where"))["place"] == "duel"

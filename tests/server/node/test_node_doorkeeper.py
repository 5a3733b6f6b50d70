"""Limits of addresses, other web pages, and a node with too much to do."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from samedeal_server.domain.pressure import Level
from samedeal_server.node.node import Node
from samedeal_server.settings import Settings
from support.games import line
from support.nodes import nodes
from support.player import Answered, Player, opponents

BEHIND_A_PROXY: dict[str, Any] = {"trusted_proxies": "127.0.0.1"}


def _from(address: str) -> dict[str, Any]:
    return {"additional_headers": {"X-Forwarded-For": address}}


async def _status(node: Node, **options: Any) -> int:
    """Of the handshake; 101 if it worked."""
    try:
        player = await Player.connect(node.port, **options)
    except InvalidStatus as refused:
        answer = refused.response
    else:
        await player.close()
        return 101
    if answer.status_code in (429, 503):
        assert int(answer.headers["Retry-After"]) >= 1
    return answer.status_code


@pytest.mark.parametrize(
    ("allowed", "origin", "status"),
    [
        ("", None, 101),
        ("", "https://evil.example", 403),
        ("https://play.example", "https://play.example", 101),
        ("https://Play.example/, http://localhost:8000", "http://localhost:8000", 101),
        ("https://play.example", "https://play.example.evil.org", 403),
        ("https://play.example", "http://play.example", 403),
        ("https://play.example", "null", 403),
        ("https://play.example", None, 101),
        ("*", "https://evil.example", 101),
    ],
)
async def test_other_web_pages(
    store_url: str, allowed: str, origin: str | None, status: int
) -> None:
    """By default no web page may connect for its visitor; programs, without an Origin, always."""
    async with nodes(store_url, allowed_origins=allowed) as (node,):
        assert await _status(node, origin=origin) == status


async def test_connections_of_one_address(store_url: str) -> None:
    """429 beyond the limit; another address is another client, another /64 too."""
    async with nodes(store_url, address_connections=3, **BEHIND_A_PROXY) as (node,):
        here = [await Player.connect(node.port, **_from("192.0.2.1")) for _ in range(3)]
        assert await _status(node, **_from("192.0.2.1")) == 429
        assert await _status(node, **_from("192.0.2.2")) == 101
        assert await _status(node, **_from("2001:db8::1")) == 101
        assert await _status(node) == 101
        await here[0].close()
        assert await _status(node, **_from("192.0.2.1")) == 101
        for player in here[1:]:
            await player.close()


async def test_a_flood_of_connections_from_one_address(store_url: str) -> None:
    """Beyond the burst they get 429; the neighbours' moves are answered all the same."""
    limits = {"address_burst": 10, "address_new_per_s": 0.01}
    async with (
        nodes(store_url, **limits, **BEHIND_A_PROXY) as (node,),
        opponents(node.port, node.port, seed="flood", duration_ms=60_000) as (ann, _bob),
    ):
        knocks = [_status(node, **_from(f"2001:db8::{n:x}")) for n in range(40)]
        statuses, answer = await asyncio.gather(asyncio.gather(*knocks), ann.play("d"))
        assert statuses.count(101) == 10
        assert statuses.count(429) == 30
        assert answer["type"] == "applied"


async def test_new_players_of_one_address(store_url: str) -> None:
    """Too many get an error that says when to try again; known players are not concerned."""
    async with nodes(store_url, address_players_per_min=2, **BEHIND_A_PROXY) as (node,):
        known = await Player.connect(node.port, **_from("192.0.2.1"))
        await known.send("hello", name="first of all")
        await known.welcomed()
        token = known.token
        await known.close()
        other = await Player.connect(node.port, **_from("192.0.2.1"))
        await other.send("hello", name="second")
        await other.welcomed()
        third = await Player.connect(node.port, **_from("192.0.2.1"))
        await third.send("hello", name="third")
        error = await third.until("error")
        assert error["code"] == "slow_down"
        assert 0 < error["retry_after_ms"] <= 30_000
        back = await Player.connect(node.port, **_from("192.0.2.1"))
        await back.send("hello", token=token)
        assert (await back.welcomed())["name"] == "first of all"
        for player in (other, third, back):
            await player.close()


async def test_busy_refuses_what_is_new_and_serves_who_plays(store_url: str) -> None:
    """No new duel, no new player; who plays is answered, and comes back after a loss."""
    async with (
        nodes(store_url, busy_lag_ms=100) as (node,),
        opponents(node.port, node.port, seed="busy", duration_ms=60_000) as (ann, bob),
    ):
        idle = await Player.hello(node.port)
        while node.doorkeeper.level is Level.CALM:
            node.doorkeeper.sampled(150)
        for ask in (idle.create(), idle.ask("queue", ruleset="timed", seats=2)):
            with pytest.raises(Answered, match="server_full") as refused:
                await ask
            assert refused.value.message["retry_after_ms"] > 0
        new = await Player.connect(node.port)
        await new.send("hello", name="somebody new")
        assert (await new.until("error"))["code"] == "server_full"
        assert (await ann.play(line("busy", 1)[0]))["type"] == "applied"
        await bob.cut()
        back = await bob.again(node.port)
        await back.has("snapshot")
        while node.doorkeeper.level is not Level.CALM:
            node.doorkeeper.sampled(1)
        assert (await idle.create())["phase"] == "open"
        for player in (idle, new, back):
            await player.close()


async def test_overloaded_lets_nobody_in_and_plays_on(store_url: str) -> None:
    """503 with Retry-After at the handshake; who is inside is answered."""
    async with (
        nodes(store_url, busy_lag_ms=100) as (node,),
        opponents(node.port, node.port, seed="over", duration_ms=60_000) as (ann, _bob),
    ):
        while node.doorkeeper.level is not Level.OVERLOADED:
            node.doorkeeper.sampled(5000)
        assert await _status(node) == 503
        assert (await ann.play("d"))["type"] == "applied"
        while node.doorkeeper.level is Level.OVERLOADED:
            node.doorkeeper.sampled(1)
        assert await _status(node) == 101


async def test_the_lag_is_measured(store_url: str) -> None:
    """A loop that is held up again and again is noticed by itself."""
    async with nodes(store_url, busy_lag_ms=20) as (node,):
        async with asyncio.timeout(20):
            while node.doorkeeper.level is Level.CALM:
                time.sleep(0.05)  # holds the loop up
                await asyncio.sleep(0)


async def test_only_so_many_duels(store_url: str) -> None:
    """The next one is refused with a time to come back, until one of them is gone."""
    async with nodes(store_url, max_duels=2) as (node,):
        hosts = [await Player.hello(node.port) for _ in range(3)]
        for host in hosts[:2]:
            await host.create()
        with pytest.raises(Answered, match="server_full") as refused:
            await hosts[2].create()
        assert refused.value.message["retry_after_ms"] > 0
        await hosts[0].ask("leave")
        await hosts[2].create()
        for host in hosts:
            await host.close()


async def test_one_player_opens_only_so_many_duels(store_url: str) -> None:
    """Also on new connections; others are not concerned."""
    async with nodes(store_url, player_duels_per_min=3) as (node,):
        ann = await Player.hello(node.port)
        for _ in range(2):
            await ann.create()
            await ann.ask("leave")
        await ann.ask("queue", ruleset="timed", seats=2)
        back = await ann.again(node.port)
        with pytest.raises(Answered, match="slow_down") as refused:
            await back.create()
        assert 0 < refused.value.message["retry_after_ms"] <= 20_000
        bob = await Player.hello(node.port)
        await bob.create()
        for player in (ann, back, bob):
            await player.close()


async def test_a_human_is_never_limited(store_url: str) -> None:
    """Ten moves a second with the limits of a real server: every one is taken."""
    defaults = Settings()
    limits = {
        name: getattr(defaults, name)
        for name in (
            "moves_per_s",
            "moves_burst",
            "requests_per_s",
            "requests_burst",
            "address_connections",
            "address_new_per_s",
            "address_burst",
            "address_players_per_min",
            "address_duels_per_min",
            "player_duels_per_min",
            "max_duels",
        )
    }
    moves = line("human", 40)
    async with (
        nodes(store_url, **limits, **BEHIND_A_PROXY) as (node,),
        opponents(node.port, seed="human", duration_ms=60_000) as (ann,),
    ):
        for move in moves:
            await ann.move(move)
            await asyncio.sleep(0.1)
        await ann.has("applied", seq=len(moves) - 1)
        assert not ann.seen("error")
        assert len(ann.seen("applied")) == len(moves)

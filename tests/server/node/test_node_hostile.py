"""A hostile client: short errors or the door; other duels don't notice. And nobody sees cards."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from samedeal_rules import deal, find_ruleset
from samedeal_server.node.node import Node
from samedeal_server.settings import Settings
from support.games import line
from support.nodes import eventually, nodes
from support.player import Player, opponents

DEFAULTS = Settings()
REAL_LIMITS: dict[str, Any] = {
    name: getattr(DEFAULTS, name)
    for name in ("moves_per_s", "moves_burst", "requests_per_s", "requests_burst")
}

GARBAGE = [
    "",
    "null",
    "[]",
    "{}",
    "42",
    '"hello"',
    "{",
    "\x00",
    "{'type':'move'}",
    '{"type":"nonsense"}',
    '{"type":null}',
    '{"type":["move"]}',
    '{"type":"move"}',
    '{"type":"move","seq":"3","move":"d"}',
    '{"type":"move","seq":true,"move":"d"}',
    '{"type":"move","seq":1.0,"move":"d"}',
    '{"type":"move","seq":" 2 ","move":"d"}',
    '{"type":"move","seq":-1,"move":"d"}',
    '{"type":"move","seq":1e400,"move":"d"}',
    '{"type":"move","seq":' + "9" * 4000 + ',"move":"d"}',
    '{"type":"move","seq":NaN,"move":"d"}',
    '{"type":"move","seq":0,"move":17}',
    '{"type":"move","seq":0,"move":null}',
    '{"type":"move","seq":0,"move":"' + "d" * 5000 + '"}',
    '{"type":"move","seq":0,"seq":0,"move":"d"}',
    '{"type":"move","seq":0,"move":"d","move":"u"}',
    '{"type":"move","seq":0,"move":"\\ud83d"}',
    '{"type":"hello","name":"\\ud83d"}',
    '{"type":"hello","name":7}',
    '{"type":"create","req":1,"seats":"no"}',
    '{"type":"create","req":1,"options":{"a":{"b":1}}}',
    '{"type":"create","req":1,"options":[]}',
    '{"type":"ready","req":1,"nonce_hash":"no"}',
    '{"type":"join","req":1,"code":{}}',
    "[" * 8000,
    '{"a":' * 2000,
]


@asynccontextmanager
async def _arena(store_url: str, **changes: Any) -> AsyncIterator[tuple[Node, list[Player]]]:
    """A node with its real limits, and a duel of others on it."""
    async with (
        nodes(store_url, **{**REAL_LIMITS, **changes}) as (node,),
        opponents(node.port, node.port, seed="calm", duration_ms=60_000) as players,
    ):
        yield node, players


async def _plays_on(players: list[Player], count: int = 10) -> None:
    """A human at 10 moves a second: each is answered soon, none refused."""
    moves = line("calm", 200)
    for _ in range(count):
        loop = asyncio.get_running_loop()
        sent = loop.time()
        answer = await players[0].play(moves[players[0].next_seq])
        assert answer["type"] == "applied"
        assert loop.time() - sent < 2  # 0.2 on a machine with nothing else to do
        await asyncio.sleep(0.1)


async def test_garbage_gets_short_errors(store_url: str) -> None:
    """Case 67: each refused, nothing echoed, nothing changed, before and after hello."""
    async with nodes(store_url, **REAL_LIMITS) as (node,):
        for text in GARBAGE:
            eve = await Player.connect(node.port)
            await eve.ws.send(text)
            refused = await eve.until_any({"error", "refused"})
            assert len(json.dumps(refused)) < 200
            assert "ddd" not in refused["message"]
            assert "999" not in refused["message"]
            await eve.send("hello", name="fine")
            assert (await eve.until_any({"welcome", "error"}))["type"] in ("welcome", "error")
            await eve.close()
        assert not node.keeper.rooms


async def test_too_much_garbage_is_the_end(store_url: str) -> None:
    """Errors are limited as well, and then the connection is closed with a code of its own."""
    async with _arena(store_url) as (node, others):
        eve = await Player.hello(node.port)
        with suppress(ConnectionClosed):
            for _ in range(60):
                await eve.ws.send("nonsense")
                await asyncio.sleep(0.001)
        assert await eve.end() == 4002
        assert len(eve.seen("error")) < 30
        await _plays_on(others, 3)


async def test_large_and_broken_frames(store_url: str) -> None:
    """1 MB: 1009; not UTF-8: 1007; binary: 1003."""
    async with _arena(store_url) as (node, others):
        for data, code in ((b"x" * 1_000_000, 1009), (b"\xff\xfe", 1007)):
            eve = await Player.hello(node.port)
            with suppress(ConnectionClosed):
                await eve.ws.send(data, text=True)
            assert await eve.end() == code
        eve = await Player.hello(node.port)
        await eve.ws.send(b"{}")
        assert await eve.end() == 1003
        await _plays_on(others, 3)


@pytest.mark.parametrize("flood", ["moves", "requests", "pings", "refused"])
async def test_floods(store_url: str, flood: str) -> None:
    """Case 49: warned, then closed with 4003; the other duel's moves are answered meanwhile."""
    async with (
        _arena(store_url) as (node, others),
        opponents(node.port, node.port, seed="flood", duration_ms=60_000) as (eve, _bob),
    ):
        moves = line("flood", 400)

        async def go() -> None:
            with suppress(ConnectionClosed):
                for number in range(5000):
                    match flood:
                        case "moves":
                            await eve.send("move", seq=number, move=moves[number % 400])
                        case "requests":
                            await eve.send("where", req=number)
                        case "pings":
                            await eve.send("ping", id=number)
                        case _:
                            await eve.send("move", seq=0, move="t1-t1")
                    if number % 50 == 0:
                        await asyncio.sleep(0.01)

        flooding = asyncio.create_task(go())
        await _plays_on(others, 10)
        await flooding
        assert await eve.end() == 4003
        assert any(m["code"] == "slow_down" for m in eve.seen("error"))
        assert len(eve.seen("error")) < 60


async def test_a_fast_human_is_never_limited(store_url: str) -> None:
    """Case 49: 10 moves a second, with pings and a sync now and then."""
    async with _arena(store_url) as (_node, others):
        fast = others[0]
        for number in range(30):
            await fast.send("ping", id=number)
            if number % 10 == 9:
                await fast.ask("sync")
            assert (await fast.play(line("calm", 200)[number]))["type"] == "applied"
            await asyncio.sleep(0.05)
        assert not fast.seen("error")


async def test_resending_sixteen_after_a_reconnect_is_no_flood(store_url: str) -> None:
    """What the client library does when it comes back."""
    async with _arena(store_url) as (node, (ann, _bob)):
        moves = line("calm", 200)
        for move in moves[:16]:
            await ann.play(move)
        for _ in range(3):
            ann = await ann.again(node.port)
            await ann.has("snapshot")
            for seq, move in enumerate(moves[:16]):
                await ann.move(move, seq)
            for seq in range(16):
                await ann.until("applied", seq=seq)
        assert not ann.seen("error")
        await ann.close()


async def test_asking_for_old_answers_is_limited(store_url: str) -> None:
    """Each may cost a replay of the whole game: as dear as a request; new moves go on."""
    async with _arena(store_url) as (_node, (ann, _bob)):
        moves = line("calm", 200)
        await ann.play(moves[0])
        loop = asyncio.get_running_loop()
        began = loop.time()
        for _ in range(50):
            await ann.move(moves[0], 0)
        await ann.until("error", code="slow_down")

        async def plays_on() -> bool:
            return bool((await ann.play(moves[1]))["type"] == "applied")

        await eventually(plays_on)  # once fewer than 16 old answers are under way
        most = DEFAULTS.requests_burst + DEFAULTS.requests_per_s * (loop.time() - began)
        assert len(ann.seen("applied", seq=0)) <= 1 + most


async def test_answers_that_wait_for_the_store_are_limited(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 49: who goes on asking while nothing can be answered is closed, not remembered."""
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, node.port, duration_ms=60_000) as (eve, _bob),
    ):
        table = node.keeper.rooms[0].tables[eve.id]  # type: ignore[index]
        commit = node.store.commit

        async def hangs(*args: Any) -> list[int]:
            await asyncio.sleep(1)
            return await commit(*args)

        monkeypatch.setattr(node.store, "commit", hangs)
        await eve.move("d", 0)
        with suppress(ConnectionClosed):
            for _ in range(300):
                await eve.move("t1-t1", 1)
        assert await eve.end() == 4003
        assert table.waiting <= 65


async def test_guessing_codes_is_limited(store_url: str) -> None:
    """A few a second, then the door."""
    async with _arena(store_url) as (node, _others):
        eve = await Player.hello(node.port)
        with suppress(ConnectionClosed):
            for number in range(300):
                await eve.send("join", req=number, code="ACDEFH")
                await asyncio.sleep(0.001)
        assert await eve.end() == 4003
        assert len([m for m in eve.seen("error") if m["code"] == "no_such_duel"]) <= 25


async def test_saying_nothing_is_the_end(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that never says hello is closed with 4004."""
    async with nodes(store_url) as (node,):
        from dataclasses import replace

        node.limits = replace(node.limits, hello_ms=200)
        silent = await Player.connect(node.port)
        assert await silent.end() == 4004


async def test_requests_before_hello(store_url: str) -> None:
    """Refused; a move too; the connection may still say hello."""
    async with nodes(store_url) as (node,):
        eve = await Player.connect(node.port)
        await eve.send("create", req=1)
        assert (await eve.until("error"))["code"] == "say_hello"
        await eve.send("move", seq=0, move="d")
        assert (await eve.until("refused"))["code"] == "not_running"
        await eve.send("hello", token="x" * 43)
        assert (await eve.until("error"))["code"] == "bad_token"
        await eve.send("hello", name="Eve")
        await eve.welcomed()
        await eve.send("hello", name="Eva")
        assert (await eve.until("error"))["code"] == "wrong_state"
        await eve.close()


async def test_many_sockets_that_do_nothing(store_url: str) -> None:
    """Case 49: 300 of them; moves of others are answered."""
    async with _arena(store_url) as (node, others):
        sockets = [await asyncio.open_connection("127.0.0.1", node.port) for _ in range(300)]
        await _plays_on(others, 5)
        for _reader, writer in sockets:
            writer.close()


async def test_a_reader_that_does_not_read_is_cut(store_url: str) -> None:
    """Case 60: once its backlog passes the limit; the others get their answers."""
    async with _arena(store_url, requests_per_s=5000, requests_burst=5000) as (node, others):
        code = others[0].last("duel")["code"]
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.connect(("127.0.0.1", node.port))
        reader, writer = await asyncio.open_connection(sock=sock, limit=1024)
        writer.write(
            b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            b"Sec-WebSocket-Protocol: samedeal.1\r\n\r\n"
        )
        await reader.readuntil(b"\r\n\r\n")
        for message in (
            {"type": "hello", "name": "deaf"},
            {"type": "watch", "req": 1, "code": code},
        ):
            data = json.dumps(message).encode()
            writer.write(bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data)
        room = node.keeper.rooms[0]
        await eventually(lambda: room.spectators)
        for _ in range(60_000):
            if not room.spectators:
                break
            room.send_standings()
            await asyncio.sleep(0)
        await eventually(lambda: not room.spectators)
        await _plays_on(others, 2)
        writer.close()


async def test_broken_names_in_the_store_break_nothing(store_url: str) -> None:
    """Case 69: half an emoji put there by hand: everybody still gets everything."""
    async with nodes(store_url) as (node,):
        ann, bob = await Player.hello(node.port), await Player.hello(node.port)
        duel = await ann.create(seats=2, duration_ms=60_000)
        redis, key = node._redis, f"sd:{{p00}}:d:{duel['id']}"
        doc = await redis.hget(key, "doc")
        assert doc is not None
        await redis.hset(key, "doc", doc.replace(f'"{ann.name}"', '"\\ud83d\\u0000"'))
        await redis.execute_command("HSET", f"sd:p:{bob.id}", "name", b"\xff\xfe\xed\xa0\xbd")
        bob = await bob.again(node.port)
        assert "\ufffd" in bob.name
        await bob.join(duel["code"])
        await asyncio.gather(ann.ready(), bob.ready())
        for player in (ann, bob):
            await player.until("snapshot")
            await player.until("standings")
            shown = player.last("duel")["players"][0]["name"]
            assert shown == "\ufffd\ufffd" or shown == ann.name
        await asyncio.gather(ann.play("end"), bob.play("end"))
        for player in (ann, bob):
            await player.until("result")
            assert (await player.ask("record"))["text"]
        await bob.close()
        await ann.close()


async def test_nobody_is_sent_a_card_that_they_have_not_turned_up(store_url: str) -> None:
    """Case 39: everything sent to opponent, spectator and idle client in a whole duel."""
    moves = line("secret", 80)
    _options, ruleset = find_ruleset("timed")
    cards = set(ruleset.deck.names) - {"##"}
    opened = {
        ruleset.deck.names[c] for column in deal(ruleset, "secret").view().columns for c in column
    } - {"##"}
    async with nodes(store_url, 2) as (one, two):
        idle = await Player.hello(one.port)
        eve = await Player.hello(two.port)
        async with opponents(one.port, two.port, seed="secret", duration_ms=60_000) as (ann, bob):
            await eve.ask("watch", code=ann.last("duel")["code"])
            for move in moves:
                assert (await ann.play(move))["type"] == "applied"
                await asyncio.sleep(0.005)
            for bad in ("w-t1", "t1-f", "t7*13-t1", "f" + "H-t1", "x3", "c1-t1", "v1-f", "r"):
                await bob.play(bad, bob.next_seq)
            await bob.ask("sync")
            await asyncio.sleep(0.1)
            before_the_end = {p: list(p.raw) for p in (bob, eve, idle)}
            everything = "".join(ann.raw)
            assert sum(f'"{card}"' in everything for card in cards) > len(opened) + 5
            for player, allowed in ((bob, opened), (eve, set()), (idle, set())):
                sent = "".join(before_the_end[player])
                assert {card for card in cards if f'"{card}"' in sent} <= allowed
            assert any('"standings"' in text for text in before_the_end[eve])
        await idle.close()
        await eve.close()


async def test_asking_from_beside_the_duel_gets_nothing(store_url: str) -> None:
    """A spectator has no table: no sync, no moves, no record before the end, no rematch."""
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, node.port, duration_ms=60_000) as (ann, _bob),
    ):
        eve = await Player.hello(node.port)
        await eve.ask("watch", code=ann.last("duel")["code"])
        for kind, code in (
            ("sync", "not_in_a_duel"),
            ("record", "not_sealed"),
            ("rematch", "not_in_a_duel"),
            ("start", "not_in_a_duel"),
        ):
            await eve.send(kind, req=77)
            assert (await eve.until("error"))["code"] == code
        assert (await eve.play("d"))["code"] == "not_running"
        await ann.send("record", req=78)
        assert (await ann.until("error"))["code"] == "not_sealed"
        await eve.close()

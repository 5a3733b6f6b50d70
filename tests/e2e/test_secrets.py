"""What must not be found in the log, in error messages, or in the store."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from redis.asyncio import Redis

from support.nodes import eventually
from support.player import Player, opponents
from support.serving import Server


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_no_secret_is_logged(data_dir: Path, workers: str) -> None:
    """At the level that says most, with a duel, a wrong token, rubbish and a store that dies."""
    with Server(data_dir, "--workers", workers, SAMEDEAL_LOG_LEVEL="debug") as server:
        socket = (data_dir / "store" / "valkey.sock").readlink()
        async with opponents(server.port, server.port, duration_ms=60_000) as (ann, bob):
            await asyncio.gather(ann.play("d"), bob.play("d"))
            async with Redis.from_url(f"unix://{socket}") as redis:
                keys = [key async for key in redis.scan_iter("sd:*:secret")]
                secrets = [(await redis.get(key)).decode() for key in keys]
            wrong = await Player.connect(server.port)
            await wrong.send("hello", token="wr0ngt0ken" + "x" * 33)
            await wrong.until("error")
            await wrong.ws.send('{"type":"hello","token":"rubbish')
            await ann.cut()
            back = await ann.again(server.port)
            await back.has("snapshot")
            os.kill(server.store_pid(), signal.SIGKILL)
            await bob.move("d")
            await eventually(lambda: "the store" in "".join(server.errors))
            await bob.has("applied", seq=1)
            await wrong.close()
            tokens = [ann.token, bob.token]
            await back.close()
        server.stop()
        assert await asyncio.to_thread(server.code) == 0
        server._drain.join(5)
        log = "".join(server.errors)
        assert secrets
        for hidden in (*tokens, *secrets, "wr0ngt0ken", "rubbish", ann.nonce):
            assert hidden not in log
        assert "Traceback" not in log


async def test_the_store_knows_no_token(data_dir: Path) -> None:
    """Nothing in it, keys or values, has a token or the part of it that is secret."""
    with Server(data_dir) as server:
        ann = await Player.hello(server.port)
        socket = (data_dir / "store" / "valkey.sock").readlink()
        async with Redis.from_url(f"unix://{socket}") as redis:
            kept = [await redis.dump(key) + key async for key in redis.scan_iter("*")]
        assert len(kept) > 2
        secret = ann.token.removeprefix(ann.id).encode()
        assert len(secret) == 31
        assert not any(secret in value for value in kept)
        aof = b"".join(f.read_bytes() for f in (data_dir / "store").rglob("*.aof"))
        assert ann.id.encode() in aof
        assert secret not in aof
        await ann.close()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_stores_password_is_not_said(data_dir: Path, workers: str) -> None:
    """A store that can't be reached is named without it; a wrong URL is not repeated."""
    for url, code in (
        ("redis://:hunter2@127.0.0.1:1/0", 1),
        ("rediss://user:hunter2@127.0.0.1:1/0", 1),
        ("http://user:hunter2@127.0.0.1", 2),
    ):
        with Server(data_dir, "--workers", workers, wait=False, SAMEDEAL_STORE_URL=url) as server:
            assert server.code(60) == code
            server._drain.join(5)
            said = "".join(server.errors)
            assert said
            assert "hunter2" not in said
            assert "Traceback" not in said

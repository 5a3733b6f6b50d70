"""The server as a process: stopped, killed, started again, two on one store."""

from __future__ import annotations

import asyncio
import json
import signal
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from samedeal_rules.duel_record import verify_duel_record
from samedeal_server.store.embedded import close_embedded, open_embedded
from support.games import game_after, line
from support.nodes import eventually
from support.player import Answered, Player, opponents
from support.serving import Server, children, free_port, lives


async def test_ctrl_c_in_a_duel(data_dir: Path) -> None:
    """Exit 0, clients told to reconnect, journals flushed, the store stopped; all is there."""
    moves = line("ctrl-c", 30)
    port = free_port()
    with Server(data_dir, port=port) as server:
        async with opponents(port, port, seed="ctrl-c", duration_ms=60_000) as (ann, bob):
            store = server.store_pid()
            for move in moves[:10]:
                await ann.play(move)
            for move in moves[10:20]:
                await ann.move(move)
            server.ctrl_c()
            assert await ann.end() == await bob.end() == 1012
            assert await asyncio.to_thread(server.code) == 0
            assert not lives(store)
            acknowledged = len(ann.seen("applied"))
            assert acknowledged >= 10
    with Server(data_dir, port=port) as server:
        back = await ann.again(port)
        snapshot = await back.has("snapshot")
        assert snapshot["seq"] >= acknowledged
        game = game_after("ctrl-c", moves[: snapshot["seq"]])
        assert snapshot["score"] == game.score
        assert snapshot["checksum"] == game.board.checksum(game.ruleset.deck.names)
        await back.close()
        server.ctrl_c()
        assert await asyncio.to_thread(server.code) == 0


async def test_kill_in_the_middle_with_moves_in_flight(data_dir: Path) -> None:
    """Every acknowledged move is there, none twice; the record is true; the store is adopted."""
    moves = line("killed", 300)
    port = free_port()
    acknowledged: list[dict[str, object]] = []
    with Server(data_dir, port=port, keep_store=True) as server:
        async with opponents(port, port, seed="killed", duration_ms=120_000) as (ann, bob):
            await bob.play("d")
            store = server.store_pid()
            begun = ann.last("snapshot")

            async def stream() -> None:
                with suppress(ConnectionClosed):
                    for seq, move in enumerate(moves):
                        while seq - len(ann.seen("applied")) >= 12 and ann.closed is None:
                            await asyncio.sleep(0.001)
                        await ann.move(move, seq)

            streaming = asyncio.create_task(stream())
            while len(ann.seen("applied")) < 60:
                await asyncio.sleep(0.001)
            server.kill()
            await streaming
            await ann.end()
            acknowledged = ann.seen("applied")
            assert lives(store)
    assert 60 <= len(acknowledged) < 300
    with Server(data_dir, port=port) as server:
        assert server.store_pid() == store
        back, other = await ann.again(port), await bob.again(port)
        snapshot = await back.has("snapshot")
        at = snapshot["seq"]
        assert len(acknowledged) <= at <= len(acknowledged) + 16
        for same in ("fingerprint", "deadline", "start_at"):
            assert snapshot[same] == begun[same]
        game = game_after("killed", moves[:at])
        assert snapshot["score"] == game.score
        assert snapshot["checksum"] == game.board.checksum(game.ruleset.deck.names)
        # What was not acknowledged is sent again, with what was: answered, applied once.
        for seq in range(max(0, at - 8), at):
            answer = await back.play(moves[seq], seq)
            assert answer["type"] == "applied"
            for before in acknowledged:
                assert before["seq"] != seq or before == answer
        for seq in range(at, at + 10):
            assert (await back.play(moves[seq], seq))["type"] == "applied"
        assert (await other.has("snapshot"))["seq"] == 1
        await asyncio.gather(back.play("end", at + 10), other.play("end", 1))
        await asyncio.gather(back.until("result"), other.until("result"))
        text = (await back.ask("record"))["text"]
        assert all(check.ok for check in verify_duel_record(text))
        journal = json.loads(text)["players"][0]["moves"]
        assert [move for _ms, move in journal] == [*moves[: at + 10], "end"]
        for message in acknowledged:
            assert journal[message["seq"]] == [message["ms"], message["move"]]  # type: ignore[index]
        await asyncio.gather(back.close(), other.close())
        server.ctrl_c()
        assert await asyncio.to_thread(server.code) == 0
        assert not lives(store)


async def test_sigterm_with_a_full_house(data_dir: Path) -> None:
    """Case 63: 50 players, one who never reads, ten coming in: out in time, 0, all told 1012."""
    with Server(data_dir) as server:
        players = list(
            await asyncio.gather(*(Player.hello(server.port, f"p{n}") for n in range(50)))
        )
        for ann, bob in zip(players[::2], players[1::2], strict=True):
            code = (await ann.create(duration_ms=60_000))["code"]
            await bob.join(code)
        await asyncio.gather(*(player.ready() for player in players))
        await asyncio.gather(*(player.until("snapshot") for player in players))
        deaf_reader, deaf = await asyncio.open_connection("127.0.0.1", server.port, limit=64)
        deaf.write(
            b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        await asyncio.gather(*(player.play("d") for player in players))

        async def come_in() -> int | None:
            try:
                late = await Player.hello(server.port)
                await late.create()
            except (OSError, ConnectionClosed, ConnectionError, Answered, TimeoutError):
                return None
            except Exception as error:
                if "rejected" in str(error) or "HTTP" in str(error) or "close" in str(error):
                    return None
                raise
            return await late.end()

        coming = [asyncio.create_task(come_in()) for _ in range(10)]
        loop = asyncio.get_running_loop()
        asked = loop.time()
        server.stop()
        await asyncio.sleep(0.05)
        server.stop()
        codes = await asyncio.gather(*(player.end() for player in players))
        assert set(codes) == {1012}
        server.stop()
        assert await asyncio.to_thread(server.code, 10) == 0
        assert loop.time() - asked < 10
        assert set(await asyncio.gather(*coming)) <= {None, 1012}
        deaf.close()
        assert not [text for text in server.errors if "Traceback" in text]
        del deaf_reader
    with Server(data_dir) as server:
        back = await players[0].again(server.port)
        assert (await back.has("snapshot"))["seq"] == 1
        await back.close()
        server.ctrl_c()
        assert await asyncio.to_thread(server.code) == 0


async def test_two_servers_on_one_store(data_dir: Path) -> None:
    """Players of one duel on different processes; the first to stop leaves the store running."""
    moves = line("two", 20)
    with Server(data_dir) as one, Server(data_dir) as two:
        assert one.store_pid() == two.store_pid()
        async with opponents(one.port, two.port, seed="two", duration_ms=60_000) as (ann, bob):
            for move in moves:
                await ann.play(move)
            score = ann.last("applied")["score"]
            await bob.until("standings", lambda m: any(r["score"] == score for r in m["rows"]))
            one.kill()
            back = await ann.again(two.port)
            assert (await back.has("snapshot"))["score"] == score
            await asyncio.gather(back.play("end"), bob.play("end"))
            results = await asyncio.gather(back.until("result"), bob.until("result"))
            assert results[0] == results[1]
            await back.close()
        store = two.store_pid()
        two.ctrl_c()
        assert await asyncio.to_thread(two.code) == 0
        assert not lives(store)


async def test_all_nodes_killed_the_duel_ends_all_the_same(data_dir: Path) -> None:
    """`due`: whoever comes next ends it from the journals; players find the result."""
    port = free_port()
    with Server(data_dir, port=port, keep_store=True) as server:
        async with opponents(port, port, duration_ms=1500) as (ann, bob):
            await ann.play("d")
            server.kill()
    await asyncio.sleep(1.6)
    with Server(data_dir, port=port) as server:
        back, other = await ann.again(port), await bob.again(port)
        results = await asyncio.gather(back.has("result"), other.has("result"))
        assert results[0] == results[1]
        row = next(r for r in results[0]["ranking"] if r["player"] == ann.id)
        assert (row["moves"], row["ended"]) == (1, "timeout")
        await asyncio.gather(back.close(), other.close())


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
async def test_both_loops_serve(data_dir: Path, loop: str) -> None:
    """The same duel on either; stopped by Ctrl-C in the middle of it."""
    if loop == "uvloop":
        pytest.importorskip("uvloop")
    with Server(data_dir, "--loop", loop) as server:
        async with opponents(server.port, server.port, duration_ms=60_000) as (ann, bob):
            assert (await ann.play("d"))["type"] == "applied"
            await ann.cut()
            back = await ann.again(server.port)
            assert (await back.has("snapshot"))["seq"] == 1
            await bob.play("d")
            server.ctrl_c()
            assert await back.end() == 1012
        assert await asyncio.to_thread(server.code) == 0
        assert not [text for text in server.errors if "Traceback" in text]


async def test_what_is_wrong_is_said_in_words(data_dir: Path) -> None:
    """A taken port, a store that is not there, a bad setting: one line, no traceback."""
    with ExitStack() as stack:
        server = stack.enter_context(Server(data_dir))
        for flags, words in (
            (("--port", str(server.port)), "can't listen"),
            (("--store-url", "unix:///nowhere/at/all.sock"), "store does not answer"),
            (("--countdown-s", "-1"), "countdown_s"),
            (("--min-duration-ms", "5000", "--max-duration-ms", "4000"), "is below"),
            (("--store-url", "nonsense"), "store_url: not redis://"),
            (("--host", "no..such..host"), "no such host"),
        ):
            with pytest.raises(AssertionError, match="no server") as failed:
                stack.enter_context(Server(data_dir, *flags))
            assert words in str(failed.value)
            assert "Traceback" not in str(failed.value)


async def test_a_settings_file_is_there_and_sets_what_there_is(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is missing or misspelled is named; defaults don't take its place in silence."""
    file = tmp_path / "samedeal.toml"
    monkeypatch.setenv("SAMEDEAL_CONFIG", str(file))
    for text, words in (
        (None, "No such file"),
        ("port = ", "not TOML"),
        ("prot = 7778", "there is no setting 'prot'"),
    ):
        if text is not None:
            file.write_text(text)
        with (
            pytest.raises(AssertionError, match="no server") as failed,
            Server(data_dir),
        ):
            pass
        assert words in str(failed.value)
        assert "Traceback" not in str(failed.value)


async def test_the_store_outlives_nobody(data_dir: Path) -> None:
    """A store left by a killed server is adopted by whoever comes, and stopped by the last."""
    with Server(data_dir, keep_store=True) as server:
        store = server.store_pid()
        server.kill()
        assert lives(store)
    mine = await open_embedded(data_dir / "store")
    assert mine.adopted
    assert mine.pid == store
    await close_embedded(mine)
    assert not lives(store)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are read from /proc")
@pytest.mark.parametrize("how", ["kill", "stop", "ctrl_c"])
async def test_the_process_for_hints_ends_with_its_server(data_dir: Path, how: str) -> None:
    """Killed, stopped or interrupted, and without a word on stderr."""
    with Server(data_dir) as server:
        async with opponents(server.port, ruleset="klondike-1", duration_ms=60_000) as (ann,):
            assert (await ann.ask("hint"))["answer"] in ("move", "unknown")
            store = server.store_pid()
            helpers = children(server.process.pid) - {store}
            assert helpers
            getattr(server, how)()
            await ann.end()
            assert await asyncio.to_thread(server.code) == (-signal.SIGKILL if how == "kill" else 0)
            await eventually(lambda: not any(map(lives, helpers)))
        assert "Traceback" not in "".join(server.errors)


async def test_a_server_of_a_test_takes_its_store_with_it(data_dir: Path) -> None:
    """Even if it was killed; but not the store that another one still has."""
    with Server(data_dir) as last:
        store = last.store_pid()
        with Server(data_dir) as first:
            first.kill()
        assert lives(store)
        last.kill()
    await eventually(lambda: not lives(store))

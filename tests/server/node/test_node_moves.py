"""Exactly once: whatever is repeated, cut, moved to another node or frozen."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from support.games import game_after, line
from support.nodes import eventually, nodes
from support.player import Player, opponents


async def _checksum(player: Player) -> int:
    return (await player.ask("sync"))["checksum"]


async def test_a_repeated_move_is_answered_again_and_applied_once(store_url: str) -> None:
    """Case 46: a double click, a repeated undo, and both again after a reconnect and the end."""
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, node.port, seed="twice", duration_ms=60_000) as (ann, _bob),
    ):
        await ann.move("d", 0)
        await ann.move("d", 0)
        first, second = [await ann.until("applied", seq=0) for _ in range(2)]
        assert first == second
        await ann.play("d", 1)
        await ann.move("u", 2)
        await ann.move("u", 2)
        undone, again = [await ann.until("applied", seq=2) for _ in range(2)]
        assert undone == again
        back = await ann.again(node.port)
        snapshot = await back.has("snapshot")
        assert (snapshot["seq"], snapshot["score"]) == (3, undone["score"])
        assert await back.play("d", 0) == first
        assert await back.play("u", 2) == undone
        assert (await back.play("t1-t2", 1))["code"] == "conflict"
        assert (await back.ask("sync"))["seq"] == 3
        ended = await back.play("end", 3)
        assert await back.play("end", 3) == ended
        assert await back.play("u", 2) == undone
        assert (await back.play("d", 4))["code"] == "finished"
        await back.close()


async def test_two_draws_with_different_numbers_are_two_draws(store_url: str) -> None:
    """Only a repeated seq is a repeated move."""
    async with nodes(store_url) as (node,), opponents(node.port, duration_ms=60_000) as (ann,):
        drawn = [(await ann.play("d"))["drawn"] for _ in range(2)]
        assert drawn[0] != drawn[1]


async def test_a_gap_is_told_and_nothing_is_held(store_url: str) -> None:
    """If 0 is refused, 1 gets a gap with the expected number; refusals use no number up."""
    async with nodes(store_url) as (node,), opponents(node.port, duration_ms=60_000) as (ann,):
        await ann.move("t1-t1", 0)
        await ann.move("d", 1)
        await ann.move("d", 2)
        assert (await ann.until("refused", seq=0))["code"] == "illegal"
        for seq in (1, 2):
            refused = await ann.until("refused", seq=seq)
            assert (refused["code"], refused["expected"]) == ("gap", 0)
        assert (await ann.play("d", 0))["type"] == "applied"


async def test_the_seventeenth_that_waits_is_refused(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most 16 moves wait for the store; a refusal waits for the commits before it."""
    moves = line("many", 18)
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, seed="many", duration_ms=60_000) as (ann,),
    ):
        gate = asyncio.Event()
        commit = node.store.commit

        async def slow(*args: Any) -> Any:
            await gate.wait()
            return await commit(*args)

        monkeypatch.setattr(node.store, "commit", slow)
        for seq in range(17):
            await ann.move(moves[seq], seq)
        table = next(iter(node.keeper.rooms[0].tables.values()))
        await eventually(lambda: table.next_seq == 16)
        await asyncio.sleep(0.1)
        assert not ann.seen("applied")
        assert not ann.seen("refused")
        gate.set()
        refused = await ann.until("refused", seq=16)
        assert refused["code"] == "too_many"
        assert [m["seq"] for m in ann.seen("applied")] == list(range(16))
        assert (await ann.play(moves[16], 16))["type"] == "applied"


async def test_nothing_is_acknowledged_before_it_is_kept(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When `applied` is on its way the entry is in the store already."""
    async with nodes(store_url) as (node,), opponents(node.port, duration_ms=60_000) as (ann,):
        duel = node.keeper.rooms[0].duel.id
        calls: list[int] = []
        commit = node.store.commit

        async def watched(partition: Any, entries: Any) -> Any:
            calls.append(len(ann.seen("applied")))
            await asyncio.sleep(0.05)
            assert len(ann.seen("applied")) == calls[-1]
            return await commit(partition, entries)

        monkeypatch.setattr(node.store, "commit", watched)
        for count in range(1, 6):
            await ann.play("d")
            assert len(await node.store.journal(duel, ann.id)) == count
        assert calls == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_resuming_goes_on_where_it_was(store_url: str, elsewhere: bool) -> None:
    """Case 37: a snapshot first: same board, same score; the clock went on; nothing twice."""
    moves = line("resume", 40)
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, one.port, seed="resume", duration_ms=60_000) as (ann, bob),
    ):
        for move in moves[:20]:
            await ann.play(move)
        before = await ann.ask("sync")
        await ann.cut()
        for _ in range(5):
            await bob.play("d")
        await bob.until("standings", lambda m: any(r["state"] == "away" for r in m["rows"]))
        back = await ann.again((two if elsewhere else one).port)
        kinds = [m["type"] for m in back.log]
        snapshot = await back.has("snapshot")
        assert [k for k in kinds if k not in ("welcome", "duel")][:1] in ([], ["snapshot"])
        for same in ("board", "score", "items", "seq", "fingerprint", "checksum", "deadline"):
            assert snapshot[same] == before[same], same
        assert snapshot["server_ms"] > before["server_ms"]
        for move in moves[20:]:
            assert (await back.play(move))["type"] == "applied"
        assert await _checksum(back) == game_after("resume", moves).board.checksum(
            game_after("resume", moves).ruleset.deck.names
        )
        versions = [m["version"] for m in back.seen("standings")]
        assert versions == sorted(set(versions))
        await back.close()


async def test_no_standings_are_missed_or_sent_twice_after_a_cut(store_url: str) -> None:
    """Case 37: back after a cut, the snapshot is first, then everything up to now, then each
    following version once: exactly what somebody who stayed gets."""
    moves = line("versions", 20)
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, node.port, seed="versions", duration_ms=60_000) as (ann, bob),
    ):
        for move in moves[:10]:
            await ann.play(move)
        before = await ann.ask("sync")
        await ann.cut()
        await bob.until("standings", lambda m: any(r["state"] == "away" for r in m["rows"]))

        async def plays() -> dict[str, Any]:
            score = (await bob.play(moves[bob.next_seq]))["score"]
            shown = {"seat": 1, "score": score, "state": "playing"}
            return await bob.until(
                "standings", lambda m: any(shown.items() <= r.items() for r in m["rows"])
            )

        missed = [await plays() for _ in range(5)]
        back = await ann.again(node.port)
        first = await back.has("standings")
        kinds = [m["type"] for m in back.log]
        assert kinds[: kinds.index("standings")] == ["welcome", "duel", "snapshot"]
        assert back.last("snapshot")["board"] == before["board"]
        assert back.last("snapshot")["server_ms"] > before["server_ms"]
        assert first["version"] > missed[-1]["version"]
        rows = {row["seat"]: row for row in first["rows"]}
        assert rows[0]["state"] == "playing"
        assert rows[1]["score"] == {r["seat"]: r for r in missed[-1]["rows"]}[1]["score"]
        for _ in range(5):
            last = await plays()
        await back.until("standings", version=last["version"])
        seen = [m for m in back.seen("standings") if m["version"] <= last["version"]]
        assert [m["version"] for m in seen] == list(range(first["version"], last["version"] + 1))
        assert seen == [m for m in bob.seen("standings") if m in seen]
        await back.close()


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_the_newest_connection_wins(store_url: str, elsewhere: bool) -> None:
    """Case 30: one seat; the older is closed with 4001, its moves are refused, the score stays."""
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, one.port, duration_ms=60_000) as (ann, bob),
    ):
        await ann.play("d")
        back = await ann.again((two if elsewhere else one).port)
        await back.has("snapshot", seq=1)
        assert await ann.end() == 4001
        assert (await back.play("d", 1))["type"] == "applied"
        await bob.play("d")
        rows = (await bob.until("standings"))["rows"]
        assert len(rows) == 2
        await eventually(lambda: {r["state"] for r in bob.last("standings")["rows"]} == {"playing"})
        assert not back.seen("refused")
        await back.close()


async def test_a_connection_that_lost_the_seat_cannot_write(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The news of the newer connection is lost: the store refuses the older one's move."""
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, one.port, duration_ms=60_000) as (ann, _bob),
    ):
        monkeypatch.setattr(one.door, "kick", lambda *_: None)
        back = await ann.again(two.port)
        await back.has("snapshot")
        refused = await ann.play("d")
        assert (refused["type"], refused["code"]) == ("refused", "replaced")
        assert await ann.end() == 4001
        assert (await back.play("d", 0))["type"] == "applied"
        assert (await back.ask("sync"))["seq"] == 1
        await back.close()


async def test_coming_back_with_moves_in_flight(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old connection's moves reach the store after the new one sat down: they are refused,

    and the new connection stays, plays on, and has each move once.
    """
    moves = line("flight", 12)
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, node.port, seed="flight", duration_ms=60_000) as (ann, _bob),
    ):
        gate = asyncio.Event()
        commit = node.store.commit

        async def slow(*args: Any) -> Any:
            await gate.wait()
            return await commit(*args)

        monkeypatch.setattr(node.store, "commit", slow)
        for move in moves[:6]:
            await ann.move(move)
        table = node.keeper.rooms[0].tables[ann.id]  # type: ignore[index]
        await eventually(lambda: table.next_seq == 6)
        await ann.cut()
        back = await ann.again(node.port)
        await back.has("snapshot", seq=0)
        gate.set()
        for seq, move in enumerate(moves):
            assert (await back.play(move, seq))["type"] == "applied"
        assert back.closed is None
        journal = await node.store.journal(node.keeper.rooms[0].duel.id, ann.id)  # type: ignore[arg-type]
        assert [entry.split(" ")[1] for entry in journal] == list(moves)
        await back.close()


async def test_a_reply_of_the_store_that_was_lost(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 53: the work was done, the answer did not come: committed again, kept once."""
    async with nodes(store_url) as (node,), opponents(node.port, duration_ms=60_000) as (ann,):
        from redis.exceptions import ConnectionError as Cut

        commit = node.store.commit
        lost = 0

        async def unlucky(*args: Any) -> Any:
            nonlocal lost
            answers = await commit(*args)
            if lost < 3:
                lost += 1
                raise Cut("the reply is lost")
            return answers

        monkeypatch.setattr(node.store, "commit", unlucky)
        for _ in range(3):
            assert (await ann.play("d"))["type"] == "applied"
        assert lost == 3
        assert (await ann.ask("sync"))["seq"] == 3


async def test_our_own_fault_at_a_commit_costs_one_round(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unexpected error: the move is `lost`, the table is shown anew, play goes on."""
    async with nodes(store_url) as (node,), opponents(node.port, duration_ms=60_000) as (ann,):
        commit = node.store.commit

        async def broken(*_args: Any) -> Any:
            monkeypatch.setattr(node.store, "commit", commit)
            raise ValueError("a bug")

        monkeypatch.setattr(node.store, "commit", broken)
        assert (await ann.play("d"))["code"] == "lost"
        await ann.until("snapshot", seq=0)
        assert (await ann.play("d", 0))["type"] == "applied"


async def test_cancelled_readers_never_mix_up_replies(store_url: str) -> None:
    """Cases 53 and 56: 300 calls at once, many cancelled; each answer belongs to its question."""
    async with nodes(store_url) as (node,):
        redis = node._redis
        for index in range(100):
            await redis.set(f"k:{index}", index)

        async def read(index: int) -> None:
            for _ in range(3):
                assert await redis.get(f"k:{index}") == str(index)

        tasks = [asyncio.create_task(read(i % 100)) for i in range(300)]
        await asyncio.sleep(0.005)
        for task in tasks[::3]:
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(r is None or isinstance(r, asyncio.CancelledError) for r in done)
        assert sum(r is None for r in done) >= 200


async def test_standings_move_on_both_nodes(store_url: str) -> None:
    """A move on one node is seen on the other; a slow reader gets the latest."""
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, two.port, seed="move", duration_ms=60_000) as (ann, bob),
    ):
        watcher = await Player.hello(two.port)
        await watcher.ask("watch", code=ann.last("duel")["code"])
        for move in line("move", 15):
            answer = await ann.play(move)
        for other in (bob, watcher):
            await eventually(
                lambda other=other: (
                    next(r for r in other.last("standings")["rows"] if r["seat"] == 0)["score"]
                    == answer["score"]
                )
            )
        await watcher.close()


async def test_a_move_is_answered_again_after_the_end_on_a_new_connection(store_url: str) -> None:
    """Design, "Exactly once": also after the end of the game; new moves are finished."""
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, one.port, duration_ms=60_000) as (ann, bob),
    ):
        first = await ann.play("d")
        await asyncio.gather(ann.play("end"), bob.play("end"))
        await ann.until("result")
        ann = await ann.again(two.port)
        await ann.until("result")
        again = await ann.play("d", 0)
        assert {**again, "type": "applied"} == first
        assert (await ann.play("r", 0))["code"] == "conflict"
        assert (await ann.play("d", 2))["code"] == "finished"
        await ann.close()

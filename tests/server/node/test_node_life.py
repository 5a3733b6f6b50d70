"""The whole life of a duel, on one node and with its players on two."""

from __future__ import annotations

import asyncio
import json

import pytest

from samedeal_rules.duel_record import verify_duel_record
from support.games import game_after, line
from support.nodes import nodes
from support.player import Answered, Player, opponents


@pytest.mark.parametrize("count", [1, 2])
async def test_a_duel_from_create_to_a_record_that_verifies(store_url: str, count: int) -> None:
    """The same on one node and on two: same deal, live standings, one result, a true record."""
    async with nodes(store_url, count) as there:
        ports = [there[0].port, there[-1].port]
        async with opponents(*ports, duration_ms=60_000) as (ann, bob):
            boards = [player.last("snapshot")["board"] for player in (ann, bob)]
            assert boards[0] == boards[1]
            for _ in range(3):
                assert (await ann.play("d"))["type"] == "applied"
                assert (await bob.play("d"))["type"] == "applied"
            low = (await bob.play("u"))["score"]
            assert low < -500  # an undo costs 1000; draws may have sent aces up by themselves
            await ann.until("standings", lambda m: min(r["score"] for r in m["rows"]) == low)
            await bob.until("standings", lambda m: min(r["score"] for r in m["rows"]) == low)
            assert (await ann.play("end"))["ended"] == "finish"
            assert (await bob.play("end"))["ended"] == "finish"
            results = [await player.until("result") for player in (ann, bob)]
            assert results[0] == results[1]
            records = [await player.ask("record") for player in (ann, bob)]
            assert records[0]["text"] == records[1]["text"]
            assert all(check.ok for check in verify_duel_record(records[0]["text"]))
            moves = [len(player["moves"]) for player in json.loads(records[0]["text"])["players"]]
            assert moves == [4, 5]


async def test_eight_players_get_the_same_bytes(store_url: str) -> None:
    """Case 52: the same board for all, and one player's draws never touch another's stock."""
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(*[one.port, two.port] * 4, duration_ms=60_000) as players,
    ):
        boards = {json.dumps(player.last("snapshot")["board"]) for player in players}
        prints = {player.last("snapshot")["fingerprint"] for player in players}
        assert len(boards) == len(prints) == 1
        drawn: dict[int, str] = {}
        for count, player in enumerate(players):
            for index in range(count):
                answer = await player.play("d")
                assert drawn.setdefault(index, answer["drawn"]) == answer["drawn"]


async def test_the_server_counts_what_was_played_and_nothing_else(store_url: str) -> None:
    """Case 41: claims in a move are refused; score and result are the replay of the moves."""
    moves = line("claims", 30)
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, node.port, seed="claims", duration_ms=60_000) as (ann, bob),
    ):
        for claim in ("score", "points", "elapsed", "finished", "board"):
            await ann.send("move", seq=0, move="d", **{claim: 999})
            assert (await ann.until("error"))["code"] == "malformed"
        for move in moves:
            answer = await ann.play(move)
        game = game_after("claims", moves)
        assert answer["score"] == game.score
        await ann.play("end")
        await bob.play("end")
        row = next(r for r in (await ann.until("result"))["ranking"] if r["player"] == ann.id)
        assert row["up"] == game.board.cards_up
        assert row["score"] - row["items"].get("early_end", 0) == game.score
        assert row["score"] == sum(row["items"].values())


async def test_after_the_end_everything_is_refused_and_the_result_stands(store_url: str) -> None:
    """Case 45: whatever arrives after the end changes nothing; nobody gets a second result."""
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, two.port, duration_ms=700) as (ann, bob),
    ):
        assert (await ann.play("d"))["type"] == "applied"
        first = await ann.until("result")
        for move in ("d", "u", "end"):
            answer = await ann.play(move)
            assert answer["type"] == "refused"
            assert answer["code"] in ("finished", "time_over")
        for request in ("ready", "start"):
            fields = {"nonce_hash": "0" * 64} if request == "ready" else {}
            with pytest.raises(Answered) as refused:
                await ann.ask(request, **fields)
            assert refused.value.code == "finished"
        await one.keeper.finish(one.keeper.rooms[0].duel)
        await two.keeper.finish(two.keeper.rooms[0].duel)
        await bob.has("result")
        await asyncio.sleep(0.3)
        assert ann.seen("result") == bob.seen("result") == [first]
        assert first["ranking"][0]["ended"] == "timeout"


async def test_the_deadline_ends_it_on_time_for_all(store_url: str) -> None:
    """Case 28: a result soon after the deadline, remaining time never rises, the clock is one."""
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, two.port, duration_ms=600) as (ann, bob),
    ):
        starts = {(p.last("duel")["start_at"], p.last("duel")["deadline"]) for p in (ann, bob)}
        ((start_at, deadline),) = starts
        assert deadline - start_at == 600
        await asyncio.gather(ann.until("result"), bob.until("result"))
        assert one.clock.now_ms() - deadline < 3000
        for player in (ann, bob):
            assert {m["deadline"] for m in player.seen("snapshot")} == {deadline}


async def test_a_late_table_is_refused_time_over_though_the_loop_was_busy(store_url: str) -> None:
    """Case 28: what is received at or after the deadline does not count, result or not."""
    async with (
        nodes(store_url, grace_ms=1500) as (node,),
        opponents(node.port, node.port, duration_ms=500) as (ann, _bob),
    ):
        await asyncio.sleep(0.55)
        answer = await ann.play("d")
        assert (answer["type"], answer["code"]) == ("refused", "time_over")


async def test_practice_alone(store_url: str) -> None:
    """One of one: the same rules."""
    async with nodes(store_url) as (node,), opponents(node.port, duration_ms=60_000) as (ann,):
        await ann.play("d")
        await ann.play("end")
        assert (await ann.until("result"))["total"] == 1


async def test_a_chosen_deal_says_so(store_url: str) -> None:
    """Everybody who joins or watches is told that somebody chose the deal."""
    async with nodes(store_url) as (node,):
        ann = await Player.hello(node.port)
        bob = await Player.hello(node.port)
        duel = await ann.create(seed="mine")
        assert duel["chosen_seed"]
        assert (await bob.ask("watch", code=duel["code"]))["chosen_seed"]
        assert (await bob.join(duel["code"].lower()))["chosen_seed"]
        await ann.close()
        await bob.close()


async def test_the_host_starts_with_those_who_are_ready(store_url: str) -> None:
    """Who is not ready is told and dropped; the seat does not play."""
    async with nodes(store_url) as (node,):
        ann, bob, eve = [await Player.hello(node.port) for _ in range(3)]
        duel = await ann.create(seats=4)
        await bob.join(duel["code"])
        await eve.join(duel["code"])
        with pytest.raises(Answered, match="not_the_host"):
            await bob.ask("start")
        with pytest.raises(Answered, match="not_enough_ready"):
            await ann.ask("start")
        await asyncio.gather(ann.ready(), bob.ready())
        await ann.ask("start")
        await asyncio.gather(ann.until("snapshot"), bob.until("snapshot"))
        dropped = await eve.until("duel", phase="running")
        assert dropped["you"] is None
        assert len(dropped["players"]) == 2
        assert (await eve.ask("where"))["place"] == "idle"
        await eve.create()
        assert not eve.seen("snapshot")
        for player in (ann, bob, eve):
            await player.close()

"""Joining, queueing, leaving, rematches: a player is in one place, and nobody waits in vain."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest
from redis.exceptions import ConnectionError as Cut

from support.nodes import eventually, nodes
from support.player import Answered, Player, opponents


async def _close(*players: Player) -> None:
    await asyncio.gather(*(player.close() for player in players))


async def test_twenty_joins_to_two_seats_over_two_nodes(store_url: str) -> None:
    """Case 31: exactly one more gets in, the others are told `full`."""
    async with nodes(store_url, 2) as (one, two):
        host = await Player.hello(one.port)
        code = (await host.create())["code"]
        players = [await Player.hello((one, two)[i % 2].port) for i in range(20)]
        answers = await asyncio.gather(*(p.join(code) for p in players), return_exceptions=True)
        codes = Counter(a.code if isinstance(a, Answered) else "in" for a in answers)
        assert codes["in"] == 1
        assert codes["full"] == 19
        seated = await host.has("duel", seated=2)
        assert len(seated["players"]) == 2
        for player, answer in zip(players, answers, strict=True):
            if isinstance(answer, Answered):
                assert (await player.ask("where"))["place"] == "idle"
        await _close(host, *players)


async def test_joining_two_duels_without_waiting(store_url: str) -> None:
    """Case 31: a member of one; the seat in the other is free for others."""
    async with nodes(store_url) as (node,):
        hosts = [await Player.hello(node.port) for _ in range(2)]
        codes = [(await host.create())["code"] for host in hosts]
        eve = await Player.hello(node.port)
        await eve.send("join", req=1001, code=codes[0])
        await eve.send("join", req=1002, code=codes[1])
        assert (await eve.answer_to(1001))["type"] == "duel"
        assert (await eve.answer_to(1002))["code"] == "already_placed"
        other = await Player.hello(node.port)
        assert (await other.join(codes[1]))["you"] == 1
        assert {m["code"] for m in eve.seen("duel")} == {codes[0]}
        await _close(*hosts, eve, other)


async def test_joining_again_is_the_same_seat(store_url: str) -> None:
    """Repeating a request changes nothing."""
    async with nodes(store_url) as (node,):
        ann, bob = await Player.hello(node.port), await Player.hello(node.port)
        code = (await ann.create(seats=3))["code"]
        first, again = await bob.join(code), await bob.join(code)
        assert first["you"] == again["you"] == 1
        assert again["seated"] == 2
        await _close(ann, bob)


async def test_a_duel_that_is_over_takes_nobody_in(store_url: str) -> None:
    """Joining a finished or aborted duel is refused; watching it shows the result."""
    async with nodes(store_url) as (node,):
        eve = await Player.hello(node.port)
        async with opponents(node.port, node.port, duration_ms=60_000) as (ann, bob):
            with pytest.raises(Answered, match="already_started"):
                await eve.join(ann.last("duel")["code"])
            await asyncio.gather(ann.play("end"), bob.play("end"))
            await ann.until("result")
            with pytest.raises(Answered, match="finished"):
                await eve.join(ann.last("duel")["code"])
            assert (await eve.ask("watch", code=ann.last("duel")["code"]))["you"] is None
            await eve.until("result")
            assert (await eve.ask("record"))["text"]
        ann = await Player.hello(node.port)
        code = (await ann.create())["code"]
        await ann.ask("leave")
        with pytest.raises(Answered, match="finished"):
            await eve.join(code)
        assert (await eve.ask("where"))["place"] == "idle"
        await _close(ann, eve)


async def test_where_follows_the_player(store_url: str) -> None:
    """Case 34: idle, queued, in duel X; and nobody stays in a duel that was called off."""
    async with nodes(store_url) as (node,):
        ann, bob = await Player.hello(node.port), await Player.hello(node.port)
        assert (await ann.ask("where"))["place"] == "idle"
        await ann.ask("queue")
        assert (await ann.ask("where"))["place"] == "queued"
        await ann.ask("cancel")
        assert (await ann.ask("where"))["place"] == "idle"
        duel = await ann.create()
        await bob.join(duel["code"])
        for player in (ann, bob):
            assert await player.ask("where") | {"req": 0} == {
                "type": "place",
                "req": 0,
                "place": "duel",
                "duel": duel["id"],
            }
        await ann.ask("leave")
        await bob.until("duel", phase="aborted")
        assert (await bob.ask("where"))["place"] == "idle"
        await bob.create()
        await _close(ann, bob)


async def test_queue_and_cancel_storms(store_url: str) -> None:
    """Case 32: never paired with oneself, one ticket a player, a cancelled ticket not matched."""
    async with nodes(store_url, 2) as (one, two):
        ann = await Player.hello(one.port)
        tab = await ann.again(two.port)
        await ann.end()
        for _ in range(100):
            await asyncio.gather(*(tab.ask(kind) for kind in ("queue", "cancel") * 3))
        assert (await tab.ask("where"))["place"] == "idle"
        assert not tab.seen("duel")
        bob = await Player.hello(one.port)
        await bob.ask("queue")
        await asyncio.sleep(0.2)
        assert not bob.seen("duel")
        await tab.ask("queue")
        await tab.ask("queue")
        for player in (tab, bob):
            duel = await player.has("duel")
            assert {p["player"] for p in duel["players"]} == {ann.id, bob.id}
            assert duel["phase"] == "ready_check"
        await asyncio.gather(tab.ready(), bob.ready())
        await asyncio.gather(tab.until("snapshot"), bob.until("snapshot"))
        await _close(tab, bob)


async def test_the_newer_tabs_ticket_stays(store_url: str) -> None:
    """A tab that was replaced while it waited takes its own ticket away, never the newer one's."""
    async with nodes(store_url, 2) as (one, two):
        for first, second in ((one, one), (one, two)):
            ann = await Player.hello(first.port)
            await ann.ask("queue")
            tab = await ann.again(second.port)
            await tab.ask("queue")
            await ann.end()
            await asyncio.sleep(0.1)
            bob = await Player.hello(first.port)
            await bob.ask("queue")
            await tab.until("duel", phase="ready_check")
            await bob.until("duel", phase="ready_check")
            await _close(tab, bob)
            await asyncio.sleep(0.1)


async def test_many_pairs_at_once(store_url: str) -> None:
    """Everybody who queues is in exactly one duel, with somebody else."""
    async with nodes(store_url, 2) as (one, two):
        players = [await Player.hello((one, two)[i % 2].port) for i in range(24)]
        await asyncio.gather(*(p.ask("queue") for p in players))
        duels = await asyncio.gather(*(p.has("duel") for p in players))
        pairs = Counter(duel["id"] for duel in duels)
        assert set(pairs.values()) == {2}
        assert all(len({p["player"] for p in duel["players"]}) == 2 for duel in duels)
        await _close(*players)


async def test_a_ticket_whose_owner_is_gone_is_not_matched(store_url: str) -> None:
    """A closed connection waits no more; a killed node's ticket runs out."""
    async with nodes(store_url) as (node,):
        ann, bob, eve = [await Player.hello(node.port) for _ in range(3)]
        await ann.ask("queue")
        await ann.cut()
        await asyncio.sleep(0.1)
        await bob.ask("queue")
        await eve.ask("queue")
        duel = await bob.has("duel")
        assert {p["player"] for p in duel["players"]} == {bob.id, eve.id}
        await _close(bob, eve)


async def test_queueing_and_vanishing_leaves_no_ghost(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection ends while its `queue` is under way: nothing renews that ticket."""
    async with nodes(store_url) as (node,):
        ann = await Player.hello(node.port)
        move = node.quick._players.move

        async def slow(*args: Any) -> Any:
            moved = await move(*args)
            await asyncio.sleep(0.3)
            return moved

        monkeypatch.setattr(node.quick._players, "move", slow)
        await ann.send("queue", req=1)
        await asyncio.sleep(0.1)
        await ann.cut()
        await asyncio.sleep(0.7)
        monkeypatch.undo()
        assert not node.quick._waiting
        back = await ann.again(node.port)
        assert (await back.ask("where"))["place"] == "idle"
        await back.close()


async def test_cancelling_while_the_match_is_made(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other player is back in the queue and gets the next real opponent."""
    async with nodes(store_url) as (node,):
        ann, bob, eve = [await Player.hello(node.port) for _ in range(3)]
        await ann.ask("queue")
        bring_in = node.quick._bring_in

        async def cancelled_first(*args: Any) -> Any:
            monkeypatch.undo()
            await ann.ask("cancel")
            await bring_in(*args)

        monkeypatch.setattr(node.quick, "_bring_in", cancelled_first)
        await bob.ask("queue")

        async def idle() -> bool:
            return (await ann.ask("where"))["place"] == "idle"

        await eventually(idle)
        await eve.ask("queue")
        duel = await eve.has("duel", phase="ready_check")
        assert {p["player"] for p in duel["players"]} == {bob.id, eve.id}
        await bob.has("duel", id=duel["id"])
        assert not ann.seen("duel")
        await _close(ann, bob, eve)


async def test_the_write_of_a_match_fails_once(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 34: the store is away when the duel is made: one duel for both all the same."""
    async with nodes(store_url) as (node,):
        ann, bob = [await Player.hello(node.port) for _ in range(2)]
        await ann.ask("queue")
        write, failures = node.store.write, 2

        async def failing(*args: Any, **fields: Any) -> Any:
            nonlocal failures
            if failures:
                failures -= 1
                raise Cut("away")
            return await write(*args, **fields)

        monkeypatch.setattr(node.store, "write", failing)
        await bob.ask("queue")
        duels = [await player.has("duel") for player in (ann, bob)]
        assert duels[0]["id"] == duels[1]["id"]
        await _close(ann, bob)


async def test_lost_news_of_a_match_heal(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case 34: nobody told the player's node; the next renewal finds the duel."""
    async with nodes(store_url, 2) as (one, two):
        ann, bob = await Player.hello(one.port), await Player.hello(two.port)
        await ann.ask("queue")
        matched, deaf = one.quick.matched, True

        async def lost(*args: Any) -> Any:
            if not deaf:
                await matched(*args)

        monkeypatch.setattr(one.quick, "matched", lost)
        await bob.ask("queue")
        await bob.has("duel")
        deaf = False
        await ann.has("duel")
        await _close(ann, bob)


async def test_a_match_that_does_not_start(store_url: str) -> None:
    """Case 34: who was ready is back in the queue; who was not is out, not matched for ever."""
    async with nodes(store_url, ready_s=0.5) as (node,):
        ann, bob = [await Player.hello(node.port) for _ in range(2)]
        await ann.ask("queue")
        await bob.ask("queue")
        await ann.has("duel")
        await ann.ready()
        await ann.until("duel", phase="aborted")
        await ann.until("queued")
        assert (await ann.ask("where"))["place"] == "queued"
        await bob.has("duel", phase="aborted")
        assert (await bob.ask("where"))["place"] == "idle"
        eve = await Player.hello(node.port)
        await eve.ask("queue")
        duel = await ann.until("duel", phase="ready_check")
        assert {p["player"] for p in duel["players"]} == {ann.id, eve.id}
        await _close(ann, bob, eve)


async def test_leaving_a_match_sends_the_other_back(store_url: str) -> None:
    """Before the start: the one who stays is told, and queued again."""
    async with nodes(store_url, 2) as (one, two):
        ann, bob = await Player.hello(one.port), await Player.hello(two.port)
        await ann.ask("queue")
        await bob.ask("queue")
        await asyncio.gather(ann.has("duel"), bob.has("duel"))
        await ann.ask("leave")
        await bob.until("duel", phase="aborted")
        await bob.until("queued")
        assert (await ann.ask("where"))["place"] == "idle"
        await _close(ann, bob)


async def test_rematch_however_fast_is_one(store_url: str) -> None:
    """Case 35: both at once, one twice: one new duel, a new seed, spectators get the code."""
    async with nodes(store_url, 2) as (one, two):
        eve = await Player.hello(two.port)
        async with opponents(one.port, two.port, duration_ms=60_000) as (ann, bob):
            await eve.ask("watch", code=ann.last("duel")["code"])
            await asyncio.gather(ann.play("end"), bob.play("end"))
            old, *_same = [await player.until("result") for player in (ann, bob, eve)]
            answers = await asyncio.gather(
                ann.ask("rematch"), ann.ask("rematch"), bob.ask("rematch")
            )
            assert len({a["id"] for a in answers}) == 1
            code = answers[0]["code"]
            assert (await eve.has("duel", rematch=code))["id"] == old["duel"]
            await asyncio.gather(ann.ready(), bob.ready())
            await asyncio.gather(*(p.until("snapshot", duel=answers[0]["id"]) for p in (ann, bob)))
            assert ann.last("snapshot")["score"] == 0
            assert (await eve.ask("watch", code=code))["phase"] == "running"
            await asyncio.gather(ann.play("end", 0), bob.play("end", 0))
            new = await ann.until("result")
            assert new["seed"] != old["seed"]
            assert new["commitment"] != old["commitment"]
        await eve.close()


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("how", ["leave", "cut"])
async def test_a_rematch_without_the_other(store_url: str, before: bool, how: str) -> None:
    """Case 35: one has left, before or after the rematch was asked for: the other is told."""
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, two.port, duration_ms=60_000) as (ann, bob),
    ):
        await asyncio.gather(ann.play("end"), bob.play("end"))
        await asyncio.gather(ann.until("result"), bob.until("result"))

        async def go() -> None:
            if how == "leave":
                await bob.ask("leave")
            else:
                await bob.cut()
                await asyncio.sleep(0.2)

        if before:
            await go()
            with pytest.raises(Answered, match="others have left"):
                await ann.ask("rematch")
        else:
            rematch = await ann.ask("rematch")
            await go()
            await ann.until("duel", id=rematch["id"], phase="aborted")
        assert (await ann.ask("where"))["place"] in ("idle", "duel")
        await ann.create()


async def test_leaving_and_coming_back_until_the_deadline(store_url: str) -> None:
    """Case 43: the other is told, plays on, and the leaver comes back to the same score."""
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, two.port, duration_ms=60_000) as (ann, bob),
    ):
        score = (await ann.play("d"))["score"]
        await ann.ask("leave")
        await bob.until("standings", lambda m: any(r["state"] == "away" for r in m["rows"]))
        assert (await bob.play("d"))["type"] == "applied"
        await ann.join(bob.last("duel")["code"])
        back = await ann.until("snapshot")
        assert (back["score"], back["seq"]) == (score, 1)
        await bob.until("standings", lambda m: all(r["state"] == "playing" for r in m["rows"]))


async def test_both_leave_and_the_duel_still_ends(store_url: str) -> None:
    """Case 43: recorded by the sweeper, and no room is kept meanwhile."""
    async with (
        nodes(store_url) as (node,),
        opponents(node.port, node.port, duration_ms=800) as (ann, bob),
    ):
        duel = node.keeper.rooms[0].duel.id
        await ann.ask("leave")
        await bob.cut()
        await eventually(lambda: not node.keeper.rooms)

        async def finished() -> Any:
            stored = await node.store.read(duel)
            return stored.result

        assert await eventually(finished)


async def test_coming_back_and_the_end_in_the_same_moment(store_url: str) -> None:
    """Case 43: one outcome, the same for both, however the return falls."""
    async with nodes(store_url, 2) as (one, two):
        for number in range(6):
            async with opponents(one.port, two.port, duration_ms=400) as (ann, bob):
                await ann.play("d")
                await ann.cut()
                deadline = bob.last("duel")["deadline"]
                now = one.clock.now_ms()
                await asyncio.sleep(max(0, deadline + 50 - now - 20 + number * 8) / 1000)
                back = await ann.again(two.port)
                results = await asyncio.gather(back.has("result"), bob.has("result"))
                assert results[0] == results[1]
                assert len(bob.seen("result")) == 1
                await back.close()


async def test_the_countdown_is_called_off_for_two(store_url: str) -> None:
    """Case 44: one of two is gone in the countdown: no deal, the seat is kept, secrets shown."""
    async with nodes(store_url, 2, countdown_s=0.8) as (one, two):
        ann, bob = await Player.hello(one.port), await Player.hello(two.port)
        duel = await ann.create()
        await bob.join(duel["code"])
        await asyncio.gather(ann.ready(), bob.ready())
        counting = await ann.until("duel", phase="countdown")
        await bob.cut()
        off = await ann.until("duel", phase="ready_check")
        assert off["called_off"]["commitment"] == counting["commitment"] != off["commitment"]
        await asyncio.sleep(1.0)
        assert not ann.seen("snapshot")
        back = await bob.again(one.port)
        await asyncio.gather(ann.ready(), back.ready())
        snapshots = await asyncio.gather(ann.until("snapshot"), back.has("snapshot"))
        assert snapshots[0]["fingerprint"] == snapshots[1]["fingerprint"]
        await _close(ann, back)


async def test_with_three_the_others_start(store_url: str) -> None:
    """Case 44: the lost one finds the table when coming back."""
    async with nodes(store_url, countdown_s=0.5) as (node,):
        players = [await Player.hello(node.port) for _ in range(3)]
        code = (await players[0].create(seats=3))["code"]
        for player in players[1:]:
            await player.join(code)
        await asyncio.gather(*(p.ready() for p in players))
        await players[0].until("duel", phase="countdown")
        await players[2].cut()
        await asyncio.gather(*(p.until("snapshot") for p in players[:2]))
        back = await players[2].again(node.port)
        await back.has("snapshot")
        await _close(*players[:2], back)


async def test_ready_by_all_in_one_tick_is_one_start(store_url: str) -> None:
    """Case 44: one start time, one seed, whoever presses how often."""
    async with nodes(store_url, 2) as (one, two):
        ann, bob = await Player.hello(one.port), await Player.hello(two.port)
        code = (await ann.create())["code"]
        await bob.join(code)
        await asyncio.gather(ann.ready(), ann.ready(), bob.ready(), bob.ready())
        await asyncio.gather(ann.until("snapshot"), bob.until("snapshot"))
        starts = {m["start_at"] for p in (ann, bob) for m in p.seen("duel") if m["start_at"]}
        assert len(starts) == 1
        assert len(ann.seen("snapshot")) == len(bob.seen("snapshot")) == 1
        for player in (ann, bob):
            first_card = next(m for m in player.log if m["type"] == "snapshot")
            assert first_card["server_ms"] >= first_card["start_at"]
        await _close(ann, bob)


async def test_coming_back_at_the_very_start(store_url: str) -> None:
    """Whoever reconnects around the start: everybody gets a table, nobody before the time."""
    async with nodes(store_url, 1, countdown_s=0.3) as (node,):
        for number in range(8):
            players = [await Player.hello(node.port) for _ in range(3)]
            code = (await players[0].create(seats=3))["code"]
            for player in players[1:]:
                await player.join(code)
            await asyncio.gather(*(p.ready() for p in players))
            start_at = (await players[0].until("duel", phase="countdown"))["start_at"]
            await asyncio.sleep(max(0, start_at - node.clock.now_ms() - 8 + number * 2) / 1000)
            back = await players[2].again(node.port)
            for player in (*players[:2], back):
                await player.has("snapshot")
                assert player.last("snapshot")["server_ms"] >= start_at
                assert (await player.play("d", 0))["type"] == "applied"
            await _close(*players, back)


async def test_who_does_not_reveal_is_dropped_and_all_is_drawn_anew(store_url: str) -> None:
    """Fairness: what was committed to is shown; the others start without them."""
    async with nodes(store_url, reveal_s=0.4) as (node,):
        ann, bob = await Player.hello(node.port), await Player.hello(node.port)
        eve = await Player.hello(node.port, reveals=False)
        code = (await ann.create(seats=3))["code"]
        await bob.join(code)
        await eve.join(code)
        await asyncio.gather(*(p.ready() for p in (ann, bob, eve)))
        off = await ann.until("duel", lambda m: m["called_off"] is not None)
        assert off["seated"] == 2
        assert off["called_off"]["nonces"] == [ann.nonce, bob.nonce, None]
        assert (await eve.ask("where"))["place"] == "idle"
        await _close(ann, bob, eve)


async def test_names_are_kept_apart(store_url: str) -> None:
    """Case 48: nobody sits beside a name that looks like theirs, and a name has one owner."""
    async with nodes(store_url) as (node,):
        ann = await Player.hello(node.port, "Ana")
        twin = await Player.hello(node.port, "А" + "na")  # Cyrillic
        code = (await ann.create())["code"]
        with pytest.raises(Answered, match="lookalike_name"):
            await twin.join(code)
        thief = await Player.connect(node.port)
        for name in ("ANA", " ana ", "Ａｎａ"):
            await thief.send("hello", name=name)
            assert (await thief.until("error"))["code"] == "name_taken"
        await _close(ann, twin, thief)

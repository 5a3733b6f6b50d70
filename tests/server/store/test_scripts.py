"""Each promise in the header of a Lua script, against the real store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import pytest
from redis.asyncio import Redis

from samedeal_server.domain.duel import Duel, DuelId, DuelMs, Phase, PlayerId, Seat, Timing
from samedeal_server.ids import new_code, new_duel_id, new_player_id
from samedeal_server.store.client import open_client
from samedeal_server.store.clock import DuelClock
from samedeal_server.store.duels import DuelStore, Entry, TooLate
from samedeal_server.store.keys import duel_channel, duel_key, journal_key, nodes_key
from samedeal_server.store.players import PlayerStore, QueueStore

TIMING = Timing(grace_ms=500, kept_ms=60_000, idle_ms=60_000)
SEALED, OVER, REPLACED, GAP, CONFLICT, LATE = -1, -2, -3, -4, -5, -6


@dataclass
class Shop:
    """Two nodes' views of one store."""

    redis: Redis
    clock: DuelClock
    one: DuelStore
    two: DuelStore

    def duel(self, seats: int = 2, **changes: object) -> Duel:
        duel = Duel(
            id=new_duel_id("p00"),
            code=new_code(),
            ruleset="timed",
            options={},
            duration_ms=300_000,
            hints=True,
            seats=seats,
            commitment="0" * 64,
            touched_at=self.clock.now_ms(),
            seated=tuple(Seat(new_player_id(), f"n{i}") for i in range(seats)),
        )
        return replace(duel, **changes)  # type: ignore[arg-type]

    async def running(self, seats: int = 2, since_ms: int = 1000) -> Duel:
        """A duel that started a second ago; `e0`, `e1` are the seats' epochs."""
        start_at = DuelMs(self.clock.now_ms() - since_ms)
        duel = self.duel(
            seats, phase=Phase.COUNTDOWN, start_at=start_at, deadline=DuelMs(start_at + 300_000)
        )
        assert await self.one.write(None, duel, secret="s")
        for number, seat in enumerate(duel.seated):
            assert await self.one.attach(duel, seat.player, f"e{number}")
        return duel


@pytest.fixture
async def shop(store_url: str) -> AsyncIterator[Shop]:
    redis = open_client(store_url)
    await redis.flushdb()
    clock = DuelClock(redis)
    await clock.measure()
    stores = [DuelStore(redis, node, TIMING, clock) for node in ("one", "two")]
    yield Shop(redis, clock, *stores)
    for store in stores:
        await store.close()
    await redis.aclose()


def entry(
    duel: Duel,
    seq: int,
    move: str = "d",
    ms: int | None = None,
    *,
    seat: int = 0,
    epoch: str | None = None,
    standing: str = "P:0:0",
) -> Entry:
    return (
        duel.id,
        duel.seated[seat].player,
        f"e{seat}" if epoch is None else epoch,
        seq,
        seq * 10 if ms is None else ms,
        move,
        standing,
    )


# commit.lua


async def test_commit_appends_and_sets_the_standing(shop: Shop) -> None:
    """The journal is the entries in order; the standing is that of the last."""
    duel = await shop.running()
    answers = await shop.one.commit(
        "p00", [entry(duel, 0, standing="P:1:0"), entry(duel, 1, "u", standing="P:-999:0")]
    )
    assert answers == [0, 10]
    player = duel.seated[0].player
    assert await shop.one.journal(duel.id, player) == ["0 d", "10 u"]
    progress, here = await shop.one.standings(duel.id)
    assert progress == {player: "P:-999:0"}
    assert set(here.values()) == {"one"}


async def test_commit_may_run_twice(shop: Shop) -> None:
    """The same batch again answers the same and appends nothing."""
    duel = await shop.running()
    batch = [entry(duel, n) for n in range(20)]
    first = await shop.one.commit("p00", batch)
    assert await shop.two.commit("p00", batch) == first == [n * 10 for n in range(20)]
    assert len(await shop.one.journal(duel.id, duel.seated[0].player)) == 20


async def test_kept_is_checked_first(shop: Shop) -> None:
    """What is there is `kept` with its own time, whatever happened since; else a conflict."""
    duel = await shop.running()
    await shop.one.commit("p00", [entry(duel, 0, "d", 5, standing="E:0:0:5:finish")])
    assert await shop.one.attach(duel, duel.seated[0].player, "newer")
    assert await shop.one.seal(duel, DuelMs(duel.deadline + 500))  # type: ignore[operator]
    assert await shop.one.commit("p00", [entry(duel, 0, "d", 999)]) == [5]
    assert await shop.one.commit("p00", [entry(duel, 0, "u", 5)]) == [CONFLICT]


@pytest.mark.parametrize(
    ("refused", "answer"),
    [
        ({"seq": 2}, GAP),
        ({"seq": 0, "move": "u"}, CONFLICT),
        ({"seq": 1, "epoch": "older"}, REPLACED),
        ({"seq": 1, "ms": 300_000}, LATE),
        ({"seq": 1, "ms": 300_001}, LATE),
    ],
)
async def test_one_bad_entry_spoils_no_other(
    shop: Shop, refused: dict[str, object], answer: int
) -> None:
    """Each is judged by itself; the good ones before and behind it get in."""
    duel = await shop.running()
    await shop.one.commit("p00", [entry(duel, 0)])
    fields: dict[str, object] = {"move": "d", **refused}
    batch = [
        entry(duel, 0, seat=1),
        entry(duel, **fields),  # type: ignore[arg-type]
        entry(duel, 1, seat=1),
        entry(duel, 1),
    ]
    assert await shop.one.commit("p00", batch) == [0, answer, 10, 10]
    assert len(await shop.one.journal(duel.id, duel.seated[0].player)) == 2


async def test_the_last_millisecond_counts(shop: Shop) -> None:
    """Before the deadline is before the deadline."""
    duel = await shop.running()
    assert await shop.one.commit("p00", [entry(duel, 0, ms=299_999)]) == [299_999]


async def test_time_in_a_journal_never_falls(shop: Shop) -> None:
    """A stamp earlier than the last one is kept as the last one."""
    duel = await shop.running()
    batch = [entry(duel, 0, ms=500), entry(duel, 1, ms=400), entry(duel, 2, ms=501)]
    assert await shop.one.commit("p00", batch) == [500, 500, 501]


async def test_nothing_after_the_end_of_a_game(shop: Shop) -> None:
    """Of this player; the other plays on."""
    duel = await shop.running()
    batch = [
        entry(duel, 0, "end", standing="E:5:0:0:finish"),
        entry(duel, 1),
        entry(duel, 0, seat=1),
    ]
    assert await shop.one.commit("p00", batch) == [0, OVER, 0]


async def test_nothing_after_the_seal(shop: Shop) -> None:
    """No journal entry gets in any more, of nobody."""
    duel = await shop.running()
    assert await shop.one.seal(duel, DuelMs(duel.deadline + 500))  # type: ignore[operator]
    assert await shop.one.commit("p00", [entry(duel, 0), entry(duel, 0, seat=1)]) == [SEALED] * 2


async def test_a_duel_that_is_not_there_takes_nothing(shop: Shop) -> None:
    """And no key is made for it."""
    duel = shop.duel()
    assert await shop.one.commit("p00", [entry(duel, 0)]) == [REPLACED]
    assert not [key async for key in shop.redis.scan_iter(f"*{duel.id}*")]


async def test_a_batch_of_many_duels_tells_each_node_once(shop: Shop) -> None:
    """One message for a node, with the duels of the batch; none to the writer."""
    duels = [await shop.running() for _ in range(3)]
    for duel in duels:
        await shop.two.listen_to(duel.id)
    async with shop.redis.pubsub() as heard:
        await heard.ssubscribe(duel_channel("p00", "two"), duel_channel("p00", "one"))
        await shop.one.commit("p00", [entry(d, n) for d in duels for n in range(5)])
        messages = []
        while (message := await heard.get_message(timeout=0.3)) is not None:
            if message["type"] == "smessage":
                messages.append(message["data"])
    assert len(messages) == 1
    kind, *told = messages[0].split(" ")
    assert kind == "p"
    assert sorted(told) == sorted(duel.id for duel in duels)


async def test_every_key_of_a_duel_has_an_expiry(shop: Shop) -> None:
    """Nothing leaks (case 42), of a duel at any time of its life."""
    duel = await shop.running()
    await shop.two.listen_to(duel.id)
    await shop.one.commit("p00", [entry(duel, 0)])
    await shop.two.listen_to(DuelId("p00nobody"))
    keys = [key async for key in shop.redis.scan_iter("*d:p00*")]
    assert len(keys) >= 7
    assert all([await shop.redis.pttl(key) > 0 for key in keys])


# attach.lua, detach.lua


async def test_attaching_shuts_out_the_older_epoch(shop: Shop) -> None:
    """After it returns, no entry of the older one gets in; it hands over the whole journal."""
    duel = await shop.running()
    await shop.one.commit("p00", [entry(duel, 0), entry(duel, 1)])
    attached = await shop.two.attach(duel, duel.seated[0].player, "newer")
    assert attached is not None
    assert list(attached.journal) == ["0 d", "10 d"]
    assert await shop.one.commit("p00", [entry(duel, 2)]) == [REPLACED]
    assert await shop.two.commit("p00", [entry(duel, 2, epoch="newer")]) == [20]
    assert await shop.two.attach(duel, duel.seated[0].player, "newer") is not None


async def test_attaching_to_nothing(shop: Shop) -> None:
    """None, and no keys."""
    duel = shop.duel()
    assert await shop.one.attach(duel, PlayerId("x"), "e") is None
    assert not [key async for key in shop.redis.scan_iter(f"*{duel.id}*")]


async def test_detaching_never_marks_away_who_came_back(shop: Shop) -> None:
    """Only the newest connection's end counts; twice is the same."""
    duel = await shop.running()
    player = duel.seated[0].player
    await shop.two.attach(duel, player, "newer")
    assert not await shop.one.detach(duel.id, player, "e0")
    assert (await shop.one.standings(duel.id))[1][player] == "two"
    assert await shop.two.detach(duel.id, player, "newer")
    assert await shop.two.detach(duel.id, player, "newer")
    assert (await shop.one.standings(duel.id))[1][player] == ""


# change.lua


async def test_of_twenty_writers_each_gets_its_turn_once(shop: Shop) -> None:
    """Compare and set: with the same version one gets through."""
    duel = shop.duel()
    assert await shop.one.write(None, duel, secret="s")
    writes = [
        (shop.one, shop.two)[n % 2].write(duel, replace(duel, version=1, note=f"{n}"))
        for n in range(20)
    ]
    assert sum(await asyncio.gather(*writes)) == 1
    stored = await shop.one.read(duel.id)
    assert stored is not None
    assert stored.duel.version == 1


async def test_a_write_that_ran_twice_answers_as_the_first(shop: Shop) -> None:
    """Creating, and changing; another text with the same version is somebody else's."""
    duel = shop.duel()
    assert await shop.one.write(None, duel, secret="s")
    assert await shop.one.write(None, duel, secret="s")
    assert not await shop.one.write(None, replace(duel, note="other"))
    after = replace(duel, version=1)
    assert await shop.one.write(duel, after)
    assert await shop.one.write(duel, after)
    assert not await shop.one.write(duel, replace(after, note="other"))


async def test_a_change_comes_too_late(shop: Shop) -> None:
    """By the store's own time, exactly at the moment."""
    duel = shop.duel()
    await shop.one.write(None, duel)
    with pytest.raises(TooLate):
        await shop.one.write(duel, replace(duel, version=1), not_after=shop.clock.now_ms())
    soon = DuelMs(shop.clock.now_ms() + 10_000)
    assert await shop.one.write(duel, replace(duel, version=1), not_after=soon)
    stored = await shop.one.read(duel.id)
    assert stored is not None
    assert stored.duel.version == 1


async def test_a_fresh_secret_replaces_the_old_and_other_changes_keep_it(shop: Shop) -> None:
    """The secret lies apart from the document."""
    duel = shop.duel()
    await shop.one.write(None, duel, secret="first")
    await shop.one.write(duel, replace(duel, version=1))
    stored = await shop.one.read(duel.id)
    assert stored is not None
    assert stored.secret == "first"
    await shop.one.write(stored.duel, replace(duel, version=2), secret="second")
    stored = await shop.one.read(duel.id)
    assert stored is not None
    assert stored.secret == "second"
    assert "second" not in str(await shop.redis.hgetall(duel_key(duel.id)))


async def test_closing_shuts_the_journals(shop: Shop) -> None:
    """An aborted duel takes no entry and is not due."""
    duel = await shop.running()
    await shop.one.write(duel, replace(duel, phase=Phase.ABORTED, version=1), closed=True)
    assert await shop.one.commit("p00", [entry(duel, 0)]) == [SEALED]
    assert await shop.redis.zcard("sd:{p00}:due") == 0


async def test_nothing_of_an_ended_duel_is_kept_for_longer_than_the_duel(shop: Shop) -> None:
    """Case 42: all keys of an aborted or finished one go together, whoever comes back to it."""
    aborted, finished = await shop.running(), await shop.running()
    for duel in (aborted, finished):
        assert await shop.one.commit("p00", [entry(duel, 0)]) == [0]
    await shop.one.write(aborted, replace(aborted, phase=Phase.ABORTED, version=1), closed=True)
    assert await shop.one.seal(finished, DuelMs(finished.deadline + 500))  # type: ignore[operator]
    assert await shop.one.finish(finished, "{}")
    for duel in (aborted, finished):
        await shop.two.attach(duel, duel.seated[0].player, "e9")
        await shop.two.listen_to(duel.id)
        keys = [key async for key in shop.redis.scan_iter(f"*{duel.id}*")]
        assert len(keys) >= 6
        assert all([0 < await shop.redis.pttl(key) <= TIMING.kept_ms for key in keys])


async def test_half_an_emoji_in_a_document_is_replaced(shop: Shop) -> None:
    """Case 69: put there by hand; the duel can still be read by everybody."""
    duel = shop.duel()
    await shop.one.write(None, duel)
    doc = await shop.redis.hget(duel_key(duel.id), "doc")
    assert doc is not None
    await shop.redis.hset(duel_key(duel.id), "doc", doc.replace('"n0"', '"n\\ud83d"'))
    stored = await shop.one.read(duel.id)
    assert stored is not None
    assert stored.duel.seated[0].name == "n\ufffd"


# seal.lua, finish.lua


async def test_sealing_waits_for_the_time_or_for_all_games(shop: Shop) -> None:
    """Deadline plus grace, or everybody ended; again is the same answer."""
    duel = await shop.running()
    assert duel.deadline is not None
    assert not await shop.one.seal(duel, DuelMs(duel.deadline + 499))
    await shop.one.commit("p00", [entry(duel, 0, "end", standing="E:0:0:0:finish")])
    assert not await shop.one.seal(duel, shop.clock.now_ms())
    await shop.one.commit("p00", [entry(duel, 0, "end", seat=1, standing="E:0:0:0:finish")])
    assert await shop.one.seal(duel, shop.clock.now_ms())
    assert await shop.two.seal(duel, shop.clock.now_ms())
    other = await shop.running()
    assert await shop.one.seal(other, DuelMs(other.deadline + 500))  # type: ignore[operator]


async def test_sealing_at_once_waits_for_nothing(shop: Shop) -> None:
    """Nobody is left to wait for; but a duel that has not begun to count down has no seal."""
    duel = await shop.running()
    assert await shop.one.seal(duel, shop.clock.now_ms(), at_once=True)
    assert await shop.two.commit("p00", [entry(duel, 0)]) == [SEALED]
    early = shop.duel()
    assert await shop.one.write(None, early, secret="s")
    assert not await shop.one.seal(early, shop.clock.now_ms(), at_once=True)


async def test_a_journal_outlives_a_practice_without_a_limit(shop: Shop) -> None:
    """Its first move sets when it would expire; the last may come most of a day later."""
    start_at = DuelMs(shop.clock.now_ms() - 1000)
    untimed = shop.duel(
        1,
        ruleset="klondike-1",
        duration_ms=None,
        phase=Phase.COUNTDOWN,
        start_at=start_at,
        deadline=DuelMs(start_at + TIMING.untimed_ms),
    )
    assert await shop.one.write(None, untimed, secret="s")
    assert await shop.one.attach(untimed, untimed.seated[0].player, "e0")
    late = TIMING.untimed_ms
    moves = [entry(untimed, 0, ms=0), entry(untimed, 1, ms=late - 1), entry(untimed, 2, ms=late)]
    assert await shop.one.commit("p00", moves) == [0, late - 1, LATE]
    keys = [key async for key in shop.redis.scan_iter(f"{duel_key(untimed.id)}*")]
    assert len(keys) >= 6
    lives = {key: await shop.redis.pttl(key) for key in keys}
    assert min(lives.values()) > TIMING.untimed_ms + 3_600_000, lives


async def test_there_is_one_result(shop: Shop) -> None:
    """Twenty write one each at once; all are answered with the same; never before the seal."""
    duel = await shop.running()
    assert await shop.one.finish(duel, "{}") is None
    assert await shop.one.seal(duel, DuelMs(duel.deadline + 500))  # type: ignore[operator]
    results = await asyncio.gather(
        *((shop.one, shop.two)[n % 2].finish(duel, f"result {n}") for n in range(20))
    )
    assert len(set(results)) == 1
    assert await shop.one.finish(duel, "later") == results[0]
    assert await shop.redis.zcard("sd:{p00}:due") == 0
    left = [key async for key in shop.redis.scan_iter(f"*{duel.id}*")]
    assert all([0 < await shop.redis.pttl(key) <= TIMING.kept_ms for key in left])


# rematch.lua


async def test_one_rematch_however_many_ask(shop: Shop) -> None:
    """And none of a duel that is not over."""
    old = await shop.running()
    assert await shop.one.rematch(old.id, shop.duel(), "s") is None
    await shop.one.seal(old, DuelMs(old.deadline + 500))  # type: ignore[operator]
    await shop.one.finish(old, "{}")
    asked = await asyncio.gather(
        *((shop.one, shop.two)[n % 2].rematch(old.id, shop.duel(), "s") for n in range(20))
    )
    assert len(set(asked)) == 1
    assert asked[0] is not None
    made = await shop.one.read(DuelId(asked[0].split(" ")[1]))
    assert made is not None
    assert made.secret == "s"
    stored = await shop.one.read(old.id)
    assert stored is not None
    assert stored.rematch == asked[0]
    assert await shop.redis.zcard("sd:{p00}:due") == 1


# claim_due.lua, clock.lua


async def test_what_is_due_is_given_to_one_node_at_a_time(shop: Shop) -> None:
    """Until its lease runs out."""
    duels = [shop.duel(touched_at=DuelMs(0)) for _ in range(10)]
    for duel in duels:
        await shop.one.write(None, duel)
    due = TIMING.idle_ms
    assert await shop.one.claim_due("p00", due - 1, due + 5000) == []
    both = await asyncio.gather(
        shop.one.claim_due("p00", due, due + 5000), shop.two.claim_due("p00", due, due + 5000)
    )
    assert sorted(both[0] + both[1]) == sorted(duel.id for duel in duels)
    assert await shop.two.claim_due("p00", due + 4999, due + 9000) == []
    assert len(await shop.two.claim_due("p00", due + 5000, due + 9000)) == 10
    await shop.one.forget_due(duels[0].id)
    assert len(await shop.two.claim_due("p00", due + 9000, due + 9001)) == 9


async def test_a_step_of_the_clock_is_not_followed(shop: Shop) -> None:
    """One correction for all nodes, the second to see the step corrects nothing more."""
    two = DuelClock(shop.redis)
    await two.measure()
    before = shop.clock.now_ms()
    # The store's clock falls behind by an hour: as seen from nodes that go on steadily.
    for clock in (shop.clock, two):
        assert clock._offset is not None
        clock._offset += 3_600_000
    await shop.clock.measure()
    assert abs(shop.clock.correction - 3_600_000) < 1000
    await two.measure()
    assert two.correction == shop.clock.correction
    assert abs(shop.clock.now_ms() - before - 3_600_000) < 5000
    fresh = DuelClock(shop.redis)
    await fresh.measure()
    assert abs(fresh.now_ms() - two.now_ms()) < 1000
    # Scripts count by it, too.
    duel = shop.duel()
    await shop.one.write(None, duel)
    soon = DuelMs(shop.clock.now_ms() + 30_000)
    assert await shop.one.write(duel, replace(duel, version=1), not_after=soon)
    stored = await shop.one.read(duel.id)
    assert stored is not None
    assert abs(stored.read_at - shop.clock.now_ms()) < 1000


async def test_a_small_difference_is_slewed(shop: Shop) -> None:
    """Clocks drift: nodes lean towards the store, and never go back."""
    assert shop.clock._offset is not None
    shop.clock._offset += 100
    ahead = shop.clock.now_ms()
    for _ in range(20):
        await shop.clock.measure()
        assert shop.clock.now_ms() >= ahead
    assert shop.clock.correction == 0
    seconds, micros = await shop.redis.time()
    assert abs(shop.clock._offset + _steady() - (seconds * 1000 + micros / 1000)) < 50


def _steady() -> float:
    from samedeal_server.store.clock import steady_ms

    return steady_ms()


# enqueue.lua, dequeue.lua


@dataclass
class Desk:
    """The queue, as one node sees it."""

    queue: QueueStore
    now: int = 1_000_000

    async def wait(
        self, player: str, match: str, seats: int = 2, *, renew: bool = False, name: str = ""
    ) -> object:
        group = await self.queue.wait(
            "timed",
            seats,
            PlayerId(player),
            name or f"name of {player}",
            DuelMs(self.now),
            match,
            renew=renew,
        )
        return None if group is None else [ticket.player for ticket in group]


@pytest.fixture
def desk(shop: Shop) -> Desk:
    return Desk(QueueStore(shop.redis, "one"))


async def test_a_whole_group_oldest_first(desk: Desk) -> None:
    """Nobody is matched with themself however often they ask."""
    for _ in range(3):
        assert await desk.wait("ann", "m1") == []
    desk.now += 1
    assert await desk.wait("bob", "m2") == ["ann", "bob"]
    assert await desk.wait("eve", "m3") == []
    assert await desk.wait("ann", "m4", renew=True) is None


async def test_a_match_that_ran_twice_is_the_same_match(desk: Desk) -> None:
    """Answered again for its id, until it is confirmed; nobody else is taken for it."""
    await desk.wait("ann", "m1")
    assert await desk.wait("bob", "m2") == ["ann", "bob"]
    await desk.wait("eve", "m3")
    desk.now += 1
    assert await desk.wait("bob", "m2") == ["ann", "bob"]
    await desk.queue.confirm("timed", 2, "m2")
    assert await desk.wait("dan", "m4") == ["eve", "dan"]


async def test_a_ticket_without_a_lease_is_skipped_and_removed(desk: Desk, shop: Shop) -> None:
    """Its node has died."""
    await desk.wait("ann", "m1")
    desk.now += 10_001
    assert await desk.wait("bob", "m2") == []
    assert await desk.wait("ann", "m3", renew=True) is None
    assert await shop.redis.zcard("sd:{q:timed:2}") == 1


async def test_a_renewed_lease_lives_on_and_keeps_its_turn(desk: Desk) -> None:
    """Renewing is not coming anew."""
    await desk.wait("ann", "m1", 3)
    desk.now += 5_000
    await desk.wait("bob", "m2", 3)
    for _ in range(3):
        desk.now += 5_000
        assert await desk.wait("bob", "m4", 3, renew=True) == []
        desk.now += 1
        assert await desk.wait("ann", "m3", 3, renew=True) == []
    assert await desk.wait("eve", "m5", 3) == ["ann", "bob", "eve"]


async def test_who_looks_like_another_is_not_in_the_same_group(desk: Desk) -> None:
    """Case 48: with a Cyrillic letter, with blanks; the next one who comes is taken instead."""
    assert await desk.wait("one", "m1", name="Ana B") == []
    desk.now += 1
    assert await desk.wait("two", "m2", name="\u0410naB") == []
    desk.now += 1
    assert await desk.wait("bob", "m3", name="Bob") == ["one", "bob"]
    desk.now += 1
    assert await desk.wait("eve", "m4", name="Eve") == ["two", "eve"]


async def test_a_ticket_taken_back_is_never_matched(desk: Desk) -> None:
    """True if it was there; afterwards it is not."""
    await desk.wait("ann", "m1")
    assert await desk.queue.leave("timed", 2, PlayerId("ann"))
    assert not await desk.queue.leave("timed", 2, PlayerId("ann"))
    assert await desk.wait("bob", "m2") == []


async def test_hundreds_at_once_are_taken_once_each(desk: Desk) -> None:
    """Case 32, scaled: enter, cancel and enter again, all at the same moment."""

    async def one(number: int) -> object:
        player = f"player{number}"
        if number % 3 == 0:
            await desk.queue.leave("timed", 2, PlayerId(player))
        return await desk.wait(player, f"match{number}")

    groups = [g for g in await asyncio.gather(*(one(n) for n in range(500))) if g]
    taken = [player for group in groups for player in group]  # type: ignore[attr-defined]
    assert len(taken) == len(set(taken)) == 500


# greet.lua, place.lua, and names


async def test_of_two_at_once_one_is_told_of_the_other(shop: Shop) -> None:
    """A chain: each is told of exactly the one before."""
    players = PlayerStore(shop.redis, "one", 60_000)
    assert await players.create(PlayerId("ann"), "Ann", "hash", "first")
    epochs = [f"epoch{n}" for n in range(20)]
    greeted = await asyncio.gather(*(players.greet(PlayerId("ann"), "hash", e) for e in epochs))
    before = [g.epoch_before for g in greeted if g]
    newest = await shop.redis.hget("sd:p:ann", "epoch")
    assert sorted([*before, newest or ""]) == sorted(["first", *epochs])
    assert await players.greet(PlayerId("nobody"), "hash", "e") is None
    assert await players.greet(PlayerId("ann"), "another hash", "e") is None
    assert await shop.redis.hget("sd:p:ann", "epoch") == newest


async def test_a_player_is_in_one_place(shop: Shop) -> None:
    """Of two moves from the same place one gets through; the same move again is done."""
    players = PlayerStore(shop.redis, "one", 60_000)
    await players.create(PlayerId("ann"), "Ann", "hash", "e")
    moves = await asyncio.gather(
        *(players.move(PlayerId("ann"), "", f"p00duel{n}") for n in range(20))
    )
    assert sum(moves) == 1
    place = await players.where(PlayerId("ann"))
    assert await players.move(PlayerId("ann"), "elsewhere", place)
    assert not await players.move(PlayerId("ann"), "elsewhere", "")
    assert await players.move(PlayerId("ann"), place, "")


async def test_a_name_has_one_owner(shop: Shop) -> None:
    """However it is written; a new name frees the old one."""
    players = PlayerStore(shop.redis, "one", 60_000)
    made = await asyncio.gather(
        *(players.create(new_player_id(), name, f"h{name}", "e") for name in ("Ana", "ANA", "ana"))
    )
    assert sum(made) == 1
    owner = await shop.redis.get("sd:name:ana")
    assert owner is not None
    assert await players.rename(PlayerId(owner), "Ana", "Zoë")
    assert await players.create(PlayerId("bob"), "Ana", "hb", "e")
    assert not await players.rename(PlayerId("bob"), "Ana", "ZOË")
    assert await players.rename(PlayerId("bob"), "Ana", "ANA")


async def test_a_name_whose_player_was_never_made_is_free_again_soon(shop: Shop) -> None:
    """The store went away between the claim and the player."""
    players = PlayerStore(shop.redis, "one", 10**9)
    assert await players.create(PlayerId("ann"), "Ann", "hash", "e")
    assert await shop.redis.pttl("sd:name:ann") > 60_000
    await shop.redis.delete("sd:name:ann")
    await shop.redis.set("sd:name:bob", "bob", px=60_000)  # what a lost reply leaves
    assert await players.create(PlayerId("bob"), "Bob", "hash", "e")


async def test_nodes_hear_of_changes_that_others_made(shop: Shop) -> None:
    """Each script that changes a duel tells the nodes that listen, and not the writer."""
    duel = await shop.running()
    await shop.two.listen_to(duel.id)
    async with shop.redis.pubsub() as heard:
        await heard.ssubscribe(duel_channel("p00", "two"), duel_channel("p00", "one"))
        after = replace(duel, version=1, note="x")
        await shop.one.write(duel, after)
        await shop.one.attach(after, duel.seated[0].player, "e9")
        await shop.one.detach(duel.id, duel.seated[0].player, "e9")
        await shop.one.seal(after, DuelMs(duel.deadline + 500))  # type: ignore[operator]
        await shop.one.finish(after, "{}")
        await shop.one.rematch(duel.id, shop.duel(), "s")
        told = []
        while (message := await heard.get_message(timeout=0.3)) is not None:
            if message["type"] == "smessage":
                told.append((message["channel"], message["data"]))
    assert told == [(duel_channel("p00", "two"), f"d {duel.id}")] * 5
    assert await shop.redis.smembers(nodes_key(duel.id)) == {"one", "two"}
    assert await shop.redis.exists(journal_key(duel.id, duel.seated[0].player)) == 0


async def test_a_spoilt_key_stops_nobody_else(shop: Shop) -> None:
    """commit.lua: a journal that somebody has overwritten by hand spoils its own entry only."""
    spoilt, good = await shop.running(), await shop.running()
    await shop.redis.set(journal_key(spoilt.id, spoilt.seated[0].player), "by hand")
    answers = await shop.one.commit("p00", [entry(spoilt, 0), entry(good, 0, ms=7)])
    assert answers == [-9, 7]

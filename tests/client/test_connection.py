"""The connection against a scripted server: playing, losing the line, coming back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from client.fake_server import CODE, TOKEN, FakeServer
from client.full_table import FullTable
from samedeal_client.connection import Connection
from samedeal_client.errors import (
    ConnectionClosed,
    ConnectionFailed,
    ConnectionLost,
    MoveRefused,
    NotAtATable,
    RequestFailed,
)
from samedeal_client.events import (
    MAX_EVENTS,
    ConnectionDropped,
    Ended,
    Event,
    EventsDropped,
    FairnessAlarm,
    MovesFell,
    OutOfStep,
    Reconnected,
    Replaced,
    TailLost,
)
from samedeal_protocol import (
    Applied,
    Create,
    Error,
    ErrorCode,
    GetHint,
    Hello,
    Join,
    PlayMove,
    Queue,
    Result,
    Snapshot,
    Standings,
    Start,
    Watch,
)
from samedeal_rules import IllegalMove

QUICK = 0.02
"""Jitter's share of each wait: reconnects come within a few milliseconds."""


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer() as server:
        yield server


def connect(server: FakeServer, **more: object) -> Connection:
    return Connection(server.url, name="Ana", random=lambda: QUICK, **more)  # type: ignore[arg-type]


async def heard(connection: Connection, kind: type[Event]) -> Event:
    async with asyncio.timeout(5):
        async for event in connection.events():
            if isinstance(event, kind):
                return event
    raise AssertionError(f"the connection ended before {kind.__name__}")


async def at_the_table(connection: Connection) -> None:
    await connection.join(CODE)
    await connection.ready()
    await heard(connection, Snapshot)


def moves_of(server: FakeServer, life: int) -> list[tuple[int, str]]:
    return [(m.seq, m.move) for m in server.seen[life] if isinstance(m, PlayMove)]


async def until(condition: object) -> None:
    async with asyncio.timeout(5):
        while not condition():  # type: ignore[operator]
            await asyncio.sleep(0.005)


async def test_without_a_limit_time_goes_up(server: FakeServer) -> None:
    """No deadline to count down to; the line may break, and the game is found fair."""
    async with connect(server) as connection:
        assert connection.elapsed_ms() == 0
        await connection.request(Create(req=0, ruleset="klondike-1", seats=1, untimed=True))
        await connection.ready()
        await heard(connection, Snapshot)
        assert connection.time_left_ms() is None
        assert connection.table is not None
        assert connection.table.confirmed.duration_ms is None
        await connection.play_and_wait("d")
        before = connection.elapsed_ms()
        server.cut()
        await heard(connection, Reconnected)
        await connection.play_and_wait("d")
        assert connection.elapsed_ms() > before
        await server.finish()
        await heard(connection, Result)
        assert connection.table.confirmed.ended == "timeout"
        assert connection.table.confirmed.ended_ms == server.table.journal[-1][0]  # type: ignore[union-attr]
        checks = connection.fairness()
        assert [check.name for check in checks if not check.ok] == []
        assert "own score" in [check.name for check in checks]


async def test_a_whole_duel_is_played_and_found_fair(server: FakeServer) -> None:
    """Join, ready, reveal by itself, play, result; every check passes."""
    async with connect(server) as connection:
        assert connection.token == TOKEN
        await at_the_table(connection)
        assert connection.table is not None
        for _ in range(3):
            applied = await connection.play_and_wait("d")
            assert applied is not None
        await connection.play_and_wait("end")
        await server.finish()
        result = await heard(connection, Result)
        assert result == connection.result
        checks = connection.fairness()
        assert {check.name for check in checks} == {
            "promise",
            "secret",
            "numbers",
            "own number",
            "seed",
            "cards",
            "own score",
        }
        assert all(check.ok for check in checks), checks


async def test_a_hint_is_asked_for_and_told(server: FakeServer) -> None:
    """A cut in between changes nothing: it is asked again."""
    async with connect(server) as connection:
        await at_the_table(connection)
        assert (await connection.hint()).move == "d"
        server.ignore.add(GetHint)
        waiting = asyncio.create_task(connection.hint())
        await until(lambda: isinstance(server.seen[0][-1], GetHint))
        server.ignore.clear()
        server.cut()
        hinted = await waiting
        assert (hinted.answer, hinted.seq) == ("move", 0)


async def test_the_clock_is_the_servers(server: FakeServer) -> None:
    """Its clock may be years away from ours; what counts is when its answers come."""
    async with connect(server) as connection:
        await until(lambda: connection.delay_ms is not None)
        assert abs(connection.server_now_ms() - server.now_ms()) < 50
        await at_the_table(connection)
        left = connection.time_left_ms()
        assert left is not None
        assert server.duel is not None
        assert server.duel.deadline is not None
        assert abs(left - (server.duel.deadline - server.now_ms())) < 50


async def test_after_a_cut_exactly_what_was_not_acknowledged_goes_out_again(
    server: FakeServer,
) -> None:
    """Two moves acknowledged, two on their way: the new line carries the two, in order."""
    async with connect(server) as connection:
        await at_the_table(connection)
        await connection.play_and_wait("d")
        await connection.play_and_wait("d")
        server.mute = True
        connection.play("d")
        waiting = asyncio.create_task(connection.play_and_wait("d"))
        await until(lambda: len(moves_of(server, 0)) == 4)
        server.mute = False
        server.cut()
        await heard(connection, ConnectionDropped)
        await heard(connection, Reconnected)
        applied = await waiting
        assert applied is not None
        assert moves_of(server, 1) == [(2, "d"), (3, "d")]
        assert isinstance(server.seen[1][0], Hello)
        assert server.seen[1][0].token == TOKEN
        assert [text for _, text in server.table.journal] == ["d"] * 4  # type: ignore[union-attr]


async def test_a_move_whose_answer_was_lost_is_not_sent_again(server: FakeServer) -> None:
    """The snapshot says that it is in the journal."""
    async with connect(server) as connection:
        await at_the_table(connection)
        server.mute = True
        waiting = asyncio.create_task(connection.play_and_wait("d"))
        await until(lambda: len(moves_of(server, 0)) == 1)
        assert server.table is not None
        server.table.answer(PlayMove(seq=0, move="d"), 5)
        server.mute = False
        server.cut()
        assert await waiting is None
        assert moves_of(server, 1) == []
        assert connection.table is not None
        assert connection.table.acknowledged == 1
        await connection.play_and_wait("d")


async def test_moves_played_without_a_line_go_out_when_it_is_back(server: FakeServer) -> None:
    """The player may go on; nothing is lost."""
    async with connect(server) as connection:
        await at_the_table(connection)
        port = server.port
        server.cut()
        await server.stop()
        await heard(connection, ConnectionDropped)
        assert not connection.up
        waiting = asyncio.create_task(connection.play_and_wait("d"))
        await asyncio.sleep(0.05)
        assert connection.table is not None
        assert connection.table.ahead.board.drawn == 3
        await server.start(port)
        assert (await waiting) is not None


async def test_a_lost_tail_is_sent_again_and_said(server: FakeServer) -> None:
    """The store failed over to one that lacked the last moves."""
    async with connect(server) as connection:
        await at_the_table(connection)
        for _ in range(4):
            await connection.play_and_wait("d")
        assert server.table is not None
        server.table.lose_tail(3)
        server.cut()
        lost = await heard(connection, TailLost)
        assert lost == TailLost(3)
        await until(lambda: len(server.table.journal) == 4)  # type: ignore[union-attr]
        assert moves_of(server, 1) == [(1, "d"), (2, "d"), (3, "d")]
        await until(lambda: connection.table is not None and not connection.table.pending)


async def test_a_replaced_connection_stays_away(server: FakeServer) -> None:
    """Two windows of one player must not throw each other out for ever."""
    async with connect(server) as connection:
        await at_the_table(connection)
        assert server.socket is not None
        await server.socket.close(4001)
        await heard(connection, Replaced)
        await asyncio.sleep(0.1)
        assert len(server.seen) == 1
        with pytest.raises(ConnectionClosed):
            await connection.join(CODE)
        with pytest.raises(NotAtATable):
            connection.play("d")


@pytest.mark.parametrize("code", [4002, 4003])
async def test_a_connection_thrown_out_does_not_loop(server: FakeServer, code: int) -> None:
    """Too many errors, or a flood: coming back would only repeat it."""
    async with connect(server) as connection:
        assert server.socket is not None
        await server.socket.close(code, "enough")
        ended = await heard(connection, Ended)
        assert isinstance(ended, Ended)
        assert "enough" in ended.reason
        assert len(server.seen) == 1


@pytest.mark.parametrize("code", [1001, 1012, 1013])
async def test_a_server_that_goes_is_come_back_to(server: FakeServer, code: int) -> None:
    """Restarts and full nodes are waited out."""
    async with connect(server) as connection:
        assert server.socket is not None
        await server.socket.close(code)
        await heard(connection, Reconnected)
        assert len(server.seen) == 2


async def test_a_create_is_not_asked_twice(server: FakeServer) -> None:
    """The duel may exist: its maker is told instead."""
    server.ignore = {Create}
    async with connect(server) as connection:
        asking = asyncio.create_task(connection.request(Create(req=0)))
        await until(lambda: any(isinstance(m, Create) for m in server.seen[0]))
        server.cut()
        with pytest.raises(ConnectionLost):
            await asking


async def test_any_other_request_is_asked_again(server: FakeServer) -> None:
    """Joining twice is joining once."""
    server.ignore = {Join}
    async with connect(server) as connection:
        asking = asyncio.create_task(connection.join(CODE))
        await until(lambda: any(isinstance(m, Join) for m in server.seen[0]))
        server.ignore = set()
        server.cut()
        assert (await asking).code == CODE
        assert sum(isinstance(m, Join) for m in server.seen[1]) == 1


async def test_a_spectator_watches_again(server: FakeServer) -> None:
    """The server does not know where spectators were."""
    async with connect(server) as connection:
        await connection.watch(CODE)
        server.cut()
        await until(lambda: len(server.seen) == 2)
        await until(lambda: any(isinstance(m, Watch) for m in server.seen[1]))


async def test_a_refused_request_raises_with_its_code(server: FakeServer) -> None:
    """Errors are data."""
    async with connect(server) as connection:
        with pytest.raises(RequestFailed) as failed:
            await connection.request(Queue(req=0))
        assert failed.value.code is ErrorCode.WRONG_STATE
        await connection.request(Start(req=0))


async def test_a_refused_move_takes_the_later_ones_with_it(server: FakeServer) -> None:
    """The user is told which fell; none is renumbered or sent again."""
    async with connect(server) as connection:
        await at_the_table(connection)
        connection.play("d")
        table = connection.table
        assert table is not None
        bad = next(
            text
            for text in ("w-t1", "w-t2", "w-t3", "w-t4", "w-t5", "w-t6", "w-t7")
            if not _server_takes(server, ["d", text])
        )
        refused = asyncio.create_task(connection.play_and_wait(bad))
        fallen = asyncio.create_task(connection.play_and_wait("d"))
        for task in (refused, fallen):
            with pytest.raises(MoveRefused):
                await task
        event = await heard(connection, MovesFell)
        assert isinstance(event, MovesFell)
        assert event.moves == (bad, "d")
        await until(lambda: len(moves_of(server, 0)) == 3)
        await connection.play_and_wait("d")
        assert moves_of(server, 0)[-1] == (1, "d")


async def test_moves_that_were_too_fast_go_out_again(server: FakeServer) -> None:
    """Nothing falls, nothing is played twice, and nobody is troubled with it."""
    async with connect(server) as connection:
        await at_the_table(connection)
        server.unread = 2
        answers = await asyncio.gather(*(connection.play_and_wait("d") for _ in range(5)))
        assert [answer.seq for answer in answers if answer is not None] == [0, 1, 2, 3, 4]
        assert server.table is not None
        assert len(server.table.journal) == 5
        table = connection.table
        assert table is not None
        assert not table.pending
        events = connection.events()
        connection.play("d")
        async for event in events:
            assert not isinstance(event, MovesFell | OutOfStep | Error)
            if isinstance(event, Applied) and event.seq == 5:
                break


async def test_a_move_that_was_too_fast_may_be_refused_all_the_same(server: FakeServer) -> None:
    """The answer to the second sending counts."""
    async with connect(server) as connection:
        await at_the_table(connection)
        connection.play("d")
        bad = next(
            text
            for text in ("w-t1", "w-t2", "w-t3", "w-t4", "w-t5", "w-t6", "w-t7")
            if not _server_takes(server, ["d", "d", text])
        )
        await until(lambda: connection.table is not None and not connection.table.pending)
        server.unread = 1
        waiting = asyncio.create_task(connection.play_and_wait("d"))
        later = asyncio.create_task(connection.play_and_wait(bad))
        await waiting
        with pytest.raises(MoveRefused):
            await later
        await until(lambda: connection.table is not None and not connection.table.pending)


def _server_takes(server: FakeServer, texts: list[str]) -> bool:
    assert server.table is not None
    twin = FullTable(server.table.seed)
    return all(
        isinstance(twin.answer(PlayMove(seq=i, move=text), 0)[0], Applied)
        for i, text in enumerate(texts)
    )


async def test_undo_brings_the_table_that_the_server_shows(server: FakeServer) -> None:
    """The answer and the snapshot after it are folded without a `sync`."""
    async with connect(server) as connection:
        await at_the_table(connection)
        await connection.play_and_wait("d")
        await connection.play_and_wait("u")
        await heard(connection, Snapshot)
        assert connection.table is not None
        await until(lambda: connection.table.confirmed.score == -1000)  # type: ignore[union-attr]
        assert connection.table.confirmed.board.drawn == 0
        await connection.play_and_wait("d")


async def test_a_move_that_is_certain_to_be_refused_is_not_sent(server: FakeServer) -> None:
    """It raises here; no round trip."""
    async with connect(server) as connection:
        await at_the_table(connection)
        with pytest.raises(IllegalMove):
            connection.play("r")
        await connection.play_and_wait("d")
        assert moves_of(server, 0) == [(0, "d")]


async def test_a_table_that_differs_is_fetched_anew(server: FakeServer) -> None:
    """A wrong checksum means `sync`, once."""
    async with connect(server) as connection:
        await at_the_table(connection)
        server.mute = True
        connection.play("d")
        await until(lambda: len(moves_of(server, 0)) == 1)
        assert server.table is not None
        answer = server.table.answer(PlayMove(seq=0, move="d"), 5)[0]
        await server.send(answer.model_copy(update={"checksum": 1}))
        await heard(connection, OutOfStep)
        await heard(connection, Snapshot)
        server.mute = False
        await connection.play_and_wait("d")


async def test_a_swapped_number_raises_an_alarm_and_is_not_revealed(server: FakeServer) -> None:
    """If our seat stands with another hash, somebody plays a game of their own."""
    server.swap_hash = "ab" * 32
    async with connect(server) as connection:
        await connection.join(CODE)
        await connection.ready()
        alarm = await heard(connection, FairnessAlarm)
        assert isinstance(alarm, FairnessAlarm)
        assert alarm.check.name == "own number"
        assert server.nonce is None


async def test_nobody_there_is_an_error_at_once() -> None:
    """The first try does not wait: the address is probably wrong."""
    with pytest.raises(ConnectionFailed):
        async with Connection("ws://127.0.0.1:9", name="Ana"):
            pass


async def test_a_refused_name_is_an_error_at_once(server: FakeServer) -> None:
    """Ask the person for another."""
    server.refuse_hello = ErrorCode.NAME_TAKEN
    with pytest.raises(RequestFailed):
        async with connect(server):
            pass


async def test_an_unknown_token_ends_a_reconnect(server: FakeServer) -> None:
    """The store was emptied: this player is no more."""
    async with connect(server) as connection:
        server.refuse_hello = ErrorCode.BAD_TOKEN
        server.cut()
        await heard(connection, Ended)


async def test_giving_up_after_a_while(server: FakeServer) -> None:
    """A bot need not wait for ever for a server that is gone."""
    async with connect(server, give_up_s=0.1) as connection:
        await server.stop()
        await heard(connection, Ended)


async def test_events_nobody_reads_are_bounded(server: FakeServer) -> None:
    """The oldest go, and are counted; what is known stays complete."""
    async with connect(server) as connection:
        await connection.join(CODE)
        for _ in range(MAX_EVENTS + 50):
            await server.change()
        await until(
            lambda: (
                connection.duel is not None
                and server.duel is not None
                and connection.duel.version == server.duel.version
            )
        )
        first = await heard(connection, EventsDropped)
        assert isinstance(first, EventsDropped)
        assert first.count >= 50


async def test_older_standings_are_replaced_while_nobody_reads(server: FakeServer) -> None:
    """Only the latest is of interest."""
    async with connect(server) as connection:
        await at_the_table(connection)
        await until(lambda: connection.standings is not None)
        for version in range(2, 20):
            await server.send(
                Standings(duel="p00test", version=version, server_ms=0, total=0, rows=[])
            )
        await until(lambda: connection.standings.version == 19)  # type: ignore[union-attr]
        event = await heard(connection, Standings)
        assert isinstance(event, Standings)
        assert event.version == 19


async def test_a_block_left_in_the_middle_ends_everything(server: FakeServer) -> None:
    """No task stays behind, whoever waited is told."""
    async with connect(server) as connection:
        await at_the_table(connection)
        server.mute = True
        waiting = asyncio.create_task(connection.play_and_wait("d"))
        await until(lambda: len(moves_of(server, 0)) == 1)
    with pytest.raises(ConnectionClosed):
        await waiting
    # What was heard before can still be read; then comes the end.
    async with asyncio.timeout(1):
        assert [event async for event in connection.events()]

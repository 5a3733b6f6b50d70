"""The full-screen client with Textual's pilot, at a server that is scripted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from textual import events
from textual.geometry import Size
from textual.pilot import Pilot
from textual.widgets import Static

from client.fake_server import CODE, FakeServer
from samedeal_client.identity import Identities
from samedeal_client.plain.choosing import Choice
from samedeal_client.plain.client import Wish
from samedeal_client.tui.app import SameDeal
from samedeal_client.tui.context import Context
from samedeal_client.tui.screens.ask import AskScreen
from samedeal_client.tui.screens.games import GamesScreen
from samedeal_client.tui.screens.menu import MenuScreen
from samedeal_client.tui.screens.order import OrderScreen
from samedeal_client.tui.screens.play import PlayScreen
from samedeal_client.tui.screens.result import ResultScreen
from samedeal_client.tui.screens.small import SmallScreen
from samedeal_client.tui.session import Session
from samedeal_client.tui.settings import Settings

PATIENCE_S = 20


@pytest.fixture(autouse=True)
def _own_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEDEAL_CONFIG_DIR", str(tmp_path))


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer() as server:
        yield server


def app_at(
    server: FakeServer, tmp_path: Path, wish: Wish | None = None, **more: object
) -> SameDeal:
    wish = wish or Wish(name="Ana")
    wish = Wish(
        **{**{f: getattr(wish, f) for f in wish.__dataclass_fields__}, "server": server.url}
    )
    session = Session(wish, Identities(tmp_path))
    return SameDeal(Context(session, wish, Settings(**more)))


async def until(pilot: Pilot[int], condition: Callable[[], object]) -> None:
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                await pilot.pause(0.02)
    except TimeoutError:
        raise AssertionError(shown(pilot.app)) from None
    await pilot.pause()


async def at_table(pilot: Pilot[int], app: SameDeal) -> PlayScreen:
    await until(pilot, lambda: isinstance(app.screen, PlayScreen) and app.screen.game)
    assert isinstance(app.screen, PlayScreen)
    return app.screen


def shown(app: SameDeal) -> str:
    """All text on the screen."""
    lines = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in lines)


def journal(server: FakeServer) -> list[str]:
    return [] if server.table is None else [text for _ms, text in server.table.journal]


async def close(app: SameDeal) -> None:
    await app.context.session.aclose()


async def test_from_the_name_to_a_practice(server: FakeServer, tmp_path: Path) -> None:
    """A newcomer: a name, the menu, a game, its choices, the table, a move."""
    app = app_at(server, tmp_path, Wish())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "What shall others call you?" in shown(app))
        assert "Looking" not in str(app.base.query_one(".centre", Static).render())
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        assert "Race a bot now" in shown(app)
        await pilot.press("5")
        await until(pilot, lambda: isinstance(app.screen, GamesScreen))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, OrderScreen))
        await pilot.press("enter")
        screen = await at_table(pilot, app)
        await pilot.press("space")
        await until(pilot, lambda: journal(server) == ["d"])
        assert screen.game is not None
        assert screen.game.board.drawn >= 2  # an ace may have gone up by itself
    await close(app)


async def test_join_goes_straight_in(server: FakeServer, tmp_path: Path) -> None:
    """`samedeal play join CODE`: ready, and the table is there."""
    app = app_at(server, tmp_path, Wish(action="join", code=CODE, name="Ana"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Press r when you are ready" in shown(app))
        await pilot.press("r")
        await at_table(pilot, app)
        assert "4:5" in shown(app) or "5:00" in shown(app) or "╭─╮" in shown(app)
    await close(app)


async def practised(pilot: Pilot[int], app: SameDeal) -> PlayScreen:
    return await at_table(pilot, app)


async def test_a_move_shows_at_once_and_a_refused_one_goes_back(
    server: FakeServer, tmp_path: Path
) -> None:
    """Nothing waits for the network; the refusal says why."""
    app = app_at(server, tmp_path, Wish(action="practice", name="Ana"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await practised(pilot, app)
        server.mute = True
        await pilot.press("space")
        assert screen.game is not None
        assert screen.game.board.drawn == 3
        assert journal(server) == []
        from samedeal_protocol import RefusalCode, Refused

        await server.send(Refused(seq=0, code=RefusalCode.LOST, message="lost"))
        await until(pilot, lambda: screen.game is not None and screen.game.board.drawn == 0)
        assert "could not keep it" in shown(app)
    await close(app)


async def test_what_costs_is_asked_before_and_a_no_is_a_no(
    server: FakeServer, tmp_path: Path
) -> None:
    """The price of an undo and of the end; a setting switches the question off."""
    app = app_at(server, tmp_path, Wish(action="practice", name="Ana"))
    async with app.run_test(size=(80, 24)) as pilot:
        await practised(pilot, app)
        await pilot.press("space", "z")
        await until(pilot, lambda: isinstance(app.screen, AskScreen))
        assert "costs 1,000" in shown(app)
        await pilot.press("n")
        await until(pilot, lambda: "Not done." in shown(app))
        await pilot.press("z", "y")
        await until(pilot, lambda: journal(server) == ["d", "u"])
        await pilot.press("f", "y")
        await until(pilot, lambda: journal(server) == ["d", "u", "end"])
    await close(app)


async def test_a_held_key_draws_and_never_redeals(server: FakeServer, tmp_path: Path) -> None:
    """SPACE again and again stops at the empty stock; only its own key turns the waste over."""
    app = app_at(server, tmp_path, Wish(action="practice", name="Ana"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await practised(pilot, app)
        for _ in range(14):
            await pilot.press("space")
        await until(pilot, lambda: len(journal(server)) == 8)
        assert set(journal(server)) == {"d"}
        assert "The stock is empty" in shown(app) or "stock is empty" in shown(app)
        await pilot.press("r", "r", "r")
        await until(pilot, lambda: len(journal(server)) == 9)
        await pilot.pause(0.1)
        assert journal(server)[8:] == ["r"]
        assert screen.game is not None
        assert screen.game.board.redeals == 1
    await close(app)


async def test_the_result_shows_points_and_what_was_checked(
    server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ranking, every point, the fairness of the deal; the record is saved, and the menu is back."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SAMEDEAL_CONFIG_DIR", str(tmp_path))
    app = app_at(server, tmp_path, Wish(action="practice", name="Ana", sure=True))
    async with app.run_test(size=(100, 40)) as pilot:
        await practised(pilot, app)
        await pilot.press("space", "f")
        await until(pilot, lambda: journal(server) == ["d", "end"])
        await server.finish()
        await until(pilot, lambda: isinstance(app.screen, ResultScreen))
        assert "early end" in shown(app)
        assert "A new best of yours!" in shown(app)
        assert "replaying our own moves gives exactly our score" in shown(app)
        await pilot.press("s")
        await until(pilot, lambda: (tmp_path / f"samedeal-{CODE}.json").exists())
        await pilot.press("m")
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
    await close(app)


async def test_a_lost_line_is_a_small_sign(server: FakeServer, tmp_path: Path) -> None:
    """The clock goes on, a move waits, and both come back by themselves."""
    app = app_at(server, tmp_path, Wish(action="practice", name="Ana"))
    async with app.run_test(size=(80, 24)) as pilot:
        await practised(pilot, app)
        port = server.port
        server.cut()
        await server.stop()
        await until(pilot, lambda: "The line is down" in shown(app))
        await pilot.press("space")
        await server.start(port)
        await until(pilot, lambda: journal(server) == ["d"])
        assert "The line is down" not in shown(app)
    await close(app)


async def test_a_small_window_says_so_and_the_duel_goes_on(
    server: FakeServer, tmp_path: Path
) -> None:
    """Case 73: below the minimum a line; enlarged, the whole table again; q works there."""
    app = app_at(server, tmp_path, Wish(action="practice", name="Ana"))
    async with app.run_test(size=(80, 24)) as pilot:
        await practised(pilot, app)
        for width, height in [(40, 12), (20, 5), (1, 1)]:
            await pilot.resize_terminal(width, height)
            await until(pilot, lambda: isinstance(app.screen, SmallScreen))
        await pilot.press("space")
        await pilot.resize_terminal(80, 24)
        await at_table(pilot, app)
        assert journal(server) == []
        assert "pass 1" in shown(app)
        await pilot.resize_terminal(10, 3)
        await until(pilot, lambda: isinstance(app.screen, SmallScreen))
        await pilot.press("q", "q")
        await until(pilot, lambda: app.return_code is not None)
    await close(app)


async def test_a_storm_of_sizes(server: FakeServer, tmp_path: Path) -> None:
    """Case 73: resized two hundred times during countdown and game, and all is there."""
    server.start_after_ms = 700
    app = app_at(server, tmp_path, Wish(action="practice", name="Ana"))
    async with app.run_test(size=(80, 24)) as pilot:
        for number in range(200):
            size = Size(1 + number * 37 % 130, 1 + number * 17 % 45)
            app.post_message(events.Resize(size, size))
            await asyncio.sleep(0.005)  # faster than anybody drags a window
        await pilot.resize_terminal(100, 30)
        await at_table(pilot, app)
        assert "pass 1" in shown(app)
    await close(app)


async def test_ctrl_c_leaves_a_running_game_at_the_second_time(
    server: FakeServer, tmp_path: Path
) -> None:
    """Case 74: code 130; the first one says what the second would do."""
    app = app_at(server, tmp_path, Wish(action="practice", name="Ana"))
    async with app.run_test(size=(80, 24)) as pilot:
        await practised(pilot, app)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: "Ctrl-C again leaves" in shown(app))
        await pilot.press("ctrl+c")
        await until(pilot, lambda: app.return_code is not None)
        assert app.return_code == 130
    await close(app)


async def test_ctrl_c_in_the_countdown_asks_too(server: FakeServer, tmp_path: Path) -> None:
    """Who leaves then may call the start off for the others."""
    server.start_after_ms = 20_000
    app = app_at(server, tmp_path, Wish(action="practice", name="Ana"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Get ready!" in shown(app))
        await pilot.press("ctrl+c")
        await until(pilot, lambda: "Ctrl-C again leaves" in shown(app))
        assert app.return_code is None
        await pilot.press("ctrl+c")
        await until(pilot, lambda: app.return_code is not None)
    await close(app)


async def test_leaving_by_key_asks_first(server: FakeServer, tmp_path: Path) -> None:
    """Case 74: no goes back to the table, yes to the menu."""
    app = app_at(server, tmp_path, Wish(action="practice", name="Ana"))
    async with app.run_test(size=(80, 24)) as pilot:
        await practised(pilot, app)
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, AskScreen))
        await pilot.press("n")
        await at_table(pilot, app)
        await pilot.press("q", "y")
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
    await close(app)


async def test_one_may_come_back_to_a_duel_that_one_has_left(
    server: FakeServer, tmp_path: Path
) -> None:
    """The seat was given back in the lobby; the same code takes one again."""
    app = app_at(server, tmp_path, Wish(action="join", code=CODE, name="Ana"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Press r when you are ready" in shown(app))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        await pilot.press("3")
        await until(pilot, lambda: "The code of the duel" in shown(app))
        await pilot.press(*CODE, "enter")
        await until(pilot, lambda: "Press r when you are ready" in shown(app))
    await close(app)


async def test_after_a_game_another_one(server: FakeServer, tmp_path: Path) -> None:
    """Left in the middle, and straight into the next: a fresh table, nothing of the old one."""
    app = app_at(server, tmp_path, Wish(action="practice", name="Ana"))
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot, app)
        await pilot.press("space", "q", "y")
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        await pilot.press("5")
        await until(pilot, lambda: isinstance(app.screen, GamesScreen))
        await pilot.press("4")
        await until(pilot, lambda: isinstance(app.screen, OrderScreen))
        assert "FreeCell" in shown(app)
    await close(app)


async def test_what_the_server_refuses_is_said_where_one_is(
    server: FakeServer, tmp_path: Path
) -> None:
    """A quick match at a server that does not have it; back in the menu with the reason."""
    app = app_at(server, tmp_path, Wish(name="Ana"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        await pilot.press("4")
        await until(pilot, lambda: isinstance(app.screen, GamesScreen))
        await pilot.press("1")
        await until(pilot, lambda: "not now" in shown(app))
        assert isinstance(app.screen, MenuScreen)
    await close(app)


async def test_a_server_that_is_gone_is_told_in_the_menu(
    server: FakeServer, tmp_path: Path
) -> None:
    """What to do too; so say leaderboards, and a request at once; and it comes back by itself."""
    app = app_at(server, tmp_path, Wish(name="Ana"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "You are Ana" in shown(app))
        port = server.port
        server.cut()
        await server.stop()
        await until(pilot, lambda: "The server is gone; trying again" in shown(app))
        assert "--server ADDRESS" in shown(app)
        assert "You are Ana" not in shown(app)
        await pilot.press("8")
        await until(pilot, lambda: "The server is gone; trying again" in shown(app))
        await pilot.press("escape", "5", "enter")
        await until(pilot, lambda: isinstance(app.screen, OrderScreen))
        assert "The server is gone" not in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: "The server is gone" in shown(app))
        await server.start(port)
        await until(pilot, lambda: app.context.connection.up)
    await close(app)


async def test_who_is_back_in_an_unfinished_game_is_told_which(
    server: FakeServer, tmp_path: Path
) -> None:
    """And how to leave it for the one that was asked for; who asked for none is told nothing."""
    first = app_at(server, tmp_path, Wish(action="practice", name="Ana"))
    async with first.run_test(size=(100, 30)) as pilot:
        await at_table(pilot, first)
    await close(first)
    for action in ("practice", None):
        again = app_at(server, tmp_path, Wish(action=action, name="Ana", game=Choice("spider-1")))
        async with again.run_test(size=(120, 30)) as pilot:
            await at_table(pilot, again)
            await pilot.pause(0.1)
            assert ("Back in timed Klondike" in shown(again)) is (action is not None)
        await close(again)


async def test_help_is_about_the_screen_and_the_game(server: FakeServer, tmp_path: Path) -> None:
    """Keys of the lobby in the lobby, of the table at the table; tips before the rules."""
    app = app_at(server, tmp_path, Wish(action="join", code=CODE, name="Ana"))
    async with app.run_test(size=(90, 120)) as pilot:
        await until(pilot, lambda: "Press r when you are ready" in shown(app))
        await pilot.press("question_mark")
        await until(pilot, lambda: "say that you are ready" in shown(app))
        assert "draw from the stock" not in shown(app)
        await pilot.press("escape", "r")
        await at_table(pilot, app)
        await pilot.press("question_mark")
        await until(pilot, lambda: "draw from the stock" in shown(app))
        text = shown(app)
        assert "say that you are ready" not in text
        assert "FreeCell" not in text
        assert text.index("Keys") < text.index(" Tips") < text.index("The table")
    await close(app)

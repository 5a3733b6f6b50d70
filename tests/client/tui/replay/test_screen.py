"""The replay with Textual's pilot."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from client.fake_server import CODE, FakeServer
from client.replay.records import duel_replay, game_replay
from client.tui.test_app import app_at, shown, until
from rules.test_duel_record import true_record
from samedeal_client.plain.client import Wish
from samedeal_client.replay.reel import Reel, Replay
from samedeal_client.tui.context import Context
from samedeal_client.tui.replay.app import ReplayApp
from samedeal_client.tui.replay.screen import ReplayScreen
from samedeal_client.tui.screens.result import ResultScreen
from samedeal_client.tui.screens.rules import RulesScreen
from samedeal_client.tui.session import Session
from samedeal_client.tui.settings import Settings
from samedeal_rules.duel_record import write_duel_record


def app_of(replay: Replay) -> ReplayApp:
    wish = Wish()
    return ReplayApp(Context(Session(wish), wish, Settings()), Reel(replay))


def screen_of(pilot: Pilot[int]) -> ReplayScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ReplayScreen)
    return screen


async def test_keys_step_jump_and_leave() -> None:
    """Each key of the bar does what it says."""
    async with app_of(duel_replay()).run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "n", "right", "left")
        assert screen_of(pilot).reel.number == 2
        assert "move 2 of 29" in shown(pilot.app)
        await pilot.press("end")
        assert screen_of(pilot).reel.number == 29
        await pilot.press("pageup", "home", "pagedown")
        assert screen_of(pilot).reel.number == 10
        await pilot.press("tab")
        assert screen_of(pilot).reel.focus == 1
        await pilot.press("o")
        assert "░" not in shown(pilot.app).split("pass")[1]
        await pilot.press("q")
    assert pilot.app.return_value == 0


@pytest.mark.parametrize(
    ("typed", "number", "focus"), [("17", 17, 0), ("0:10", 14, 0), ("zo", 14, 2), ("what", 14, 0)]
)
async def test_one_may_type_where_to(typed: str, number: int, focus: int) -> None:
    """A number, a time, a name; what is none of these changes nothing."""
    async with app_of(duel_replay()).run_test(size=(80, 24)) as pilot:
        await pilot.press(*["right"] * 14, "slash")
        line = pilot.app.screen.query_one(Input)
        line.value = typed
        await pilot.press("enter")
        await pilot.pause()
        reel = screen_of(pilot).reel
        assert reel.focus == focus
        assert reel.number == (number if focus == 0 else reel.film.number_at(reel.ms))


async def test_it_plays_by_itself_to_the_end() -> None:
    """And holds there."""
    async with app_of(duel_replay()).run_test(size=(120, 40)) as pilot:
        await pilot.press(*["plus"] * 9, "space")
        assert screen_of(pilot).running
        await until(pilot, lambda: not screen_of(pilot).running)
        assert [frame.number for frame in screen_of(pilot).reel.frames()] == [
            film.last for film in screen_of(pilot).reel.replay.films
        ]
        assert shown(pilot.app).count("of 29") >= 1


async def test_other_sizes_and_the_rules() -> None:
    """Wide shows two tables, narrow one; too small says so; help shows the rules of the game."""
    async with app_of(duel_replay()).run_test(size=(120, 40)) as pilot:
        assert shown(pilot.app).count("move 0 of") == 2
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert shown(pilot.app).count("move 0 of") == 1
        await pilot.press("question_mark")
        await pilot.pause()
        assert isinstance(pilot.app.screen, RulesScreen)
        await pilot.press("escape")
        await pilot.resize_terminal(30, 10)
        await pilot.pause()
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert shown(pilot.app).count("move 0 of") == 1


async def test_a_game_alone_has_no_other_players() -> None:
    """Their key is not offered."""
    async with app_of(game_replay()).run_test(size=(120, 24)) as pilot:
        await pilot.pause()
        assert "TAB" not in shown(pilot.app)
        await pilot.press("tab")
        assert screen_of(pilot).reel.focus == 0


async def test_a_result_can_be_looked_at_again(tmp_path: Path) -> None:
    """And back; a record that can't be read is said. Help is there on every screen."""
    async with FakeServer() as server:
        app = app_at(server, tmp_path, Wish(name="Ana", action="join", code=CODE))
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: server.duel is not None)
            await until(pilot, lambda: app.screen.__class__.__name__ == "LobbyScreen")
            await pilot.press("r")
            await until(pilot, lambda: server.table is not None)
            await server.finish()
            await until(pilot, lambda: isinstance(app.screen, ResultScreen))
            await pilot.press("v")
            await until(pilot, lambda: "is missing" in shown(app) or "must have" in shown(app))
            server.record = write_duel_record(true_record())
            await pilot.press("v")
            await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
            await pilot.press("q")
            await until(pilot, lambda: isinstance(app.screen, ResultScreen))
            await pilot.press("question_mark")
            await until(pilot, lambda: isinstance(app.screen, RulesScreen))
        await app.context.session.aclose()

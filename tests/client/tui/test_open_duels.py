"""Open duels in the full-screen client: seen, followed, joined; at a scripted server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from client.fake_server import CODE, FakeServer
from client.tui.test_app import app_at, close, shown, until
from samedeal_client.plain.client import Wish
from samedeal_client.tui.screens import open_duels
from samedeal_client.tui.screens.menu import MenuScreen
from samedeal_client.tui.screens.open_duels import OpenScreen
from samedeal_protocol import GetOpen, Join, OpenRow


@pytest.fixture(autouse=True)
def _own_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEDEAL_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr(open_duels, "EVERY_S", 0.05)


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer() as server:
        yield server


def row(code: str, host: str, seated: int = 1) -> OpenRow:
    return OpenRow(
        code=code,
        ruleset="timed",
        options={},
        duration_ms=300_000,
        seats=3,
        seated=seated,
        hints=False,
        host=host,
        age_ms=5_000,
    )


def joined(server: FakeServer) -> list[str]:
    return [m.code for seen in server.seen for m in seen if isinstance(m, Join)]


async def test_the_list_follows_and_enter_joins(server: FakeServer, tmp_path: Path) -> None:
    """What comes is shown; the one that was chosen stays chosen when others come before it."""
    app = app_at(server, tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        await pilot.press("7")
        await until(pilot, lambda: "Nobody waits for players just now." in shown(app))
        await pilot.press("enter")  # there is nothing to choose
        server.open_rows = [row("HJK347", "Bo[b]"), row(CODE, "Norma", 2)]
        await until(pilot, lambda: "Norma" in shown(app))
        assert "Bo[b]  1/3  5:00  timed  since 0:05" in shown(app)
        await pilot.press("down")
        server.open_rows = [row("CCC333", "Eve"), *server.open_rows]
        await until(pilot, lambda: "Eve" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "Press r when you are ready" in shown(app))
    assert joined(server) == [CODE]
    await close(app)


async def test_too_late_is_said_on_the_list(server: FakeServer, tmp_path: Path) -> None:
    """And one may take another; ESC goes back to the menu, and nothing asks any more."""
    app = app_at(server, tmp_path, Wish(action="open", name="Ana"))
    server.full = True
    server.open_rows = [row(CODE, "Norma")]
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, OpenScreen) and "Norma" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "all seats taken" in shown(app))
        assert isinstance(app.screen, OpenScreen)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        await pilot.pause(0.2)
        asked = sum(isinstance(m, GetOpen) for seen in server.seen for m in seen)
        await pilot.pause(0.3)
        assert asked == sum(isinstance(m, GetOpen) for seen in server.seen for m in seen)
    await close(app)

"""How screens look: pictures that somebody has looked at. `--snapshot-update` takes new ones."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pytest_textual_snapshot import SVGImageExtension
from textual.pilot import Pilot

from client.replay.records import duel_replay, game_replay
from client.tui.stage import Stage, context_of, duel_of, result_of
from client.tui.tables import GAMES, table_of
from samedeal_client.replay.reel import Reel, Replay
from samedeal_client.tui.context import Context
from samedeal_client.tui.replay.screen import ReplayScreen
from samedeal_client.tui.screens.base import BaseScreen
from samedeal_client.tui.screens.games import GamesScreen
from samedeal_client.tui.screens.lobby import LobbyScreen
from samedeal_client.tui.screens.menu import MenuScreen
from samedeal_client.tui.screens.order import OrderScreen
from samedeal_client.tui.screens.play import PlayScreen
from samedeal_client.tui.screens.preferences import PreferencesScreen
from samedeal_client.tui.screens.result import ResultScreen
from samedeal_client.tui.screens.watch import WatchScreen
from samedeal_protocol import DuelPhase

SVGImageExtension.file_extension = "svg"
"""The plugin still uses a name that syrupy no longer reads."""
Compare = Callable[..., bool]
SIZES = {"80x24": (80, 24), "120x40": (120, 40), "narrow": (56, 20)}


@pytest.fixture(autouse=True)
def _no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEDEAL_CONFIG_DIR", "/home/ana/.config/samedeal")


def pressing(*keys: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    async def press(pilot: Pilot[Any]) -> None:
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()

    return press


def replaying(replay: Replay) -> Stage:
    context = context_of("timed")
    return Stage(context, ReplayScreen(context, Reel(replay)))


def table(context: Context) -> Stage:
    return Stage(context, PlayScreen(context))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("size", SIZES)
def test_every_game_at_every_size(snap_compare: Compare, name: str, size: str) -> None:
    """Case 73: all of it there, the last card of every column too."""
    app = table(context_of(name))
    assert snap_compare(app, terminal_size=SIZES[size], run_before=pressing())


@pytest.mark.parametrize("theme", ["night", "day", "plain"])
def test_a_choice_in_every_theme(snap_compare: Compare, theme: str) -> None:
    """Case 75: the chosen card and where it may go; the plain theme has no colour at all."""
    app = table(context_of("timed", theme=theme, four_colours=theme == "day"))
    assert snap_compare(app, run_before=pressing("2"))


def test_letters(snap_compare: Compare) -> None:
    """Case 71: nothing but ASCII."""
    app = table(context_of("timed", letters=True))
    assert snap_compare(app, run_before=pressing("2"))


def test_a_long_column(snap_compare: Compare) -> None:
    """Case 73: nineteen cards at 24 rows."""
    context = context_of("klondike-1")
    board = context.connection.table.ahead.board  # type: ignore[union-attr]
    board.columns[6] = board.columns[6][:6] + [
        suit << 4 | 13 - n for n, suit in enumerate([0, 1] * 6 + [0])
    ]
    board.down[6] = 6
    assert snap_compare(table(context), run_before=pressing())


def test_the_menu(snap_compare: Compare) -> None:
    """The first thing that one sees."""
    context = context_of("timed")
    assert snap_compare(Stage(context, MenuScreen(context)), run_before=pressing())


@pytest.mark.parametrize("size", ["80x24", "120x40"])
@pytest.mark.parametrize("screen", [MenuScreen, PreferencesScreen])
def test_menu_and_settings_at_each_size(
    snap_compare: Compare, screen: Callable[[Context], BaseScreen], size: str
) -> None:
    """Nothing is cut, and all of it stands together; settings by day, to see them in the light."""
    context = context_of("timed", theme="day" if screen is PreferencesScreen else "felt")
    app = Stage(context, screen(context))
    assert snap_compare(app, terminal_size=SIZES[size], run_before=pressing())


@pytest.mark.parametrize("size", SIZES)
def test_a_replay_of_a_game_alone(snap_compare: Compare, size: str) -> None:
    """One table, whatever room there is."""
    app = replaying(game_replay())
    assert snap_compare(app, terminal_size=SIZES[size], run_before=pressing("right", "right"))


@pytest.mark.parametrize("size", SIZES)
def test_a_replay_of_a_duel(snap_compare: Compare, size: str) -> None:
    """Two tables side by side where there is room, else one."""
    app = replaying(duel_replay())
    keys = ["right"] * 14
    assert snap_compare(app, terminal_size=SIZES[size], run_before=pressing(*keys))


def test_the_games(snap_compare: Compare) -> None:
    """Each with what it is."""
    context = context_of("timed")
    screen = GamesScreen(context, "bot", "Race a bot: which game?")
    assert snap_compare(Stage(context, screen), run_before=pressing())


def test_the_choices_of_a_game(snap_compare: Compare) -> None:
    """The Spanish house options; what does not go together says so."""
    context = context_of("timed")
    screen = OrderScreen(context, "spanish", "create")
    keys = ("down", "right", "down", "down", "right")
    assert snap_compare(Stage(context, screen), run_before=pressing(*keys))


def test_the_settings(snap_compare: Compare) -> None:
    """With cards that show what they do."""
    context = context_of("timed")
    assert snap_compare(Stage(context, PreferencesScreen(context)), run_before=pressing("down"))


def test_the_lobby(snap_compare: Compare) -> None:
    """The code to read out, what friends type, who is here."""
    context = context_of("timed")
    context.connection.duel = duel_of(  # type: ignore[misc]
        table_of("timed"), phase=DuelPhase.OPEN, start_at=None, deadline=None
    )
    assert snap_compare(Stage(context, LobbyScreen(context)), run_before=pressing())


def test_the_countdown(snap_compare: Compare) -> None:
    """Three."""
    from client.tui.stage import NOW

    context = context_of("timed")
    context.connection.duel = duel_of(  # type: ignore[misc]
        table_of("timed"), phase=DuelPhase.COUNTDOWN, start_at=NOW + 2500
    )
    assert snap_compare(Stage(context, LobbyScreen(context)), run_before=pressing())


def test_watching(snap_compare: Compare) -> None:
    """Numbers only."""
    context = context_of("timed")
    context.connection.duel = duel_of(table_of("timed"), you=None)  # type: ignore[misc]
    assert snap_compare(Stage(context, WatchScreen(context)), run_before=pressing())


def test_the_result(snap_compare: Compare) -> None:
    """Places, every point with its reason, what was checked."""
    context = context_of("timed")
    context.connection.result = result_of()  # type: ignore[misc]
    app = Stage(context, ResultScreen(context))
    assert snap_compare(app, terminal_size=(90, 36), run_before=pressing())


def test_points_and_questions(snap_compare: Compare) -> None:
    """What an undo costs is asked over the table."""
    assert snap_compare(table(context_of("timed")), run_before=pressing("z"))


def test_the_ledger(snap_compare: Compare) -> None:
    """Every point with its reason."""
    assert snap_compare(table(context_of("timed")), run_before=pressing("p"))

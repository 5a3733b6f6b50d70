"""One list of actions: no key means two things, and every action can be done."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from client.tui.tables import table_of
from samedeal_client.tui.actions import ACTIONS, Group, shown_now
from samedeal_client.tui.app import SameDeal
from samedeal_client.tui.key_table import TABLE_GROUPS, key_rows
from samedeal_client.tui.replay.screen import ReplayScreen
from samedeal_client.tui.screens.lobby import LobbyScreen
from samedeal_client.tui.screens.play import PlayScreen
from samedeal_client.tui.screens.result import ResultScreen
from samedeal_rules import RULESETS, find_ruleset

SCREENS = [PlayScreen, LobbyScreen, ResultScreen]


@pytest.mark.parametrize("screen", SCREENS)
def test_no_key_means_two_things(screen: type[PlayScreen]) -> None:
    """On any one screen."""
    keys = Counter(
        key for action in ACTIONS if action.group in screen.groups for key in action.keys.split(",")
    )
    assert [key for key, count in keys.items() if count > 1] == []


def test_every_action_is_done_by_a_method() -> None:
    """Of its screen, or of the app."""
    for action in ACTIONS:
        method = "action_" + action.run.removeprefix("app.").partition("(")[0]
        homes = [PlayScreen, LobbyScreen, ResultScreen, ReplayScreen, SameDeal]
        assert any(hasattr(home, method) for home in homes), action.id


def test_names_are_unique() -> None:
    """They are the names in the settings file."""
    assert len({action.id for action in ACTIONS}) == len(ACTIONS)


def test_the_key_bar_offers_what_the_game_has() -> None:
    """A redeal only when it can be made, hints only where they are allowed."""
    shown = {action.id for action in shown_now(table_of("freecell"), Group.TABLE, hints=True)}
    assert {"undo", "hint", "up", "leave", "help"} <= shown
    assert not {"draw", "redeal"} & shown
    spider = {action.id for action in shown_now(table_of("spider-1"), Group.TABLE, hints=False)}
    assert not {"up", "hint", "redeal"} & spider


def test_the_readme_has_the_key_table() -> None:
    """As `make generate` writes it."""
    readme = (Path(__file__).parents[3] / "README.md").read_text("utf-8")
    for keys, words in key_rows({}):
        assert f"| {keys} | {words} |" in readme


@pytest.mark.parametrize("name", RULESETS)
def test_the_help_of_a_game_has_only_what_it_has(name: str) -> None:
    """No cells but in FreeCell, no redeal but with a waste; no other game is named."""
    ruleset = RULESETS[name]
    rows = list(key_rows({}, TABLE_GROUPS, ruleset))
    told = " ".join(words for _keys, words in rows)
    assert not any(game in told for game in ("Spider", "FreeCell", "Spanish"))
    assert ("cell" in told) is (name == "freecell")
    assert ("waste" in told) is ruleset.has_waste
    assert ("column 10" in told) is name.startswith("spider")
    assert next(iter(key_rows({}, (Group.REPLAY,), ruleset)))[1] == "the next move"


def test_a_row_of_places_has_its_keys() -> None:
    """The Spanish game without a stock."""
    ruleset = find_ruleset("spanish", {"stock": False})[1]
    told = dict(key_rows({}, TABLE_GROUPS, ruleset))
    assert "A … T" in told
    assert "SPACE" not in told

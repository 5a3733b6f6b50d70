"""Settings in a file: kept, read back, and refused with the place that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from samedeal_client.tui.settings import BadSettings, Settings, load_settings, save_settings
from samedeal_client.tui.settings_rows import changed_settings, settings_rows


def test_what_was_kept_is_read_back(tmp_path: Path) -> None:
    """Only what differs from the defaults is written."""
    file = tmp_path / "new" / "tui.toml"
    settings = Settings(theme="day", four_colours=True, keys={"undo": "u"})
    save_settings(settings, file)
    assert load_settings(file) == settings
    assert "bell" not in file.read_text()


def test_no_file_is_the_defaults(tmp_path: Path) -> None:
    """Nothing is written by looking."""
    assert load_settings(tmp_path / "none.toml") == Settings()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("theme = ", "is no TOML"),
        ('theme = "pink"', "theme: Input should be 'felt', 'night', 'day' or 'plain'"),
        ("four_colours = 3", "four_colours"),
        ("colour = 1", "colour: Extra inputs are not permitted"),
        ('[keys]\nfly = "x"', "there is no action called 'fly'"),
    ],
)
def test_a_bad_file_says_what_is_wrong(tmp_path: Path, text: str, words: str) -> None:
    """File, setting, and what it can be."""
    file = tmp_path / "tui.toml"
    file.write_text(text)
    with pytest.raises(BadSettings) as caught:
        load_settings(file)
    assert str(file) in str(caught.value)
    assert words in str(caught.value)


def test_rows_say_what_the_settings_are() -> None:
    """And make the same settings again; keys stay as they are."""
    settings = Settings(theme="day", click="choose", keys={"undo": "u"})
    rows = settings_rows(settings)
    assert changed_settings(settings, rows) == settings
    assert {row.name: row.words for row in rows}["theme"] == "day"

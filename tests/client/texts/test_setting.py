"""The language in the settings file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from client.plain.test_play import surroundings
from samedeal_client.texts import language_setting


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ('language = "es"', "es"),
        ('theme = "felt"\nlanguage = "en"', "en"),
        ('language = "auto"', None),
        ('language = "tlh"', None),
        ("language = 5", None),
        ("", None),
        ("language = ", None),
    ],
)
def test_the_language_of_the_file(tmp_path: Path, text: str, language: str | None) -> None:
    """`auto`, nothing, and whatever is no language of ours leave it to the locale."""
    file = tmp_path / "tui.toml"
    file.write_text(text, "utf-8")
    assert language_setting(file) == language


def test_no_file_and_no_text(tmp_path: Path) -> None:
    """Nothing is said about it here."""
    assert language_setting(tmp_path / "none") is None
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    assert language_setting(tmp_path / "bytes") is None
    assert language_setting(tmp_path) is None


def test_every_command_speaks_it(tmp_path: Path) -> None:
    """In an English locale too."""
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "tui.toml").write_text('language = "es"', "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "samedeal_client.main", "--help"],
        env=surroundings(tmp_path, LANG="en_GB.UTF-8"),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=30,
        check=True,
    )
    assert done.stdout.startswith("uso: samedeal ORDEN")

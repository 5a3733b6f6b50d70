"""The best that one has done alone."""

from __future__ import annotations

from pathlib import Path

from samedeal_client.tui.bests import best_of, keep_best


def test_only_what_is_better_is_kept(tmp_path: Path) -> None:
    """Game by game."""
    file = tmp_path / "new" / "bests.json"
    assert best_of("timed", file) is None
    assert keep_best("timed", 500, file)
    assert not keep_best("timed", 400, file)
    assert not keep_best("timed", 500, file)
    assert keep_best("timed draw=1", -20, file)
    assert best_of("timed", file) == 500
    assert best_of("timed draw=1", file) == -20


def test_a_broken_file_is_as_good_as_none(tmp_path: Path) -> None:
    """Nobody loses a game over it."""
    file = tmp_path / "bests.json"
    for text in ("", "[]", '{"timed": "x"}'):
        file.write_text(text)
        assert best_of("timed", file) is None
    assert keep_best("timed", 1, Path("/proc/nowhere/bests.json"))

"""The record of a duel as a file."""

from __future__ import annotations

from pathlib import Path

from samedeal_client.record_file import record_name, write_record


def test_a_new_file_is_written_and_never_an_old_one_overwritten(tmp_path: Path) -> None:
    """Either is said."""
    file = tmp_path / record_name("HJK347")
    assert file.name == "samedeal-HJK347.json"
    assert write_record(file, "{}\n") == f"Saved. Check it with: samedeal verify {file}"
    assert "is there already" in write_record(file, "other")
    assert file.read_text() == "{}\n"


def test_what_can_not_be_written_says_why(tmp_path: Path) -> None:
    """No such folder."""
    assert "can't be written: No such file" in write_record(tmp_path / "no" / "x.json", "{}")

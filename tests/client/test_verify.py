"""`samedeal verify`: what it prints and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules.test_duel_record import true_record
from samedeal_client.commands.verify import main
from samedeal_rules.duel_record import write_duel_record


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "duel.json"
    path.write_text(write_duel_record(true_record()), encoding="utf-8")
    return path


def test_a_true_record_is_ok(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every check in words, the verdict last."""
    assert main([str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == f"{file}: OK"
    assert sum(line.startswith("      ok  ") for line in lines) == len(lines) - 2
    assert any("nobody chose it" in line for line in lines)


def test_a_changed_byte_fails(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 1, and which check says so."""
    raw = bytearray(file.read_bytes())
    at = raw.index(b'"score":') + 8
    raw[at] = raw[at] ^ 1
    file.write_bytes(raw)
    assert main([str(file)]) == 1
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == f"{file}: FAILED"
    assert "FAILED  " in out


def test_several_files_with_one_bad(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each has its line of JSON; one failure is enough for exit 1."""
    missing = str(file.parent / "missing.json")
    assert main(["--json", str(file), missing]) == 1
    good, bad = map(json.loads, capsys.readouterr().out.splitlines())
    assert good["ok"] is True
    assert good["file"] == str(file)
    assert {"name": "digest", "ok": True, "why": "the digest fits the contents"} in good["checks"]
    assert bad["ok"] is False
    assert bad["checks"][0]["name"] == "file"


@pytest.mark.parametrize("text", [b"", b"\xff\xfe\x00", b"[" * 100_000, b"{}"])
def test_garbage_is_one_failed_check(
    file: Path, text: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    """No traceback."""
    file.write_bytes(text)
    assert main([str(file)]) == 1
    assert "not a record of a duel" in capsys.readouterr().out


def test_names_can_not_move_the_cursor(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record comes from elsewhere."""
    file.write_text(file.read_text(encoding="utf-8").replace("Zoë", "\\u001b[2J"), "utf-8")
    assert main([str(file)]) == 1
    assert "\x1b" not in capsys.readouterr().out

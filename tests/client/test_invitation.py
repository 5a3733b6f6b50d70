"""What friends type, and from where it works."""

from __future__ import annotations

from pathlib import Path

import pytest

from samedeal_client.errors import RequestFailed
from samedeal_client.invitation import (
    join_command,
    lost_code_words,
    program_name,
    reach_words,
    serve_command,
)
from samedeal_protocol import Error, ErrorCode


def test_a_program_that_the_shell_does_not_find_is_named_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a checkout: from there, short; from elsewhere, whole. Found on the PATH, its name."""
    program = tmp_path / "bin" / "samedeal"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(program)])
    assert program_name() == "bin/samedeal"
    assert join_command("HJK347", "ws://127.0.0.1:7777").startswith("bin/samedeal play join HJK347")
    assert join_command("HJK347", "ws://example.org").startswith("samedeal play join")
    assert serve_command() == "bin/samedeal serve --host 0.0.0.0"
    monkeypatch.chdir("/")
    assert program_name() == str(program).removeprefix("/")
    monkeypatch.setenv("PATH", str(program.parent))
    assert program_name() == "samedeal"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program_name("/somewhere/pytest") == "samedeal"


def test_a_server_of_this_machine_is_for_this_machine() -> None:
    """What to do for friends elsewhere; nothing where they get there."""
    assert reach_words("ws://127.0.0.1:33279")[-1].endswith("serve --host 0.0.0.0")
    assert "this machine only" in reach_words("ws://localhost:1")[0]
    assert reach_words("wss://example.org") == []


def test_a_code_that_a_new_server_does_not_know_is_of_another_one() -> None:
    """A server that was there before has its own words."""
    error = RequestFailed(Error(code=ErrorCode.NO_SUCH_DUEL, message="no such duel"))
    assert "--server ADDRESS" in lost_code_words(error, private=True)
    assert lost_code_words(error, private=False) == "no such duel"
    full = RequestFailed(Error(code=ErrorCode.FULL, message="full"))
    assert lost_code_words(full, private=True) == "full"

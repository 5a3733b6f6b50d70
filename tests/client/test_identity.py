"""Tokens on disk: private, whole, and one for each player."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from samedeal_client.address import is_local
from samedeal_client.identity import HERE, Identities, Identity, config_dir

ANA = Identity("ws://one/ws", "Ana", "a" * 43)


def files(folder: Path) -> list[Path]:
    return sorted((folder / "identities").glob("*.json"))


def test_a_token_is_for_its_owner_only(tmp_path: Path) -> None:
    """Mode 0600, in a directory 0700, whatever the umask; nothing half-written stays."""
    old = os.umask(0)
    try:
        Identities(tmp_path).keep(ANA)
    finally:
        os.umask(old)
    (file,) = files(tmp_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert list(file.parent.iterdir()) == [file]


def test_each_server_and_name_has_its_own(tmp_path: Path) -> None:
    """The one who played last is the one who comes back."""
    identities = Identities(tmp_path)
    bea = Identity(ANA.server, "Bea", "b" * 43)
    there = Identity("ws://two/ws", "Ana", "c" * 43)
    for age, identity in ((30, ANA), (20, bea), (10, there)):
        identities.keep(identity)
        for file in files(tmp_path):
            if identity.token in file.read_text():
                os.utime(file, (1_000_000 - age, 1_000_000 - age))
    assert identities.find(ANA.server, "ana") == ANA
    assert identities.find(ANA.server) == bea
    assert identities.find("ws://two/ws") == there
    assert identities.find("ws://three/ws") is None
    identities.forget(bea)
    assert identities.find(ANA.server) == ANA


@pytest.mark.parametrize("text", ["", "{", "[]", '{"server": 1}', '{"a": 1}', "null", "\x00"])
def test_a_broken_file_is_no_identity(tmp_path: Path, text: str) -> None:
    """And no traceback."""
    identities = Identities(tmp_path)
    identities.keep(ANA)
    files(tmp_path)[0].write_text(text)
    assert identities.find(ANA.server) is None
    assert identities.find(ANA.server, "Ana") is None
    identities.keep(ANA)
    assert identities.find(ANA.server) == ANA


def test_a_directory_that_can_not_be_made_is_an_oserror(tmp_path: Path) -> None:
    """Whoever keeps is told; whoever looks finds nothing; nobody is kept out."""
    (tmp_path / "file").write_text("")
    identities = Identities(tmp_path / "file" / "deeper")
    with pytest.raises(OSError):
        identities.keep(ANA)
    assert identities.find(ANA.server) is None
    assert identities.claim(ANA.server, "Ana")


def test_a_player_is_claimed_by_one_program(tmp_path: Path) -> None:
    """A second window is told, until the first has ended."""
    first, second = Identities(tmp_path), Identities(tmp_path)
    assert first.claim(ANA.server, "Ana")
    assert first.claim(ANA.server, "Ana")
    assert not second.claim(ANA.server, "ANA")
    assert second.claim(ANA.server, "Bea")
    first.release()
    assert second.claim(ANA.server, "Ana")
    second.release()


def test_a_killed_program_claims_nothing(tmp_path: Path) -> None:
    """The lock is the kernel's."""
    code = (
        "import os; from pathlib import Path; from samedeal_client.identity import Identities\n"
        f"i = Identities(Path({str(tmp_path)!r}))\n"
        f"assert i.claim({ANA.server!r}, 'Ana'); os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    identities = Identities(tmp_path)
    assert identities.claim(ANA.server, "Ana")
    identities.release()


def test_the_environment_names_another_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two players on one machine, and tests."""
    monkeypatch.setenv("SAMEDEAL_CONFIG_DIR", "/somewhere")
    assert config_dir() == Path("/somewhere")
    monkeypatch.delenv("SAMEDEAL_CONFIG_DIR")
    assert config_dir().name == "samedeal"


def test_neighbours_are_players_of_other_servers_of_this_machine(tmp_path: Path) -> None:
    """The latest first, a token once; nobody of a server elsewhere."""
    identities = Identities(tmp_path)
    players = [
        Identity(HERE, "Ann", "a" * 43),
        Identity("ws://127.0.0.1:1/ws", "Ann", "a" * 43),
        Identity("ws://localhost:2/ws", "Bea", "b" * 43),
        Identity("wss://example.org/ws", "Ann", "c" * 43),
    ]
    for number, player in enumerate(players):
        identities.keep(player)
        for file in files(tmp_path):
            if json.loads(file.read_text())["server"] == player.server:
                os.utime(file, (1_000_000 + number, 1_000_000 + number))
    there = "ws://127.0.0.1:7791/ws"
    assert [known.name for known in identities.neighbours(there, None, is_local)] == ["Bea", "Ann"]
    assert identities.neighbours(there, "ANN", is_local) == [players[1]]
    assert identities.neighbours(HERE, "Ann", is_local) == [players[1]]


def test_the_player_of_a_second_window_is_kept_behind_the_first(tmp_path: Path) -> None:
    """Who comes back the next time is the first one."""
    identities = Identities(tmp_path)
    identities.keep(ANA)
    second = Identity(ANA.server, "Ana2", "b" * 43)
    identities.keep(second, behind=ANA)
    assert identities.find(ANA.server) == ANA
    assert identities.find(ANA.server, "Ana2") == second
    identities.keep(second)
    assert identities.find(ANA.server) == second

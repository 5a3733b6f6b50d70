"""`samedeal replay`, from files and from a node."""

from __future__ import annotations

import asyncio
import os
import pty
import sys
from pathlib import Path

import pytest

from client.plain.test_play import surroundings
from client.replay.records import game_bytes
from rules.test_duel_record import true_record
from samedeal_client.commands import replay
from samedeal_client.connection import Connection
from samedeal_client.identity import Identities, Identity
from samedeal_client.texts import speaking
from samedeal_protocol import Create, Result, Snapshot
from samedeal_rules.duel_record import write_duel_record
from support.nodes import nodes


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = tmp_path / "game.json"
    path.write_bytes(game_bytes())
    return str(path)


@pytest.fixture
def duel(tmp_path: Path) -> str:
    path = tmp_path / "duel.json"
    path.write_text(write_duel_record(true_record()), "utf-8")
    return str(path)


def test_a_game_without_a_terminal_is_told_whole(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every entry, the end, the table at the end."""
    assert replay.main([game]) == 0
    out = capsys.readouterr().out
    assert out.startswith("timed, 2:00, seed '7'\n")
    assert out.count("drawn ") >= 3
    assert "the player: move 5 of 5" in out
    assert "foundations" in out


@pytest.mark.parametrize(("at", "shows"), [("0", "move 0 of 5"), ("1:01", "move 5 of 5")])
def test_one_moment_by_number_or_by_time(
    game: str, capsys: pytest.CaptureFixture[str], at: str, shows: str
) -> None:
    """Nothing else is shown."""
    assert replay.main([game, "--at", at]) == 0
    out = capsys.readouterr().out
    assert shows in out
    assert out.count("move ") == 1


def test_a_duel_has_everybody_or_whom_one_asks_for(
    duel: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """By name."""
    assert replay.main([duel]) == 0
    out = capsys.readouterr().out
    assert all(f"\n{name}:\n" in out for name in ("李", "Íñigo", "Zoë"))
    assert replay.main([duel, "--player", "zoë"]) == 0
    out = capsys.readouterr().out
    assert "Zoë:" in out
    assert "Íñigo" not in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["no-such-file.json"], "there is no file 'no-such-file.json', and it is no code"),
        (["GAME", "--player", "Bo"], "nobody there is called that; there are: the player"),
        ([__file__], "this is no record of a game: record: not JSON"),
        (["."], "Is a directory"),
        (["ABC234", "--server", "ws://127.0.0.1:9"], "nobody has played there from here yet"),
        (["ABC234", "--server", "//"], "not an address of a server"),
    ],
)
def test_what_can_not_be_shown_is_one_line_and_code_1(
    game: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    says: str,
) -> None:
    """In words, whatever it is."""
    monkeypatch.setenv("SAMEDEAL_CONFIG_DIR", str(tmp_path / "config"))
    assert replay.main([game if part == "GAME" else part for part in arguments]) == 1
    error = capsys.readouterr().err
    assert error.startswith("samedeal replay: ")
    assert says in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("at", ["x", "-1", "1:x", ":", "99999999999"])
def test_a_moment_that_is_none_is_a_usage_error(
    game: str, capsys: pytest.CaptureFixture[str], at: str
) -> None:
    """With an example."""
    with pytest.raises(SystemExit) as caught:
        replay.main([game, f"--at={at}"])
    assert caught.value.code == 2
    assert "a time like 1:30" in capsys.readouterr().err


async def test_a_duel_of_ones_own_comes_from_its_server(
    store_url: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By its code, as the player who was in it; before its end that is said."""
    monkeypatch.setenv("SAMEDEAL_CONFIG_DIR", str(tmp_path))
    async with nodes(store_url) as (node,):
        server = f"ws://127.0.0.1:{node.port}/ws"
        async with Connection(server, name="Replayed") as connection:
            duel = await connection.request(Create(req=0, ruleset="timed", seats=1))
            assert connection.name is not None
            assert connection.token is not None
            Identities(tmp_path).keep(Identity(server, connection.name, connection.token))
            await connection.ready()
            async for event in connection.events():
                if isinstance(event, Snapshot):
                    await connection.play_and_wait("d")
                    connection.play("end")
                if isinstance(event, Result):
                    break
        argv = [f"{duel.code[:3]} {duel.code[3:]}".lower(), "--server", server]
        assert await asyncio.to_thread(replay.main, argv) == 0
        out = capsys.readouterr().out
        assert "Replayed: move 2 of 2" in out
        async with Connection(server, token=connection.token) as connection:
            duel = await connection.request(Create(req=0, ruleset="timed", seats=2))
        assert await asyncio.to_thread(replay.main, [duel.code, "--server", server]) == 1
        assert "that duel is not over yet" in capsys.readouterr().err


def test_who_plays_in_another_window_is_not_thrown_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same player connected twice would end the first connection."""
    monkeypatch.setenv("SAMEDEAL_CONFIG_DIR", str(tmp_path))
    server = "ws://127.0.0.1:9/ws"
    other = Identities(tmp_path)
    other.keep(Identity(server, "Ana", "x" * 32))
    assert other.claim(server, "Ana")
    try:
        assert replay.main(["ABC234", "--server", server]) == 1
    finally:
        other.release()
    assert "Ana plays in another window" in capsys.readouterr().err


def test_the_help_and_the_answers_are_spanish_where_one_speaks_it(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """As everything is."""
    with speaking("es"):
        assert replay.main([game, "--at", "2"]) == 0
    assert "rechazada: eso no es una jugada" in capsys.readouterr().out


async def _on_a_terminal(
    tmp_path: Path, arguments: list[str], dialogue: list[tuple[bytes, bytes]]
) -> bytes:
    """Type each line once the text before it is there; all that was shown, at the exit with 0."""
    lead, follow = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "samedeal_client.main", "replay", *arguments),
        stdin=follow,
        stdout=follow,
        stderr=follow,
        env=surroundings(tmp_path, TERM="xterm", COLUMNS="120", LINES="40"),
        start_new_session=True,
    )
    os.close(follow)
    seen = b""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(60):
            for awaited, typed in dialogue:
                while awaited not in seen:
                    seen += await loop.run_in_executor(None, os.read, lead, 4096)
                os.write(lead, typed)
            while process.returncode is None:
                try:
                    seen += await loop.run_in_executor(None, os.read, lead, 4096)
                except OSError:
                    break
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        os.close(lead)
    return seen


async def test_on_a_terminal_one_may_step_line_by_line(duel: str, tmp_path: Path) -> None:
    """With --plain."""
    dialogue = [(b"0/29 > ", b"\n"), (b"1/29 > ", b"5\n"), (b"5/29 > ", b"q\n")]
    seen = await _on_a_terminal(tmp_path, [duel, "--plain"], dialogue)
    assert "李: move 1 of 29" in seen.decode("utf-8", "replace")


async def test_sentences_are_line_by_line(duel: str, tmp_path: Path) -> None:
    """A screen reader has no use for a whole screen."""
    dialogue = [(b"0/29 > ", b"\n"), (b"1/29 > ", b"q\n")]
    seen = await _on_a_terminal(tmp_path, [duel, "--sentences"], dialogue)
    assert "from column 3 to column 6." in seen.decode("utf-8", "replace")


async def test_a_whole_screen_is_used_where_there_is_one(duel: str, tmp_path: Path) -> None:
    """And the terminal is left as it was."""
    dialogue = [(b"move 0 of 29", b"n"), (b"to column 6", b"q")]
    seen = await _on_a_terminal(tmp_path, [duel], dialogue)
    assert seen.count(b"\x1b[?1049h") == seen.count(b"\x1b[?1049l") == 1

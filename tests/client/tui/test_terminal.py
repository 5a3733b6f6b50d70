"""The full-screen client in a real terminal, at a real server."""

from __future__ import annotations

import getpass
import os
import re
import shutil
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.tui.terminal import Terminal
from support.serving import Server

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server")) as server:
        yield server


def address(server: Server) -> str:
    return f"ws://127.0.0.1:{server.port}"


def test_two_people_play_a_duel_to_its_end(server: Server, tmp_path: Path) -> None:
    """From the code that is read out to the result, by keystrokes alone."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with Terminal(tmp_path / "a", (100, 32)) as ana, Terminal(tmp_path / "b") as bo:
        ana.play("create", "--name", "Ana", "--server", address(server))
        screen = ana.sees("Tell your friends the code", "Press r when you are ready")
        code = re.search(r"play join ([A-Z0-9]{6})", screen)
        assert code is not None
        bo.play("join", code[1], "--name", "Bo", "--server", address(server))
        bo.sees("Press r when you are ready")
        ana.sees("2 of 2 seats taken")
        ana.press("r")
        bo.press("r")
        ana.sees("pass 1 through the stock", "Bo")
        bo.sees("pass 1 through the stock", "Ana")
        ana.press("Space", "Space", "a", "a")
        bo.press("Space")
        ana.press("f")
        ana.sees("Do it?")
        ana.press("y")
        ana.sees("ended early")
        bo.press("f")
        bo.sees("Do it?")
        bo.press("y")
        for person in (ana, bo):
            person.sees("The deal was fair")
        ana.press("r")
        bo.sees("Somebody asks for a rematch")
        bo.press("r")
        bo.sees("Press r when you are ready")
        bo.press("q")
        bo.sees("Race a bot now")
        bo.press("q")
        bo.ends(0)
        ana.press("C-c")
        ana.ends(130)


def test_a_race_against_a_bot_from_the_first_key_on(server: Server, tmp_path: Path) -> None:
    """Name, menu, game, choices: a newcomer presses ENTER until the cards are there."""
    with Terminal(tmp_path) as person:
        person.play("--server", address(server))
        person.sees("What shall others call you?")
        person.sees(f"  {getpass.getuser()[:20]} ")
        person.press("C-u")
        person.loses(f"  {getpass.getuser()[:20]} ")
        person.line("Newcomer")
        person.sees("Race a bot now")
        person.press("Enter")
        person.sees("which game?")
        person.press("Enter")
        person.sees("ENTER  start")
        person.press("Enter")
        person.sees("pass 1 through the stock")
        person.press("Space")
        person.press("q")
        person.sees("Leave the running duel?")
        person.press("y")
        person.sees("Race a bot now")
        person.press("q")
        person.ends(0)


def practising(server: Server, person: Terminal, *arguments: str) -> None:
    person.play("practice", "--server", address(server), *arguments)
    person.sees("pass 1 through the stock")


def test_ctrl_c_twice_leaves_the_terminal_as_it_was(server: Server, tmp_path: Path) -> None:
    """Case 74: code 130; the duel goes on, and one comes back to it."""
    with Terminal(tmp_path) as person:
        practising(server, person, "--name", "Cleo")
        person.press("Space")
        person.sees("21")
        person.press("C-c", "C-c")
        person.ends(130)
        person.sees("The duel goes on")
        person.line("clear")
        person.play("--server", address(server))
        person.sees("21", "pass 1 through the stock")
        person.press("C-c", "C-c")
        person.ends(130)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_leave_the_terminal_as_it_was(
    server: Server, tmp_path: Path, number: signal.Signals
) -> None:
    """Case 74: 128 + the signal."""
    with Terminal(tmp_path) as person:
        practising(server, person, "--name", f"Sig{number.value}")
        os.kill(person.pid(), number)
        person.ends(128 + number)


def test_ctrl_z_and_fg(server: Server, tmp_path: Path) -> None:
    """Case 74: the shell has its terminal, and the table comes back whole."""
    with Terminal(tmp_path) as person:
        practising(server, person, "--name", "Zed")
        person.press("C-z")
        person.sees("Stopped")
        assert person.state("alternate_on") == "0"
        assert person.state("cursor_flag") == "1"
        person.line("fg")
        person.sees("pass 1 through the stock", "SPACE draw")
        person.press("C-c", "C-c")
        person.sees("The duel goes on")
        assert person.state("alternate_on") == "0"
        assert person.state("cursor_flag") == "1"


def test_no_server_is_a_line_below_the_prompt(tmp_path: Path) -> None:
    """Case 74: during connect; code 1, and what to look at."""
    with Terminal(tmp_path) as person:
        person.play("--server", "ws://127.0.0.1:9", "--name", "Ana")
        person.ends(1)
        person.sees("no game at ws://127.0.0.1:9", "Is the address right")


def test_ctrl_c_while_connecting(tmp_path: Path) -> None:
    """Case 74: before there is a line; code 130."""
    with socket.create_server(("127.0.0.1", 0)) as silent, Terminal(tmp_path) as person:
        port = silent.getsockname()[1]
        person.play("--server", f"ws://127.0.0.1:{port}", "--name", "Ana")
        person.sees("Looking for a server")
        person.press("C-c")
        person.ends(130)


@pytest.mark.parametrize(
    "environment",
    [
        {"LANG": "C", "LC_ALL": "C"},
        {"LC_ALL": "en_US.ISO-8859-1"},
        {"TERM": "vt100"},
    ],
    ids=str,
)
def test_poor_terminals_get_letters(
    server: Server, tmp_path: Path, environment: dict[str, str]
) -> None:
    """Case 71: S H D C instead of signs, lines of ASCII, no traceback."""
    with Terminal(tmp_path, **environment) as person:
        practising(
            server,
            person,
            "--name",
            f"Poor {sum(map(ord, str(environment)))}",
            "--ruleset",
            "klondike-1",
        )
        assert person.screen.isascii()
        person.press("C-c", "C-c")
        person.ends(130)


def test_few_colours_are_the_terminals_own(server: Server, tmp_path: Path) -> None:
    """Case 75: with 8 colours no mixed one is asked for."""
    with Terminal(tmp_path, TERM="xterm") as person:
        practising(server, person, "--name", "Eight")
        assert re.search(r"\x1b\[[0-9;]*[34]8;", person.codes) is None
        assert re.search(r"\x1b\[[0-9;]*47", person.codes)
        person.press("C-c", "C-c")
        person.ends(130)


def test_no_colour_is_no_colour(server: Server, tmp_path: Path) -> None:
    """Case 75: NO_COLOR leaves only bold, dim and reversed; outlines tell red from black."""
    with Terminal(tmp_path, NO_COLOR="1") as person:
        practising(server, person, "--name", "Grey")
        assert re.search(r"\x1b\[[0-9;]*(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]", person.codes) is None
        assert "♢" in person.screen
        assert "♦" not in person.screen
        person.press("C-c", "C-c")
        person.ends(130)


def test_a_dumb_terminal_gets_the_line_client(server: Server, tmp_path: Path) -> None:
    """Case 71: so does a pipe, and --plain."""
    with Terminal(tmp_path, TERM="dumb") as person:
        person.play("--server", address(server), "--name", "Plain")
        person.sees("race a bot now", "q  quit")
        assert person.state("alternate_on") == "0"
        person.line("q")
        person.ends(0)


def test_small_windows_in_a_real_terminal(server: Server, tmp_path: Path) -> None:
    """Case 73: too small says so, and all is drawn again after enlarging."""
    with Terminal(tmp_path) as person:
        practising(server, person, "--name", "Small")
        person.resize(40, 12)
        person.sees("Enlarge the window")
        person.resize(20, 5)
        person.sees("Enlarge")
        person.resize(120, 40)
        person.sees("pass 1 through the stock", "SPACE draw")
        person.resize(20, 5)
        person.sees("Enlarge")
        person.press("q", "q")
        person.resize(80, 24)
        person.sees("code 0 ended")
        assert person.state("alternate_on") == "0"


def test_bad_settings_say_what_is_wrong(tmp_path: Path) -> None:
    """Which file, which setting, and what it can be; code 2."""
    config = tmp_path / "config"
    config.mkdir()
    (config / "tui.toml").write_text('theme = "pink"\n')
    with Terminal(tmp_path) as person:
        person.play("--server", "ws://127.0.0.1:9")
        person.ends(2)
        person.sees("tui.toml", "theme", "'felt', 'night', 'day' or")


def test_a_server_that_is_gone_holds_nobody_back(tmp_path: Path) -> None:
    """Case 74: the table stays, with a sign; leaving works as ever."""
    with Server(tmp_path / "server") as own, Terminal(tmp_path) as person:
        practising(own, person, "--name", "Ana")
        own.process.kill()
        person.sees("no line")
        person.press("Space")
        person.press("C-c", "C-c")
        person.ends(130)


def test_a_config_directory_that_can_not_be_written(server: Server, tmp_path: Path) -> None:
    """Case 71: one plays all the same; settings that can't be kept say so."""
    with Terminal(tmp_path, SAMEDEAL_CONFIG_DIR="/proc/nowhere") as person:
        person.play("--server", address(server), "--name", "Homeless")
        person.sees("Race a bot now")
        person.press("9")
        person.sees("green felt")
        person.press("Right", "Escape")
        person.sees("The settings can't be kept")
        person.press("q")
        person.ends(0)


def test_an_error_of_ours_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    """Case 74: a line and a report in a file; no traceback with what only we should see."""
    tests = Path(__file__).parents[2]
    with Terminal(tmp_path, PYTHONPATH=str(tests)) as person:
        person.run(f"{sys.executable} -m client.tui.crash")
        person.sees("pass 1")
        person.press("x")
        person.ends(1)
        person.sees("it is our fault", "The duel goes on")
    (report,) = (tmp_path / "config").glob("report-*.txt")
    assert "ZeroDivisionError" in report.read_text()

"""`samedeal play` as a process: through pipes and on a pseudo-terminal, in poor surroundings."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import signal
import sys
import termios
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from client.fake_server import CODE, FakeServer
from samedeal_protocol import Create, ErrorCode, Leave, PlayMove


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer() as server:
        yield server


def surroundings(tmp_path: Path, **more: str) -> dict[str, str]:
    keep = {name: os.environ[name] for name in ("PATH",) if name in os.environ}
    return {
        **keep,
        "HOME": str(tmp_path),
        "SAMEDEAL_CONFIG_DIR": str(tmp_path / "config"),
        "LANG": "C.UTF-8",
        "PYTHONUTF8": "0",
        **more,
    }


def command(server: FakeServer, *arguments: str) -> list[str]:
    program = [sys.executable, "-m", "samedeal_client.main", "play"]
    return [*program, "--server", server.url, *arguments]


async def played(
    server: FakeServer, tmp_path: Path, typed: str, *arguments: str, **more: str
) -> tuple[int, str]:
    """Exit code and transcript of a session whose input is a pipe."""
    process = await asyncio.create_subprocess_exec(
        *command(server, *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=surroundings(tmp_path, **more),
        cwd=tmp_path,
    )
    async with asyncio.timeout(30):
        out, _ = await process.communicate(typed.encode())
    assert process.returncode is not None
    return process.returncode, out.decode("utf-8", "replace")


async def finish_after(server: FakeServer, moves: int) -> None:
    while server.table is None or len(server.table.journal) < moves:
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.1)
    await server.finish()


async def test_a_script_plays_a_duel_from_hello_to_goodbye(
    server: FakeServer, tmp_path: Path
) -> None:
    """Typed ahead as a script does: each line waits until it can mean something."""
    ending = asyncio.create_task(finish_after(server, 4))
    code, out = await played(
        server,
        tmp_path,
        "r\nd\nd\nnonsense\nr\np\nu\nend\nsave record.json\nsave record.json\nq\n",
        "join",
        CODE,
        "--name",
        "Ana",
        "--yes",
    )
    await ending
    assert code == 0, out
    assert server.table is not None
    assert [text for _, text in server.table.journal] == ["d", "d", "u", "end"]
    assert "d: drawn " in out
    assert "That is no move" in out
    assert "No: a redeal needs an empty stock." in out
    assert "Undo takes the last move and its points back and costs 1,000." in out
    assert "-1,000 undo" in out  # the ace that an undone draw had sent up comes first
    assert "You ended your game." in out
    assert "replaying our own moves gives exactly our score" in out
    assert "Saved. Check it with" in out
    assert "is there already" in out
    assert (tmp_path / "record.json").read_text() == "{}\n"
    assert out.rstrip().endswith("Goodbye.")
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("game", "move", "shown"),
    [
        (["klondike-1"], "d", "pass 1, next redeal free"),
        (["klondike-3", "redeals=1"], "d", "pass 1, 1 redeal left"),
        (["freecell"], "4a", "5 cards at once"),
        (["spider-1"], "d", "4 deals left"),
        (["spider-4"], "d", "runs gone  -   (0 of 8)"),
        (["spanish"], "d", "pass 1, 3 redeals left"),
        (["spanish", "stock=false", "deck=48"], "b", "v11  v12"),
    ],
    ids=str,
)
async def test_every_game_is_played_from_hello_to_goodbye(
    server: FakeServer, tmp_path: Path, game: list[str], move: str, shown: str
) -> None:
    """With its options in title and result, its own table, and a ledger or none."""
    name, *options = game
    moves = 1 if move == "b" else 2
    ending = asyncio.create_task(finish_after(server, moves))
    code, out = await played(
        server,
        tmp_path,
        f"{move}\n?\np\nend\nq\n",
        "practice",
        *("--ruleset", name),
        *(part for option in options for part in ("--option", option)),
        *("--name", "Ana", "--yes"),
    )
    await ending
    assert code == 0, out
    title = " ".join([name, *sorted(options)])
    assert f": {title}, 5:00, practice" in out
    assert f"Result: {title}" in out
    assert shown in out
    assert ("No points in this game" in out) == (name == "spanish")
    assert ("Your score: " in out) == (name != "spanish")
    assert ("0 up > " in out) == (name == "spanish")
    assert "replaying our own moves gives exactly our score" in out
    assert "No: " not in out
    assert "Traceback" not in out


async def test_a_practice_without_a_limit(server: FakeServer, tmp_path: Path) -> None:
    """From the command line and from the menu: the clock counts up, and nothing says else."""
    for arguments, typed in (
        (("practice", "--ruleset", "klondike-1", "--untimed"), "d\nend\nq\n"),
        ((), "5\nklondike-1\nuntimed\nd\nend\nq\n"),
    ):
        ending = asyncio.create_task(finish_after(server, 2))
        code, out = await played(server, tmp_path, typed, *arguments, "--name", "Ana", "--yes")
        await ending
        assert code == 0, out
        assert ": klondike-1, no time limit, practice" in out
        assert "Ending before the table is clear brings no points." in out
        assert "replaying our own moves gives exactly our score" in out
        assert "left." not in out
        created = next(m for m in server.seen[-1] if isinstance(m, Create))
        assert created.untimed
        assert created.seats == 1
        server.duel = server.table = None


async def test_its_clock_counts_up(server: FakeServer, tmp_path: Path) -> None:
    """And leaving it is ending it, which is asked in those words."""
    arguments = ("practice", "--ruleset", "freecell", "--untimed", "--name", "Ana")
    async with at_terminal(server, tmp_path, *arguments) as person:
        await person.sees("Go!")
        await person.sees(r"0:00  0 > ")
        await asyncio.sleep(1.1)
        person.type("q\n")
        await person.sees("Leave the practice[?] It ends")
        person.type("n\n")
        await person.sees(r"0:0[1-9]  0 > ")
        person.type("q\n")
        await person.sees("(?s)Leave the practice.*Leave the practice")
        person.type("y\n")
        await person.sees("Leave the practice(?s:.)*quick match")
        assert any(isinstance(message, Leave) for message in server.seen[0])


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--seats", "5000"), "a duel has from 1 to 1,000 seats."),
        (("--duration", "4000"), "a duel takes up to 3600 seconds."),
        (("--seed", ""), "a seed has from 1 to 64 characters that can be sent."),
    ],
)
async def test_what_is_out_of_range_is_named(
    server: FakeServer, tmp_path: Path, arguments: tuple[str, str], why: str
) -> None:
    """The one value that does not go, and what does."""
    code, out = await played(server, tmp_path, "", "create", *arguments, "--name", "Ana")
    assert code == 1
    assert why in out.splitlines()


async def test_no_name_is_asked_for_where_no_server_is(tmp_path: Path) -> None:
    """The server is tried first."""
    server = FakeServer()
    server.port = 9
    code, out = await played(server, tmp_path, "Ana\n")
    assert code == 1
    assert "Your name" not in out
    assert "no game at ws://127.0.0.1:9: connection refused." in out


@pytest.mark.parametrize(
    "more",
    [
        {"LANG": "C", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "en_US.ISO-8859-1", "PYTHONIOENCODING": "latin-1"},
        {"PYTHONIOENCODING": "ascii", "TERM": "dumb"},
    ],
)
async def test_letters_where_signs_can_not_be_shown(
    server: FakeServer, tmp_path: Path, more: dict[str, str]
) -> None:
    """Case 71: no traceback, and every card can be read."""
    code, out = await played(server, tmp_path, "r\nd\nq\n", "join", CODE, "--name", "Ana", **more)
    assert code == 0, out
    assert "foundations  -C  -D  -H  -S" in out
    assert out.isascii(), out


async def test_ascii_can_be_asked_for(server: FakeServer, tmp_path: Path) -> None:
    """By option, on any terminal."""
    code, out = await played(
        server, tmp_path, "r\nd\nq\n", "join", CODE, "--name", "Ana", "--ascii"
    )
    assert code == 0
    assert "foundations  -C  -D  -H  -S" in out


async def test_the_end_of_input_in_a_duel_leaves_politely(
    server: FakeServer, tmp_path: Path
) -> None:
    """The server is told; the score stands."""
    code, out = await played(server, tmp_path, "r\nd\n", "join", CODE, "--name", "Ana")
    assert code == 0
    assert "The input has ended: leaving." in out
    assert any(isinstance(message, Leave) for message in server.seen[0])


async def test_h_says_a_hint(server: FakeServer, tmp_path: Path) -> None:
    """At a table, in words and as one types it; in the help too."""
    code, out = await played(server, tmp_path, "r\nh\n?\nq\n", "join", CODE, "--name", "Ana")
    assert code == 0, out
    assert "A move that helps: draw (d)" in out
    assert "h  a hint" in out


async def test_no_input_at_all(server: FakeServer, tmp_path: Path) -> None:
    """The menu takes the end of input as q."""
    code, out = await played(server, tmp_path, "", "--name", "Ana")
    assert code == 0
    assert "Goodbye." in out


async def test_a_home_that_can_not_be_written_is_said_once(
    server: FakeServer, tmp_path: Path
) -> None:
    """The game goes on; the name is just not kept."""
    (tmp_path / "file").write_text("")
    code, out = await played(
        server,
        tmp_path,
        "q\n",
        "--name",
        "Ana",
        SAMEDEAL_CONFIG_DIR=str(tmp_path / "file" / "config"),
    )
    assert code == 0
    assert out.count("can't be kept") == 1


async def test_the_player_of_last_time_comes_back(server: FakeServer, tmp_path: Path) -> None:
    """The second time nobody asks for a name."""
    await played(server, tmp_path, "q\n", "--name", "Ana")
    code, out = await played(server, tmp_path, "q\n")
    assert code == 0
    assert "Your name" not in out
    assert "Hello, Ana." in out


async def test_a_refused_name_is_asked_for_again(server: FakeServer, tmp_path: Path) -> None:
    """In words; without more input the program ends with 1."""
    server.refuse_hello = ErrorCode.NAME_TAKEN
    code, out = await played(server, tmp_path, "", "--name", "Ana")
    assert code == 1
    assert "no name was given" in out
    assert "Traceback" not in out


@pytest.mark.parametrize("bad", ["x", "", "ABC DEF GHI", "ÄÖÜÄÖÜ", "0" * 300])
async def test_a_code_that_is_none_is_said(server: FakeServer, tmp_path: Path, bad: str) -> None:
    """Whatever was typed."""
    code, out = await played(server, tmp_path, f"3\n{bad}\nq\n", "--name", "Ana")
    assert code == 0
    assert "Traceback" not in out
    assert bad == "" or "a code has 6 letters and digits" in out


async def test_nobody_there_is_said_with_the_address_and_code_1(tmp_path: Path) -> None:
    """Where, why, and what to look at."""
    server = FakeServer()
    server.port = 9
    code, out = await played(server, tmp_path, "", "--name", "Ana")
    assert code == 1
    assert out.splitlines()[-2:] == [
        "samedeal play: no game at ws://127.0.0.1:9: connection refused.",
        "Is the address right, and does a server run there?",
    ]


class Typist:
    """A person at a pseudo-terminal."""

    def __init__(self, arguments: list[str], environment: dict[str, str]) -> None:
        self.master, slave = pty.openpty()
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.arguments = arguments
        self.environment = environment
        self.screen = ""

    async def __aenter__(self) -> Typist:
        self.process = await asyncio.create_subprocess_exec(
            *self.arguments,
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            env=self.environment,
            start_new_session=True,
            # The terminal's signals go to who controls it.
            preexec_fn=lambda: __import__("fcntl").ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.set_blocking(self.master, False)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        os.close(self.master)
        os.close(self.slave)

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def look(self) -> str:
        try:
            while data := os.read(self.master, 65536):
                self.screen += data.decode("utf-8", "replace")
        except (BlockingIOError, OSError):
            pass
        return self.screen

    async def sees(self, pattern: str) -> None:
        async with asyncio.timeout(15):
            while not re.search(pattern, self.look()):
                await asyncio.sleep(0.02)

    async def ends(self) -> int:
        async with asyncio.timeout(15):
            while self.process.returncode is None:
                self.look()
                await asyncio.sleep(0.02)
        self.look()
        return self.process.returncode


def at_terminal(server: FakeServer, tmp_path: Path, *arguments: str, **more: str) -> Typist:
    more = {"TERM": "xterm", **more}
    return Typist(command(server, "--plain", *arguments), surroundings(tmp_path, **more))


async def test_ctrl_c_ends_with_130_below_the_prompt(server: FakeServer, tmp_path: Path) -> None:
    """Case 74: in the middle of a duel a message, no traceback, the terminal as it was."""
    async with at_terminal(server, tmp_path, "join", CODE, "--name", "Ana") as person:
        await person.sees("r when you are ready|> $")
        person.type("r\n")
        await person.sees("Go!")
        person.type("\x03")
        assert await person.ends() == 130
        assert "Interrupted." in person.screen
        assert "Traceback" not in person.screen
        assert termios.tcgetattr(person.slave) == person.before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_signals_end_it_in_order(
    server: FakeServer, tmp_path: Path, number: signal.Signals
) -> None:
    """128 + the signal, no traceback."""
    async with at_terminal(server, tmp_path, "--name", "Ana") as person:
        await person.sees("quick match")
        person.process.send_signal(number)
        assert await person.ends() == 128 + number
        assert "Traceback" not in person.screen


async def test_a_code_may_follow_a_flag(server: FakeServer, tmp_path: Path) -> None:
    """Flags and words in any order."""
    code, out = await played(
        server, tmp_path, "q\nq\n", "join", "--name", "Ana", CODE[:3], CODE[3:]
    )
    assert code == 0, out


async def test_questions_are_asked_before_what_costs(server: FakeServer, tmp_path: Path) -> None:
    """Undo until it was agreed to, ending always; no answer but y does it."""
    async with at_terminal(server, tmp_path, "join", CODE, "--name", "Ana") as person:
        await person.sees("> ")
        person.type("r\n")
        await person.sees("Go!")
        person.type("d\n")
        await person.sees("d: drawn")
        person.type("u\n")
        await person.sees("costs 1,000. Do it")
        person.type("n\n")
        await person.sees("Not done.")
        person.type("u\n")
        await person.sees("(?s)Do it.*Do it")
        person.type("n\n")
        await person.sees("(?s)Not done.*Not done")
        person.type("end\n")
        await person.sees("Ending now brings .* Do it")
        person.type("\n")
        await person.sees("(?s)Not done.*Not done.*Not done")
        person.type("q\n")
        await person.sees("Leave the running duel")
        person.type("y\n")
        await person.sees("Leave the running duel(?s:.)*quick match")
        person.type("q\n")
        assert await person.ends() == 0
        moves = [m.move for m in server.seen[0] if isinstance(m, PlayMove)]
        assert moves == ["d"]


async def test_the_end_of_input_gives_no_running_game_up(
    server: FakeServer, tmp_path: Path
) -> None:
    """Ctrl-D is as harmless as Ctrl-C; only a script is done when its input is."""
    async with at_terminal(server, tmp_path, "join", CODE, "--name", "Ana") as person:
        await person.sees("> ")
        person.type("r\n")
        await person.sees("Go!")
        person.type("\x04")
        await person.sees("The duel runs on")
        assert await person.ends() == 0
        assert not [message for message in server.seen[0] if isinstance(message, Leave)]


async def test_the_prompt_is_whole_after_news(server: FakeServer, tmp_path: Path) -> None:
    """Where the line can be wiped it is; on a dumb terminal news start on a line of their own."""
    for term in ("xterm", "dumb"):
        async with at_terminal(
            server, tmp_path, "join", CODE, "--name", "Ana", TERM=term
        ) as person:
            await person.sees("> ")
            person.type("r\n")
            await person.sees("Go!")
            await asyncio.sleep(0.2)
            lines = person.look().replace("\x1b[K", "").splitlines()
            assert re.fullmatch(r"(.*\r)?\d:\d\d  0 > ", lines[-1].rstrip("\n"))
            assert ("\x1b" in person.screen) == (term == "xterm")
            server.duel = None
            server.table = None


async def test_a_lost_line_is_one_line_to_the_player(server: FakeServer, tmp_path: Path) -> None:
    """And one when it is back, with the table."""
    async with at_terminal(server, tmp_path, "join", CODE, "--name", "Ana") as person:
        await person.sees("> ")
        person.type("r\n")
        await person.sees("Go!")
        server.cut()
        await person.sees("Connected again after")
        person.type("d\n")
        await person.sees("d: drawn")
        assert person.screen.count("The connection is lost") == 1


async def test_a_second_window_gets_a_name_of_its_own(server: FakeServer, tmp_path: Path) -> None:
    """One player in two windows would throw each other out."""
    async with at_terminal(server, tmp_path, "--name", "Ana") as first:
        await first.sees("quick match")
        async with at_terminal(server, tmp_path) as second:
            await second.sees("Ana plays in another window here already")
            second.type("Bea\n")
            await second.sees("Hello, Bea")

"""`samedeal bot` as a program: its one line, its exit codes, its words when things go wrong."""

from __future__ import annotations

import asyncio
import signal
import sys
from random import Random

import pytest

from samedeal_bots.brain import Level
from samedeal_bots.cli import main
from samedeal_bots.runner import seated_bot
from samedeal_protocol import Create

PROGRAM = (sys.executable, "-m", "samedeal_client.main", "bot")


async def _bot(*arguments: str) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(*PROGRAM, *arguments, stdout=pipe, stderr=pipe)


async def test_joins_by_code_plays_and_says_its_place(server_url: str) -> None:
    """The code as people read it out; a line at the start and one at the end, exit 0."""
    async with seated_bot(server_url, Level.HARD, Random(1), pace_s=0.1) as host:
        duel = await host.connection.request(Create(req=0, seats=2, duration_ms=1200))
        bot = await _bot(
            *(duel.code[:3].lower(), duel.code[3:], "--server", server_url),
            *("--level", "hard", "--name", "Visitor", "--pace", "0.1", "--seed", "5"),
        )
        result = await host.play_duel()
        out, err = await bot.communicate()
        row = next(row for row in result.ranking if row.name == "Visitor")
        assert out.decode().splitlines() == [
            "Visitor has sat down; Ctrl-C takes it away",
            f"Visitor: place {row.place} of 2, {row.score:,} points",
        ]
        assert (err, bot.returncode) == (b"", 0)


async def test_creates_waits_and_frees_the_code_when_told_to_stop(server_url: str) -> None:
    """SIGTERM ends it politely: its duel is called off, not left to time out."""
    bot = await _bot("--create", "--server", server_url)
    assert bot.stdout is not None
    line = (await bot.stdout.readline()).decode()
    code = "".join(line.split("duel ")[1].split())
    bot.send_signal(signal.SIGTERM)
    assert await bot.wait() == 128 + signal.SIGTERM
    again = await _bot(code, "--server", server_url)
    await again.communicate()
    assert again.returncode == 1


async def test_says_in_words_what_is_wrong(server_url: str) -> None:
    """No such code, full, no such game, bad name: one line each, no traceback."""
    async with seated_bot(server_url, Level.EASY, Random(2)) as host:
        duel = await host.connection.request(Create(req=0, seats=1, duration_ms=60_000))
        for arguments, words in (
            (["ACDEFH"], "no duel has that code"),
            (["A"], "code"),
            ([duel.code], "all seats of this duel are taken"),
            (["--create", "--ruleset", "whist"], "no such ruleset"),
            (["ACDEFH", "--name", "x" * 300], "name"),
        ):
            bot = await _bot(*arguments, "--server", server_url)
            out, err = await bot.communicate()
            assert bot.returncode == 1
            assert out == b""
            assert err.decode().startswith("samedeal bot: ")
            assert words in err.decode()
            assert len(err.splitlines()) == 1


def test_no_server(capsys: pytest.CaptureFixture[str]) -> None:
    """Says which server it tried."""
    assert main(["ACDEFH", "--server", "127.0.0.1:1"]) == 1
    assert "no server at ws://127.0.0.1:1/ws" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["ACDEFH", "--quick"],
        ["ACDEFH", "--pace", "0"],
        ["ACDEFH", "--pace", "soon"],
        ["ACDEFH", "--pace", "nan"],
        ["ACDEFH", "--level", "divine"],
        ["ACDEFH", "--server", "http://[:x"],
    ],
    ids=" ".join,
)
def test_command_lines_that_make_no_sense(arguments: list[str]) -> None:
    """Exit 2, as argparse has it."""
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2

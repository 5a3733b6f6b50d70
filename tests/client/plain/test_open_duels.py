"""Open duels in the line client: shown, chosen by number, joined; against a node."""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from client.plain.test_play import surroundings
from samedeal_client.commands.play import main
from samedeal_client.connection import Connection
from samedeal_client.errors import RequestFailed
from samedeal_client.plain.open_duels import choose_open, open_lines
from samedeal_client.plain.style import style_for
from samedeal_client.plain.terminal import Terminal
from samedeal_protocol import Create, OpenRow
from samedeal_server.node.node import Node
from support.nodes import eventually, nodes

ROWS = [
    OpenRow(
        code="ACDEFH",
        ruleset="timed",
        options={"draw": 1},
        duration_ms=300_000,
        seats=2,
        seated=1,
        hints=True,
        winnable=True,
        host="Ana\x1b[2J",
        age_ms=41_000,
    ),
    OpenRow(
        code="HJK347",
        ruleset="freecell",
        options={},
        duration_ms=600_000,
        seats=10,
        seated=9,
        hints=False,
        chosen_seed=True,
        host="Bo",
        age_ms=700_000,
    ),
]


@pytest.fixture
async def node(store_url: str) -> AsyncIterator[Node]:
    async with nodes(store_url) as (node,):
        yield node


def test_a_line_says_all_that_one_wants_to_know() -> None:
    """In columns; a name can't move the cursor."""
    assert open_lines(ROWS) == [
        "Ana?[2J  1/2   5:00   timed draw=1, hints, can be won  since 0:41",
        "Bo       9/10  10:00  freecell, a chosen deal          since 11:40",
    ]


@pytest.mark.parametrize(
    ("typed", "code", "words"),
    [
        ("2\n", "HJK347", ""),
        ("\n", None, ""),
        ("", None, ""),
        ("0\n", None, "There is no such number."),
        ("3\n", None, "There is no such number."),
        ("one\n", None, "There is no such number."),
    ],
)
async def test_one_is_chosen_by_its_number(
    tmp_path: Path, typed: str, code: str | None, words: str
) -> None:
    """Nothing, or nonsense, is the way back."""
    out = io.StringIO()
    (tmp_path / "typed").write_text(typed)
    with (tmp_path / "typed").open() as source:
        terminal = Terminal(source, out, style_for(out, ascii_only=True))
        chosen = await choose_open(terminal, ROWS)
        assert await terminal.ask("") is None  # its thread has ended
    assert chosen == code
    assert "  1  Ana" in out.getvalue()
    assert words in out.getvalue()


async def test_the_library_lists_and_finds(node: Node) -> None:
    """`open_duels`: the newest first; who is refused is told why."""
    async with (
        Connection(f"127.0.0.1:{node.port}", name="Ann") as ann,
        Connection(f"127.0.0.1:{node.port}", name="Bob") as bob,
    ):
        assert await bob.open_duels() == []
        with pytest.raises(RequestFailed, match="listed"):
            await ann.request(Create(req=0, seats=1, listed=True))
        duel = await ann.request(Create(req=0, seats=3, listed=True))

        async def told() -> list[str]:
            return [row.code for row in await bob.open_duels()]

        assert await eventually(told) == [duel.code]
        assert (await bob.join(duel.code)).seated == 2


async def _play(node: Node, tmp_path: Path, typed: str, *arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "samedeal_client.main", "play", "--plain", *arguments),
        *("--server", f"127.0.0.1:{node.port}"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=surroundings(tmp_path),
    )
    async with asyncio.timeout(60):
        out, _ = await process.communicate(typed.encode())
    return out.decode()


async def test_a_stranger_joins_by_number(node: Node, tmp_path: Path) -> None:
    """`play open` shows the duel that `Ann` listed; `1` takes a seat in it."""
    assert "Nobody waits for players" in await _play(node, tmp_path, "", "open", "--name", "Eve")
    async with Connection(f"127.0.0.1:{node.port}", name="Ann") as ann:
        await ann.request(Create(req=0, seats=3, listed=True))
        await asyncio.sleep(1)  # what was told to Eve is old then
        out = await _play(node, tmp_path, "1\nleave\nq\n", "open", "--name", "Bob")
        assert "  1  Ann  1/3  5:00  timed" in out
        await eventually(lambda: ann.duel is not None and ann.duel.note == "Bob left")


@pytest.mark.parametrize("how", ["flag", "menu"])
async def test_a_duel_is_listed_by_flag_or_in_the_menu(
    node: Node, tmp_path: Path, how: str
) -> None:
    """`create --listed`, or `3 open` at the question for players."""
    typed, arguments = ("", ["create", "--seats", "3", "--listed"])
    if how == "menu":
        typed, arguments = "2\n3 open\n", ["--ruleset", "timed"]
    playing = asyncio.create_task(_play(node, tmp_path, typed, *arguments, "--name", "Ann"))
    async with Connection(f"127.0.0.1:{node.port}", name="Bob") as bob:

        async def listed() -> bool:
            return bool(await node._redis.zcard("sd:open"))

        await eventually(listed)
        await playing
        assert bob.duel is None


@pytest.mark.parametrize("action", ["bot", "practice", "quick", "open"])
def test_listed_is_for_create(action: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Elsewhere it would be dropped without a word."""
    with pytest.raises(SystemExit):
        main([action, "--listed"])
    assert "--listed is for create" in capsys.readouterr().err

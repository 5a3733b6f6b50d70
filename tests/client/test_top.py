"""`samedeal top`, against a node and by what it prints."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from samedeal_client.commands import top
from samedeal_protocol import TopList, TopRow
from samedeal_server.domain.duel import DuelId, DuelMs, PlayerId
from samedeal_server.domain.tops import TopEntry, TopGame
from samedeal_server.store.client import open_client
from samedeal_server.store.tops import TopStore
from support.nodes import nodes


def _entry(number: int, table: str, ruleset: str, score: int | None) -> TopEntry:
    value = 61_500 if score is None else -score
    game = TopGame(PlayerId(f"x{number}"), f"n{number}", score, 61_500, DuelMs(10**12), value)
    return TopEntry(DuelId(f"p00d{number}"), table, ruleset, (game,))


async def _run(store_url: str, *arguments: str) -> int:
    async with nodes(store_url) as (node,):
        redis = open_client(store_url)
        store = TopStore(redis, "test")
        for number in range(8):
            await store.apply(_entry(number, "classic", "freecell", 1000 * number))
        await store.apply(_entry(9, "spanish", "spanish", None))
        await redis.aclose()
        argv = ["--server", f"127.0.0.1:{node.port}", *arguments]
        return await asyncio.to_thread(top.main, argv)


async def test_all_three_are_shown_five_lines_each(
    store_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The best first; an empty one says so; no score where there are no points; what counts."""
    assert await _run(store_url) == 0
    classic, timed, spanish, counts = capsys.readouterr().out.strip().split("\n\n")
    lines = classic.splitlines()
    assert lines[0].startswith("classic: ")
    assert [line.split()[:3] for line in lines[1:]] == [
        [str(place), f"n{8 - place}", f"{8 - place},000"] for place in range(1, 6)
    ]
    assert timed.splitlines() == ["timed: timed Klondike, by score", "  nobody yet"]
    assert counts.startswith("Quick matches and practice alone count")
    assert spanish.splitlines()[1].split()[:4] == ["1", "n9", "1:01.5", "spanish"]


async def test_one_table_as_json(store_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A line of JSON for a table, with as many rows as were asked for."""
    assert await _run(store_url, "classic", "--count", "2", "--json") == 0
    (line,) = capsys.readouterr().out.splitlines()
    shown: dict[str, Any] = json.loads(line)
    assert shown["table"] == "classic"
    assert [row["score"] for row in shown["rows"]] == [7000, 6000]
    assert set(shown["rows"][0]) == set(TopRow.model_fields)


def test_a_server_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """And exit code 1."""
    assert top.main(["--server", "127.0.0.1:1"]) == 1
    assert capsys.readouterr().err.startswith("samedeal top: ")


@pytest.mark.parametrize("argv", [["none"], ["--count", "0"], ["--count", "101"], ["--count", "x"]])
def test_nonsense_is_a_usage_error(argv: list[str]) -> None:
    """Before any server is looked for."""
    with pytest.raises(SystemExit) as ended:
        top.main(argv)
    assert ended.value.code == 2


def test_what_a_server_sends_can_not_harm_a_terminal() -> None:
    """Names are shown without control signs, impossible dates as such."""
    row = TopRow(place=1, name="a\x1b[2J", ruleset="timed", score=1, elapsed_ms=1, at_ms=2**53 - 1)
    (_title, line) = top.top_lines(TopList(req=0, table="timed", rows=[row]))
    assert "\x1b" not in line
    assert line.endswith("?")

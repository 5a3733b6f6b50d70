"""Stepping through a replay by typed lines."""

from __future__ import annotations

import asyncio
import io
import os
from pathlib import Path

import pytest

from client.fake_server import CODE, FakeServer
from client.plain.test_play import finish_after, played
from client.replay.records import duel_replay, game_replay
from rules.test_duel_record import true_record
from samedeal_client.plain.style import Style
from samedeal_client.plain.terminal import Terminal
from samedeal_client.replay.line import look_through, player_index
from samedeal_client.replay.reel import Reel, Replay
from samedeal_client.texts import speaking
from samedeal_rules.duel_record import write_duel_record


async def typed(replay: Replay, *lines: str) -> str:
    """What is said when these lines are typed."""
    reading, writing = os.pipe()
    os.write(writing, "".join(f"{line}\n" for line in lines).encode())
    os.close(writing)
    out = io.StringIO()
    with os.fdopen(reading) as source:
        async with asyncio.timeout(20):
            terminal = Terminal(source, out, Style())
            await look_through(terminal, Reel(replay))
            while await terminal.ask("") is not None:
                pass  # its thread ends with the input
    return out.getvalue()


def _prompts(text: str) -> list[str]:
    return [line.partition(" >")[0] for line in text.splitlines() if " > " in line]


async def test_steps_numbers_and_times() -> None:
    """The prompt says where one is, before each line."""
    text = await typed(
        game_replay(), "", "n", "p", "5", "-2", "+1", "g", "1:01", "0:03", "e", "next", "q"
    )
    places = ["0/5", "1/5", "2/5", "1/5", "5/5", "3/5", "4/5", "0/5", "5/5", "2/5", "5/5", "5/5"]
    assert _prompts(text) == places
    assert text.count("There is no more in that direction.") == 1


async def test_the_end_of_the_input_ends_it() -> None:
    """Like q."""
    assert _prompts(await typed(game_replay(), "n")) == ["0/5"]


async def test_players_by_name_and_by_turn() -> None:
    """The beginning of a name does; the table shown is theirs, at the same time."""
    text = await typed(duel_replay(), "0:10", "Zo", "v", "v", "q")
    heads = [line.split(":")[0] for line in text.splitlines() if line.startswith("* ")]
    names = [film.name for film in duel_replay().films]
    start = names.index("Zoë")
    after = [names[(start + more) % 3] for more in range(3)]
    assert heads == [f"* {name}" for name in (names[0], names[0], *after)]


async def test_the_list_the_open_cards_and_the_help() -> None:
    """And whatever is none of these is said to be nothing."""
    text = await typed(game_replay(), "l", "o", "o", "?", "what", "q")
    assert "refused: that is not a move" in text
    shown = text.split("0/5 > ")
    assert "##" not in shown[2]
    assert "##" in shown[3]
    assert "That is nothing to look at" in shown[5]


async def test_commands_have_spanish_names_too() -> None:
    """Letters are the same everywhere."""
    with speaking("es"):
        text = await typed(game_replay(), "siguiente", "anterior", "fin", "salir")
    assert _prompts(text) == ["0/5", "1/5", "0/5", "5/5"]


@pytest.mark.parametrize(
    ("name", "index"), [("Íñigo", True), ("íñ", True), ("z", True), ("", False), ("x", False)]
)
def test_a_player_is_found_by_the_name_or_how_it_begins(name: str, index: bool) -> None:
    """If only one begins so."""
    assert (player_index(duel_replay().films, name) is not None) is index


async def test_the_table_is_told_when_it_is_asked_for() -> None:
    """In sentences, whatever the style."""
    text = await typed(game_replay(), "b", "q")
    assert "Foundations: clubs empty; " in text
    assert "Column 7, from its end: " in text


async def test_a_finished_duel_can_be_looked_at_before_one_goes(tmp_path: Path) -> None:
    """From the line client; a record that can't be read is said, and nothing else happens."""
    async with FakeServer() as server:
        ending = asyncio.create_task(finish_after(server, 1))
        script = "r\nend\nreplay\nq\n"
        playing = asyncio.create_task(
            played(server, tmp_path, script, "join", CODE, "--name", "Zoë", "--yes")
        )
        await ending
        code, out = await playing
    assert code == 0, out
    assert "ruleset: is missing." in out
    assert out.rstrip().endswith("Goodbye.")


async def test_it_begins_with_ones_own_game(tmp_path: Path) -> None:
    """Whatever place it has."""
    async with FakeServer() as server:
        server.record = write_duel_record(true_record())
        ending = asyncio.create_task(finish_after(server, 1))
        code, out = await played(
            server,
            tmp_path,
            "r\nend\nreplay\nn\nq\nq\n",
            *("join", CODE, "--name", "Zoë", "--yes"),
        )
        await ending
    assert code == 0, out
    assert "* Zoë: move 0 of" in out
    assert "* Zoë: move 1 of" in out
    assert out.rstrip().endswith("Goodbye.")

"""What a server says on standard error: structured, with ids, and without what is nobody's."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from samedeal_rules import RULESETS
from support.nodes import eventually
from support.player import Answered, Player
from support.serving import Server

CARD = re.compile(r"\b[A2-9TJQK][CDHS]\b|##")
MOVE = re.compile(r"\b[twfcv]\w*(?:\*\d+)?-[tfcv]\d*\b|\bmove=|\"move\"")
LINE = re.compile(r'([a-z_]+)=("(?:[^"\\]|\\.)*"|\S*)')


def _read(line: str, form: str) -> dict[str, object]:
    if form == "json":
        found = json.loads(line)
        assert isinstance(found, dict)
        return found
    return {key: value.strip('"') for key, value in LINE.findall(line)}


async def _a_whole_duel(server: Server) -> tuple[list[Player], list[str]]:
    """All that goes over the wire in a duel: refusals, a cut, a dead store, a chosen token."""
    ann, bob, eve = [await Player.hello(server.port, name) for name in ("Quimby", "Zelda", "Olaf")]
    for player, nonce in zip((ann, bob), ("1a" * 16, "2b" * 16), strict=True):
        player.nonce = nonce
    made = await ann.create(ruleset="klondike-1", duration_ms=60_000)
    await bob.join(made["code"])
    await eve.ask("watch", code=made["code"])
    with pytest.raises(Answered):
        await eve.join(made["code"])
    await asyncio.gather(ann.ready(), bob.ready())
    await asyncio.gather(ann.until("snapshot"), bob.until("snapshot"))
    for move in ("d", "d", "u", "t1-t2", "w-f", "d"):
        await ann.play(move)
    await bob.play("d")
    await ann.ask("hint")
    await ann.send("nonsense")
    await bob.cut()
    stranger = await Player.connect(server.port)
    await stranger.send("hello", token="x" * 20)
    await stranger.until("error")
    os.kill(server.store_pid(), signal.SIGKILL)
    await ann.play("d")
    bob = await bob.again(server.port)
    await bob.has("snapshot")
    await asyncio.gather(ann.play("end"), bob.play("end"))
    result, _ = await asyncio.gather(ann.until("result"), bob.until("result"))
    await ann.ask("record")
    players = [ann, bob, eve]
    secrets = [result["secret"], *result["nonces"]]
    secrets += [player.token for player in players] + [player.nonce for player in (ann, bob)]
    for player in (*players, stranger):
        await player.close()
    return players, secrets


@pytest.mark.parametrize("form", ["logfmt", "json"])
async def test_a_whole_duel_is_told_with_ids_and_without_secrets(tmp_path: Path, form: str) -> None:
    """At debug level: no token, secret, nonce, card or move, no name either; whatever is about a
    duel or a player has its id under that name; each line is of the form that was asked for."""
    with Server(tmp_path / "data", SAMEDEAL_LOG_LEVEL="debug", SAMEDEAL_LOG_FORMAT=form) as server:
        players, secrets = await _a_whole_duel(server)
        duel = players[0].last("duel")["id"]
        server.stop()
        assert server.code() == 0
    await eventually(lambda: not server._drain.is_alive())
    lines = [line.rstrip("\n") for line in server.errors]
    everything = "\n".join(lines)
    for secret in secrets:
        assert secret not in everything
    assert not CARD.findall(everything)
    assert not MOVE.findall(everything)
    for name in ("Quimby", "Zelda", "Olaf"):
        assert name not in everything
    events = [_read(line, form) for line in lines]
    for line, event in zip(lines, events, strict=True):
        assert {"timestamp", "level", "event"} <= event.keys(), line
        assert event.get("duel") == duel or duel not in line, line
        for player in players:
            assert event.get("player") == player.id or player.id not in line, line
    told = {str(event["event"]) for event in events}
    assert told >= {
        *("a player is here", "a player is gone", "a request is done", "stopping"),
        *("a duel has begun", "a duel is over", "the store died; starting it again"),
    }
    done = [event for event in events if event["event"] == "a request is done"]
    assert {event["kind"] for event in done} >= {"create", "join", "ready", "hint", "record"}


@pytest.mark.parametrize("form", ["logfmt", "json"])
def test_libraries_speak_the_same_form(form: str) -> None:
    """A warning of asyncio, with its traceback, is one line like any other; their debug output,
    which would show frames, is not there at all."""
    script = f"""
import logging
from samedeal_server.logs import configure_log
configure_log("debug", {form!r})
logging.getLogger("websockets").debug("< TEXT the token")
logging.getLogger("samedeal_server.net.edge").info("aborting %d connections", 3)
try:
    1 / 0
except ZeroDivisionError:
    logging.getLogger("asyncio").error("Task exception was never retrieved", exc_info=True)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    first, second = (_read(line, form) for line in run.stderr.splitlines())
    assert (first["level"], first["event"]) == ("info", "aborting 3 connections")
    assert second["event"] == "Task exception was never retrieved"
    assert "ZeroDivisionError" in str(second["exception"])


def test_what_is_looked_for_is_there() -> None:
    """The patterns above do find cards and moves as we write them."""
    names = RULESETS["timed"].deck.names
    assert all(CARD.search(f'x="{name}"') for name in names)
    assert all(MOVE.search(f"x={text} y") for text in ("t5*3-t2", "w-t3", "w-f", "fH-t3", "v4-f"))

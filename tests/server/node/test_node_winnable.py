"""Duels that ask for a deal that can be won: refused by name, or found, kept and proved."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from samedeal_rules.duel_record import verify_duel_record
from samedeal_rules.fairness import deal_seed
from samedeal_rules.winnable import installed_solver
from samedeal_server.node import winnable
from support.nodes import eventually, nodes
from support.player import Answered, Player, opponents

needs_solver = pytest.mark.skipif(installed_solver() is None, reason="pyksolve is not installed")


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"ruleset": "freecell"}, "no solver for freecell"),
        ({"ruleset": "spider-1"}, "no solver for spider-1"),
        ({"ruleset": "spanish"}, "no solver for spanish"),
        ({"ruleset": "timed", "options": {"redeals": 1}}, "no solver for timed with these options"),
        ({"ruleset": "klondike-1", "seed": "mine"}, "a chosen deal is as it is"),
    ],
)
async def test_refused_by_name(store_url: str, fields: dict[str, Any], word: str) -> None:
    """Where there is no solver, or nothing left to choose."""
    async with nodes(store_url) as (node,):
        ann = await Player.hello(node.port)
        with pytest.raises(Answered, match=f"unknown_ruleset: winnable: {word}"):
            await ann.create(winnable=True, **fields)
        assert (await ann.ask("where"))["place"] == "idle"
        await ann.close()


async def test_refused_without_the_extra(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server says what is missing; a duel without the wish is played, its deal unknown."""
    monkeypatch.setattr(winnable, "installed_solver", lambda *_: None)
    async with nodes(store_url) as (node,):
        ann = await Player.hello(node.port)
        with pytest.raises(Answered, match="this server has no solver"):
            await ann.create(ruleset="klondike-1", winnable=True)
        await ann.close()
        async with opponents(node.port, ruleset="klondike-1") as (bob,):
            await bob.play("end")
            assert (await bob.until("result"))["winnable"] == "unknown"


async def _finished(players: list[Player]) -> dict[str, Any]:
    for player in players:
        await player.play("end")
    results = [await player.until("result") for player in players]
    assert results[0] == results[-1]
    return results[0]


@needs_solver
@pytest.mark.parametrize("ruleset", ["timed", "klondike-1", "klondike-3"])
async def test_the_first_deal_that_can_be_won(store_url: str, ruleset: str) -> None:
    """Through two nodes; shown in `duel`, proved by `result` and record; in the rematch too."""
    async with (
        nodes(store_url, 2) as (one, two),
        opponents(one.port, two.port, ruleset=ruleset, winnable=True) as (ann, bob),
    ):
        assert ann.last("duel")["winnable"] is bob.last("duel")["winnable"] is True
        result = await _finished([ann, bob])
        solver = installed_solver()
        assert solver is not None
        assert result["winnable"] == "yes"
        assert result["solver"] == {
            "name": solver.name,
            "version": solver.version,
            "max_states": solver.max_states,
        }
        assert result["seed"] == deal_seed(
            secret=result["secret"],
            duel=result["duel"],
            ruleset=ruleset,
            options={},
            nonces=result["nonces"],
            k=result["k"],
        )
        record = (await ann.ask("record"))["text"]
        checks = verify_duel_record(record)
        assert all(check.ok for check in checks), checks
        assert "k" in {check.name for check in checks}
        data = json.loads(record)
        assert (data["k"], data["solver"]) == (result["k"], result["solver"])
        again = await ann.ask("rematch")
        assert again["winnable"] is True
        await bob.ask("rematch")
        await asyncio.gather(ann.ready(), bob.ready())
        for player in (ann, bob):
            await player.until("snapshot")
            player.next_seq = 0
        assert (await _finished([ann, bob]))["winnable"] == "yes"


@needs_solver
async def test_what_is_known_of_any_klondike_deal(store_url: str) -> None:
    """A chosen one too; nothing in games without a solver; k is 0 and no solver is named."""
    async with nodes(store_url, tell_winnable=True) as (node,):
        for fields, known in (
            ({"ruleset": "klondike-3", "seed": "11"}, {"yes"}),
            ({"ruleset": "timed"}, {"yes", "no", "unknown"}),
            ({"ruleset": "freecell"}, {None}),
            ({"ruleset": "klondike-1", "options": {"redeals": 0}}, {None}),
        ):
            async with opponents(node.port, **fields) as (ann,):
                if known == {"yes"}:
                    await eventually(lambda: node._winnable._verdicts)
                result = await _finished([ann])
                assert result.get("winnable") in known
                assert "solver" not in result
                assert result["k"] == 0


@needs_solver
async def test_no_deal_is_found(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The start is called off with its reason and all that was drawn; another try may do."""

    async def none(*_args: object) -> int:
        return winnable.NONE_FOUND

    async with nodes(store_url) as (node,):
        worker = node._winnable._worker
        monkeypatch.setattr(worker, "ask", none)
        ann = await Player.hello(node.port)
        await ann.create(ruleset="klondike-1", winnable=True, seats=1)
        await ann.ready()
        off = await ann.until("duel", lambda duel: bool(duel["called_off"]))
        assert off["phase"] == "ready_check"
        assert "no winnable deal was found" in off["called_off"]["reason"]
        assert off["called_off"]["nonces"] == [ann.nonce]
        monkeypatch.undo()
        await ann.ready()
        await ann.until("snapshot")
        assert (await _finished([ann]))["winnable"] == "yes"
        await ann.close()


@needs_solver
async def test_a_search_that_dies_is_called_off(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for ever: the duel stays frozen until its time for searching is over."""

    async def nothing(*_args: object) -> None:
        return None

    async with nodes(store_url, search_s=0.3) as (node,):
        monkeypatch.setattr(node._winnable._worker, "ask", nothing)
        ann = await Player.hello(node.port)
        await ann.create(ruleset="klondike-1", winnable=True, seats=1)
        await ann.ready()
        assert (await ann.until("duel", phase="frozen"))["called_off"] is None
        off = await ann.until("duel", phase="ready_check")
        assert "in time" in off["called_off"]["reason"]
        await ann.close()

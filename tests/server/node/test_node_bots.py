"""A program that says that it plays by itself is shown as such, wherever it sits down."""

from __future__ import annotations

from typing import Any

import pytest

from support.nodes import nodes
from support.player import Player


async def _bot(port: int, **hello: Any) -> Player:
    player = await Player.connect(port)
    await player.send("hello", **({"name": "Hardy"} | hello), bot=True)
    await player.welcomed()
    return player


def _bots(duel: dict[str, Any]) -> list[bool]:
    return [seat.get("bot", False) for seat in duel["players"]]


async def test_a_bot_is_shown_on_its_seat(store_url: str) -> None:
    """To everybody, whether it creates, joins, or practises."""
    async with nodes(store_url) as (node,):
        ann, bot = await Player.hello(node.port, "Ann"), await _bot(node.port)
        made = await ann.create()
        assert _bots(await bot.join(made["code"])) == [False, True]
        assert _bots(await ann.until("duel", seated=2)) == [False, True]
        await bot.ask("leave")
        assert _bots(await bot.create(seats=1)) == [True]


async def test_a_bot_is_shown_in_a_quick_match(store_url: str) -> None:
    """The ticket carries it, also to another node."""
    async with nodes(store_url, 2) as (one, two):
        ann, bot = await Player.hello(one.port, "Ann"), await _bot(two.port)
        await bot.ask("queue")
        await ann.ask("queue")
        assert sorted(_bots(await ann.until("duel"))) == [False, True]


@pytest.mark.parametrize("came_as_a_person", [False, True])
async def test_once_a_bot_always_a_bot(store_url: str, came_as_a_person: bool) -> None:
    """Saying nothing when coming back does not make a person of it."""
    async with nodes(store_url) as (node,):
        if came_as_a_person:
            person = await Player.hello(node.port, "Hardy")
            bot = await _bot(node.port, name=None, token=person.token)
        else:
            bot = await _bot(node.port)
        again = await Player.hello(node.port, token=bot.token or person.token)
        assert _bots(await again.create()) == [True]

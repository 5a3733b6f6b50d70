"""Texts in the language spoken."""

from __future__ import annotations

import asyncio

from samedeal_client.texts import _, _n, current_language, speaking

KNOWN = "your game has ended"


def test_english_needs_no_catalogue() -> None:
    """A text is its own English; forms go by the count."""
    assert current_language() == "en"
    assert _("Nobody has translated this.") == "Nobody has translated this."
    assert [_n("{n} card", "{n} cards", n).format(n=n) for n in (0, 1, 2)] == [
        "0 cards",
        "1 card",
        "2 cards",
    ]


def test_a_language_is_spoken_inside_and_nowhere_else() -> None:
    """What has no translation stays English."""
    with speaking("es"):
        assert current_language() == "es"
        assert _(KNOWN) == "tu partida ha terminado"
        assert _("Nobody has translated this.") == "Nobody has translated this."
        with speaking("en"):
            assert _(KNOWN) == KNOWN
    assert _(KNOWN) == KNOWN


async def test_tasks_inherit_the_language() -> None:
    """Two people in one process (two tests, say) don't talk each other's language."""

    async def told() -> str:
        await asyncio.sleep(0)
        return _(KNOWN)

    with speaking("es"):
        spanish = asyncio.create_task(told())
    english = asyncio.create_task(told())
    assert await spanish == "tu partida ha terminado"
    assert await english == KNOWN

"""Keys and what they do, a line each: for the help and the README. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from samedeal_client.texts import N_, _
from samedeal_client.tui.actions import ACTIONS, Group, key_words, keys_of

__all__ = ["MOUSE", "key_rows"]

_TOLD: Final = (Group.TABLE, Group.PILE, Group.DUEL, Group.ANYWHERE)
_COLUMNS: Final = "1 … 9"
_CELLS: Final = "w e r t"
_PLACES: Final = "A … T"
MOUSE: Final = (
    (
        N_("click"),
        N_("send a card to its best place; the stock draws, or redeals once it is empty"),
    ),
    (N_("double click"), N_("to the foundation only")),
    (N_("drag"), N_("just these cards, to there; a part of a run too")),
    (N_("right click"), N_("choose; the next click says where to")),
)
"""What the mouse does, and what for."""


def key_rows(keys: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Keys and words of everything at a table, each meaning once."""
    told: set[str] = set()
    for action in ACTIONS:
        if action.group not in _TOLD or action.help in told:
            continue
        told.add(action.help)
        special = {"column_1": _COLUMNS, "cell_2": _CELLS}.get(action.id)
        yield special or key_words(keys_of(action, keys)), _(action.help)
    yield _PLACES, _("Spanish without a stock: choose this card of the row")

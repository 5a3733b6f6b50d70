"""Keys and what they do, a line each: for the help and the README. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from samedeal_client.texts import N_, _
from samedeal_client.tui.actions import ACTIONS, Action, Group, key_words, keys_of
from samedeal_rules import Board, Ruleset, deal

__all__ = ["MOUSE", "TABLE_GROUPS", "key_rows"]

TABLE_GROUPS: Final = (Group.TABLE, Group.PILE, Group.DUEL, Group.ANYWHERE)
"""What one can do at a table."""
_MOST_DIGITS: Final = 9
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


def key_rows(
    keys: Mapping[str, str], groups: Collection[str] = TABLE_GROUPS, ruleset: Ruleset | None = None
) -> Iterator[tuple[str, str]]:
    """Keys and words of these groups, each meaning once; of one game only what it has."""
    told: set[str] = set()
    board = None if ruleset is None else deal(ruleset, "")
    for action in ACTIONS:
        words = _words(action, ruleset, board)
        if action.group not in groups or not words or words in told:
            continue
        told.add(words)
        special = {"column_1": _COLUMNS, "cell_2": _CELLS}.get(action.id)
        yield special or key_words(keys_of(action, keys)), words
    if Group.PILE in groups and (board is None or board.reserve):
        yield _PLACES, _("Spanish without a stock: choose this card of the row")


def _words(action: Action, ruleset: Ruleset | None, board: Board | None) -> str:
    """What it does in this game; empty where the game has nothing of the kind."""
    if ruleset is None or board is None:
        return _(action.help)
    ten = len(board.columns) > _MOST_DIGITS
    has = {
        "draw": ruleset.draw > 0,
        "redeal": ruleset.has_waste and ruleset.redeals != 0,
        "waste": ruleset.has_waste,
        "up": ruleset.leaves is None,
        "hint": ruleset.hints,
        "column_10": ten or ruleset.leaves is None,
        "cell_2": bool(board.cells),
        "cell_4": bool(board.cells),
    }
    if not has.get(action.id, True):
        return ""
    of_this_game = {
        "draw": N_("deal a row") if ruleset.draws_to_columns else N_("draw from the stock"),
        "column_10": N_("column 10") if ten else N_("the foundations"),
        "cell_2": N_("choose this cell, or put there"),
        "cell_4": N_("choose this cell, or put there"),
    }
    return _(of_this_game.get(action.id, action.help))

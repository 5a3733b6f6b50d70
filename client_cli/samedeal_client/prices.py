"""What a move costs, in words, before it is made: for every front end. Pure."""

from __future__ import annotations

from samedeal_client.table import Table
from samedeal_client.texts import _, number, signed
from samedeal_rules.scoring import Closing

__all__ = ["price_words"]


def price_words(table: Table, move: str, elapsed_ms: int) -> str:
    """What a move costs, or that it ends the game; empty where it is free.

    `elapsed_ms` is the time played: an early end brings points for what is left.
    """
    scoring = table.ruleset.scoring
    if move == "r" and table.redeal_price:
        words = _("This redeal costs {price} points.")
        return words.format(price=number(-table.redeal_price))
    if move == "u" and scoring.undo:
        words = _("Undo takes the last move and its points back and costs {price}.")
        return words.format(price=number(-scoring.undo))
    if move == "end":
        return _end_words(table, elapsed_ms) + " " + _("Then your game is over.")
    return ""


def _end_words(table: Table, elapsed_ms: int) -> str:
    game, ruleset = table.confirmed, table.ruleset
    if not ruleset.scored:
        standing = _("{count} up").format(count=game.board.cards_up)
        return _("Your {standing} stay as they are.").format(standing=standing)
    closing = ruleset.scoring.closing(Closing(False, elapsed_ms, game.duration_ms, ruleset.draw))
    if not closing:
        return _("Ending before the table is clear brings no points.")
    points = signed(sum(points for _item, points in closing))
    return _("Ending now brings {points} for the time left.").format(points=points)

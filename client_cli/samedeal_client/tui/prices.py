"""What a move costs, in words, before it is made. Pure."""

from __future__ import annotations

from samedeal_client.table import Table
from samedeal_client.texts import _, number, signed
from samedeal_rules.scoring import Closing

__all__ = ["price_words"]


def price_words(table: Table, move: str, elapsed_ms: int) -> str:
    """What to ask before a move that costs points or ends the game; empty where it is free."""
    scoring = table.ruleset.scoring
    if move == "r" and table.redeal_price:
        return _("This redeal costs {points} points.").format(points=number(-table.redeal_price))
    if move == "u" and scoring.undo:
        words = _("An undo takes the last move and its points back and costs {points}.")
        return words.format(points=number(-scoring.undo))
    if move == "end":
        return _end_words(table, elapsed_ms) + " " + _("Then your game is over.")
    return ""


def _end_words(table: Table, elapsed_ms: int) -> str:
    game, ruleset = table.confirmed, table.ruleset
    if not ruleset.scored:
        words = _("Your {count} cards up stay as they are.")
        return words.format(count=game.board.cards_up)
    closing = ruleset.scoring.closing(Closing(False, elapsed_ms, game.duration_ms, ruleset.draw))
    if not closing:
        return _("Ending before the table is clear brings no points.")
    points = sum(points for _item, points in closing)
    return _("Ending now brings {points} for the time left.").format(points=signed(points))

"""The line of words under the piles: what is left of stock and room, and what it costs. Pure."""

from __future__ import annotations

from samedeal_client.texts import _, _n
from samedeal_rules import Game

__all__ = ["info_words"]


def info_words(game: Game) -> str:
    """`pass 2 of 4, next -400`, `5 deals left`, `up to 4 cards at once`; may be empty."""
    ruleset, board = game.ruleset, game.board
    if ruleset.draws_to_columns:
        deals = -(-len(board.stock) // ruleset.draw)
        return _n("{count} deal left", "{count} deals left", deals).format(count=deals)
    if ruleset.limit is not None:
        most = min(ruleset.limit(board, -1), len(ruleset.deck.ranks))  # no run is longer
        return _n("{count} card at once", "up to {count} cards at once", most).format(count=most)
    if not ruleset.has_waste:
        return ""
    made, redeals = board.redeals, ruleset.redeals
    if redeals is not None and made >= redeals:
        return _("pass {number}, the last").format(number=made + 1)
    price = ruleset.scoring.redeal(made + 2)
    cost = _("free") if not price else str(price)
    if redeals is None:
        return _("pass {number}, next {cost}").format(number=made + 1, cost=cost)
    return _("pass {number} of {all}, next {cost}").format(
        number=made + 1, all=redeals + 1, cost=cost
    )

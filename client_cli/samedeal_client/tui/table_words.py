"""The line of words under the piles: what is left of stock and room, and what it costs. Pure."""

from __future__ import annotations

from samedeal_client.texts import _, _n, number
from samedeal_rules import Game

__all__ = ["info_words"]


def info_words(game: Game) -> str:
    """`pass 2 through the stock; the next costs 400`, `5 deals left`; may be empty."""
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
        return _("pass {number} through the stock, the last").format(number=made + 1)
    if redeals is None:
        words = _("pass {number} through the stock; the next {costs}")
    else:
        words = _("pass {number} of {all} through the stock; the next {costs}")
    price = ruleset.scoring.redeal(made + 2)
    costs = _("costs {price}").format(price=number(-price)) if price else _("is free")
    return words.format(number=made + 1, all=(redeals or 0) + 1, costs=costs)

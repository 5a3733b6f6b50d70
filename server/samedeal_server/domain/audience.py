"""What each audience may see. Boards leave the server through this module and no other.

Everything here is made from views, or from what a move has just turned up.
"""

from __future__ import annotations

from typing import Any

import orjson

from samedeal_rules import ITEMS, Board, Card, Game, Played
from samedeal_rules.board import EMPTY
from samedeal_rules.fairness import fingerprint
from samedeal_rules.moves import pile_text
from samedeal_server.domain.duel import Duel, DuelMs

__all__ = ["applied_payload", "snapshot_payload"]


def _board(board: Board, names: tuple[str, ...], suits: str) -> dict[str, Any]:
    """The board as its player may see it: face-down and unseen cards are `##`."""
    view = board.view()
    fields: dict[str, Any] = {
        "columns": [[names[card] for card in column] for column in view.columns],
        "down": view.down,
        "waste": [names[card] for card in view.waste],
        "stock": [names[card] for card in view.stock],
        "foundations": view.foundations,
        "redeals": view.redeals,
    }
    if view.cells:
        fields["cells"] = [_or_null(card, names) for card in view.cells]
    if view.reserve:
        fields["reserve"] = [_or_null(card, names) for card in view.reserve]
    if view.gone:
        fields["runs"] = [suits[suit] for suit in view.gone]
    return fields


def _or_null(card: Card, names: tuple[str, ...]) -> str | None:
    """A place that may be empty."""
    return None if card == EMPTY else names[card]


def _cards(mask: int, game: Game) -> list[str]:
    """The cards of a mask. Only cards that were on a foundation are ever in one."""
    return [game.ruleset.deck.names[card] for card in game.ruleset.deck.cards if mask >> card & 1]


def snapshot_payload(
    duel: Duel, game: Game, dealt: Board, seq: int, now_ms: DuelMs, req: int | None = None
) -> bytes:
    """A `snapshot` for the player of this game; `dealt` is the table before the first move."""
    ruleset = game.ruleset
    names = ruleset.deck.names
    left = None if ruleset.redeals is None else ruleset.redeals - game.board.redeals
    fields: dict[str, Any] = {
        "type": "snapshot",
        "duel": duel.id,
        "seq": seq,
        "board": _board(game.board, names, ruleset.deck.suits),
        "score": game.points,
        "items": game.ledger(),
        "scored": _cards(game.scored, game),
        "exempt": _cards(game.exempt, game),
        "undos_left": game.undoable,
        "redeals_left": left,
        "redeal_price": ruleset.scoring.redeal(game.board.redeals + 2),
        "fingerprint": fingerprint(dealt, names),
        "checksum": game.board.checksum(names),
        "server_ms": now_ms,
        "start_at": duel.start_at,
        "deadline": duel.shown_deadline,
    }
    if game.ended is not None:
        fields["ended"], fields["ended_ms"] = game.ended, game.ended_ms
    if req is not None:
        fields["req"] = req
    return orjson.dumps(fields)


def applied_payload(seq: int, move: str, ms: int, game: Game, played: Played) -> bytes:
    """An `applied` for the player who moved."""
    deck = game.ruleset.deck
    names, suits = deck.names, deck.suits
    fields: dict[str, Any] = {
        "type": "applied",
        "seq": seq,
        "move": move,
        "ms": ms,
        "score": game.points,
        "checksum": game.board.checksum(names),
    }
    if played.turned:
        fields["turned"] = [(pile_text(pile, suits), names[card]) for pile, card in played.turned]
    if played.drawn:
        fields["drawn"] = [names[card] for card in played.drawn]
    if played.automatic:
        fields["auto"] = [(pile_text(pile, suits), names[card]) for pile, card in played.automatic]
    if played.runs:
        fields["runs"] = [(pile_text(pile, suits), suits[suit]) for pile, suit in played.runs]
    if played.points:
        fields["points"] = [
            {"item": ITEMS[points.item], "points": points.points, "what": points.what}
            for points in played.points
        ]
    if game.ended is not None:
        fields["ended"] = game.ended
    return orjson.dumps(fields)

"""What a client sees of its table, and the moves it thinks of: random legal ones."""

from __future__ import annotations

import random
from typing import Final

from samedeal_client.view import game_from_snapshot, learn
from samedeal_protocol import Applied, Snapshot
from samedeal_rules import UNKNOWN, Game, IllegalMove, Ruleset, legal_moves, move_text, parse_move

__all__ = ["Hand"]

UNDO_SHARE: Final = 0.04
ILLEGAL_SHARE: Final = 0.02
LOOKS_AHEAD: Final = 6
"""Moves that a client may have under way."""


class Hand:
    """A view of one table, kept by folding answers; out of step it says so and plays nothing."""

    def __init__(self, ruleset: Ruleset, draw: random.Random) -> None:
        self._ruleset = ruleset
        self._draw = draw
        self._game: Game | None = None
        self._undos = 0
        self.seq = 0
        """Of the next move, as far as answers say."""
        self.ended = False

    def load(self, message: Snapshot) -> None:
        """A snapshot. Raises `BrokenSnapshot` if it shows a table that can't be."""
        self._game = game_from_snapshot(message, self._ruleset)
        self.seq = message.seq
        self._undos = message.undos_left
        self.ended = message.ended is not None

    def fold(self, message: Applied) -> None:
        """An answer to a move; one that was answered before changes nothing."""
        if message.seq != self.seq:
            return
        self.seq += 1
        self.ended = self.ended or message.ended is not None
        move = parse_move(message.move, self._ruleset.deck.suits)
        if move is None or message.move in ("u", "end") or self._game is None:
            self._game = None  # after an undo a snapshot follows
            return
        try:
            learn(self._game, message)
            self._game.play(move, int(message.ms))
            self._undos += 1
        except (IllegalMove, LookupError, ValueError):
            self._game = None

    @property
    def blind(self) -> bool:
        """Whether a `sync` is due."""
        return self._game is None and not self.ended

    def think(self, count: int) -> list[str]:
        """Up to so many moves that may be sent one after the other; none if out of step."""
        if self._game is None or self.ended:
            return []
        if self._undos and self._draw.random() < UNDO_SHARE:
            return ["u"]
        if self._draw.random() < ILLEGAL_SHARE:
            return [self._draw.choice(("t1-t2", "t7*3-t1", "w-t3", "r", "x2", "c1-t4", "zz"))]
        ahead = self._game.copy()
        found: list[str] = []
        for _ in range(min(count, LOOKS_AHEAD)):
            moves = list(legal_moves(self._ruleset, ahead.board))
            if not moves:
                break
            move = self._draw.choice(moves)
            found.append(move_text(move, self._ruleset.deck.suits))
            try:
                played = ahead.play(move, 0)
            except IllegalMove:
                break
            if UNKNOWN in played.drawn or any(card == UNKNOWN for _, card in played.turned):
                break
        return found or (["u"] if self._undos else ["end"])

    def chain(self, count: int) -> list[str]:
        """Moves that are legal one after the other whatever comes up, where there are such."""
        if self._game is None or self.ended:
            return []
        board = self._game.board
        stock = len(board.talon) - board.drawn
        if stock and not self._ruleset.draws_to_columns:
            return ["d"] * min(count, -(-stock // self._ruleset.draw))
        return self.think(count)

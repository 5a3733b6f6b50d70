"""A player for rulesets that nobody has taught the bots: one move ahead, by the engine alone."""

from __future__ import annotations

from random import Random
from typing import Final

from samedeal_rules import Game, IllegalMove, Move, legal_moves
from samedeal_rules.moves import DRAW, END, REDEAL

__all__ = ["Generic"]

PATIENCE: Final = 12
"""Moves in a row that may gain nothing, before the table counts as stuck."""

CARD_UP: Final = 20
TURNED: Final = 10
EMPTIED: Final = 4
"""What progress is worth where points do not tell."""


class Generic:
    """Takes what gains most, else draws, else tries tables it has not seen, else ends."""

    def __init__(self, random: Random, *, careful: bool) -> None:
        self._random = random
        self._careful = careful
        self._visited: set[int] = set()
        self._idle = 0
        self._gained_in_pass = True

    def choose(self, game: Game, elapsed_ms: int) -> Move | None:
        """See `Brain`."""
        names = game.ruleset.deck.names
        self._visited.add(game.board.checksum(names))
        gaining: list[tuple[int, Move]] = []
        idle: list[Move] = []
        turns: list[Move] = []
        standing = _progress(game)
        for move in legal_moves(game.ruleset, game.board):
            if move in (DRAW, REDEAL):
                turns.append(move)
                continue
            ahead = game.copy()
            try:
                ahead.play(move, elapsed_ms)
            except IllegalMove:
                continue
            if ahead.board.checksum(names) in self._visited:
                continue
            gain = _progress(ahead) - standing
            if gain > 0:
                gaining.append((gain, move))
            else:
                idle.append(move)
        if gaining:
            self._idle, self._gained_in_pass = 0, True
            if self._careful:
                return max(gaining, key=lambda option: option[0])[1]
            return self._random.choice(gaining)[1]
        if DRAW in turns:
            return DRAW
        if REDEAL in turns and self._gained_in_pass:
            self._gained_in_pass = False
            return REDEAL
        if idle and self._idle < PATIENCE:
            self._idle += 1
            return self._random.choice(idle)
        return END


def _progress(game: Game) -> int:
    board = game.board
    emptied = sum(not column for column in board.columns)
    progress = CARD_UP * board.cards_up - TURNED * sum(board.down) + EMPTIED * emptied
    return progress + game.score

"""A table without a server: the whole game on one side, what a player sees on the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from samedeal_rules import Board, Game, Move, Played, Ruleset, deal
from samedeal_rules.moves import UNDO

__all__ = ["PlayedOut", "Practice", "play_out"]


@dataclass(slots=True)
class Practice:
    """One player's game and the view of it, kept in step as the client keeps it."""

    real: Game
    view: Game

    @classmethod
    def of(cls, ruleset: Ruleset, board: Board, duration_ms: int) -> Practice:
        """Starts on `board`, which becomes the table's own."""
        view = Game(ruleset, board.view(), duration_ms)
        return cls(Game(ruleset, board, duration_ms), view)

    @classmethod
    def dealt(cls, ruleset: Ruleset, seed: str, duration_ms: int | None = None) -> Practice:
        """A fresh deal; with the ruleset's own duration unless told."""
        return cls.of(ruleset, deal(ruleset, seed), duration_ms or ruleset.duration_ms)

    def play(self, move: Move, ms: int) -> Played:
        """Play on both. Raises `IllegalMove`; then neither changed."""
        played = self.real.play(move, ms)
        if move == UNDO:
            self.view.play(move, ms)
            self.view.board = self.real.board.view()
        else:
            self.view.board.learn(played.turned, played.drawn)
            self.view.play(move, ms)
        return played


@dataclass(slots=True)
class PlayedOut:
    """How a game went."""

    game: Game
    moves: list[Move] = field(default_factory=list)
    waits: int = 0


def play_out(
    table: Practice, choose: Callable[[Game, int], Move | None], pace_ms: int
) -> PlayedOut:
    """Play to the end, a move each `pace_ms`; waiting takes as long as a move."""
    out = PlayedOut(table.real)
    ms = pace_ms
    while table.real.ended is None and ms < table.real.deadline_ms:
        move = choose(table.view, ms)
        if move is None:
            out.waits += 1
        else:
            table.play(move, ms)
            out.moves.append(move)
        ms += pace_ms
    table.real.run_out()
    return out

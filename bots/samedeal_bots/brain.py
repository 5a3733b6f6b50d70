"""The bots' thinking: from what a player sees to the next move. Pure, and the same each time."""

from __future__ import annotations

from enum import StrEnum
from random import Random
from typing import Final, Protocol

from samedeal_bots.generic import Generic
from samedeal_bots.greedy import Easy, Normal
from samedeal_bots.hard import Hard
from samedeal_bots.model import understands
from samedeal_rules import Game, Move

__all__ = ["SLOWNESS", "Brain", "Level", "brain"]


class Level(StrEnum):
    """How well a bot plays."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


SLOWNESS: Final = {Level.EASY: 1.6, Level.NORMAL: 1.2, Level.HARD: 1.0}
"""What to multiply the pace of moves by: weaker players also take longer to decide."""


class Brain(Protocol):
    """A player for one game."""

    def choose(self, game: Game, elapsed_ms: int) -> Move | None:
        """The next move on this view; never changes `game`.

        END when nothing is left that is worth the time. None is to wait: the game or its time
        is over, or there is nothing to do and ending is not sensible. What it knows of earlier
        views only keeps it from going in circles; it may be handed a game in the middle.
        Bounded by tables looked at, never by time (measure.py has the numbers).
        """


def brain(level: Level, seed: int) -> Brain:
    """A player for one game of any ruleset; chance comes from `seed` alone."""
    return _AnyRuleset(level, Random(seed))


class _AnyRuleset:
    """Plays what the level knows well, and anything else by its list of legal moves."""

    def __init__(self, level: Level, random: Random) -> None:
        self._generic = Generic(random, careful=level is not Level.EASY)
        self._klondike: Brain
        if level is Level.HARD:
            self._klondike = Hard(random)
        elif level is Level.NORMAL:
            self._klondike = Normal()
        else:
            self._klondike = Easy(random)

    def choose(self, game: Game, elapsed_ms: int) -> Move | None:
        if game.ended is not None or elapsed_ms >= game.deadline_ms:
            return None
        if understands(game.ruleset):
            return self._klondike.choose(game, elapsed_ms)
        return self._generic.choose(game, elapsed_ms)

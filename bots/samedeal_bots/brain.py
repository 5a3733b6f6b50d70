"""The bots' thinking: from what a player sees to the next move. Pure, and the same each time."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from random import Random
from typing import Final, Protocol

from samedeal_bots.freecell import FREECELL_EASY, FREECELL_HARD, FREECELL_NORMAL, FreeCell
from samedeal_bots.freecell_table import plays_freecell
from samedeal_bots.generic import Generic
from samedeal_bots.greedy import Easy, Normal
from samedeal_bots.hard import Hard
from samedeal_bots.klondike_numbers import understands
from samedeal_bots.spider import SPIDER_EASY, SPIDER_HARD, SPIDER_NORMAL, Spider
from samedeal_bots.spider_table import plays_spider
from samedeal_rules import Game, Move, Ruleset

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


Maker = Callable[[Random], Brain]

_FAMILIES: Final[tuple[tuple[Callable[[Ruleset], bool], dict[Level, Maker]], ...]] = (
    (
        understands,
        {Level.EASY: Easy, Level.NORMAL: lambda _: Normal(), Level.HARD: Hard},
    ),
    (
        plays_freecell,
        {
            Level.EASY: lambda random: FreeCell(random, FREECELL_EASY),
            Level.NORMAL: lambda random: FreeCell(random, FREECELL_NORMAL),
            Level.HARD: lambda random: FreeCell(random, FREECELL_HARD),
        },
    ),
    (
        plays_spider,
        {
            Level.EASY: lambda random: Spider(random, SPIDER_EASY),
            Level.NORMAL: lambda random: Spider(random, SPIDER_NORMAL),
            Level.HARD: lambda random: Spider(random, SPIDER_HARD),
        },
    ),
)
"""Which rulesets a family of players has been taught, and who plays them."""


class _AnyRuleset:
    """Plays what the level knows well, and anything else by its list of legal moves."""

    def __init__(self, level: Level, random: Random) -> None:
        self._level = level
        self._random = random
        self._ruleset: Ruleset | None = None
        self._player: Brain | None = None

    def choose(self, game: Game, elapsed_ms: int) -> Move | None:
        if game.ended is not None or elapsed_ms >= game.deadline_ms:
            return None
        if self._player is None or self._ruleset is not game.ruleset:
            self._ruleset, self._player = game.ruleset, self._taught(game.ruleset)
        return self._player.choose(game, elapsed_ms)

    def _taught(self, ruleset: Ruleset) -> Brain:
        for knows, makers in _FAMILIES:
            if knows(ruleset):
                return makers[self._level](self._random)
        return Generic(self._random, careful=self._level is not Level.EASY)

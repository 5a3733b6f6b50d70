"""What a table is worth to a player who still has time: points, and chances of more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

from samedeal_bots.model import State
from samedeal_rules import Card

__all__ = ["WEIGHTS", "Outlook", "Weights", "worth"]


@dataclass(frozen=True, slots=True)
class Weights:
    """Chances, in points. Tuned on some hundred deals that no test and no measurement uses."""

    face_down: float = 1100
    """A face-down card: what it hides, beyond the points for turning it."""
    deep: float = 60
    """More for each further face-down card on the same column."""
    talon: float = 80
    """A card still in the talon."""
    up: float = 30
    """A card on its foundation, beyond its points."""
    room: float = 250
    """An empty column; further ones do not matter."""
    move: float = 3
    """A move's time; 0.8 s is worth 2 in a table that will be cleared."""


WEIGHTS: Final = Weights()

_TURNED: Final = 100
_ENOUGH_MOVES: Final = 80
"""With less time than this chances are worth less, and in the end only points count."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The weights at one moment of the game."""

    hidden: tuple[float, ...]
    """For a column with so many face-down cards (uncovered ones count as turned)."""
    talon: float
    up: float
    room: float
    move: float
    moves_left: float

    @classmethod
    def of(cls, weights: Weights, moves_left: float) -> Self:
        """With time for so many more moves."""
        hope = min(1.0, moves_left / _ENOUGH_MOVES)
        return cls(
            hidden=tuple(
                n * (_TURNED + hope * (weights.face_down + weights.deep * (n - 1)))
                for n in range(_MOST_HIDDEN + 1)
            ),
            talon=hope * weights.talon,
            up=hope * weights.up,
            room=hope * weights.room,
            move=weights.move,
            moves_left=moves_left,
        )


_MOST_HIDDEN: Final = 52


def worth(state: State, outlook: Outlook) -> float:
    """In points, comparable between tables that can be reached from the same root."""
    hidden = outlook.hidden
    value = state.gained - outlook.move * state.length
    room = False
    for column, down in zip(state.columns, state.down, strict=True):
        if down:
            value -= hidden[down if column else down - 1]
        elif not column:
            room = True
    value += outlook.up * sum(state.foundations) - outlook.talon * len(state.talon)
    if state.reserve:
        value -= outlook.talon * (len(state.reserve) - state.reserve.count(Card(0)))
    return value + outlook.room if room else value

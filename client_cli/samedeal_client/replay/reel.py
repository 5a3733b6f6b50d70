"""A finished duel as it is looked at: whose game, which moment. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from samedeal_client.replay.film import Film, Frame
from samedeal_rules import OptionValue

__all__ = ["Reel", "Replay"]


@dataclass(frozen=True)
class Replay:
    """What a record holds: the same deal, played once or by several people at once."""

    ruleset: str
    options: Mapping[str, OptionValue] = field(hash=False)
    seed: str | None
    duration_ms: int | None
    films: tuple[Film, ...]
    """At least one; in a duel in the order of the ranking."""

    @property
    def end_ms(self) -> int:
        """How far one can go: the deadline, or without one the last move of all."""
        if self.duration_ms is not None:
            return self.duration_ms
        return max(film.end_ms for film in self.films)


@dataclass(frozen=True)
class Reel:
    """One moment of a replay, seen from one player's game; all others stand at the same time.

    Every step gives a new one, and stays within what there is.
    """

    replay: Replay
    focus: int = 0
    """Index of the film that steps go by."""
    number: int = 0
    """Its frame."""
    ms: int = 0
    """The moment: that of the frame, or any until the next one."""

    @property
    def film(self) -> Film:
        """The one that steps go by."""
        return self.replay.films[self.focus]

    @property
    def frame(self) -> Frame:
        """The game in focus, as it stood."""
        return self.film.at(self.number)

    @property
    def at_end(self) -> bool:
        """Whether no later frame is there."""
        return self.number >= self.film.last

    def numbers(self) -> Sequence[int]:
        """Every player's frame at this moment, in the order of the films."""
        return [
            self.number if index == self.focus else film.number_at(self.ms)
            for index, film in enumerate(self.replay.films)
        ]

    def frames(self) -> Sequence[Frame]:
        """Every player's game at this moment, in the order of the films."""
        return [
            film.at(number) for film, number in zip(self.replay.films, self.numbers(), strict=True)
        ]

    def step(self, by: int) -> Reel:
        """So many frames on; back, if it is negative."""
        return self.jump(self.number + by)

    def jump(self, number: int) -> Reel:
        """To a frame by its number."""
        number = max(0, min(number, self.film.last))
        return replace(self, number=number, ms=self.film.time_of(number))

    def seek(self, ms: int) -> Reel:
        """To a moment of the duel, in milliseconds from its start."""
        ms = max(0, min(ms, self.replay.end_ms))
        return replace(self, number=self.film.number_at(ms), ms=ms)

    def look_at(self, focus: int) -> Reel:
        """The same moment in another player's game. Raises IndexError."""
        if not 0 <= focus < len(self.replay.films):
            raise IndexError(focus)
        return replace(self, focus=focus, number=self.replay.films[focus].number_at(self.ms))

    def next_ms(self) -> int | None:
        """When the next frame of any player comes: for playing at speed. None at the very end."""
        coming = [
            film.time_of(number + 1)
            for film, number in zip(self.replay.films, self.numbers(), strict=True)
            if number < film.last
        ]
        return min(coming, default=None)

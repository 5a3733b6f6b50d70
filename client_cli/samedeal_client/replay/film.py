"""One player's finished game, to be looked at in any order. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from samedeal_rules import Game, IllegalMove, Played, RuleKey, Ruleset, deal, parse_move

__all__ = ["Film", "Frame"]


@dataclass(frozen=True, slots=True)
class Frame:
    """The game after one entry of its journal."""

    number: int
    """Entries played so far; 0 is the deal."""
    ms: int
    """When the entry came, from the start of the duel."""
    move: str | None
    """None for the deal, and for the end that the clock brought."""
    played: Played | None
    """What the move set off; None if it was refused, and where there was none."""
    why: RuleKey | None
    """The rule that a refused move broke. Only records of single games have refused moves."""
    game: Game
    """As it stood then, every card known. What the player saw is `game.board.view()`."""

    @property
    def clock_ms(self) -> int | None:
        """What was left on the clock; None without a time limit."""
        limit = self.game.duration_ms
        return None if limit is None else max(0, limit - self.ms)


class Film:
    """A game's frames: one for the deal, one for each entry, one for a clock that ran out.

    A frame is folded from the deal, or from the frame looked at last if that came before: 4
    microseconds for each move between.
    """

    def __init__(
        self,
        name: str | None,
        ruleset: Ruleset,
        seed: str | None,
        duration_ms: int | None,
        moves: Sequence[tuple[int, str]],
        *,
        closed: bool,
    ) -> None:
        """`closed`: the duel is over, so a game that did not end by itself ran out of time."""
        self.name = name
        """None where the record does not say whose game it is."""
        self.ruleset = ruleset
        self.duration_ms = duration_ms
        self._seed = seed
        self._moves = tuple(moves)
        self._times = [ms for ms, _text in moves]
        self._rewind()
        self.down = sum(self._game.board.down)
        """Face-down cards of the deal."""
        self._runs_out = False
        if closed:
            while self._number < len(self._moves):
                self._advance()
            self._runs_out = self._game.ended is None

    @property
    def last(self) -> int:
        """The number of the last frame."""
        return len(self._moves) + self._runs_out

    def at(self, number: int) -> Frame:
        """The frame with this number, or the nearest there is."""
        number = max(0, min(number, self.last))
        if number < self._number:
            self._rewind()
        while self._number < number:
            self._advance()
        game = self._game.copy()
        return Frame(number, self._ms, self._move, self._played, self._why, game)

    def time_of(self, number: int) -> int:
        """When the frame with this number came. O(1)."""
        number = max(0, min(number, self.last))
        if number > len(self._moves):
            return self.end_ms
        return self._times[number - 1] if number else 0

    def number_at(self, ms: int) -> int:
        """The number of the last frame that had come `ms` after the start."""
        number = bisect_right(self._times, ms)
        return number + (self._runs_out and number == len(self._moves) and ms >= self.end_ms)

    @property
    def end_ms(self) -> int:
        """When the last frame came."""
        last_ms = self._times[-1] if self._times else 0
        return self.duration_ms or last_ms if self._runs_out else last_ms

    def _rewind(self) -> None:
        self._game = Game(self.ruleset, deal(self.ruleset, self._seed), self.duration_ms)
        self._number, self._ms = 0, 0
        self._move: str | None = None
        self._played: Played | None = None
        self._why: RuleKey | None = None

    def _advance(self) -> None:
        self._move, self._played, self._why = None, None, None
        if self._number < len(self._moves):
            self._ms, self._move = self._moves[self._number]
            self._play(self._move)
        else:
            self._game.run_out(self._ms)
            self._ms = self.end_ms
        self._number += 1

    def _play(self, text: str) -> None:
        move = parse_move(text, self.ruleset.deck.suits)
        if move is None:
            self._why = RuleKey.NOT_A_MOVE
            return
        try:
            self._played = self._game.play(move, self._ms)
        except IllegalMove as refusal:
            self._why = refusal.rule

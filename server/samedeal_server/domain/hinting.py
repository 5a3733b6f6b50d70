"""A hint for a player of a duel, asked and answered in two processes.

What goes over is a view, as values: the process that answers knows nothing that the player
may not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from samedeal_rules import Board, Card, Game, HintAnswer, OptionValue, find_ruleset, hint, move_text

__all__ = ["HintQuestion", "answer_hint"]


@dataclass(frozen=True, slots=True)
class HintQuestion:
    """All of a player's view that a hint depends on; equal for players who see the same."""

    ruleset: str
    options: tuple[tuple[str, OptionValue], ...]
    columns: tuple[tuple[Card, ...], ...]
    down: tuple[int, ...]
    talon: tuple[Card, ...]
    drawn: int
    redeals: int
    foundations: tuple[int, ...]
    cells: tuple[Card, ...]
    reserve: tuple[Card, ...]
    gone: tuple[int, ...]
    exempt: int

    @classmethod
    def about(cls, ruleset: str, options: Mapping[str, OptionValue], game: Game) -> HintQuestion:
        """What the player of this game sees; `options` are the duel's."""
        view = game.board.view()
        return cls(
            ruleset=ruleset,
            options=tuple(options.items()),
            columns=tuple(map(tuple, view.columns)),
            down=tuple(view.down),
            talon=tuple(view.talon),
            drawn=view.drawn,
            redeals=view.redeals,
            foundations=tuple(view.foundations),
            cells=tuple(view.cells),
            reserve=tuple(view.reserve),
            gone=tuple(view.gone),
            exempt=game.exempt,
        )

    def game(self) -> Game:
        """The view, to be played ahead on."""
        board = Board(
            [list(column) for column in self.columns],
            list(self.down),
            list(self.talon),
            drawn=self.drawn,
            redeals=self.redeals,
            foundations=list(self.foundations),
            cells=list(self.cells),
            reserve=list(self.reserve),
            gone=list(self.gone),
        )
        game = Game(find_ruleset(self.ruleset, dict(self.options))[1], board, None)
        game.exempt = self.exempt
        return game


@lru_cache(maxsize=256)  # everybody in a duel starts with the same question
def answer_hint(question: HintQuestion) -> tuple[HintAnswer, str | None]:
    """What a hint says, and the move in notation if it is one. Up to half a second."""
    game = question.game()
    found = hint(game)
    if found.move is None:
        return found.answer, None
    return found.answer, move_text(found.move, game.ruleset.deck.suits)

"""How a game is told: laid out for who looks, in sentences for who listens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from samedeal_client.plain import sentences
from samedeal_client.plain.board_text import (
    board_lines,
    pass_text,
    ranking_lines,
    standings_lines,
)
from samedeal_client.plain.style import Style
from samedeal_client.plain.words import Outcome, standings_text, what_happened
from samedeal_protocol import RankingRow, StandingRow
from samedeal_rules import Card, Game

__all__ = ["Speaker", "speaker_for"]


class Speaker(Protocol):
    """Whatever the line client shows of a game, as lines. Pure."""

    def prompt(self, clock: str, standing: str) -> str:
        """What stands before a typed line."""

    def table(self, game: Game) -> list[str]:
        """The table, when it is asked for and at the start."""

    def table_after(self, game: Game) -> list[str]:
        """The table after a move; nothing where the move said enough."""

    def moved(
        self, game: Game, move: str, cards: Sequence[Card], outcome: Outcome, standing: str
    ) -> list[str]:
        """What a move did; `cards` are those it carried, as far as they are known."""

    def standings(self, rows: Sequence[StandingRow], you: int | None) -> list[str]:
        """Everybody's, when they are asked for."""

    def standings_news(self, rows: Sequence[StandingRow], total: int, you: int | None) -> str:
        """When they have changed."""

    def ranking(self, rows: Sequence[RankingRow], you: int | None) -> list[str]:
        """The end."""


def speaker_for(style: Style) -> Speaker:
    """As the terminal's style wants it."""
    return _Sentences() if style.sentences else _Layout(style)


class _Layout:
    """Columns of text."""

    def __init__(self, style: Style) -> None:
        self._style = style

    def prompt(self, clock: str, standing: str) -> str:
        return f"{clock}  {standing} > "

    def table(self, game: Game) -> list[str]:
        left = pass_text(game)
        return ["", *board_lines(game, self._style), *(["", f"  {left}"] if left else [])]

    def table_after(self, game: Game) -> list[str]:
        return self.table(game)

    def moved(
        self, game: Game, move: str, cards: Sequence[Card], outcome: Outcome, standing: str
    ) -> list[str]:
        return [f"{move}: {what_happened(outcome, self._style, game.ruleset.deck)}"]

    def standings(self, rows: Sequence[StandingRow], you: int | None) -> list[str]:
        return standings_lines(rows, you)

    def standings_news(self, rows: Sequence[StandingRow], total: int, you: int | None) -> str:
        return standings_text(rows, total, you)

    def ranking(self, rows: Sequence[RankingRow], you: int | None) -> list[str]:
        return ranking_lines(rows, you)


class _Sentences:
    """Said from the first word to the full stop."""

    def prompt(self, clock: str, standing: str) -> str:
        return "> "

    def table(self, game: Game) -> list[str]:
        return sentences.table_sentences(game)

    def table_after(self, game: Game) -> list[str]:
        return []

    def moved(
        self, game: Game, move: str, cards: Sequence[Card], outcome: Outcome, standing: str
    ) -> list[str]:
        return sentences.move_sentences(game, move, cards, outcome, standing)

    def standings(self, rows: Sequence[StandingRow], you: int | None) -> list[str]:
        return sentences.standings_sentences(rows, you)

    def standings_news(self, rows: Sequence[StandingRow], total: int, you: int | None) -> str:
        return sentences.standings_sentence(rows, you)

    def ranking(self, rows: Sequence[RankingRow], you: int | None) -> list[str]:
        return sentences.ranking_sentences(rows, you)

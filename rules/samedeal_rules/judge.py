"""Replay a game record: what each move did, and the score item by item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final as Constant

from samedeal_rules.deals import deal
from samedeal_rules.errors import IllegalMove, RuleKey
from samedeal_rules.game import Ended, Game, Played
from samedeal_rules.moves import parse_move
from samedeal_rules.records import GameRecord
from samedeal_rules.rulesets import find_ruleset

__all__ = ["RUNNING", "Final", "JudgedMove", "Judgement", "judge"]

RUNNING: Constant = "running"
"""The game of a record that ends before its game does."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """One entry of a record."""

    ms: int
    text: str
    why: RuleKey | None
    """The rule it broke; None if it was accepted."""
    score: int | None
    """After the move, or as it stayed; None in a game without points."""
    played: Played | None
    """What it set off; None if it was refused."""

    @property
    def ok(self) -> bool:
        """Whether it was accepted."""
        return self.why is None


@dataclass(frozen=True, slots=True)
class Final:
    """How the game stands after the last entry."""

    score: int | None
    """None in a game without points."""
    cleared: bool
    cards_up: int
    ended: str
    """A value of `Ended`, or `RUNNING`."""
    items: dict[str, int]
    """Points by reason, those worth nothing left out. They add up to the score."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What `judge` says about a record."""

    final: Final
    moves: tuple[JudgedMove, ...]

    def as_data(self) -> dict[str, object]:
        """The shape of `samedeal judge --json`."""
        final = self.final
        return {
            "final": {
                "score": final.score,
                "cleared": final.cleared,
                "cards_up": final.cards_up,
                "ended": final.ended,
                "items": final.items,
            },
            "moves": [
                {
                    "ms": move.ms,
                    "move": move.text,
                    "ok": move.ok,
                    "why": move.why,
                    "score": move.score,
                }
                for move in self.moves
            ],
        }


def judge(record: GameRecord) -> Judgement:
    """Fold the record over its deal. Refused entries stay in the list and change nothing."""
    ruleset = find_ruleset(record.ruleset, record.options)[1]
    game = Game(ruleset, deal(ruleset, record.seed), record.duration_ms)
    moves = tuple(_play(game, ms, text) for ms, text in record.moves)
    last_ms = moves[-1].ms if moves else 0
    if record.closed or (record.duration_ms is not None and last_ms >= record.duration_ms):
        game.run_out(last_ms)
    final = Final(
        score=game.points,
        cleared=game.ended is Ended.CLEARED,
        cards_up=game.board.cards_up,
        ended=RUNNING if game.ended is None else game.ended.value,
        items=game.ledger(),
    )
    return Judgement(final, moves)


def _play(game: Game, ms: int, text: str) -> JudgedMove:
    move = parse_move(text, game.ruleset.deck.suits)
    if move is None:
        return JudgedMove(ms, text, RuleKey.NOT_A_MOVE, game.points, None)
    try:
        played = game.play(move, ms)
    except IllegalMove as refusal:
        return JudgedMove(ms, text, refusal.rule, game.points, None)
    return JudgedMove(ms, text, None, game.points, played)

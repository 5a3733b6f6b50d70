"""Leaderboards: which duels count, and what their games are worth there (rules, sections 6, 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from samedeal_rules import Ended, find_ruleset
from samedeal_rules.ranking import Outcome
from samedeal_server.domain.duel import Duel, DuelId, DuelMs, PlayerId
from samedeal_server.domain.ruling import is_chosen, ruleset_of

__all__ = ["TopEntry", "TopGame", "counts", "top_entry"]


@dataclass(frozen=True, slots=True)
class TopGame:
    """One player's game, as a leaderboard has it."""

    player: PlayerId
    name: str
    score: int | None
    """None in a game without points."""
    elapsed_ms: int
    """From the start of the duel to the end of this game."""
    at_ms: DuelMs
    """When this game ended."""
    sort_value: int
    """The lower, the better."""


@dataclass(frozen=True, slots=True)
class TopEntry:
    """What one duel adds to a leaderboard: a function of its sealed journals, and of nothing else.

    Whoever computes or applies it, and however often, it is the same.
    """

    duel: DuelId
    table: str
    ruleset: str
    games: tuple[TopGame, ...]


def counts(duel: Duel) -> bool:
    """Whether the duel's games may be listed: as the ruleset has it, dealt by the server, whether
    it can be won or not, played by people, and made by quick match or practised alone."""
    _options, ruleset = find_ruleset(duel.ruleset)
    as_it_is = (
        not duel.options and duel.duration_ms == ruleset.duration_ms and duel.hints == ruleset.hints
    )
    alone = duel.seats == 1
    by_people = not any(seat.bot for seat in duel.seated)
    any_deal = not is_chosen(duel) and duel.solver is None
    return as_it_is and any_deal and by_people and (alone or duel.origin == "quick")


def top_entry(duel: Duel, result: Mapping[str, Any] | None) -> TopEntry | None:
    """What a duel adds to its leaderboard, told the fields of its result; None for nothing."""
    if result is None or duel.start_at is None or not counts(duel):
        return None
    top = ruleset_of(duel).top
    games = []
    for row in result["ranking"]:
        cleared = row["ended"] == Ended.CLEARED
        outcome = Outcome(row["score"], row["up"], cleared, row["ended_ms"])
        if top.takes(outcome):
            at_ms = DuelMs(duel.start_at + outcome.ended_ms)
            value = top.sort_value(outcome)
            game = (row["player"], row["name"], outcome.score, outcome.ended_ms, at_ms, value)
            games.append(TopGame(*game))
    return TopEntry(duel.id, top.name, duel.ruleset, tuple(games)) if games else None

"""What the screen knows of a race besides the tables: news, places, points that fell. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from samedeal_client import events as facts
from samedeal_client.events import Event
from samedeal_client.plain.style import printable
from samedeal_client.plain.words import ended_words, refusal_words
from samedeal_client.server_words import error_words
from samedeal_client.texts import _, _n, signed
from samedeal_client.tui.look import Look
from samedeal_protocol import Applied, Error, PlayerState, PointsEarned, Standings
from samedeal_rules import Deck

__all__ = ["Earned", "Notice", "Race", "Tone", "earned_words", "hear"]

_KEPT_POINTS: Final = 6
"""Earned lines that are kept for the panel."""
_KEPT_HISTORY: Final = 120
"""Standings kept for a sparkline: two minutes' worth at the usual rate."""
MOVED_MS: Final = 6000
"""So long a place gained or lost is pointed at."""


FRESH_MS: Final = 2000
"""So long a refusal stays when what follows from it is told."""


@dataclass(frozen=True, slots=True)
class Earned:
    """Points that fell: `+500 5♥`."""

    text: str
    points: int


class Tone:
    """Roles of a line that is said."""

    PLAIN: Final = "text"
    GOOD: Final = "good"
    WARN: Final = "warn"
    BAD: Final = "bad"


@dataclass(frozen=True, slots=True)
class Notice:
    """A line under the table."""

    text: str
    kind: str = Tone.PLAIN
    at_ms: int = 0


@dataclass(frozen=True)
class Race:
    """One duel, as far as it is news."""

    notice: Notice = field(default_factory=lambda: Notice(""))
    earned: tuple[Earned, ...] = ()
    """The latest first."""
    history: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """Seat to what its player stood at, oldest first."""
    places: Mapping[int, int] = field(default_factory=dict)
    moved: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """Seat to places gained (negative: lost) and when."""
    away: frozenset[int] = frozenset()
    down: bool = False
    """Whether the line is broken just now."""
    ended: PlayerState | None = None


def hear(
    race: Race, event: Event, now_ms: int, look: Look, deck: Deck | None, you: int | None
) -> Race:
    """The race after an event."""
    if isinstance(event, Applied):
        return _applied(race, event, now_ms, look, deck)
    if isinstance(event, Standings):
        return _standings(race, event, now_ms, you)
    if isinstance(event, facts.ConnectionDropped):
        words = _("The line is down; it comes back by itself. The clock runs on.")
        return replace(race, down=True, notice=Notice(words, "bad", now_ms))
    if isinstance(event, facts.Reconnected):
        return replace(race, down=False, notice=Notice(_("Connected again."), "good", now_ms))
    notice = _notice(event, now_ms)
    if notice is None:
        return race
    told = race.notice.kind == "bad" and now_ms - race.notice.at_ms < FRESH_MS
    if told and isinstance(event, facts.OutOfStep):
        return race  # a refusal has just said it better
    return replace(race, notice=notice)


def earned_words(points: PointsEarned, look: Look, deck: Deck) -> str:
    """`+500 5♥`, `-400 pass`."""
    names = {
        "passes": _("pass"),
        "undo": _("undo"),
        "minutes": _("whole minutes"),
        "early_end": _("early end"),
        "time_bonus": _("time bonus"),
        "foundation_to_tableau": _("back down"),
    }
    what = look.named(deck, points.what) if points.what else names.get(points.item, points.item)
    if points.item == "turned":
        what = _("turned")
    elif points.item == "runs":
        what = _("run")
    return f"{signed(points.points)} {what}"


def _applied(race: Race, answer: Applied, now_ms: int, look: Look, deck: Deck | None) -> Race:
    if deck is None:
        return race
    fell = [Earned(earned_words(p, look, deck), p.points) for p in answer.points if p.points]
    earned = (*reversed(fell), *race.earned)[:_KEPT_POINTS]
    race = replace(race, earned=earned, ended=answer.ended or race.ended)
    if answer.ended is not None:
        return replace(race, notice=Notice(ended_words(answer.ended), Tone.GOOD, now_ms))
    if answer.auto:
        cards = " ".join(look.named(deck, card) for _pile, card in answer.auto)
        words = _n(
            "{cards} goes up by itself", "{cards} go up by themselves", len(answer.auto)
        ).format(cards=cards)
        return replace(race, notice=Notice(words, "good", now_ms))
    return race


def _standings(race: Race, standings: Standings, now_ms: int, you: int | None) -> Race:
    history = dict(race.history)
    moved = {seat: move for seat, move in race.moved.items() if now_ms - move[1] < MOVED_MS}
    for row in standings.rows:
        stands = row.up if row.score is None else row.score
        history[row.seat] = (*history.get(row.seat, ()), stands)[-_KEPT_HISTORY:]
        gained = race.places.get(row.seat, row.place) - row.place
        if gained:
            moved[row.seat] = (gained, now_ms)
    away = frozenset(row.seat for row in standings.rows if row.state is PlayerState.AWAY)
    race = replace(
        race,
        history=history,
        places={row.seat: row.place for row in standings.rows},
        moved=moved,
        away=away,
    )
    if you in moved and moved[you][1] == now_ms:
        ahead = moved[you][0] > 0
        words = _("You go ahead!") if ahead else _("You were overtaken.")
        return replace(race, notice=Notice(words, "good" if ahead else "warn", now_ms))
    return race


def _notice(event: Event, now_ms: int) -> Notice | None:
    if isinstance(event, facts.MovesFell):
        return _fell(event, now_ms)
    if isinstance(event, facts.OutOfStep):
        return Notice(
            _("Your table and the server's differed; this is the server's."), "warn", now_ms
        )
    if isinstance(event, facts.TailLost):
        words = _n(
            "The server lost your last move; sent again.",
            "The server lost your last {count} moves; sent again.",
            event.count,
        ).format(count=event.count)
        return Notice(words, "warn", now_ms)
    if isinstance(event, facts.FairnessAlarm):
        return Notice(_("Warning: {why}.").format(why=event.check.why), "bad", now_ms)
    if isinstance(event, Error):
        return Notice(printable(error_words(event.code, event.message)) + ".", "bad", now_ms)
    return None


def _fell(event: facts.MovesFell, now_ms: int) -> Notice:
    refused, *others = event.moves
    words = _("Not {move}: {why}.").format(move=refused, why=refusal_words(event.because))
    if others:
        words += " " + _n(
            "With it fell one move more.", "With it fell {count} moves more.", len(others)
        ).format(count=len(others))
    return Notice(words, "bad", now_ms)

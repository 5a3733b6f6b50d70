"""What the line client says about events, in words. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from samedeal_client.fair import FairCheck
from samedeal_client.plain.board_text import limit_text
from samedeal_client.plain.style import Style, printable
from samedeal_protocol import (
    Applied,
    DuelChanged,
    DuelPhase,
    Hinted,
    PlayerState,
    PointsEarned,
    RefusalCode,
    Refused,
    StandingRow,
)
from samedeal_rules import RULE_WORDS, Deck, OptionValue, RuleKey

__all__ = [
    "LOBBY",
    "LOBBY_HELP",
    "NO_POINTS",
    "OVER_HELP",
    "WATCHED_HELP",
    "changes_of",
    "chosen_deal",
    "code_spoken",
    "duel_title",
    "ended_words",
    "fairness_lines",
    "game_title",
    "hint_words",
    "known_words",
    "order_of",
    "points_text",
    "refusal_words",
    "standing_words",
    "standings_text",
    "what_happened",
]

LOBBY_HELP: Final = """\
  r  ready, when you are     start  start with those who are ready (the host)
  s  who is here             q      give the seat back"""

NO_POINTS: Final = (
    "No points in this game: who clears the table first wins; else who has more cards up."
)
OVER_HELP: Final = "rematch, save [FILE], m menu, q quit"
WATCHED_HELP: Final = "save [FILE], m menu, q quit"

_REFUSALS: Final = {
    RefusalCode.GAP: "a move before it was not taken",
    RefusalCode.CONFLICT: "another move stands in its place",
    RefusalCode.TOO_MANY: "too many moves wait for their answers",
    RefusalCode.FULL: "a game has no more moves than that; end ends it",
    RefusalCode.NOT_RUNNING: "the duel is not running",
    RefusalCode.TIME_OVER: "the time was over",
    RefusalCode.FINISHED: "your game has ended",
    RefusalCode.REPLACED: "you are connected elsewhere",
    RefusalCode.LOST: "the server could not keep it; look at the board, then play it again",
}
_ENDED: Final = {
    PlayerState.CLEARED: "You cleared the table!",
    PlayerState.FINISH: "You ended your game.",
    PlayerState.TIMEOUT: "The time is over.",
}
_HINTS: Final = {
    "no_move_helps": "No move helps, as far as could be seen.",
    "stuck": "The table is stuck: nothing helps any more. u takes moves back, end ends your game.",
    "unknown": "There was no time to look for a hint; ask again.",
}
LOBBY: Final = (DuelPhase.OPEN, DuelPhase.READY_CHECK)
_PLAYED: Final = (DuelPhase.RUNNING, DuelPhase.SEALED)
TOP: Final = 3
"""Places that a line of standings shows besides one's own."""
MANY: Final = 12
"""In a duel with more seats, who comes and goes is a count."""


def code_spoken(code: str) -> str:
    """A code in two halves, as one reads it out."""
    return f"{code[: len(code) // 2]} {code[len(code) // 2 :]}"


def game_title(ruleset: str, options: Mapping[str, OptionValue]) -> str:
    """A game with what was changed about it, as the command line has it: `timed draw=1`."""
    return " ".join([ruleset, *(f"{name}={str(v).lower()}" for name, v in options.items())])


def duel_title(duel: DuelChanged) -> str:
    """`timed draw=1, 5:00, 2 seats`; `freecell, no time limit, practice`."""
    seats = "practice" if duel.seats == 1 else f"{duel.seats} seats"
    parts = [game_title(duel.ruleset, duel.options), limit_text(duel.duration_ms), seats]
    return ", ".join([*parts, "a deal that can be won"] if duel.winnable else parts)


def chosen_deal(duel: DuelChanged) -> str:
    """What was chosen: this deal, or a numbered one."""
    number = str(duel.options.get("deal", ""))
    return f"the numbered deal {number}" if number else "this deal"


def standing_words(score: int | None, cards_up: int) -> str:
    """What a player stands at: points, or in a game without them cards up."""
    if score is not None:
        return f"{score:,}"
    return f"{cards_up} up"


def points_text(points: PointsEarned, style: Style, deck: Deck) -> str:
    """`+500 5♥`, `-400 passes`."""
    what = style.named(deck, points.what) if points.what else points.item.replace("_", " ")
    if points.item in ("turned", "runs"):
        what = f"{'turned' if points.item == 'turned' else 'run'} {points.what}".rstrip()
    return f"{points.points:+,} {what}"


def what_happened(answer: Applied, style: Style, deck: Deck) -> str:
    """What a move brought: cards drawn, turned and gone up, and the points."""
    parts = []
    if answer.drawn:
        verb = "dealt" if deck.sets else "drawn"
        parts.append(f"{verb} " + " ".join(style.spoken(deck, card) for card in answer.drawn))
    parts += [f"{style.spoken(deck, card)} on {pile}" for pile, card in answer.turned]
    for pile, letter in answer.runs:
        suit = style.suit(deck, deck.suits.index(letter)) if letter in deck.suits else "?"
        parts.append(f"the run of {suit} leaves {pile}")
    if answer.auto:
        gone = " ".join(style.named(deck, card) for _, card in answer.auto)
        alone = len(answer.auto) == 1
        parts.append(f"{gone} {'goes up by itself' if alone else 'go up by themselves'}")
    parts += [points_text(points, style, deck) for points in answer.points]
    return "; ".join(parts) or "done"


def refusal_words(refused: Refused) -> str:
    """Why a move was not taken."""
    if refused.code is RefusalCode.ILLEGAL and refused.rule in list(RuleKey):
        return RULE_WORDS[RuleKey(refused.rule)]
    return _REFUSALS.get(refused.code) or printable(refused.message)


def hint_words(hinted: Hinted) -> str:
    """What a hint says."""
    if hinted.move is not None:
        return f"A move that helps: {hinted.move}"
    return _HINTS.get(hinted.answer, _HINTS["unknown"])


def ended_words(how: PlayerState) -> str:
    """How our own game ended."""
    return _ENDED.get(how, "Your game has ended.")


def changes_of(old: DuelChanged | None, new: DuelChanged) -> list[str]:
    """Who came, left or got ready since; in a large duel only how many."""
    lines = []
    note = new.note if old is None or old.note != new.note else None
    if note:
        lines.append(printable(note) + ".")
    if new.seats > MANY or len(new.players) < new.seated:
        if old is None or (old.seated, old.ready) != (new.seated, new.ready):
            lines.append(f"{new.seated} of {new.seats} seats taken, {new.ready} ready.")
        return lines
    before = {seat.player: seat for seat in old.players} if old is not None else {}
    after = {seat.player: seat for seat in new.players}
    lines += [
        f"{printable(seat.name)} has left."
        for player, seat in before.items()
        if player not in after
        and (old is None or seat.seat != old.you)
        and note != f"{seat.name} left"
    ]
    for player, seat in after.items():
        name = printable(seat.name) + (" (a bot)" if seat.bot else "")
        if seat.seat == new.you:
            continue
        known = before.get(player)
        if known is None:
            lines.append(f"{name} is here, {new.seated} of {new.seats} seats taken.")
        if new.phase in LOBBY and seat.ready and (known is None or not known.ready):
            lines.append(f"{name} is ready.")
        if new.phase in _PLAYED:
            continue  # the server doesn't tell of every coming and going then
        if known is not None and known.connected != seat.connected:
            lines.append(f"{name} {'is back' if seat.connected else 'has lost the connection'}.")
    return lines


def fairness_lines(checks: Iterable[FairCheck], called_off: int) -> list[str]:
    """What was checked about the deal, in words."""
    rows = list(checks)
    marks = {True: "ok", False: "WRONG", None: "--"}
    lines = [f"  {marks[check.ok]:>5}  {check.why}" for check in rows]
    if any(check.ok is False for check in rows):
        head = "Something about this deal is WRONG:"
    elif all(check.ok for check in rows):
        head = "The deal was fair; this program checked by itself that"
    else:
        head = "What this program could check about the deal by itself:"
    if called_off:
        starts = "start was" if called_off == 1 else "starts were"
        lines.append(f"         {called_off} {starts} called off before this one")
    return [head, *lines]


def known_words(winnable: str | None) -> list[str]:
    """Whether the deal could be won, where that is known."""
    words = {"yes": "This deal can be won.", "no": "This deal could not be won by anybody."}
    return [words[winnable]] if winnable in words else []


def order_of(rows: Sequence[StandingRow]) -> tuple[int, ...]:
    """Who is where: standings are news when this changes."""
    return tuple(row.seat for row in rows)


def standings_text(rows: Sequence[StandingRow], total: int, you: int | None) -> str:
    """Standings in one line: the top, and ourselves."""
    shown = [row for index, row in enumerate(rows) if index < TOP or row.seat == you]
    parts = [
        f"{row.place}. {'*' if row.seat == you else ''}{printable(row.name)} "
        f"{standing_words(row.score, row.up)}"
        for row in shown
    ]
    more = f"   (of {total})" if total > len(shown) else ""
    return "-- " + "   ".join(parts) + more

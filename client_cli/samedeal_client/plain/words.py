"""What the line client says about events, in words. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Protocol

from samedeal_client.fair import FairCheck
from samedeal_client.plain.board_text import limit_text
from samedeal_client.plain.style import printable
from samedeal_client.server_words import note_words
from samedeal_client.texts import N_, _, _n, number, signed
from samedeal_protocol import (
    DuelChanged,
    DuelPhase,
    Hinted,
    PlayerState,
    PointsEarned,
    RefusalCode,
    Refused,
    Seat,
    StandingRow,
)
from samedeal_rules import RULE_WORDS, Deck, OptionValue, RuleKey

__all__ = [
    "LOBBY",
    "LOBBY_HELP",
    "NO_POINTS",
    "OVER_HELP",
    "WATCHED_HELP",
    "Namer",
    "Outcome",
    "changes_of",
    "chosen_deal_words",
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
    "seat_name",
    "standing_words",
    "standings_text",
    "what_happened",
]

LOBBY_HELP: Final = N_(
    """\
  r  ready, when you are     start  start with those who are ready (the host)
  s  who is here             q      give the seat back"""
)

NO_POINTS: Final = N_(
    "No points in this game: who clears the table first wins; else who has more cards up."
)
OVER_HELP: Final = N_("rematch, replay, save [FILE], m menu, q quit")
WATCHED_HELP: Final = N_("replay, save [FILE], m menu, q quit")

_REFUSALS: Final = {
    RefusalCode.GAP: N_("a move before it was not taken"),
    RefusalCode.CONFLICT: N_("another move stands in its place"),
    RefusalCode.TOO_MANY: N_("too many moves wait for their answers"),
    RefusalCode.FULL: N_("a game has no more moves than that; end ends it"),
    RefusalCode.NOT_RUNNING: N_("the duel is not running"),
    RefusalCode.TIME_OVER: N_("the time was over"),
    RefusalCode.FINISHED: N_("your game has ended"),
    RefusalCode.REPLACED: N_("you are connected elsewhere"),
    RefusalCode.LOST: N_("the server could not keep it; look at the board, then play it again"),
}
_ENDED: Final = {
    PlayerState.CLEARED: N_("You cleared the table!"),
    PlayerState.FINISH: N_("You ended your game."),
    PlayerState.TIMEOUT: N_("The time is over."),
}
_HINTS: Final = {
    "no_move_helps": N_("No move helps, as far as could be seen."),
    "stuck": N_(
        "The table is stuck: nothing helps any more. u takes moves back, end ends your game."
    ),
    "unknown": N_("There was no time to look for a hint; ask again."),
}
_POINTS: Final = {
    "passes": N_("passes"),
    "undo": N_("undo"),
    "minutes": N_("minutes"),
    "early_end": N_("early end"),
    "time_bonus": N_("time bonus"),
    "foundation": N_("foundation"),
    "waste_to_tableau": N_("waste to tableau"),
    "foundation_to_tableau": N_("foundation to tableau"),
}
"""What points are for, where no card says it."""
_PLACED: Final = {"turned": N_("turned"), "runs": N_("run")}
"""What points are for, where a column says more."""
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
    seats = _("practice")
    if duel.seats > 1:
        seats = _n("{count} seat", "{count} seats", duel.seats).format(count=duel.seats)
    parts = [game_title(duel.ruleset, duel.options), limit_text(duel.duration_ms), seats]
    return ", ".join([*parts, _("a deal that can be won")] if duel.winnable else parts)


def chosen_deal_words(duel: DuelChanged) -> str:
    """That somebody chose this deal, or a numbered one."""
    deal = str(duel.options.get("deal", ""))
    if not deal:
        return _("Somebody chose this deal and may know it; it never counts.")
    words = _("Somebody chose the numbered deal {deal} and may know it; it never counts.")
    return words.format(deal=deal)


def seat_name(seat: Seat) -> str:
    """Who sits there: `Ana`, `Bo (a bot)`."""
    name = printable(seat.name)
    return _("{name} (a bot)").format(name=name) if seat.bot else name


def standing_words(score: int | None, cards_up: int) -> str:
    """What a player stands at: points, or in a game without them cards up."""
    if score is not None:
        return number(score)
    return _("{count} up").format(count=cards_up)


class Namer(Protocol):
    """How cards and suits are written; `Style` is one."""

    def named(self, deck: Deck, text: str) -> str:
        """A card by its notation; other text stays as it is."""

    def spoken(self, deck: Deck, text: str) -> str:
        """As `named`, with its name where that helps."""

    def suit(self, deck: Deck, suit: int) -> str:
        """A suit alone."""


def points_text(
    points: PointsEarned, style: Namer, deck: Deck, pile: Callable[[str], str] = str
) -> str:
    """`+500 5♥`, `-400 passes`."""
    what = style.named(deck, points.what) if points.what else _POINTS.get(points.item, "")
    if points.item in _PLACED:
        what = _(_PLACED[points.item]) + (f" {pile(points.what)}" if points.what else "")
    elif not points.what:
        what = _(what) if what else points.item.replace("_", " ")
    return f"{signed(points.points)} {what}"


class Outcome(Protocol):
    """What a move brought, by the notation of cards and piles; `Applied` is one."""

    @property
    def drawn(self) -> Sequence[str]:
        """Cards, the last one on top."""

    @property
    def turned(self) -> Sequence[tuple[str, str]]:
        """Pile and card."""

    @property
    def runs(self) -> Sequence[tuple[str, str]]:
        """Pile and letter of the suit."""

    @property
    def auto(self) -> Sequence[tuple[str, str]]:
        """Pile and card."""

    @property
    def points(self) -> Sequence[PointsEarned]:
        """In order."""


def what_happened(
    answer: Outcome, style: Namer, deck: Deck, pile: Callable[[str], str] = str
) -> str:
    """What a move brought: cards drawn, turned and gone up, and the points.

    `pile` says how a pile is called; as its notation has it where nothing else is said.
    """
    parts = []
    if answer.drawn:
        cards = " ".join(style.spoken(deck, card) for card in answer.drawn)
        drawn = _("dealt {cards}") if deck.sets else _("drawn {cards}")
        parts.append(drawn.format(cards=cards))
    parts += [
        _("{card} on {pile}").format(card=style.spoken(deck, card), pile=pile(where))
        for where, card in answer.turned
    ]
    for where, letter in answer.runs:
        suit = style.suit(deck, deck.suits.index(letter)) if letter in deck.suits else "?"
        parts.append(_("the run of {suit} leaves {pile}").format(suit=suit, pile=pile(where)))
    if answer.auto:
        gone = _n("{cards} goes up by itself", "{cards} go up by themselves", len(answer.auto))
        cards = " ".join(style.named(deck, card) for _where, card in answer.auto)
        parts.append(gone.format(cards=cards))
    parts += [points_text(points, style, deck, pile) for points in answer.points]
    return "; ".join(parts) or _("done")


def refusal_words(refused: Refused) -> str:
    """Why a move was not taken."""
    if refused.code is RefusalCode.ILLEGAL and refused.rule in list(RuleKey):
        return _(RULE_WORDS[RuleKey(refused.rule)])
    known = _REFUSALS.get(refused.code)
    return _(known) if known else printable(refused.message)


def hint_words(hinted: Hinted, move: str | None = None) -> str:
    """What a hint says; `move` is its move in words."""
    if hinted.move is not None:
        return _("A move that helps: {move}").format(move=move or hinted.move)
    return _(_HINTS.get(hinted.answer, _HINTS["unknown"]))


def ended_words(how: PlayerState) -> str:
    """How our own game ended."""
    return _(_ENDED[how]) if how in _ENDED else _("Your game has ended.")


def changes_of(old: DuelChanged | None, new: DuelChanged) -> list[str]:
    """Who came, left or got ready since; in a large duel only how many."""
    lines = []
    note = new.note if old is None or old.note != new.note else None
    if note:
        lines.append(printable(note_words(note)) + ".")
    if new.seats > MANY or len(new.players) < new.seated:
        if old is None or (old.seated, old.ready) != (new.seated, new.ready):
            taken = _("{taken} of {seats} seats taken, {ready} ready.")
            lines.append(taken.format(taken=new.seated, seats=new.seats, ready=new.ready))
        return lines
    before = {seat.player: seat for seat in old.players} if old is not None else {}
    after = {seat.player: seat for seat in new.players}
    lines += [
        _("{name} has left.").format(name=printable(seat.name))
        for player, seat in before.items()
        if player not in after
        and (old is None or seat.seat != old.you)
        and note != f"{seat.name} left"
    ]
    for player, seat in after.items():
        if seat.seat == new.you:
            continue
        name = seat_name(seat)
        known = before.get(player)
        if known is None:
            here = _("{name} is here, {taken} of {seats} seats taken.")
            lines.append(here.format(name=name, taken=new.seated, seats=new.seats))
        if new.phase in LOBBY and seat.ready and (known is None or not known.ready):
            lines.append(_("{name} is ready.").format(name=name))
        if new.phase in _PLAYED:
            continue  # the server doesn't tell of every coming and going then
        if known is not None and known.connected != seat.connected:
            back = _("{name} is back.")
            change = back if seat.connected else _("{name} has lost the connection.")
            lines.append(change.format(name=name))
    return lines


def fairness_lines(checks: Iterable[FairCheck], called_off: int) -> list[str]:
    """What was checked about the deal, in words."""
    rows = list(checks)
    marks = {True: _("ok"), False: _("WRONG"), None: "--"}
    lines = [f"  {marks[check.ok]:>5}  {check.why}" for check in rows]
    if any(check.ok is False for check in rows):
        head = _("Something about this deal is WRONG:")
    elif all(check.ok for check in rows):
        head = _("The deal was fair; this program checked by itself that")
    else:
        head = _("What this program could check about the deal by itself:")
    if called_off:
        off = _n(
            "{count} start was called off before this one",
            "{count} starts were called off before this one",
            called_off,
        )
        lines.append(f"{'':9}{off.format(count=called_off)}")
    return [head, *lines]


def known_words(winnable: str | None) -> list[str]:
    """Whether the deal could be won, where that is known."""
    words = {
        "yes": N_("This deal can be won."),
        "no": N_("This deal could not be won by anybody."),
    }
    return [_(words[winnable])] if winnable in words else []


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
    more = "   " + _("(of {total})").format(total=total) if total > len(shown) else ""
    return "-- " + "   ".join(parts) + more

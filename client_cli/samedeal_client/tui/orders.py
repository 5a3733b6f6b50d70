"""What can be chosen about a duel before it is made: rows of values to step through. Pure."""

from __future__ import annotations

from typing import Final

from samedeal_client.option_words import conflict_words, option_help, option_label, value_words
from samedeal_client.order import Order
from samedeal_client.plain.board_text import limit_text
from samedeal_client.plain.client import LEVEL_WORDS, LEVELS
from samedeal_client.rules_words import rules_error_words
from samedeal_client.texts import N_, _
from samedeal_client.tui.rows import Row
from samedeal_rules import RULESETS, Ruleset, UnknownRuleset, find_ruleset
from samedeal_rules.winnable import can_solve

__all__ = ["Purpose", "check", "level_of", "order_of", "rows_for"]

_DURATIONS: Final = (60, 120, 180, 300, 420, 600, 900, 1200, 1800, 3600)
"""Seconds that one may want."""
UNTIMED: Final = 0
"""Stands for no limit in the row of durations."""
_SEATS: Final = (2, 3, 4, 5, 6, 8, 10, 16)
_LEVELS: Final = {
    "easy": N_("plays what it sees"),
    "normal": N_("looks ahead a little"),
    "hard": N_("looks ahead, and rarely wastes a move"),
}


class Purpose:
    """What the duel is for."""

    BOT: Final = "bot"
    CREATE: Final = "create"
    PRACTICE: Final = "practice"


def rows_for(ruleset: Ruleset, purpose: str) -> list[Row]:
    """The choices for a game, at their defaults."""
    rows = []
    if purpose == Purpose.BOT:
        words = ", ".join(f"{_(LEVEL_WORDS[level])}: {_(_LEVELS[level])}" for level in LEVELS)
        names = tuple(_(LEVEL_WORDS[level]) for level in LEVELS)
        rows.append(Row("level", _("bot"), LEVELS, names, 1, words))
    if purpose == Purpose.CREATE:
        rows.append(Row("seats", _("players"), _SEATS, tuple(map(str, _SEATS))))
    rows += _option_rows(ruleset)
    rows.append(_duration_row(ruleset, purpose))
    if can_solve(ruleset):
        words = _("only a deal that can be won, where the server has a solver")
        names = (_("any deal"), _("can be won"))
        rows.append(Row("winnable", _("deal"), (False, True), names, 0, words))
    if purpose == Purpose.CREATE:
        rows.append(_listed_row())
    return rows


def _listed_row() -> Row:
    words = _("anybody: the duel is shown among the open duels of this server")
    names = (_("who has the code"), _("anybody"))
    return Row("listed", _("who may join"), (False, True), names, 0, words)


def _duration_row(ruleset: Ruleset, purpose: str) -> Row:
    usual = ruleset.duration_ms // 1000
    seconds = tuple(sorted({*_DURATIONS, usual}))
    if purpose == Purpose.PRACTICE and ruleset.may_be_untimed:
        seconds = (*seconds, UNTIMED)
    names = tuple(limit_text(None if s == UNTIMED else s * 1000) for s in seconds)
    return Row("duration", _("time"), seconds, names, seconds.index(usual))


def _option_rows(ruleset: Ruleset) -> list[Row]:
    rows, defaults = [], ruleset.defaults()
    for option in ruleset.options:
        if option.allows is not None:
            continue  # too many values to step through: the command line has it
        default = defaults.get(option.name, option.values[0])
        names = tuple(value_words(option.name, value) for value in option.values)
        at = option.values.index(default)
        label, words = option_label(option.name), option_help(option.name)
        rows.append(Row(option.name, label, option.values, names, at, words))
    return rows


def level_of(rows: list[Row]) -> str:
    """The bot's level."""
    return next((str(row.value) for row in rows if row.name == "level"), LEVELS[1])


def order_of(ruleset: str, rows: list[Row], purpose: str) -> Order:
    """The duel that these choices make. Raises `UnknownRuleset` if they exclude each other."""
    values = {row.name: row.value for row in rows}
    names = {option.name for option in RULESETS[ruleset].options}
    defaults = RULESETS[ruleset].defaults()
    wanted = {
        name: value
        for name, value in values.items()
        if name in names and value != defaults.get(name)
    }
    options = find_ruleset(ruleset, wanted)[0]
    duration = int(values.get("duration", 0))
    usual = RULESETS[ruleset].duration_ms // 1000
    return Order(
        ruleset=ruleset,
        options=options,
        seats={Purpose.BOT: 2, Purpose.PRACTICE: 1}.get(purpose, int(values.get("seats", 2))),
        duration_s=None if duration in (UNTIMED, usual) else float(duration),
        untimed=duration == UNTIMED,
        winnable=bool(values.get("winnable")),
        listed=bool(values.get("listed")),
    )


def check(ruleset: str, rows: list[Row], purpose: str) -> str:
    """Why these choices don't go together; empty if they do."""
    try:
        order_of(ruleset, rows, purpose)
    except UnknownRuleset as error:
        return conflict_words(error) or f"{rules_error_words(error)}."
    return ""

"""Games and duels as they are called on the screen. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from samedeal_client.option_words import changed_words
from samedeal_client.plain.board_text import limit_text
from samedeal_client.rules_words import rules_language
from samedeal_client.texts import _, _n
from samedeal_protocol import DuelChanged
from samedeal_rules import RULESETS, OptionValue
from samedeal_rules.describe import describe

__all__ = ["back_words", "duel_words", "game_words", "leave_words", "server_gone_words"]


def game_words(ruleset: str, options: Mapping[str, OptionValue]) -> str:
    """`Timed Klondike (one card at a time)`; a game that this program does not know by its name."""
    known = RULESETS.get(ruleset)
    title = describe(known, rules_language()).title if known is not None else ruleset
    changed = ", ".join(changed_words(name, value) for name, value in options.items())
    return f"{title} ({changed})" if changed else title


def duel_words(duel: DuelChanged) -> str:
    """`Timed Klondike, 5:00, 2 players`."""
    if duel.seats == 1:
        who = _("practice")
    else:
        who = _n("{count} player", "{count} players", duel.seats).format(count=duel.seats)
    parts = [game_words(duel.ruleset, duel.options), limit_text(duel.duration_ms), who]
    if duel.winnable:
        parts.append(_("can be won"))
    return ", ".join(parts)


def leave_words(duel: DuelChanged, *, scored: bool, over: bool) -> str:
    """Whether one really wants to leave, and what becomes of the game."""
    if duel.seats == 1:
        if duel.duration_ms is None:
            return _("Leave the practice? It ends as it stands.")
        return _("Leave the practice? Its clock runs on.")
    if over:
        return _("Leave? The others still play.")
    if scored:
        return _("Leave the running duel? Your score stands as it is.")
    return _("Leave the running duel? The cards that you have put up count.")


def back_words(duel: DuelChanged, key: str) -> str:
    """That something else was asked for than the game that one is back in."""
    words = _("Back in {game}, which you had not finished. {key} leaves it; then start the other.")
    return words.format(game=game_words(duel.ruleset, duel.options), key=key)


def server_gone_words() -> str:
    """That the server does not answer, and what to do."""
    return _(
        "The server is gone; trying again ... Or leave, and `samedeal play` finds or starts one "
        "here; --server ADDRESS names another."
    )

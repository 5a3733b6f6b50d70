"""Options of the rules as a person says them, not as the command line has them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from samedeal_client.texts import N_, _
from samedeal_rules import OptionValue, RulesError
from samedeal_rules.wording import Wording

__all__ = ["changed_words", "conflict_words", "option_help", "option_label", "value_words"]

_LABELS: Final = {
    "draw": N_("cards drawn at a time"),
    "redeals": N_("redeals"),
    "stock": N_("stock"),
    "deck": N_("cards in the pack"),
    "deal": N_("numbered deal"),
}
_VALUES: Final[Mapping[tuple[str, OptionValue], str]] = {
    ("draw", 1): N_("one (easier)"),
    ("draw", 3): N_("three (harder)"),
    ("redeals", 0): N_("none"),
    ("redeals", "unlimited"): N_("without limit"),
    ("stock", True): N_("yes"),
    ("stock", False): N_("none: the rest lies open in a row"),
}
_HELP: Final = {
    "draw": N_("how many cards come from the stock at a time"),
    "redeals": N_("how often the waste may become the stock again"),
    "stock": N_(
        "without a stock the left-over cards lie face up in a row, all in play; a place that was "
        "emptied stays empty. Nothing is drawn then: leave cards drawn and redeals as they are."
    ),
    "deck": N_("48 adds ochos and nueves: longer foundations, and 20 cards left over"),
}
_CHANGED: Final[Mapping[tuple[str, OptionValue], str]] = {
    ("draw", 1): N_("one card at a time"),
    ("draw", 3): N_("three cards at a time"),
    ("redeals", 0): N_("no redeals"),
    ("redeals", 1): N_("one redeal"),
    ("redeals", 3): N_("three redeals"),
    ("redeals", "unlimited"): N_("redeals without limit"),
    ("stock", True): N_("with a stock"),
    ("stock", False): N_("no stock"),
    ("deck", 40): N_("40 cards"),
    ("deck", 48): N_("48 cards"),
}


def option_label(name: str) -> str:
    """`cards drawn at a time` for draw; one that this program does not know stays as it is."""
    return _(_LABELS[name]) if name in _LABELS else name


def value_words(name: str, value: OptionValue) -> str:
    """A value among others: `three (harder)`."""
    known = _VALUES.get((name, value))
    return _(known) if known else str(value)


def option_help(name: str) -> str:
    """What it changes; empty where nothing is known."""
    return _(_HELP[name]) if name in _HELP else ""


def changed_words(name: str, value: OptionValue) -> str:
    """What is different about a game: `no stock`, `three cards at a time`."""
    known = _CHANGED.get((name, value))
    return _(known) if known else f"{option_label(name)} {str(value).lower()}"


def conflict_words(error: RulesError) -> str | None:
    """That two options exclude each other; None for any other error."""
    why = error.args[0] if error.args else ""
    if not isinstance(why, Wording) or "other" not in why.values:
        return None
    one, other = (option_label(str(why.values[name])) for name in ("option", "other"))
    words = _("These exclude each other: {one}, {other}. Set one of them back.")
    return words.format(one=one, other=other)

"""The settings as rows to step through, and back. Pure."""

from __future__ import annotations

from typing import Any, Final, get_args

from samedeal_client.texts import LANGUAGES, N_, _
from samedeal_client.tui.rows import Row
from samedeal_client.tui.settings import Settings

__all__ = ["changed_settings", "settings_rows"]

_LABELS: Final = {
    "theme": N_("colours"),
    "back": N_("card backs"),
    "four_colours": N_("suits"),
    "letters": N_("signs"),
    "ask_before_costs": N_("what costs points"),
    "click": N_("a click on a card"),
    "bell": N_("bell"),
    "language": N_("language"),
}
_NAMES: Final = {
    ("theme", "felt"): N_("green felt"),
    ("theme", "night"): N_("night"),
    ("theme", "day"): N_("day"),
    ("theme", "plain"): N_("the terminal's own, without colours"),
    ("back", "mist"): N_("mist"),
    ("back", "brick"): N_("brick"),
    ("back", "cross"): N_("crosses"),
    ("back", "dots"): N_("dots"),
    ("back", "plain"): N_("plain"),
    ("four_colours", False): N_("two colours"),
    ("four_colours", True): N_("four colours"),
    ("letters", False): N_("signs and lines"),
    ("letters", True): N_("letters only"),
    ("ask_before_costs", True): N_("ask before"),
    ("ask_before_costs", False): N_("say the price, don't ask"),
    ("click", "best"): N_("sends it to its best place"),
    ("click", "choose"): N_("chooses it"),
    ("bell", True): N_("in the last 30 seconds"),
    ("bell", False): N_("never"),
    ("language", "auto"): N_("as the system has it"),
}
_HELP: Final = {
    "click": N_("The right button always chooses, a drag always says where to."),
    "language": N_("From the next start on."),
}


def settings_rows(settings: Settings) -> list[Row]:
    """All but the keys: those are changed in the file."""
    rows = []
    for name, label in _LABELS.items():
        kind = Settings.model_fields[name].annotation
        values = (True, False) if kind is bool else get_args(kind)
        current = getattr(settings, name)
        names = tuple(_name(name, value) for value in values)
        help_text = _(_HELP[name]) if name in _HELP else ""
        rows.append(Row(name, _(label), values, names, values.index(current), help_text))
    return rows


def changed_settings(settings: Settings, rows: list[Row]) -> Settings:
    """The settings with what the rows say."""
    changes: dict[str, Any] = {row.name: row.value for row in rows}
    return settings.model_copy(update=changes)


def _name(name: str, value: str | bool) -> str:
    if name == "language" and value in LANGUAGES:
        return LANGUAGES[str(value)]
    return _(_NAMES[name, value])

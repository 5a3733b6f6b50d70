"""What each role looks like: colours for a theme, or none at all. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from rich.style import Style

__all__ = ["PALETTES", "Palette", "find_palette"]


@dataclass(frozen=True)
class Palette:
    """A theme. Colours are CSS hex; empty is the terminal's own."""

    name: str
    dark: bool
    ground: str
    """Behind everything but the cards."""
    table: str
    panel: str
    text: str
    dim: str
    accent: str
    good: str
    bad: str
    warn: str
    paper: str
    """A card's face."""
    edge_dim: str
    """Lines of empty places."""
    back: str
    back_ink: str
    chosen: str
    """Behind chosen cards."""
    target: str
    hint: str
    inks: dict[str, str]

    @cached_property
    def _cache(self) -> dict[str, Style]:
        return {}

    def style(self, role: str) -> Style:
        """The style of a role; unknown roles look like text."""
        cache = self._cache
        if role not in cache:
            cache[role] = self._style(role)
        return cache[role]

    def _style(self, role: str) -> Style:
        kind, _, rest = role.partition(".")
        if kind == "card":
            ink, _, state = rest.partition(".")
            return self._card(self.inks.get(ink, self.text), state)
        if kind == "back":
            return self._back(rest)
        if kind == "empty":
            return self._empty(rest)
        if kind == "sign":
            return self._over(self.table, self.inks_on_table.get(rest, self.dim))
        return self._word(role)

    @property
    def inks_on_table(self) -> dict[str, str]:
        """Inks that can be read on the table: those of cards are for paper, not for the dark."""
        if not self.dark:
            return self.inks
        return {
            "black": self.text,
            "red": self.bad,
            "green": self.good,
            "blue": self.hint,
            "gold": self.accent,
        }

    def _card(self, ink: str, state: str) -> Style:
        paper = {"selected": self.chosen, "target": self.target, "hinted": self.hint}.get(state)
        return self._over(paper or self.paper, ink, bold=True)

    def _back(self, state: str) -> Style:
        if state in ("count", "turn"):
            return self._over(self.back, self.paper or self.text, bold=True)
        behind = {"selected": self.chosen, "target": self.target, "hinted": self.hint}.get(state)
        return self._over(behind or self.back, self.back_ink)

    def _empty(self, state: str) -> Style:
        ink = {"selected": self.chosen, "target": self.target, "hinted": self.hint}.get(state)
        return self._over(self.table, ink or self.edge_dim, bold=ink is not None)

    def _word(self, role: str) -> Style:
        table = role in ("felt", "label", "label.hot", "note")
        behind = self.table if table else self.panel
        colours = {
            "label": self.dim,
            "label.hot": self.accent,
            "note": self.dim,
            "dim": self.dim,
            "good": self.good,
            "bad": self.bad,
            "warn": self.warn,
            "accent": self.accent,
            "clock": self.accent,
            "clock.late": self.bad,
            "mine": self.accent,
            "key": self.accent,
            "bar.mine": self.accent,
            "bar.other": self.good,
            "bar.rest": self.edge_dim,
            "spark": self.good,
            "gain": self.good,
            "loss": self.bad,
            "title": self.accent,
        }
        bold = role in {
            "label.hot",
            "clock",
            "clock.late",
            "mine",
            "key",
            "strong",
            "title",
            "bad",
            "gain",
            "loss",
            "warn",
        }
        return self._over(behind, colours.get(role, self.text), bold=bold)

    def _over(self, behind: str, ink: str, *, bold: bool = False) -> Style:
        return Style(color=ink or None, bgcolor=behind or None, bold=bold or None)


class _NoColour(Palette):
    """Bold, reversed and underlined only."""

    def _style(self, role: str) -> Style:
        if role.endswith(".selected"):
            return Style(reverse=True, bold=True)
        if role.endswith((".target", ".hinted")) or role == "label.hot":
            return Style(bold=True)
        if role in ("clock.late", "bad", "warn"):
            return Style(reverse=True)
        if role in ("dim", "note", "bar.rest") or role.startswith("empty"):
            return Style(dim=True)
        return Style(
            bold=role in ("key", "title", "mine", "strong", "clock", "gain", "loss") or None
        )


_CARD_INKS: Final = {
    "red": "#c8102e",
    "black": "#1b1b1f",
    "green": "#0b7a3b",
    "blue": "#1450c8",
    "gold": "#8a5200",
    "unknown": "#777777",
}

NIGHT: Final = Palette(
    name="night",
    dark=True,
    ground="#14171d",
    table="#14171d",
    panel="#1b1f27",
    text="#d7dae0",
    dim="#7d8594",
    accent="#f2b24c",
    good="#6cc58b",
    bad="#ff6b6b",
    warn="#f2b24c",
    paper="#eceff4",
    edge_dim="#4a5160",
    back="#2f4a73",
    back_ink="#6f93c8",
    chosen="#ffd76a",
    target="#a9e5bb",
    hint="#9fd0ff",
    inks=_CARD_INKS,
)
DAY: Final = Palette(
    name="day",
    dark=False,
    ground="#f4f2ec",
    table="#e4e9e2",
    panel="#f4f2ec",
    text="#22252b",
    dim="#6b7079",
    accent="#9a5b00",
    good="#1d7a43",
    bad="#b3161d",
    warn="#9a5b00",
    paper="#ffffff",
    edge_dim="#a3aaa4",
    back="#7d9cc9",
    back_ink="#dfe9f7",
    chosen="#ffd76a",
    target="#a9e5bb",
    hint="#9fd0ff",
    inks=_CARD_INKS,
)
FELT: Final = Palette(
    name="felt",
    dark=True,
    ground="#0e3b26",
    table="#12492f",
    panel="#0e3b26",
    text="#e6efe8",
    dim="#93b8a3",
    accent="#ffd166",
    good="#9be7b1",
    bad="#ff8a80",
    warn="#ffd166",
    paper="#fbfaf3",
    edge_dim="#4f8a6b",
    back="#7a2230",
    back_ink="#c9707c",
    chosen="#ffd76a",
    target="#a9e5bb",
    hint="#9fd0ff",
    inks=_CARD_INKS,
)
PLAIN: Final = _NoColour(
    name="plain",
    dark=True,
    ground="",
    table="",
    panel="",
    text="",
    dim="",
    accent="",
    good="",
    bad="",
    warn="",
    paper="",
    edge_dim="",
    back="",
    back_ink="",
    chosen="",
    target="",
    hint="",
    inks=_CARD_INKS,
)
BASIC: Final = Palette(
    name="basic",
    dark=True,
    ground="",
    table="",
    panel="",
    text="",
    dim="cyan",
    accent="yellow",
    good="green",
    bad="red",
    warn="yellow",
    paper="white",
    edge_dim="green",
    back="blue",
    back_ink="cyan",
    chosen="yellow",
    target="green",
    hint="cyan",
    inks={
        "red": "red",
        "black": "black",
        "green": "blue",
        "blue": "magenta",
        "gold": "magenta",
        "unknown": "black",
    },
)
"""For terminals of 8 or 16 colours, where no mixed colour comes out as it was meant."""
PALETTES: Final = {palette.name: palette for palette in (NIGHT, DAY, FELT, PLAIN, BASIC)}


def find_palette(name: str, *, colour: bool = True, few: bool = False) -> Palette:
    """The theme called so; the plain one where there is no colour, the basic one for a few."""
    if not colour or name == PLAIN.name:
        return PLAIN
    return BASIC if few else PALETTES.get(name, NIGHT)

"""Textual's themes, made from our palettes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from textual.theme import BUILTIN_THEMES, Theme

from samedeal_client.tui.palette import PALETTES, Palette

__all__ = ["theme_name", "themes"]


_COLOURS: Final = ("primary", "secondary", "warning", "error", "success", "accent")


def theme_name(palette: Palette) -> str:
    """What Textual calls it."""
    return f"samedeal-{palette.name}"


def themes() -> list[Theme]:
    """One for each palette that has colours; the plain one is the terminal's own."""
    return [_theme(palette) for palette in PALETTES.values()]


def _theme(palette: Palette) -> Theme:
    if not palette.ground:
        plain: dict[str, Any] = dict.fromkeys(_COLOURS, "ansi_default")
        return replace(BUILTIN_THEMES["ansi-dark"], name=theme_name(palette), **plain)
    return Theme(
        name=theme_name(palette),
        primary=palette.accent,
        secondary=palette.good,
        warning=palette.warn,
        error=palette.bad,
        success=palette.good,
        accent=palette.accent,
        foreground=palette.text,
        background=palette.ground,
        surface=palette.panel,
        panel=palette.panel,
        dark=palette.dark,
    )

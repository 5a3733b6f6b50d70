"""The head of the start screens. Pure."""

from __future__ import annotations

from samedeal_client.texts import _
from samedeal_client.tui.canvas import Line, Seg, role_of
from samedeal_client.tui.look import Look
from samedeal_rules.cards import FRENCH

__all__ = ["logo_lines"]

_LEFT = 4
"""Columns: where what stands below begins too."""
_FANNED = ("AS", "KH", "QC", "JD")


def logo_lines(width: int, look: Look) -> list[Line]:
    """Four cards in a fan, the name, and what it is."""
    frame = look.frame("plain")
    rows: list[Line] = [[], [], []]
    for name in _FANNED:
        card = FRENCH.codes[name]
        role = role_of("card", look.ink(FRENCH, card >> 4), "plain")
        text = look.text(FRENCH, card)
        rows[0].append(Seg(f"{frame.top_left}{text}{frame.across}{frame.top_right}", role))
        rows[1].append(Seg(f"{frame.down}   {frame.down}", role))
        rows[2].append(Seg(f"{frame.bottom_left}{frame.across}{text}{frame.bottom_right}", role))
    words = ("S A M E   D E A L", _("everybody races on the same cards"), "")
    roles = ("title", "dim", "text")
    length = 5 * len(_FANNED) + 3 + max(map(len, words))
    left = max(0, min(_LEFT, width - length))
    lines: list[Line] = [[]]
    for row, text, role in zip(rows, words, roles, strict=True):
        lines.append([Seg(" " * left, "text"), *row, Seg(f"   {text}", role)])
    lines.append([])
    return lines

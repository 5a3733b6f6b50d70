"""A grid of characters, each with a role; read out as lines of segments. Pure."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Canvas", "Line", "Seg", "role_of"]


class Seg(NamedTuple):
    """Characters of one role; the palette knows what a role looks like."""

    text: str
    role: str


Line = list[Seg]


def role_of(*parts: str) -> str:
    """`card.red.selected`: the general before the special."""
    return ".".join(parts)


class Canvas:
    """Width x height characters, each one column wide. What lies outside is cut off."""

    def __init__(self, width: int, height: int, role: str = "felt") -> None:
        self.width, self.height = width, height
        self._signs = [[" "] * width for _ in range(height)]
        self._roles = [[role] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, role: str) -> None:
        """Write a text from here to the right."""
        if not 0 <= y < self.height:
            return
        signs, roles = self._signs[y], self._roles[y]
        for at, sign in enumerate(text, x):
            if 0 <= at < self.width:
                signs[at] = sign
                roles[at] = role

    def lines(self) -> list[Line]:
        """Row by row, neighbours of one role together."""
        return [
            _joined(signs, roles) for signs, roles in zip(self._signs, self._roles, strict=True)
        ]


def _joined(signs: list[str], roles: list[str]) -> Line:
    line: Line = []
    start = 0
    for at in range(1, len(signs) + 1):
        if at == len(signs) or roles[at] != roles[start]:
            line.append(Seg("".join(signs[start:at]), roles[start]))
            start = at
    return line

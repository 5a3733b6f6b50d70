"""Sentences that can be said in other languages by whoever has a catalogue of them."""

from __future__ import annotations

from typing import Self

__all__ = ["Wording"]


class Wording(str):
    """An English sentence that remembers its template and what was filled in.

    The rules speak English; an application looks the template up in its own catalogue. The
    template is a literal, so that its tools can find it.
    """

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, **values: object) -> Self:
        """`Wording("more than {most}", most=5)` is the text `more than 5`."""
        wording = super().__new__(cls, template.format(**values))
        wording.template, wording.values = template, values
        return wording

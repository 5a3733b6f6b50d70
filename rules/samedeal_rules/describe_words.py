"""Looking words up in a catalogue. Pure."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["Words"]


class Words:
    """A catalogue of one language, to be called with a key and what goes into its text."""

    def __init__(self, catalogue: Mapping[str, str]) -> None:
        self._catalogue = catalogue

    def __call__(self, key: str, **values: object) -> str:
        """The text, filled in. Raises KeyError for a key that there is not."""
        return self._catalogue[key].format(**values)

    def of(self, kind: str, name: str) -> str:
        """The text for `name`, else for its family (what stands before a dash), else nothing."""
        family = name.partition("-")[0]
        found = self._catalogue.get(f"{kind}.{name}", self._catalogue.get(f"{kind}.{family}"))
        return found or ""

    def rank(self, sign: str) -> str:
        """A rank's name; a number is its own."""
        return self._catalogue.get(f"rank.{sign}", sign)

    def number(self, points: int) -> str:
        """With the thousands apart, as this language has it."""
        return f"{points:,}".replace(",", "." if self("word.and") == "y" else ",")

    def signed(self, points: int) -> str:
        """`+10`, `-1,000`, `0`."""
        return "0" if not points else ("+" if points > 0 else "-") + self.number(abs(points))

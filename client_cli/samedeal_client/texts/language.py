"""Which language a person reads: a wish, a setting, or the locale. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

__all__ = ["ENGLISH", "LANGUAGES", "VARIABLE", "UnknownLanguage", "chosen_language"]

ENGLISH: Final = "en"
"""The language of the sources: it needs no catalogue."""
LANGUAGES: Final = {ENGLISH: "English", "es": "Español"}
"""By their codes, each called as its speakers call it; all but English have a catalogue here."""
VARIABLE: Final = "SAMEDEAL_LANG"
_LOCALES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The first of them that is set is the locale of messages, as POSIX has it."""
_UNTRANSLATED: Final = ("C", "POSIX")


class UnknownLanguage(ValueError):
    """Somebody asked by name for a language that there is not."""

    def __init__(self, wanted: str, asked_by: str) -> None:
        known = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
        super().__init__(f"{asked_by} asks for the language {wanted!r}; there are: {known}")
        self.wanted = wanted


def chosen_language(environment: Mapping[str, str], setting: str | None = None) -> str:
    """One of LANGUAGES: SAMEDEAL_LANG's, else the setting's, else the locale's, else English.

    Raises UnknownLanguage for a wish that can't be met; a locale is no wish.
    """
    for wanted, asked_by in ((environment.get(VARIABLE), VARIABLE), (setting, "language")):
        if wanted:
            found = _known(wanted)
            if found is None:
                raise UnknownLanguage(wanted, asked_by)
            return found
    return next(filter(None, map(_known, _of_locale(environment))), ENGLISH)


def _of_locale(environment: Mapping[str, str]) -> Iterator[str]:
    """Best first. LANGUAGE is a list that precedes any locale but C, as in GNU gettext."""
    locale = next(filter(None, map(environment.get, _LOCALES)), _UNTRANSLATED[0])
    if locale.partition(".")[0] in _UNTRANSLATED:
        return
    yield from environment.get("LANGUAGE", "").split(":")
    yield locale


def _known(name: str) -> str | None:
    """`es_ES.UTF-8`, `es-MX`, `ES`: es."""
    code = name.replace("-", "_").partition("_")[0].partition(".")[0].partition("@")[0].lower()
    return code if code in LANGUAGES else None

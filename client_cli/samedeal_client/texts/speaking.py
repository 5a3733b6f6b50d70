"""Texts in the language that the program speaks just now.

The language is a context variable: chosen once where the program starts, inherited by every task
that is started below, and another one for each test that wants it (docs/decisions says why).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from typing import Final

from samedeal_client.texts.language import ENGLISH

__all__ = ["N_", "_", "_n", "_p", "current_language", "speaking"]


@dataclass(frozen=True)
class _Spoken:
    language: str = ENGLISH
    catalogue: NullTranslations = field(default_factory=NullTranslations)


_ENGLISH: Final = _Spoken()
_spoken: Final = ContextVar("samedeal_language", default=_ENGLISH)


def _(message: str) -> str:
    """The text in the language spoken; English if it has no translation.

    A literal with named places: `_("{name} is here").format(name=name)`.
    """
    return _spoken.get().catalogue.gettext(message)


def _n(one: str, many: str, count: int) -> str:
    """The form for this count: `_n("{count} card", "{count} cards", n).format(count=n)`."""
    return _spoken.get().catalogue.ngettext(one, many, count)


def _p(context: str, message: str) -> str:
    """A text that has two translations, told apart by a context that nobody sees."""
    return _spoken.get().catalogue.pgettext(context, message)


def N_(message: str) -> str:  # noqa: N802  (the name that every gettext tool knows)
    """Mark the text of a constant for translation; who shows it calls `_` on it."""
    return message


def current_language() -> str:
    """The code of the language spoken: `en`, `es`."""
    return _spoken.get().language


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak one of LANGUAGES in here, and in every task that is started in here."""
    token = _spoken.set(_Spoken(language, _catalogue(language)))
    try:
        yield
    finally:
        _spoken.reset(token)


def _catalogue(language: str) -> NullTranslations:
    if language == ENGLISH:
        return NullTranslations()
    with files("samedeal_client.texts").joinpath(f"{language}.mo").open("rb") as file:
        return GNUTranslations(file)

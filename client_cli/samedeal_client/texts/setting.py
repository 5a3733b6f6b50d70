"""The language that the settings file asks for, read before anything else is."""

from __future__ import annotations

import tomllib
from pathlib import Path

from samedeal_client.texts.language import LANGUAGES

__all__ = ["language_setting"]


def language_setting(file: Path) -> str | None:
    """The file's `language`; None where it has none of ours.

    What else may be wrong with the file is for who reads all of it to say.
    """
    try:
        language = tomllib.loads(file.read_text("utf-8")).get("language")
    except (OSError, ValueError):
        return None
    return language if isinstance(language, str) and language in LANGUAGES else None

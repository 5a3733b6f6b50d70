"""Which language is spoken."""

from __future__ import annotations

import pytest

from samedeal_client.texts import UnknownLanguage, chosen_language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "es"}, "es"),
        ({"LANG": "es_AR@euro"}, "es"),
        ({"LANG": "xx_XX.UTF-8"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_MESSAGES": "en_GB.UTF-8", "LC_ALL": "es_ES"}, "es"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "POSIX"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": ""}, "es"),
        ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "fr:es:en"}, "es"),
        ({"LANG": "C", "LANGUAGE": "es"}, "en"),
        ({"LANG": "C", "SAMEDEAL_LANG": "es"}, "es"),
        ({"LANG": "es_ES.UTF-8", "SAMEDEAL_LANG": "en"}, "en"),
    ],
)
def test_the_locale_decides_as_posix_has_it(environment: dict[str, str], language: str) -> None:
    """Case 71: LC_ALL, LC_MESSAGES, LANG; C is English; SAMEDEAL_LANG beats them all."""
    assert chosen_language(environment) == language


def test_a_setting_beats_the_locale_and_the_variable_the_setting() -> None:
    """Whoever sets it means it."""
    assert chosen_language({"LANG": "es_ES"}, "en") == "en"
    assert chosen_language({"SAMEDEAL_LANG": "es"}, "en") == "es"


@pytest.mark.parametrize(
    ("environment", "setting", "says"),
    [({"SAMEDEAL_LANG": "klingon"}, None, "SAMEDEAL_LANG"), ({}, "klingon", "language")],
)
def test_a_wish_that_cannot_be_met_is_an_error(
    environment: dict[str, str], setting: str | None, says: str
) -> None:
    """It names who asks, for what, and what there is."""
    with pytest.raises(UnknownLanguage) as caught:
        chosen_language(environment, setting)
    assert str(caught.value) == (
        f"{says} asks for the language 'klingon'; there are: en (English), es (Español)"
    )

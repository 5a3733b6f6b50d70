"""The catalogues of the client's texts: whole, true to the sources, compiled."""

from __future__ import annotations

import re
import string
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Message

from samedeal_client.server_words import error_words, note_words
from samedeal_client.texts import LANGUAGES, speaking
from samedeal_protocol import ErrorCode

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
import make_texts


def _forms(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def _translations(message: Message) -> tuple[str, ...]:
    said = message.string or ""
    return (said,) if isinstance(said, str) else tuple(said)


def _places(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name}


def _messages() -> Iterator[tuple[str, Message]]:
    for language in make_texts.TRANSLATED:
        for message in make_texts.updated(language):
            if message.id:
                yield language, message


def test_catalogues_are_what_the_sources_give() -> None:
    """`make texts` would change nothing: every .po has just the texts, every .mo is compiled."""
    assert list(make_texts.stale()) == []


def test_the_wheel_has_every_catalogue(tmp_path: Path) -> None:
    """The compiled files are there for whoever installs the program."""
    build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path))
    subprocess.run(build, cwd=make_texts.ROOT, check=True, capture_output=True, timeout=60)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        for language in LANGUAGES.keys() - {"en"}:
            compiled = f"samedeal_client/texts/{language}.mo"
            assert wheel.read(compiled) == (make_texts.CLIENT.parent / compiled).read_bytes()


def test_every_text_is_translated() -> None:
    """No text without a translation, none that is a guess (fuzzy), all forms of counted things."""
    missing = [
        message.id
        for _language, message in _messages()
        if message.fuzzy or not all(_translations(message))
    ]
    assert not missing


def test_translations_have_the_places_of_their_texts() -> None:
    """`{name}` stays `{name}`; what begins or ends with a blank or a line feed keeps that."""
    for _language, message in _messages():
        for said in _translations(message):
            many = _forms(message)[-1]
            assert _places(said) <= _places(many), said
            assert _places(said) >= _places(_forms(message)[0]), said
            assert re.match(r"\s*", said)[0] == re.match(r"\s*", many)[0], said  # type: ignore[index]
            assert said[len(said.rstrip()) :] == many[len(many.rstrip()) :], said


def test_every_error_code_has_a_sentence_of_ours() -> None:
    """In English the server's words are told; else ours, and the server's where they say more."""
    for code in ErrorCode:
        assert error_words(code, "as it came") == "as it came"
    with speaking("es"):
        for code in ErrorCode:
            assert error_words(code, "as it came") != "as it came", code
        assert error_words(ErrorCode.FULL, "all taken").startswith("todos los puestos")
        told = error_words(ErrorCode.OUT_OF_RANGE, "seats: 2 to 1000")
        assert told.endswith("(seats: 2 to 1000)")
        assert error_words(ErrorCode.WRONG_STATE, "your game has ended") == (
            "tu partida ha terminado"
        )


@pytest.mark.parametrize(
    ("note", "spanish"),
    [
        ("the host left", "quien creó el duelo se ha ido"),
        ("Zoë {x} left", "Zoë {x} se ha ido"),
        ("Ana, Bo did not confirm the start", "sin confirmar el comienzo: Ana, Bo"),
        ("something new", "something new"),
    ],
)
def test_notes_of_a_duel_are_told_in_the_language_spoken(note: str, spanish: str) -> None:
    """Names are left as they are; a note that this program does not know stays as it came."""
    assert note_words(note) == note
    with speaking("es"):
        assert note_words(note) == spanish

"""`samedeal play --plain` and its kin where the locale is Spanish."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from client.fake_server import CODE, FakeServer
from client.plain.test_play import finish_after, played, surroundings
from samedeal_protocol import ErrorCode

SPANISH = {"LANG": "es_ES.UTF-8"}
ENGLISH_WORDS = (" the ", " your ", "You ", " of ", " and ", " is ", "Goodbye", " score")


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer() as server:
        yield server


async def test_a_whole_duel_is_told_in_spanish(server: FakeServer, tmp_path: Path) -> None:
    """Case 71: from hello to goodbye no English but names, moves and the words of the deal."""
    ending = asyncio.create_task(finish_after(server, 4))
    code, out = await played(
        server,
        tmp_path,
        "listo\nd\nd\nqué\nr\npuntos\nayuda\nu\nend\nguardar acta.json\nguardar acta.json\nsalir\n",
        "join",
        CODE,
        "--plain",
        "--name",
        "Ana",
        "--yes",
        **SPANISH,
    )
    await ending
    assert code == 0, out
    assert "Same Deal: todos compiten con las mismas cartas." in out
    assert "Hola, Ana." in out
    assert "d: robas " in out
    assert "Eso no es una jugada" in out
    assert "No: para dar otra vuelta el mazo tiene que estar vacío." in out
    assert "robar 3 cartas del mazo" in out
    assert "cuesta 1.000" in out
    assert "-1.000 deshacer" in out
    assert "Has terminado tu partida." in out
    assert "repetidas nuestras jugadas, sale justo nuestra puntuación" in out
    assert "acta.json ya existe" in out
    assert (tmp_path / "acta.json").is_file()
    assert out.rstrip().endswith("Hasta luego.")
    found = [word for word in ENGLISH_WORDS if word in out]
    assert not found, out


async def test_a_refusal_of_the_server_is_told_in_spanish(
    server: FakeServer, tmp_path: Path
) -> None:
    """By its code, in a sentence of ours."""
    server.refuse_hello = ErrorCode.NAME_TAKEN
    _code, out = await played(server, tmp_path, "", "--name", "Ana", **SPANISH)
    assert "ese nombre es de otra persona; elige otro." in out


async def test_one_may_wish_for_english_all_the_same(server: FakeServer, tmp_path: Path) -> None:
    """SAMEDEAL_LANG beats the locale."""
    _code, out = await played(
        server, tmp_path, "q\n", "--name", "Ana", **SPANISH, SAMEDEAL_LANG="en"
    )
    assert "Hello, Ana." in out


def test_a_language_that_there_is_not_is_one_line_and_code_2(tmp_path: Path) -> None:
    """It says who asks for it, and which there are."""
    done = subprocess.run(
        [sys.executable, "-m", "samedeal_client.main", "--help"],
        env=surroundings(tmp_path, SAMEDEAL_LANG="tlh"),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == (
        "samedeal: SAMEDEAL_LANG asks for the language 'tlh'; there are: en (English), "
        "es (Español)\n"
    )


def test_the_help_of_every_command_is_spanish_too(tmp_path: Path) -> None:
    """Its headings too."""
    for name, says in (
        ("play", "Juega en el terminal"),
        ("verify", "Comprueba un duelo acabado"),
        ("judge", "Repite registros"),
        ("deal", "Muestra el reparto"),
        ("top", "Las mejores partidas"),
        ("rules", "Las reglas y los puntos"),
        ("replay", "Muestra paso a paso"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "samedeal_client.main", name, "--help"],
            env=surroundings(tmp_path, **SPANISH),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=30,
            check=True,
        )
        assert says in done.stdout
        assert done.stdout.startswith(f"uso: samedeal {name} [-h]")
        assert "\nopciones:\n  -h, --help" in done.stdout

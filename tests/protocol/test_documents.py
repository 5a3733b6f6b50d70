"""README and ARCHITECTURE are held to the code where they can be."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import draw_lifecycle
from samedeal_client.main import COMMANDS
from samedeal_protocol import DuelPhase
from samedeal_server.domain.lifecycle import TRANSITIONS
from samedeal_server.settings import Settings
from samedeal_server.store import keys

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
DOCUMENTS = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "protocol").glob("*.md"),
]


def _rows(text: str, columns: int) -> list[list[str]]:
    rows = re.findall(r"^\| (.*) \|$", text, re.MULTILINE)
    cells = [row.split(" | ") for row in rows if not row.startswith("---")]
    return [row for row in cells if len(row) == columns]


def _shown_default(name: str) -> str:
    if name == "data_dir":
        return "the user's data directory"
    default = Settings.model_fields[name].default
    return f"`{default}`" if default != "" else "empty"


def test_the_table_of_settings_is_whole_and_true() -> None:
    """Every setting with its flag, variable and default, in the order of the code."""
    rows = _rows(README.split("### Settings")[1].split("\n## ")[0], 4)[1:]
    assert [row[:3] for row in rows] == [
        [f"`--{name.replace('_', '-')}`", f"`SAMEDEAL_{name.upper()}`", _shown_default(name)]
        for name in Settings.model_fields
    ]


def test_the_table_of_commands_is_whole() -> None:
    """Every command of the program, and no other."""
    rows = _rows(README.split("## Commands")[1].split("\n## ")[0], 2)[1:]
    assert {row[0] for row in rows} == {f"`samedeal {name}`" for name in COMMANDS}


def test_verbs_of_make_that_documents_name_exist() -> None:
    """No document promises a verb that the Makefile does not have."""
    verbs = set(
        re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    )
    for path in DOCUMENTS:
        text = path.read_text("utf-8")
        named = re.findall(r"^make ([a-z]+)|`make ([a-z]+)", text, re.MULTILINE)
        assert {a or b for a, b in named} <= verbs, path.name


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    """Every link to a file, and to a heading in it."""
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8")):
        if target.startswith("https://"):
            continue
        file, _, anchor = target.partition("#")
        linked = (path.parent / file).resolve() if file else path
        assert linked.exists(), target
        if anchor:
            assert anchor in _anchors(linked), target


def _anchors(path: Path) -> set[str]:
    """Headings as they are linked to: repeated ones get -1, -2 …"""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.*)$", path.read_text("utf-8"), re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number, anchor = 0, plain
        while anchor in found:
            number += 1
            anchor = f"{plain}-{number}"
        found.add(anchor)
    return found


# The lifecycle.


def test_the_diagrams_are_drawn_from_the_code(capsys: pytest.CaptureFixture[str]) -> None:
    """In ARCHITECTURE.md and in PROTOCOL.md."""
    assert draw_lifecycle.main(["--check"]) == 0, capsys.readouterr().out
    for path in draw_lifecycle.DRAWN_IN:
        assert draw_lifecycle.diagram() in path.read_text("utf-8")


def test_the_walk_uses_every_row_of_the_table() -> None:
    """So the diagram can't miss a change of phase."""
    _edges, rows = draw_lifecycle.walk()
    assert rows == set(TRANSITIONS)


def test_every_phase_is_in_the_diagram() -> None:
    """Those of the wire, by their names there."""
    drawn = set(re.findall(r"\w+", draw_lifecycle.diagram()))
    assert {phase.value for phase in DuelPhase} <= drawn


def test_architecture_has_every_key_of_the_store() -> None:
    """With the placeholders of its table put in, each function of keys.py makes one of its rows."""
    named = {"duel": "p00ID", "player": "PLAYER", "partition": "p00", "node": "NODE"}
    named |= {"code": "CODE", "folded": "NAME", "ruleset": "RULESET", "seats": "SEATS"}
    named |= {"table": "TABLE", "key": "KEY"}
    for name in keys.__all__:
        made = getattr(keys, name)
        if callable(made) and (name.endswith(("_key", "_channel"))):
            made = made(*(named[parameter] for parameter in inspect.signature(made).parameters))
        elif callable(made):
            continue  # parts of keys, and lists of them
        assert f"`{made.replace('p00ID', 'ID')}`" in ARCHITECTURE, name
    listed = set(re.findall(r"`(sd:[^`]*)`", ARCHITECTURE))
    assert len(listed) == sum(
        name.endswith(("_key", "_channel")) or name.isupper() for name in keys.__all__
    )


def test_architecture_names_every_script_and_module_of_the_store() -> None:
    """A script that nobody has written about would be missing here."""
    for script in (ROOT / "server/samedeal_server/store/lua").glob("*.lua"):
        assert f"`{script.name}`" in ARCHITECTURE, script.name

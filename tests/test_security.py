"""docs/security.md is held to what the tests show."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "security.md").read_text("utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in TEXT.splitlines()
    if line.startswith("| ") and not line.startswith(("| threat", "| ---"))
]


@cache
def _tests_of(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return frozenset(
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
    )


def test_every_threat_has_its_test() -> None:
    """A threat, what is done, and at least one test that exists, by file and name."""
    assert len(ROWS) > 30
    for row in ROWS:
        threat, done, shown = row
        assert threat
        assert done
        named = re.findall(r"(tests/\S+\.py)::(\w+)", shown)
        assert named, f"{threat}: shown by nothing"
        assert len(named) == shown.count("::") == shown.count(",") + 1
        for file, name in named:
            assert name in _tests_of(file), f"{file}::{name} does not exist"

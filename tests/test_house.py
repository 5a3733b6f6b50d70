"""What every module of ours keeps to: short enough to read, its surface written down."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
COMPONENTS = ("rules", "protocol", "server", "client_cli", "bots", "bench")
LONGEST_FUNCTION = 50
REGISTRY = "samedeal_rules/rulesets/__init__.py"
"""The one `__init__` that defines something: how the list in it is searched."""


def _packages() -> list[Path]:
    return [path for part in COMPONENTS for path in (ROOT / part).glob("samedeal_*")]


def _modules() -> list[Path]:
    return sorted(path for package in _packages() for path in package.rglob("*.py"))


def _name(path: Path) -> str:
    return "/".join(path.relative_to(ROOT).parts[1:])


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _public(tree: ast.Module) -> set[str]:
    """What a module defines at its top, without a leading underscore."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
    return {name for name in found if not name.startswith("_")}


@pytest.mark.parametrize("path", _modules(), ids=_name)
def test_a_module_can_be_read_in_one_sitting(path: Path) -> None:
    """At most 400 lines, functions at most 50, and a line to say what it is for."""
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= 400
    tree = ast.parse(text)
    for function in _functions(tree):
        length = (function.end_lineno or 0) - function.lineno + 1
        assert length <= LONGEST_FUNCTION, f"{function.name}: {length} lines"
    assert path.name == "__init__.py" or ast.get_docstring(tree)


@pytest.mark.parametrize(
    "path", [path for path in _modules() if path.name != "__init__.py"], ids=_name
)
def test_all_is_exactly_what_the_module_offers(path: Path) -> None:
    """Every name in `__all__` is there, and no public function or class is missing from it."""
    module = importlib.import_module(".".join(Path(_name(path)).with_suffix("").parts))
    offered = module.__all__
    assert len(set(offered)) == len(offered)
    assert all(hasattr(module, name) for name in offered)
    assert _public(ast.parse(path.read_text("utf-8"))) <= set(offered)


@pytest.mark.parametrize("package", _packages(), ids=lambda path: path.name)
def test_a_package_is_typed_and_only_reexports(package: Path) -> None:
    """`py.typed` is there, and no `__init__` defines anything."""
    assert (package / "py.typed").exists()
    for path in package.rglob("__init__.py"):
        if _name(path) == REGISTRY:
            continue
        for node in ast.parse(path.read_text("utf-8")).body:
            allowed = ast.Import | ast.ImportFrom | ast.Expr | ast.Assign | ast.AnnAssign
            assert isinstance(node, allowed), f"{path}:{node.lineno}"


def test_decisions_are_numbered_without_a_gap() -> None:
    """File names and titles count 1, 2, 3, ...; every link to one leads somewhere."""
    folder = ROOT / "docs" / "decisions"
    files = sorted(path.name for path in folder.iterdir())
    assert [int(name[:3]) for name in files] == list(range(1, len(files) + 1))
    for number, name in enumerate(files, start=1):
        assert (folder / name).read_text("utf-8").startswith(f"# {number}. ")
    texts = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    for path in texts:
        for said, name in re.findall(
            r"\[decision (\d+)\]\((?:docs/)?decisions/([^)]+)\)", path.read_text("utf-8")
        ):
            assert name in files, f"{path.name}: {name}"
            assert name.startswith(f"{int(said):03}-"), f"{path.name}: {name}"

"""Reference counts: lines of play from given deals, by two generators that share no code."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from samedeal_rules import RULESETS

from .naive_game import Referee

ROOT = Path(__file__).parents[2]
_spec = importlib.util.spec_from_file_location("count_perft", ROOT / "tools" / "count_perft.py")
assert _spec is not None
assert _spec.loader is not None
tool: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(tool)

CASES = [
    pytest.param(name, entry, id=f"{name} {entry.options} {entry.seed}")
    for name in RULESETS
    for entry in tool.read_table(tool.TABLES / f"{name}.txt")
]


@pytest.mark.parametrize(("name", "entry"), CASES)
def test_the_engine_counts_what_the_table_says(name: str, entry: Any) -> None:
    """On a mismatch the counts below each first move are shown."""
    found = tool.count(name, entry.options, entry.seed, len(entry.counts))
    assert found == entry.counts, tool.divided(name, entry)


@pytest.mark.parametrize(("name", "entry"), CASES)
def test_the_referee_still_counts_what_the_table_says(name: str, entry: Any) -> None:
    """Two moves less deep, to be quick; the whole table is made by it."""
    depth = max(2, len(entry.counts) - 2)
    assert Referee(name, entry.seed, entry.options).perft(depth) == entry.counts[:depth]


def test_there_is_a_table_for_every_ruleset_and_every_option() -> None:
    """At least three deals each, and each option of each ruleset in one."""
    for name, ruleset in RULESETS.items():
        entries = tool.read_table(tool.TABLES / f"{name}.txt")
        assert len(entries) >= 3
        counted = {option for entry in entries for option in entry.options}
        assert counted == {option.name for option in ruleset.options}


def test_a_table_reads_back() -> None:
    """What the tool writes is what it reads."""
    for name in RULESETS:
        path = tool.TABLES / f"{name}.txt"
        assert tool.table_text(tool.read_table(path)) == path.read_text("utf-8")

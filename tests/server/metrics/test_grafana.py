"""What documents say of the figures is so: the dashboard, the table, the alerts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from prometheus_client.core import Metric
from prometheus_client.parser import text_string_to_metric_families

from samedeal_server.metrics.counts import Counts
from samedeal_server.metrics.families import Now
from samedeal_server.metrics.page import MetricsPage

DOCS: Final = Path(__file__).parents[3] / "docs"
NAME: Final = re.compile(r"\b(?:samedeal|process)_[a-z_]+")


@cache
def _families() -> dict[str, Metric]:
    """By name, read from a page as a Prometheus would."""
    now = Now(
        connections=0,
        no_room=0,
        pressure=0,
        players=0,
        duels={"open": 0},
        moves_waiting=0,
        partitions_away=0,
    )
    page = MetricsPage(Counts(), lambda: now).text().decode()
    return {family.name: family for family in text_string_to_metric_families(page)}


def _samples() -> dict[str, set[str]]:
    """Names that a query may use, with their labels."""
    found: dict[str, set[str]] = {}
    for family in _families().values():
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


def _panels() -> list[dict[str, Any]]:
    dashboard = json.loads((DOCS / "grafana.json").read_text("utf-8"))
    panels: list[dict[str, Any]] = dashboard["panels"]
    return panels


def _queries() -> Iterator[str]:
    for panel in _panels():
        for target in panel.get("targets", ()):
            yield target["expr"]


def test_each_query_of_the_dashboard_has_figures() -> None:
    """Every name is one of the page, every label one of that name's."""
    samples = _samples()
    queries = list(_queries())
    assert len(queries) > 30
    for query in queries:
        names = NAME.findall(query)
        assert names, query
        assert set(names) <= samples.keys(), query
        labels = {
            label.strip()
            for labels in re.findall(r"by \(([^)]*)\)", query)
            for label in labels.split(",")
        } | set(re.findall(r"(\w+)=", query.replace('job=~"$job"', "")))
        assert labels <= set().union(*(samples[name] for name in names)), query


def test_every_figure_of_ours_is_on_the_dashboard() -> None:
    """None is counted that nobody looks at."""
    shown = {name for query in _queries() for name in NAME.findall(query)}
    for family in _families().values():
        if family.name.startswith("samedeal_"):
            assert shown & {sample.name for sample in family.samples}, family.name


def test_the_dashboard_can_be_imported() -> None:
    """Ids are unique, nothing overlaps, the data source is asked for, rates are of counters."""
    panels = _panels()
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        assert panel["title"]
        at = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not cells & taken
        assert max(x for x, _ in cells) < 24
        taken |= cells
        if panel["type"] != "row":
            assert panel["datasource"]["uid"] == "${datasource}"
    for query in _queries():
        for name in re.findall(r"(?:rate|increase)\((\w+)", query):
            assert name.endswith(("_total", "_bucket", "_sum", "_count")), query


def _operations() -> str:
    return (DOCS / "operations.md").read_text("utf-8").split("### Figures")[1].split("\n## ")[0]


def test_the_table_of_figures_is_whole_and_true() -> None:
    """Each of ours, by the name that a query uses, with its kind and its labels."""
    rows = re.findall(r"^\| `(samedeal_\w+)`(?: `(\w+)`)? \| (\w+) \| \S.*\|$", _operations(), re.M)
    expected = set()
    for family in _families().values():
        if not family.name.startswith("samedeal_"):
            continue
        labels = {name for sample in family.samples for name in sample.labels} - {"le"}
        name = f"{family.name}_total" if family.type == "counter" else family.name
        expected.add((name, labels.pop() if labels else "", family.type))
    assert set(rows) == expected
    assert len(rows) == len(expected)


def test_the_alerts_use_figures_that_there_are() -> None:
    """And each says what to do."""
    rules = _operations().split("```yaml")[1].split("```")[0]
    queries = re.findall(r"^ +expr: (.*)$", rules, re.M)
    assert len(queries) >= 5
    for query in queries:
        names = NAME.findall(query)
        assert names, query
        assert set(names) <= _samples().keys(), query
    assert len(re.findall(r"^ +summary: ", rules, re.M)) == len(queries)

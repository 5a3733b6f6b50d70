"""The figures of a run, for people."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from faults.run import Outcome

__all__ = ["report_text", "summary", "write_report"]

_BLOCK: Final = re.compile(r"(<!-- soak: make soak -->\n).*?(<!-- /soak -->)", re.DOTALL)


def summary(outcome: Outcome) -> str:
    """In a few lines."""
    return (
        f"seed {outcome.plan.seed}: {sum(outcome.faults.values())} faults, "
        f"{outcome.acknowledged} moves acknowledged ({outcome.repeated} again, "
        f"{outcome.refused} refused), {outcome.finished} duels finished, "
        f"{sum(outcome.aborted.values())} aborted {outcome.aborted}, "
        f"{len(outcome.violations)} violations, "
        f"{outcome.seconds:.0f} s ({outcome.cpu_s:.0f} s CPU)"
    )


def report_text(outcome: Outcome) -> str:
    """Two tables."""
    return "\n".join(_lines(outcome)) + "\n"


def _lines(outcome: Outcome) -> Iterator[str]:
    yield f"Seed {outcome.plan.seed}, {_machine()}."
    yield ""
    yield "| what | figure |"
    yield "| --- | --- |"
    for what, figure in _figures(outcome):
        yield f"| {what} | {figure} |"
    yield ""
    yield "| fault | injected |"
    yield "| --- | --- |"
    for kind, count in sorted(outcome.faults.items(), key=lambda item: (-item[1], item[0])):
        yield f"| {kind} | {count} |"


def _figures(outcome: Outcome) -> Iterator[tuple[str, object]]:
    yield "wall time", f"{outcome.seconds:.0f} s"
    yield "CPU time of harness, nodes and store", f"{outcome.cpu_s:.0f} s"
    yield "faults injected", sum(outcome.faults.values())
    yield "moves acknowledged", f"{outcome.acknowledged:,}"
    yield "of them sent and answered again", f"{outcome.repeated:,}"
    yield "moves refused", f"{outcome.refused:,}"
    yield "entries in the journals that were checked", f"{outcome.entries:,}"
    yield "duels finished (players in them)", f"{outcome.finished:,} ({outcome.players:,})"
    aborted = ", ".join(f"{why} {n}" for why, n in sorted(outcome.aborted.items()))
    yield "duels aborted", f"{sum(outcome.aborted.values())} ({aborted})"
    yield "connections", f"{outcome.connections:,}"
    yield "node processes started", outcome.node_starts
    yield "most memory of a node", f"{outcome.peak_mib:.0f} MiB"
    yield "longest from first seat to end, the duration left out", f"{outcome.slowest_s:.1f} s"
    yield "keys of duels left after their expiry", outcome.keys_left
    yield "**violations**", f"**{len(outcome.violations)}**"


def _machine() -> str:
    cores = os.cpu_count()
    return f"{cores} cores ({platform.machine()}), Python {platform.python_version()}"


def write_report(path: Path, text: str) -> None:
    """Put the figures between the marks of the document."""
    document = path.read_text("utf-8")
    found = _BLOCK.search(document)
    if found is None:
        raise SystemExit(f"{path} has no <!-- soak: make soak --> block")
    path.write_text(_BLOCK.sub(lambda m: f"{m[1]}{text}{m[2]}", document), "utf-8")

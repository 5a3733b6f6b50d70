"""The harness itself, short: a few seeds find nothing, and planted bugs are found.

`make soak` does the same for as long as you like. Each run is a process of its own, as there.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from faults.planted import PLANTED
from faults.schedule import FAILOVER, HUNT, KINDS, WORKERS, schedule

TESTS = Path(__file__).parent.parent


def _soak(*flags: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "faults.soak", *flags],
        cwd=TESTS,
        capture_output=True,
        text=True,
        timeout=115,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_short_seeds_break_no_promise(seed: int) -> None:
    """A dozen faults each; every law of the checker holds, no key and no process is left."""
    flags = ["--minutes", "0.3", "--every", "1.2", "--clients", "14"]
    done = _soak(*flags, "--seed", str(seed))
    assert done.returncode == 0, done.stdout + done.stderr
    assert ", 0 violations" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("bug", sorted(PLANTED))
def test_planted_bugs_are_found(bug: str) -> None:
    """A node with this bug is caught within a minute: the harness can fail."""
    done = _soak("--minutes", "1", "--seed", "5", "--bug", bug, "--every", "0.3")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "VIOLATION" in done.stdout
    assert "no orphan" not in done.stdout


def test_the_schedule_follows_from_the_seed() -> None:
    """The same seed, the same faults at the same times; another seed, others."""
    first, again, other = (list(schedule(seed, 3600, 1.7)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert {fault.kind for fault in first} == set(KINDS)
    for kinds in (FAILOVER, WORKERS, HUNT):
        assert {fault.kind for fault in schedule(1, 3600, 1.7, kinds)} == set(kinds)
    assert 1500 <= len(first) <= 2400
    assert [fault.at_s for fault in first] == sorted(fault.at_s for fault in first)

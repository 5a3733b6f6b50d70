"""`make soak`: faults against real processes, for as long as you like.

A seed gives the schedule, and nothing else does. What the processes make of it also depends on
the machine: replaying a failing seed gives the same faults at the same times, not the same races.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import shutil
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Final

import uvloop

from faults.planted import PLANTED
from faults.report import report_text, summary, write_report
from faults.run import Outcome, Plan, perform
from faults.schedule import FAILOVER, HUNT, WORKERS, schedule

__all__ = ["main"]

SHOWN: Final = 20
"""Violations; the first few say it all."""


def main(argv: list[str]) -> int:
    """0 if every promise was kept (or, with --bug, if the bug was found)."""
    args = _parser().parse_args(argv)
    seed = secrets.randbelow(10**6) if args.seed is None else args.seed
    plan = Plan(
        seed=seed,
        seconds=args.minutes * 60,
        every_s=args.every,
        clients=args.clients,
        bug=args.bug or "sound",
        failover=args.failover,
        workers=args.workers,
        until_violation=bool(args.bug),
        quick=not args.bug and args.minutes >= 5,
        **(
            {"kept_s": 40.0} if args.minutes >= 5 else {"kept_s": 20.0} if args.minutes >= 1 else {}
        ),
        **({"kinds": FAILOVER} if args.failover else {}),
        **({"kinds": WORKERS} if args.workers > 1 else {}),
        **({"shortest_ms": 3_000, "longest_ms": 6_000, "kinds": HUNT} if args.bug else {}),
    )
    print(f"seed {seed}", flush=True)
    workdir = Path(tempfile.mkdtemp(prefix="samedeal-faults-"))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        outcome = runner.run(perform(plan, workdir, _say if args.verbose else _brief))
    _tell(outcome, workdir)
    if args.report:
        write_report(Path(args.report), report_text(outcome))
    found = bool(outcome.violations or outcome.troubles)
    good = found if args.bug else not found
    if good:
        shutil.rmtree(workdir, ignore_errors=True)
    return 0 if good else 1


def _say(text: str) -> None:
    print(text, flush=True)


def _brief(text: str) -> None:
    if text.startswith("---"):
        print(text, flush=True)


def _tell(outcome: Outcome, workdir: Path) -> None:
    plan = outcome.plan
    if outcome.violations and not plan.until_violation:
        for duel in outcome.suspects:
            evidence = json.dumps(asdict(duel), indent=1)
            (workdir / f"duel-{duel.duel}.json").write_text(evidence)
        print(f"The schedule of seed {plan.seed}:")
        for fault in schedule(plan.seed, plan.seconds, plan.every_s, plan.kinds):
            print(f"  {fault}")
        print(f"Logs of the nodes, and all that was seen of such duels: {workdir}")
        flags = f"--every {plan.every_s:g} --clients {plan.clients} --workers {plan.workers}"
        flags += " --failover" if plan.failover else ""
        minutes = f"{plan.seconds / 60:g}"
        print(f'Again: make soak SEED={plan.seed} MINUTES={minutes} ARGS="{flags}"')
    print(summary(outcome))
    for violation in outcome.violations[:SHOWN]:
        print(f"VIOLATION {violation}")
    for trouble in outcome.troubles[:SHOWN]:
        print(f"TROUBLE {trouble}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m faults.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, help="of the schedule; drawn and printed if left out")
    parser.add_argument("--every", type=float, default=1.7, help="seconds between two faults")
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--failover", action="store_true", help="a replica takes over, often")
    parser.add_argument("--workers", type=int, default=1, help="processes of each node")
    parser.add_argument("--bug", choices=sorted(PLANTED), help="plant it, and be content if found")
    parser.add_argument("--report", help="write the figures into this document")
    parser.add_argument("--verbose", action="store_true", help="say each fault")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

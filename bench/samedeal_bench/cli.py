"""`samedeal bench`: load on a server, or the cost of the parts."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from urllib.parse import urlsplit

import uvloop

from samedeal_bench.load import Load, run_load
from samedeal_bench.parts import measure_parts
from samedeal_bench.process import OwnServer, own_server

__all__ = ["main"]


def main(argv: Sequence[str]) -> int:
    """Run one measurement and print it; 0 if moves were accepted."""
    options = _parser().parse_args(argv)
    if options.parts:
        return measure_parts(as_json=options.json)
    with _server(options) as running:
        if options.server is None and _can_pin():
            os.sched_setaffinity(0, {1})
        load = Load(
            host=running.host,
            port=running.port,
            pid=running.pid,
            players=options.players,
            seats=options.seats,
            rate=None if options.closed else options.rate,
            seconds=options.seconds,
        )
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            try:
                report = runner.run(run_load(load))
            except (OSError, RuntimeError, TimeoutError) as error:
                print(f"samedeal bench: {type(error).__name__}: {error}", file=sys.stderr)
                return 1
    print(json.dumps(report.as_dict()) if options.json else "\n".join(report.lines()))
    return 0 if report.moves else 1


def _server(options: argparse.Namespace) -> AbstractContextManager[OwnServer]:
    if options.server is None:
        return own_server(core=0 if _can_pin() else None, standings_hz=options.standings_hz)
    url = urlsplit(options.server)
    return nullcontext(OwnServer(url.hostname or "127.0.0.1", url.port or 7777, options.pid))


def _can_pin() -> bool:
    return hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="samedeal bench",
        description="Many players making legal moves on a running server. Without --server, "
        "starts one with a store of its own and no limits, pinned to one core.",
    )
    parser.add_argument("--server", metavar="URL", help="ws://host:port/ws of a running server")
    parser.add_argument(
        "--pid", type=int, help="process of that server on this machine: reads its CPU and memory"
    )
    parser.add_argument("--players", type=int, default=100)
    parser.add_argument("--seats", type=int, default=2, help="players of each duel, 1 to 1000")
    parser.add_argument("--rate", type=float, default=1.0, help="moves a second of each player")
    parser.add_argument("--closed", action="store_true", help="as fast as answers come")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--standings-hz", type=float, default=2.0)
    parser.add_argument("--parts", action="store_true", help="cost of parse, apply, encode, commit")
    parser.add_argument("--json", action="store_true")
    return parser

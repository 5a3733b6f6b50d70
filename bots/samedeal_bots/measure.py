"""How well the levels play, on fixed deals at a human pace: `python -m samedeal_bots.measure`."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import Pool
from statistics import fmean, median
from time import process_time

from samedeal_bots.brain import Brain, Level, brain
from samedeal_bots.practice import Practice, play_out
from samedeal_rules import RULESETS, Ended, Game, Move, find_ruleset

__all__ = ["Result", "main", "measure_game"]


@dataclass(frozen=True, slots=True)
class Result:
    """One game."""

    score: int
    cards_up: int
    cleared: bool
    moves: int
    cpu_ms: list[float] = field(default_factory=list)
    """For each decision."""


def measure_game(
    number: int,
    level: Level,
    pace_ms: int,
    options: dict[str, object],
    duration_ms: int = 300_000,
    name: str = "timed",
) -> Result:
    """The game of one level on deal `number`."""
    ruleset = find_ruleset(name, options)[1]
    player: Brain = brain(level, number)
    cpu_ms: list[float] = []

    def choose(view: Game, ms: int) -> Move | None:
        started = process_time()
        move = player.choose(view, ms)
        cpu_ms.append((process_time() - started) * 1000)
        return move

    table = Practice.dealt(ruleset, f"measure-{number}", duration_ms)
    out = play_out(table, choose, pace_ms)
    cleared = out.game.ended is Ended.CLEARED
    return Result(out.game.score, out.game.board.cards_up, cleared, len(out.moves), cpu_ms)


def _line(level: Level, results: list[Result]) -> str:
    scores = [result.score for result in results]
    cpu_ms = sorted(ms for result in results for ms in result.cpu_ms)
    cleared = 100 * fmean(result.cleared for result in results)
    moves = fmean(result.moves for result in results)
    up = fmean(result.cards_up for result in results)
    return (
        f"{level:8}{fmean(scores):8.0f}{median(scores):8.0f}{up:7.1f}{cleared:9.1f}{moves:7.0f}"
        f"{fmean(cpu_ms):9.2f}{cpu_ms[len(cpu_ms) * 99 // 100]:8.1f}{cpu_ms[-1]:8.1f}"
    )


def _option(text: str) -> tuple[str, object]:
    """`draw=1`, `stock=false`, `deal=ms:1`: the value as JSON says it, or a text."""
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def main() -> int:
    """Print a line for each level."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ruleset", default="timed", choices=RULESETS)
    parser.add_argument("--option", nargs="+", type=_option, default=[], metavar="NAME=VALUE")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--pace-ms", type=int, default=800)
    parser.add_argument("--duration-s", type=int, default=300)
    parser.add_argument("--level", nargs="+", type=Level, default=list(Level))
    parser.add_argument("--processes", type=int, default=None)
    given = parser.parse_args()
    say = sys.stdout.write
    say("level       mean  median     up  cleared%  moves  cpu ms: mean   p99     max\n")
    with Pool(given.processes) as pool:
        for level in given.level:
            game = partial(
                measure_game,
                level=level,
                pace_ms=given.pace_ms,
                options=dict(given.option),
                duration_ms=given.duration_s * 1000,
                name=given.ruleset,
            )
            say(_line(level, pool.map(game, range(given.deals), chunksize=1)) + "\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())

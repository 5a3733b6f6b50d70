"""Count lines of play (what perft is in chess), for every ruleset; check or rewrite the tables.

    python tools/count_perft.py            count with the engine, compare with the tables
    python tools/count_perft.py --write    count with the referee (tests/rules/naive_game.py)

A line of play is a sequence of draws, redeals, turns and carries (no undo, no `end`) from a deal;
automatic moves belong to the move before. On a mismatch the counts below each first move are shown.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
TABLES = ROOT / "tests" / "data" / "perft"
sys.path.insert(0, str(ROOT))  # the referee is a test's helper, no package

from tests.rules.naive_game import Referee  # noqa: E402

from samedeal_rules import (  # noqa: E402
    RULESETS,
    Game,
    deal,
    find_ruleset,
    legal_moves,
    move_text,
)


class Entry(NamedTuple):
    """One deal and how many lines it has."""

    options: dict[str, Any]
    seed: str | None
    counts: list[int]
    """Of 1, 2, 3 ... moves."""


def read_table(path: Path) -> list[Entry]:
    """Lines `deal OPTIONS SEED` (as JSON), each with `perft DEPTH COUNT` lines after it."""
    entries: list[Entry] = []
    for line in path.read_text("utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "deal":
            options, seed = json.loads(f"[{rest}]")
            entries.append(Entry(options, seed, []))
        elif word == "perft":
            entries[-1].counts.append(int(rest.split()[1]))
    return entries


def table_text(entries: list[Entry]) -> str:
    """The inverse of `read_table`."""
    lines = ["# source: tests/rules/naive_moves.py; regenerate with tools/count_perft.py --write"]
    for entry in entries:
        lines += ["", f"deal {json.dumps(entry.options)}, {json.dumps(entry.seed)}"]
        lines += [f"perft {depth} {count}" for depth, count in enumerate(entry.counts, 1)]
    return "\n".join(lines) + "\n"


def count(name: str, options: dict[str, Any], seed: str | None, depth: int) -> list[int]:
    """Lines of 1 to `depth` moves, by the engine."""
    ruleset = find_ruleset(name, options)[1]
    return _count(Game(ruleset, deal(ruleset, seed), None), depth)


def divided(name: str, entry: Entry) -> dict[str, list[int]]:
    """The counts below each first move, by the engine, to find where a mismatch is from."""
    ruleset = find_ruleset(name, entry.options)[1]
    game = Game(ruleset, deal(ruleset, entry.seed), None)
    found = {}
    for move in legal_moves(ruleset, game.board):
        after = game.copy()
        after.play(move, 0)
        found[move_text(move, ruleset.deck.suits)] = _count(after, len(entry.counts) - 1)
    return found


def _count(game: Game, depth: int) -> list[int]:
    counts = [0] * depth
    if not depth or game.ended:
        return counts
    for move in legal_moves(game.ruleset, game.board):
        counts[0] += 1
        if depth > 1:
            after = game.copy()
            after.play(move, 0)
            for index, below in enumerate(_count(after, depth - 1)):
                counts[index + 1] += below
    return counts


def _deals(name: str) -> list[tuple[dict[str, Any], str | None]]:
    """What is counted: defaults with three seeds, each option with one."""
    options: dict[str, list[dict[str, Any]]] = {
        "timed": [{"draw": 1}, {"redeals": 0}],
        "klondike-1": [{"draw": 3}, {"redeals": 0}],
        "klondike-3": [{"draw": 1}, {"redeals": 1}],
        "spanish": [
            {"redeals": 0},
            {"draw": 3},
            {"stock": False},
            {"deck": 48},
            {"deck": 48, "stock": False},
        ],
    }
    deals: list[tuple[dict[str, Any], str | None]] = [({}, seed) for seed in ("1", "2", "perft")]
    deals += [(chosen, "1") for chosen in options.get(name, [])]
    if name == "freecell":
        deals += [({"deal": f"ms:{number}"}, None) for number in (1, 617, 11982)]
    return deals


def _depth(name: str) -> int:
    """As deep as the referee counts in about a second a deal."""
    return 3 if name == "freecell" or name.startswith("spider") else 5


def main() -> int:
    """Exit code 1 if a table does not agree."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="rewrite the tables")
    arguments = parser.parse_args()
    wrong = 0
    for name in RULESETS:
        path = TABLES / f"{name}.txt"
        if arguments.write:
            entries = [
                Entry(options, seed, Referee(name, seed, options).perft(_depth(name)))
                for options, seed in _deals(name)
            ]
            path.write_text(table_text(entries), "utf-8")
        for entry in read_table(path):
            found = count(name, entry.options, entry.seed, len(entry.counts))
            if found != entry.counts:
                wrong += 1
                print(f"{name} {entry.options} {entry.seed!r}: {found}, not {entry.counts}")
                print(divided(name, entry))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())

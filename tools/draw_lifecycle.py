"""Draw the lifecycle of a duel into ARCHITECTURE.md and PROTOCOL.md.

The edges are not written by hand: small duels are walked through every row of `TRANSITIONS`, and
each change of phase that happens is drawn. With --check nothing is written; the exit code says
whether a diagram is stale.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from samedeal_rules.winnable import Solver
from samedeal_server.domain.changes import Moment
from samedeal_server.domain.duel import Duel, DuelId, DuelMs, Phase, PlayerId, Seat, Timing
from samedeal_server.domain.errors import PlayerError
from samedeal_server.domain.events import (
    DealFound,
    Event,
    Failed,
    Joined,
    Left,
    Lost,
    MadeReady,
    Returned,
    Revealed,
    StartAsked,
    TimePassed,
)
from samedeal_server.domain.lifecycle import TRANSITIONS, step

ROOT: Final = Path(__file__).parent.parent
DRAWN_IN: Final = (ROOT / "ARCHITECTURE.md", ROOT / "protocol" / "PROTOCOL.md")
_PLACE: Final = re.compile(
    r"(<!-- lifecycle: tools/draw_lifecycle.py -->\n).*?(<!-- /lifecycle -->)", re.DOTALL
)

Edge = tuple[Phase, Phase, str]
Row = tuple[Phase, type[Event]]

BY_CLOCK_AND_STORE: Final[tuple[Edge, ...]] = (
    (Phase.COUNTDOWN, Phase.RUNNING, "start_at"),
    (
        Phase.RUNNING,
        Phase.SEALED,
        "all games have ended, the grace after the deadline is over, or nobody is left",
    ),
    (Phase.SEALED, Phase.FINISHED, "the result is written"),
    (Phase.SEALED, Phase.ABORTED, "failed"),
)
"""Phases after the countdown follow from the clock, the seal and the result, not from events."""

PLAYERS: Final = (PlayerId("a"), PlayerId("b"), PlayerId("c"))
LATE: Final = DuelMs(10**9)
"""After every time that a duel can wait for."""
START: Final = DuelMs(3_000)
TIMING: Final = Timing()


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="only say whether a diagram is stale")
    check: bool = parser.parse_args(argv).check
    stale = []
    for path in DRAWN_IN:
        before = path.read_text("utf-8")
        after = _PLACE.sub(lambda place: place[1] + diagram() + place[2], before)
        if after != before:
            stale.append(path.name)
            if not check:
                path.write_text(after, "utf-8")
    if check and stale:
        print(f"stale diagram in {', '.join(stale)}; tools/draw_lifecycle.py draws it anew")
    return 1 if check and stale else 0


def diagram() -> str:
    """A Mermaid state diagram, fenced."""
    edges, _rows = walk()
    by_phases: dict[tuple[Phase, Phase], set[str]] = {}
    for before, after, event in edges | set(BY_CLOCK_AND_STORE):
        by_phases.setdefault((before, after), set()).add(event)
    order = list(Phase)
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {Phase.OPEN}"]
    lines.append(f"    [*] --> {Phase.READY_CHECK}: practice, quick match")
    for before, after in sorted(by_phases, key=lambda pair: [order.index(p) for p in pair]):
        lines.append(f"    {before} --> {after}: {', '.join(sorted(by_phases[before, after]))}")
    lines += [f"    {Phase.FINISHED} --> [*]", f"    {Phase.ABORTED} --> [*]", "```"]
    return "\n".join(lines) + "\n"


def walk() -> tuple[set[Edge], set[Row]]:
    """Every change of phase that small duels can go through, and the rows that they used."""
    edges: set[Edge] = set()
    rows: set[Row] = set()
    waiting = list(_beginnings())
    seen = {repr(duel) for duel in waiting}
    while waiting:
        duel = waiting.pop()
        for event, now in _everything_that_may_happen(duel):
            row = (duel.phase_at(now), type(event))
            try:
                after = step(duel, event, Moment(now, "secret", "fresh", TIMING))
            except PlayerError:
                continue
            if row in TRANSITIONS:
                rows.add(row)
            if after.phase is not duel.phase:
                edges.add((row[0], after.phase, _words(event)))
            after = _forgetful(after)
            if repr(after) not in seen:
                seen.add(repr(after))
                waiting.append(after)
    return edges, rows


def _beginnings() -> Iterator[Duel]:
    """As the server makes them: private duels, practice, quick match, rematch."""
    seats = tuple(Seat(player, f"Player {player}") for player in PLAYERS)
    base = Duel(DuelId("p00x"), "CODE", "timed", {}, 300_000, False, 2, "", DuelMs(0))
    for needed in (2, 3):
        yield replace(base, seats=needed, host=PLAYERS[0], seated=seats[:1])
        yield _forgetful(
            replace(
                base,
                seats=needed,
                origin="quick",
                seated=seats[:needed],
                phase=Phase.READY_CHECK,
                ready_by=LATE,
            )
        )
    yield _forgetful(
        replace(
            base,
            seats=1,
            host=PLAYERS[0],
            seated=seats[:1],
            phase=Phase.READY_CHECK,
            ready_by=LATE,
        )
    )
    yield replace(base, origin="rematch", invited=PLAYERS[:2])
    yield replace(base, host=PLAYERS[0], seated=seats[:1], solver=Solver("solver", "1", 1), k=None)


def _everything_that_may_happen(duel: Duel) -> Iterator[tuple[Event, DuelMs]]:
    early = DuelMs(0)
    for now in (early, START) if duel.phase is Phase.COUNTDOWN else (early,):
        for player in PLAYERS:
            yield Joined(player, f"Player {player}"), now
            yield MadeReady(player, sha256(player.encode()).hexdigest()), now
            yield Revealed(player, player), now
            yield StartAsked(player), now
            yield Left(player), now
            yield Lost(player), now
            yield Returned(player), now
        yield TimePassed(), now
        yield DealFound(duel.commitment, 1), now
        yield DealFound(duel.commitment, None), now
        yield Failed("our fault"), now
    yield TimePassed(), LATE


def _forgetful(duel: Duel) -> Duel:
    """Without what only grows, so that the walk comes to an end."""
    return replace(
        duel,
        version=0,
        touched_at=DuelMs(0),
        note=None,
        called_off=None,
        commitment="",
        ready_by=None if duel.ready_by is None else DuelMs(1_000),
        reveal_by=None if duel.reveal_by is None else DuelMs(1_000),
        start_at=None if duel.start_at is None else START,
        deadline=None if duel.deadline is None else DuelMs(START + (duel.duration_ms or 0)),
    )


def _words(event: Event) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(event).__name__).lower()


if __name__ == "__main__":
    sys.exit(main())

"""Which figures there are, what they are called, what they mean (docs/operations.md has them)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.utils import floatToGoString

from samedeal_server.metrics.counts import Counts, Spread

__all__ = ["Now", "families"]


@dataclass(frozen=True, slots=True)
class Now:
    """What is true of a node at one moment."""

    connections: int
    """Open WebSockets."""
    no_room: int
    """WebSockets refused so far because there were too many already."""
    pressure: int
    """0 is calm, 1 busy, 2 overloaded."""
    players: int
    """Who has said hello, one for each player."""
    duels: Mapping[str, int]
    """By phase: those that somebody connected here plays or watches."""
    moves_waiting: int
    """For the store."""
    partitions_away: int
    """Those whose moves wait because their primary does not answer."""


_COUNTERS: Final[tuple[tuple[str, str, Callable[[Counts], int]], ...]] = (
    ("connections_opened", "WebSockets opened.", lambda c: c.opened),
    ("moves_accepted", "Moves kept, undos and ends included.", lambda c: c.moves),
    ("moves_lost", "Acknowledged moves that the store lost.", lambda c: c.lost),
    ("standings_sent", "Standings sent, one for each reader.", lambda c: c.standings),
    (
        "standings_merged",
        "Changes of standings that went out together with a later one.",
        lambda c: c.merged,
    ),
    ("duels_failed", "Duels ended by our own fault.", lambda c: c.failed),
)
_BY_LABEL: Final[tuple[tuple[str, str, str, Callable[[Counts], Mapping[str, int]]], ...]] = (
    ("connections_closed", "WebSockets closed, by why.", "why", lambda c: c.closed),
    ("moves_refused", "Moves refused, by the code of the answer.", "code", lambda c: c.refused),
    ("errors", "Requests refused, by the code of the answer.", "code", lambda c: c.errors),
    ("store_errors", "Failed calls of the store, by what for.", "work", lambda c: c.store_errors),
    ("hints", "Hints given, by their answer.", "answer", lambda c: c.hints),
)
_SPREADS: Final[tuple[tuple[str, str, Callable[[Counts], Spread]], ...]] = (
    ("move_ack_seconds", "From a move's arrival to the store's answer.", lambda c: c.ack_s),
    ("commit_seconds", "A batch of moves in the store, retries included.", lambda c: c.commit_s),
    ("commit_batch_moves", "Moves of one batch.", lambda c: c.batch),
    ("request_seconds", "Work on a request (no move, no ping).", lambda c: c.request_s),
    ("event_loop_lag_seconds", "How late a timer of the event loop was.", lambda c: c.loop_lag_s),
)
_GAUGES: Final[tuple[tuple[str, str, Callable[[Now], float]], ...]] = (
    ("connections", "Open WebSockets.", lambda now: now.connections),
    ("pressure", "0 is calm, 1 busy, 2 overloaded; of workers the worst.", lambda n: n.pressure),
    ("players", "Players who are connected.", lambda now: now.players),
    ("moves_waiting", "Moves that wait for the store.", lambda now: now.moves_waiting),
    (
        "partitions_away",
        "Partitions whose moves wait because the store does not answer.",
        lambda now: now.partitions_away,
    ),
)


def families(counts: Counts, now: Now) -> Iterator[Metric]:
    """Every figure, in the form that the library writes down."""
    for name, text, gauge in _GAUGES:
        yield GaugeMetricFamily(f"samedeal_{name}", text, value=gauge(now))
    duels = GaugeMetricFamily(
        "samedeal_duels", "Duels with somebody connected here, by phase.", labels=["phase"]
    )
    for phase, value in now.duels.items():
        duels.add_metric([phase], value)
    yield duels
    for name, text, count in _COUNTERS:
        yield CounterMetricFamily(f"samedeal_{name}", text, value=count(counts))
    away = CounterMetricFamily("samedeal_turned_away", "WebSockets refused.", labels=["why"])
    for why, times in (counts.turned_away | {"full": now.no_room}).items():
        away.add_metric([why], times)
    yield away
    for name, text, label, by_label in _BY_LABEL:
        counter = CounterMetricFamily(f"samedeal_{name}", text, labels=[label])
        for value_of_label, times in by_label(counts).items():
            counter.add_metric([str(value_of_label)], times)
        yield counter
    for name, text, spread in _SPREADS:
        yield _histogram(f"samedeal_{name}", text, spread(counts))


def _bound(value: float) -> str:
    return str(floatToGoString(value))  # type: ignore[no-untyped-call]


def _histogram(name: str, text: str, spread: Spread) -> Metric:
    buckets = [(_bound(bound), float(count)) for bound, count in spread.cumulative()]
    return HistogramMetricFamily(name, text, buckets=buckets, sum_value=spread.total)

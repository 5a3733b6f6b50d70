"""What a node counts as it works: plain numbers, told to nobody until somebody asks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from samedeal_protocol import CloseCode, ErrorCode, RefusalCode

__all__ = ["Counts", "Spread"]

DELAYS_S: Final = (
    *(0.0005, 0.001, 0.002, 0.005, 0.010, 0.020, 0.050),
    *(0.100, 0.200, 0.500, 1.0, 2.0, 5.0, 10.0),
)
"""From what a good day looks like to what a player takes for a broken line."""
BATCH_SIZES: Final = (1, 2, 4, 8, 16, 32, 64, 128)
"""Up to the largest batch there is."""

CLOSE_CODES: Final = {
    1000: "normal",
    1001: "going_away",
    1005: "no_code",
    1006: "lost",
    1011: "failed",
    CloseCode.RESTARTING: "restarting",
    CloseCode.TRY_AGAIN_LATER: "too_far_behind",
    CloseCode.REPLACED: "replaced",
    CloseCode.TOO_MANY_ERRORS: "too_many_errors",
    CloseCode.FLOOD: "flood",
    CloseCode.NO_HELLO: "no_hello",
}
"""Whatever else a client may say is `other`: it must not make labels up."""

STORE_WORK: Final = ("moves", "requests", "steps", "news")


class Spread:
    """How often a value fell between which bounds. About 0.3 us for each value."""

    __slots__ = ("_bounds", "_counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        """`bounds` rise; a value belongs to the first bound that it does not exceed."""
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(self._bounds) + 1)
        self.total = 0.0
        """The sum of all values."""

    def add(self, value: float) -> None:
        """One more value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self.total += value

    def cumulative(self) -> Iterator[tuple[float, int]]:
        """For each bound, the last one infinite, how many values did not exceed it."""
        so_far = 0
        for bound, count in zip((*self._bounds, float("inf")), self._counts, strict=True):
            so_far += count
            yield bound, so_far


class Counts:
    """All counters of a node. They only rise, from the start of the process."""

    __slots__ = (
        "ack_s",
        "batch",
        "closed",
        "commit_s",
        "errors",
        "failed",
        "hints",
        "loop_lag_s",
        "lost",
        "merged",
        "moves",
        "opened",
        "refused",
        "request_s",
        "standings",
        "store_errors",
        "turned_away",
    )

    def __init__(self) -> None:
        self.opened = 0
        """WebSockets."""
        self.closed = dict.fromkeys((*CLOSE_CODES.values(), "other"), 0)
        self.turned_away = {"busy": 0, "address": 0}
        """WebSockets refused: all is too much, or too many of one address."""
        self.moves = 0
        """Kept by the store, undos and ends included."""
        self.refused: dict[str, int] = dict.fromkeys(RefusalCode, 0)
        """Moves, by the code of the answer."""
        self.lost = 0
        """Moves that were acknowledged and that the store then did not have."""
        self.errors: dict[str, int] = dict.fromkeys(ErrorCode, 0)
        """Answers to what was no move, by their code."""
        self.request_s = Spread(DELAYS_S)
        """All that is no move and no ping: from the start of the work to its end."""
        self.commit_s = Spread(DELAYS_S)
        """A batch: from the call of the store to its answer, retries included."""
        self.batch = Spread(BATCH_SIZES)
        self.ack_s = Spread(DELAYS_S)
        """A move: from its arrival to the answer of the store."""
        self.store_errors = dict.fromkeys(STORE_WORK, 0)
        self.loop_lag_s = Spread(DELAYS_S)
        """How late a timer was."""
        self.standings = 0
        """Messages to one reader each."""
        self.merged = 0
        """Changes of standings that nobody saw by themselves: a later one went out with them."""
        self.hints = dict.fromkeys(("move", "no_move_helps", "stuck", "unknown"), 0)
        self.failed = 0
        """Duels that our own fault ended."""

    def close(self, code: int) -> None:
        """A WebSocket has ended with this code."""
        self.closed[CLOSE_CODES.get(code, "other")] += 1

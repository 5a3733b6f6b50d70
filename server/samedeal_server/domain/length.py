"""How long a new duel may last: within what the rules and this server allow."""

from __future__ import annotations

from dataclasses import dataclass

from samedeal_protocol import Create, ErrorCode
from samedeal_rules import Ruleset
from samedeal_server.domain.errors import PlayerError

__all__ = ["Lengths"]


@dataclass(frozen=True, slots=True)
class Lengths:
    """The durations that this server takes, in milliseconds."""

    least_ms: int
    most_ms: int

    def agreed(self, wish: Create, ruleset: Ruleset) -> int | None:
        """The duration of the duel that is wished for; None is a practice without a time limit.

        Raises `PlayerError`, which says what does not go.
        """
        if wish.untimed:
            self._refuse_untimed(wish, ruleset)
            return None
        duration_ms = ruleset.duration_ms if wish.duration_ms is None else wish.duration_ms
        if not self.least_ms <= duration_ms <= self.most_ms:
            least, most = self.least_ms // 1000, self.most_ms // 1000
            text = f"a duel takes from {least} to {most} seconds here"
            raise PlayerError(ErrorCode.OUT_OF_RANGE, text)
        return duration_ms

    def _refuse_untimed(self, wish: Create, ruleset: Ruleset) -> None:
        """Rules, section 6: alone, in any game but `timed`."""
        if not ruleset.may_be_untimed:
            text = f"untimed: {wish.ruleset} is always played against the clock; take another game"
            raise PlayerError(ErrorCode.UNKNOWN_RULESET, text)
        if wish.seats != 1:
            text = "untimed: only a practice, a duel of one seat, has no time limit"
            raise PlayerError(ErrorCode.OUT_OF_RANGE, text)
        if wish.duration_ms is not None:
            text = "untimed: a practice without a time limit has no duration; leave one of them out"
            raise PlayerError(ErrorCode.OUT_OF_RANGE, text)

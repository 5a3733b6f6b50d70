"""Whether a load balancer should send somebody here."""

from __future__ import annotations

from typing import Final

__all__ = ["not_ready"]

ANSWERED_WITHIN_MS: Final = 6_000
"""Every node asks its store for the time each 2 s: three missed answers are no accident."""


def not_ready(*, draining: bool, moves_wait: bool, store_silent_ms: float) -> str | None:
    """Why not, in a line; None if all is well.

    `moves_wait`: the store did not take the latest moves. `store_silent_ms`: since its last answer.
    """
    if draining:
        return "stopping"
    if moves_wait or store_silent_ms > ANSWERED_WITHIN_MS:
        return "the store does not answer"
    return None

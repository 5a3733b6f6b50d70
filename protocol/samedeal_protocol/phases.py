"""What a duel and its players are doing, in words."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["DuelPhase", "PlayerState"]


class DuelPhase(StrEnum):
    """Where in its life a duel is."""

    OPEN = "open"
    READY_CHECK = "ready_check"
    FROZEN = "frozen"
    COUNTDOWN = "countdown"
    RUNNING = "running"
    SEALED = "sealed"
    FINISHED = "finished"
    ABORTED = "aborted"


class PlayerState(StrEnum):
    """What a player of a running or finished duel is doing."""

    PLAYING = "playing"
    AWAY = "away"
    CLEARED = "cleared"
    FINISH = "finish"
    TIMEOUT = "timeout"

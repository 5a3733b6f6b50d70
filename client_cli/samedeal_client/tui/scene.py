"""Which screen a duel is on. Pure."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from samedeal_client.texts import _
from samedeal_protocol import DuelChanged, DuelPhase, Result

__all__ = ["Scene", "gone_words", "scene_of"]

_PLAYED: Final = (DuelPhase.RUNNING, DuelPhase.SEALED, DuelPhase.FINISHED)


class Scene(Enum):
    """What fills the screen."""

    MENU = auto()
    LOBBY = auto()
    TABLE = auto()
    WATCH = auto()
    RESULT = auto()


def scene_of(duel: DuelChanged | None, result: Result | None, *, table: bool, left: bool) -> Scene:
    """The scene of a duel as it is now; `left`: the player has turned away from it."""
    if duel is None or left or duel.phase is DuelPhase.ABORTED:
        return Scene.MENU
    if result is not None:
        return Scene.RESULT
    if duel.you is None:
        return Scene.WATCH
    if table and duel.phase in _PLAYED:
        return Scene.TABLE
    return Scene.LOBBY


def gone_words(duel: DuelChanged, *, seated: bool) -> str:
    """Why there is nothing to stay for; empty if there is. `seated`: we had a seat in it once."""
    if duel.phase is DuelPhase.ABORTED:
        return _("The duel was called off.")
    return _("Your seat was given up.") if seated and duel.you is None else ""

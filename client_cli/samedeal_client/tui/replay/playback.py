"""A replay that runs: how fast, and where it is. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from samedeal_client.replay.reel import Reel

__all__ = ["SPEEDS", "Playback"]

SPEEDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
"""Times the speed of the duel; at the last one five minutes take ten seconds."""
_USUAL: Final = SPEEDS.index(4.0)


@dataclass(frozen=True)
class Playback:
    """What the screen shows. Every change gives a new one."""

    reel: Reel
    running: bool = False
    pace: int = _USUAL
    """Index in `SPEEDS`."""
    opened: bool = False
    """Whether face-down cards are shown."""

    @property
    def speed(self) -> float:
        """Times the speed of the duel."""
        return SPEEDS[self.pace]

    @property
    def at_end(self) -> bool:
        """Whether nothing more happens to anybody."""
        return self.reel.next_ms() is None

    def passed(self, seconds: float) -> Playback:
        """So much time of the viewer's has passed."""
        if not self.running:
            return self
        moved = replace(
            self, reel=self.reel.seek(self.reel.ms + round(seconds * 1000 * self.speed))
        )
        return replace(moved, running=False) if moved.at_end else moved

    def toggled(self) -> Playback:
        """Run, or hold; from the end it runs from the deal."""
        if not self.running and self.at_end:
            return replace(self, reel=self.reel.jump(0), running=True)
        return replace(self, running=not self.running)

    def paced(self, by: int) -> Playback:
        """Faster or slower, as far as there is."""
        return replace(self, pace=max(0, min(len(SPEEDS) - 1, self.pace + by)))

    def turned(self) -> Playback:
        """Face-down cards shown, or not."""
        return replace(self, opened=not self.opened)

    def at(self, reel: Reel) -> Playback:
        """Held, at this moment."""
        return replace(self, reel=reel, running=False)

    def seen_by(self, focus: int) -> Playback:
        """Another player's game, at the same moment; it runs on if it ran."""
        return replace(self, reel=self.reel.look_at(focus % len(self.reel.replay.films)))

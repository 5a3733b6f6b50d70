"""What the parent tells a worker: a line on its standard input, which stays open as a lifeline."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

from samedeal_server.settings import Settings

__all__ = ["EXIT_STORE_AWAY", "READY", "Order", "without_settings"]

READY: Final = b"ready\n"
"""What a worker writes to its standard output once it serves."""

EXIT_STORE_AWAY: Final = 69
"""Exit code of a worker that could not start for want of the store (EX_UNAVAILABLE)."""


@dataclass(frozen=True, slots=True)
class Order:
    """All that a worker must know; nothing of it is on a command line that others can read."""

    settings: dict[str, Any]
    """Every setting, as JSON has it."""
    store_url: str
    data_dir: str | None
    """Of the embedded store, so that the worker holds a share of it; None for another store."""
    sockets: list[int]
    """Inherited file descriptors that it listens on."""
    number: int
    """The worker's place, from 1; for the log."""

    @classmethod
    def read(cls, line: bytes) -> Self:
        """From the parent. Raises ValueError or TypeError for anything else."""
        return cls(**json.loads(line))

    def line(self) -> bytes:
        """As it is sent: one line."""
        return json.dumps(asdict(self)).encode() + b"\n"

    def node_settings(self) -> Settings:
        """The settings that the parent was started with."""
        return Settings(**self.settings)

    def store_dir(self) -> Path | None:
        """Where the embedded store lives."""
        return None if self.data_dir is None else Path(self.data_dir)


def without_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without what sets something: the order says it all."""
    return {key: value for key, value in environment.items() if not key.startswith("SAMEDEAL_")}

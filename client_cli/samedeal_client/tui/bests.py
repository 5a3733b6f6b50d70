"""The best that this player has done alone, game by game, in the config directory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from samedeal_client.identity import config_dir

__all__ = ["best_of", "keep_best"]

_FILE: Final = "bests.json"


def best_of(title: str, file: Path | None = None) -> int | None:
    """The best score (or cards up) in the game called so; None where there is none yet."""
    value = _read(file or config_dir() / _FILE).get(title)
    return value if isinstance(value, int) else None


def keep_best(title: str, value: int, file: Path | None = None) -> bool:
    """Whether this is better than all before; then it is kept, where that can be done."""
    file = file or config_dir() / _FILE
    bests = _read(file)
    before = bests.get(title)
    if isinstance(before, int) and before >= value:
        return False
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.write_text(json.dumps({**bests, title: value}, indent=1), encoding="utf-8")
    except OSError:
        pass  # as good as it was, it is gone with this program
    return True


def _read(file: Path) -> dict[str, Any]:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}

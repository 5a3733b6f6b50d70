"""What went wrong, in a file that a person can send."""

from __future__ import annotations

from datetime import UTC, datetime

from samedeal_client.identity import config_dir

__all__ = ["write_report"]


def write_report(text: str) -> str:
    """Keep a traceback; where it is, or the traceback itself where nothing can be written."""
    file = config_dir() / f"report-{datetime.now(UTC):%Y%m%d-%H%M%S}.txt"
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError:
        return text
    return str(file)

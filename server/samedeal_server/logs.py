"""Logs: one line an event on standard error, for people or for programs.

What is about a duel or a player says so by `duel=` and `player=`. Nothing logs tokens, secrets,
cards or moves: there is a test.
"""

from __future__ import annotations

import logging
import sys
from typing import Any, Final, Literal

import structlog

__all__ = ["LogFormat", "LogLevel", "configure_log"]

LogLevel = Literal["debug", "info", "warning", "error"]
LogFormat = Literal["logfmt", "json"]

FIRST: Final = ("timestamp", "level", "event", "duel", "player")
"""Where the eye looks first; whatever else there is comes behind them."""


def configure_log(level: LogLevel, form: LogFormat) -> None:
    """Events of ours from `level` on; warnings of the libraries, in the same form."""
    common: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
        structlog.processors.format_exc_info,
    ]
    renderer = _json if form == "json" else _logfmt
    structlog.configure(
        processors=[*common, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=common,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    # At debug level libraries print what goes over the line, and with it the players' tokens.
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("samedeal_server").setLevel(level.upper())


_logfmt: Final = structlog.processors.LogfmtRenderer(key_order=FIRST, drop_missing=True)
_as_json: Final = structlog.processors.JSONRenderer(default=str)


def _json(logger: Any, method: str, event: structlog.types.EventDict) -> str | bytes:
    ordered = {key: event.pop(key) for key in FIRST if key in event}
    return _as_json(logger, method, ordered | dict(event))

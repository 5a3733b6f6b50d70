"""`samedeal serve`: a node, with a store of its own unless one is named."""

from __future__ import annotations

import asyncio
import errno
import gc
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import structlog
from pydantic import ValidationError
from pydantic_settings import CliApp, SettingsError
from redis.exceptions import RedisError

from samedeal_server.node.node import running_node
from samedeal_server.settings import Settings
from samedeal_server.store.embedded import StoreUnavailable
from samedeal_server.store.embedded_watch import watched_store

__all__ = ["main"]

_log = structlog.get_logger()

_GC_THRESHOLDS = (50_000, 50, 1000)
"""Rare, controlled passes: at 3,000 connections a full pass stops the loop for 125 ms."""


def main(argv: Sequence[str]) -> int:
    """Run until SIGINT or SIGTERM; 0 after a graceful stop."""
    try:
        settings = CliApp.run(Settings, cli_args=list(argv), cli_exit_on_error=True)
    except (ValidationError, SettingsError) as error:
        print(f"samedeal serve: {_first_words(error)}", file=sys.stderr)  # noqa: T201
        return 2
    _configure_log(settings.log_level)
    with asyncio.Runner(loop_factory=_loop_factory(settings.loop)) as runner:
        return runner.run(_serve(settings))


def _first_words(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg'].removeprefix('Value error, ')}"
    return str(error)


def _configure_log(level: str) -> None:
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            structlog.processors.LogfmtRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def _loop_factory(wanted: str) -> Callable[[], asyncio.AbstractEventLoop] | None:
    if wanted == "asyncio":
        return None
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


async def _serve(settings: Settings) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    try:
        async with _store(settings) as store_url, running_node(settings, store_url) as node:
            gc.collect()
            gc.freeze()
            gc.set_threshold(*_GC_THRESHOLDS)
            shown = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host  # noqa: S104
            print(  # noqa: T201
                f"Same Deal listens on ws://{shown}:{node.port}/ws  (Ctrl-C stops it)", flush=True
            )
            lossless, kept = await node.durability()
            (_log.info if lossless else _log.warning)(kept)
            await stop.wait()
            _log.info("stopping", connections=node.connections)
    except StoreUnavailable as error:
        print(f"samedeal serve: {error}", file=sys.stderr)  # noqa: T201
        return 1
    except RedisError as error:
        print(  # noqa: T201
            f"samedeal serve: the store does not answer: {str(error).rstrip('.')}. "
            "Check --store-url, or leave it out to run a store of our own.",
            file=sys.stderr,
        )
        return 1
    except (OSError, UnicodeError) as error:  # a name too odd for the resolver is no OSError
        print(  # noqa: T201
            f"samedeal serve: can't listen on {settings.host}:{settings.port}: {_why(error)}",
            file=sys.stderr,
        )
        return 1
    return 0


def _why(error: OSError | UnicodeError) -> str:
    """What hinders listening, and which flag helps."""
    if not isinstance(error, OSError):
        return "there is no such host. Choose --host."
    hint = {
        errno.EADDRINUSE: "Is another server running? Choose --port.",
        errno.EACCES: "Choose a --port above 1023.",
    }.get(error.errno or 0, "Choose --host.")
    return f"{error.strerror or error}. {hint}"


@asynccontextmanager
async def _store(settings: Settings) -> AsyncIterator[str]:
    if settings.store_url:
        yield settings.store_url
        return
    async with watched_store(settings.data_dir / "store") as store:
        if store.adopted:
            _log.info("adopted the store that was running already", pid=store.pid)
        yield store.url

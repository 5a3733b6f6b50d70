"""`samedeal serve`: a node or several, with a store of their own unless one is named."""

from __future__ import annotations

import asyncio
import errno
import gc
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import structlog
from pydantic import ValidationError
from pydantic_settings import CliApp, SettingsError
from redis.exceptions import RedisError

from samedeal_server.logs import configure_log
from samedeal_server.net import TlsFiles, TlsUnusable
from samedeal_server.node.node import running_node
from samedeal_server.settings import Settings
from samedeal_server.signals import handle_signals
from samedeal_server.store.client import open_client
from samedeal_server.store.durability import durability
from samedeal_server.store.embedded import StoreUnavailable
from samedeal_server.store.embedded_watch import watched_store
from samedeal_server.workers.parent import Parent, WorkersFailed
from samedeal_server.workers.slot import GaveUp
from samedeal_server.workers.sockets import open_sockets

__all__ = ["loop_factory", "main", "spare_the_loop"]

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
    configure_log(settings.log_level, settings.log_format)
    several = settings.workers > 1
    if several and sys.platform == "win32":
        print(  # noqa: T201
            "samedeal serve: --workers needs Linux or macOS: here processes can't share a port. "
            "Start several servers on ports of their own, behind a load balancer.",
            file=sys.stderr,
        )
        return 2
    factory = None if several else loop_factory(settings.loop)
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(_serve(settings, _run_workers if several else _run_node))


def _first_words(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        return f"{where}: " * bool(where) + first["msg"].removeprefix("Value error, ")
    return str(error)


def loop_factory(wanted: str) -> Callable[[], asyncio.AbstractEventLoop] | None:
    """For `asyncio.Runner`."""
    if wanted == "asyncio":
        return None
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def spare_the_loop() -> None:
    """What there is at the start stays: the garbage collector needs not look at it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)


async def _run_node(settings: Settings, stop: asyncio.Event) -> None:
    handle_signals(stop.set, lambda: None)
    async with (
        _store(settings) as (store_url, _),
        running_node(settings, store_url) as node,
    ):
        handle_signals(stop.set, node.load_anew)
        spare_the_loop()
        _say_where(settings, node.port)
        lossless, kept = await node.durability()
        (_log.info if lossless else _log.warning)(kept)
        await stop.wait()
        _log.info("stopping", connections=node.connections)
        await node.let_it_be_known()


async def _run_workers(settings: Settings, stop: asyncio.Event) -> None:
    if settings.tls_cert is not None and settings.tls_key is not None:
        TlsFiles(settings.tls_cert, settings.tls_key)  # says what is wrong, once for all workers
    exchange = asyncio.Event()
    handle_signals(stop.set, exchange.set)
    async with AsyncExitStack() as stack:
        sockets = await open_sockets(settings.host, settings.port, settings.workers)
        for group in sockets:
            for sock in group:
                stack.callback(sock.close)
        store_url, store_dir = await stack.enter_async_context(_store(settings))
        client = open_client(store_url, tls=settings.store_tls)
        stack.push_async_callback(client.aclose)
        lossless, kept = await durability(client, settings.replicas)
        parent = Parent(settings, sockets, store_url, store_dir, exchange)
        stack.push_async_callback(parent.close)

        async def serving() -> None:
            _say_where(settings, sockets[0][0].getsockname()[1])
            (_log.info if lossless else _log.warning)(kept)

        await parent.run(stop, serving)
        _log.info("stopping", workers=settings.workers)


def _say_where(settings: Settings, port: int) -> None:
    shown = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host  # noqa: S104
    scheme = "ws" if settings.tls_cert is None else "wss"
    print(  # noqa: T201
        f"Same Deal listens on {scheme}://{shown}:{port}/ws  (Ctrl-C stops it)", flush=True
    )


async def _serve(
    settings: Settings, run: Callable[[Settings, asyncio.Event], Awaitable[None]]
) -> int:
    """Run until told to stop; what hinders it is said in words."""
    stop = asyncio.Event()
    try:
        await run(settings, stop)
    except (WorkersFailed, GaveUp, TlsUnusable) as error:
        print(f"samedeal serve: {error}", file=sys.stderr)  # noqa: T201
        return 1
    except StoreUnavailable as error:
        if stop.is_set():
            return 0  # Ctrl-C has met the store's process too, before it was a session of its own
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
async def _store(settings: Settings) -> AsyncIterator[tuple[str, Path | None]]:
    """The store's URL, and where it lives if it is our own."""
    if settings.store_url:
        yield settings.store_url, None
        return
    directory = settings.data_dir / "store"
    async with watched_store(directory) as store:
        if store.adopted:
            _log.info("adopted the store that was running already", pid=store.pid)
        yield store.url, directory

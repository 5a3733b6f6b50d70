"""A worker: one node of the usual kind, on inherited sockets, that ends with its parent."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import structlog
from redis.exceptions import RedisError

from samedeal_server.cli import loop_factory, spare_the_loop
from samedeal_server.logs import configure_log
from samedeal_server.net import TlsUnusable
from samedeal_server.node.node import running_node
from samedeal_server.settings import Settings
from samedeal_server.signals import handle_signals
from samedeal_server.store.embedded import StoreUnavailable
from samedeal_server.store.embedded_watch import watched_store
from samedeal_server.workers.order import EXIT_STORE_AWAY, READY, Order
from samedeal_server.workers.parent import METRICS

__all__ = ["main"]

_log = structlog.get_logger()

LINGER_S: Final = 60.0
"""A worker without a parent that has not drained by then hangs, and goes all the same."""


def main() -> int:
    """Serve until told to stop, or until the parent is gone."""
    try:
        order = Order.read(sys.stdin.buffer.readline())
    except (ValueError, TypeError):
        print("a worker is started by samedeal serve --workers", file=sys.stderr)  # noqa: T201
        return 2
    settings = order.node_settings()
    configure_log(settings.log_level, settings.log_format)
    structlog.contextvars.bind_contextvars(worker=order.number)
    sockets = [_own(number) for number in order.sockets]
    with asyncio.Runner(loop_factory=loop_factory(settings.loop)) as runner:
        return runner.run(_serve(order, settings, sockets))


def _own(number: int) -> socket.socket:
    sock = socket.socket(fileno=number)
    sock.set_inheritable(False)
    return sock


async def _serve(order: Order, settings: Settings, sockets: list[socket.socket]) -> int:
    stop = asyncio.Event()
    handle_signals(stop.set, lambda: None)
    orphaned = _watch_parent(stop)
    try:
        async with (
            _share_of_store(order),
            running_node(settings, order.store_url, sockets=sockets) as node,
        ):
            spare_the_loop()
            with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as report:
                report.write(READY)
            await stop.wait()
            _log.info("stopping", connections=node.connections)
            if not orphaned.is_set():
                await node.let_it_be_known()
    except (RedisError, StoreUnavailable) as error:
        _log.error("the store does not answer", error=str(error))
        return EXIT_STORE_AWAY
    except TlsUnusable as error:
        _log.error("the certificate can't be used", why=str(error))
        return 1
    finally:
        if orphaned.is_set() and (metrics := os.environ.get(METRICS)):
            shutil.rmtree(metrics, ignore_errors=True)
    return 0


def _watch_parent(stop: asyncio.Event) -> threading.Event:
    """Stop when the parent's end of our standard input is gone, `kill -9` included."""
    loop = asyncio.get_running_loop()
    orphaned = threading.Event()

    def wait() -> None:
        while os.read(sys.stdin.fileno(), 1):
            pass
        orphaned.set()
        try:
            loop.call_soon_threadsafe(stop.set)
        except RuntimeError:  # the loop is closed: we are about to end anyway
            return
        threading.Event().wait(LINGER_S)
        os._exit(1)

    threading.Thread(target=wait, daemon=True, name="parent watch").start()
    return orphaned


@asynccontextmanager
async def _share_of_store(order: Order) -> AsyncIterator[None]:
    """Hold the embedded store: should the parent be killed, the last worker stops it."""
    directory: Path | None = order.store_dir()
    if directory is None:
        yield
        return
    async with watched_store(directory):
        yield


if __name__ == "__main__":
    sys.exit(main())

"""The embedded store: a Valkey of our own, shared by the nodes that use one data directory.

Three locks in that directory carry it all, and the kernel ends each with its holder,
`kill -9` included:

- `start.lock`, exclusive, while somebody starts or stops the store;
- `nodes.lock`, shared by the nodes; whoever can take it alone was the last;
- `store.lock`, exclusive, inherited by the store process: never two on the same files.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import quote

from samedeal_server.store.embedded_files import (
    NAME_A_STORE,
    FileLock,
    StoreFiles,
    StoreUnavailable,
    Sync,
)
from samedeal_server.store.embedded_process import (
    ask,
    send_signal,
    start_unless_running,
    tell_to_shut_down,
)

__all__ = [
    "EmbeddedStore",
    "StoreUnavailable",
    "close_embedded",
    "embedded_store",
    "open_embedded",
    "revive_embedded",
]

POLL_S: Final = 0.02
"""A start takes about 50 ms; neither flock nor a foreign process can be awaited."""

GIVE_UP_S: Final = 2.0
"""How long a store that we could not use gets to stop: somebody waits for us."""


@dataclass(frozen=True, slots=True)
class EmbeddedStore:
    """A running embedded Valkey that this process holds a share of."""

    url: str
    """unix:///short/path.sock, for redis.asyncio.Redis.from_url"""
    pid: int
    adopted: bool
    """It was already running."""
    data_dir: Path
    _share: FileLock = field(repr=False, compare=False)


@asynccontextmanager
async def embedded_store(
    data_dir: Path,
    *,
    start_timeout_s: float = 10.0,
    stop_timeout_s: float = 10.0,
    sync: Sync = "always",
) -> AsyncIterator[EmbeddedStore]:
    store = await open_embedded(data_dir, start_timeout_s=start_timeout_s, sync=sync)
    try:
        yield store
    finally:
        await close_embedded(store, stop_timeout_s=stop_timeout_s)


async def open_embedded(
    data_dir: Path, *, start_timeout_s: float = 10.0, sync: Sync = "always"
) -> EmbeddedStore:
    """Take a share of the store in `data_dir`; adopt it if it runs, else start it.

    The time-out is for silence: a store that says it is still loading is waited for.
    `sync` matters only to who starts it. Raises StoreUnavailable.
    """
    with _os_errors_named(data_dir):
        files = StoreFiles.prepare(data_dir)
        share = await _take_share(files, start_timeout_s)
        try:
            return await _come_up(files, share, start_timeout_s, sync)
        except BaseException:
            await _leave(files, share, GIVE_UP_S)
            raise


async def revive_embedded(
    store: EmbeddedStore, *, start_timeout_s: float = 10.0, sync: Sync = "always"
) -> EmbeddedStore:
    """Start the store again if it died under its nodes; any number of them may try at once.

    The share moves to what is returned; the URL stays (for an unchanged TMPDIR).
    Raises StoreUnavailable, and may then be tried again.
    """
    assert not store._share.released, "revived after close"  # noqa: SLF001
    with _os_errors_named(store.data_dir):
        files = StoreFiles.prepare(store.data_dir)
        return await _come_up(files, store._share, start_timeout_s, sync)  # noqa: SLF001


async def close_embedded(store: EmbeddedStore, *, stop_timeout_s: float = 10.0) -> bool:
    """Give the share back; True if it was the last and the store was stopped.

    Closing twice does no harm. Raises StoreUnavailable if the store does not end.
    """
    with _os_errors_named(store.data_dir):
        return await _leave(StoreFiles(store.data_dir), store._share, stop_timeout_s)  # noqa: SLF001


async def _come_up(
    files: StoreFiles, share: FileLock, timeout_s: float, sync: Sync
) -> EmbeddedStore:
    started = False
    while True:
        async with _start_lock(files, timeout_s):
            started |= await _start_unless_running(files, sync)
        try:
            pid = await _until_it_answers(files, timeout_s)
        except StoreUnavailable:
            if started or not await _stop_if_nobody_else_has_it(files, share):
                raise
            continue
        if pid is not None:
            url = f"unix://{quote(str(files.socket()))}"
            return EmbeddedStore(url, pid, not started, files.data_dir, share)
        if started:
            raise StoreUnavailable(
                f"The store in {files.data_dir} stopped while starting",
                f"Its log is {files.log_file}; put right what it says, {NAME_A_STORE}",
                files.log_tail(),
            )
        # The one we found was on its way out: the next round starts another.


async def _start_unless_running(files: StoreFiles, sync: Sync) -> bool:
    """Cancelling waits for the start, so that what came up can be stopped again."""
    start = asyncio.create_task(asyncio.to_thread(start_unless_running, files, sync))
    try:
        return await asyncio.shield(start)
    except asyncio.CancelledError:
        await asyncio.wait([start])
        raise


async def _until_it_answers(files: StoreFiles, timeout_s: float) -> int | None:
    """The store's pid once it serves; None if it is gone."""
    now = asyncio.get_running_loop().time
    give_up_at = now() + timeout_s
    while True:
        socket = files.socket()
        answer = await ask(socket) if socket else None
        if answer and not answer.loading:
            return answer.pid
        if answer:
            give_up_at = now() + timeout_s
        elif not files.store_lives():
            return None
        elif now() > give_up_at:
            raise StoreUnavailable(
                f"The store in {files.data_dir} runs (pid {files.pid()}) but does not answer",
                f"Stop that process and try again, {NAME_A_STORE}",
                files.log_tail(),
            )
        await asyncio.sleep(POLL_S)


async def _take_share(files: StoreFiles, timeout_s: float) -> FileLock:
    async with _start_lock(files, timeout_s):
        share = FileLock.try_take(files.nodes_lock, shared=True)
    assert share is not None, "taken alone only by a holder of the start lock"
    return share


async def _stop_if_nobody_else_has_it(files: StoreFiles, share: FileLock) -> bool:
    """Clear away a mute store: left frozen, or its socket was swept out of /tmp."""
    async with _start_lock(files, GIVE_UP_S):
        if not share.try_make_exclusive():
            return False
        try:
            await _stop(files, GIVE_UP_S)
        finally:
            share.make_shared()
        return True


async def _leave(files: StoreFiles, share: FileLock, stop_timeout_s: float) -> bool:
    if share.released:
        return False
    try:
        async with _start_lock(files, stop_timeout_s):
            if not share.try_make_exclusive():
                return False
            await _stop(files, stop_timeout_s)
            return True
    finally:
        share.release()


async def _stop(files: StoreFiles, timeout_s: float) -> None:
    """Ask, then insist. Killing loses nothing acknowledged: the file has it already."""
    try:
        async with asyncio.timeout(timeout_s):
            told = False
            while files.store_lives():
                told = told or await _tell_to_stop(files)
                await asyncio.sleep(POLL_S)
            return
    except TimeoutError:
        send_signal(files, signal.SIGKILL)
    try:
        async with asyncio.timeout(timeout_s):
            while True:
                if not files.store_lives():
                    return
                await asyncio.sleep(POLL_S)
    except TimeoutError as exc:
        raise StoreUnavailable(
            f"The store in {files.data_dir} (pid {files.pid()}) does not stop",
            "Stop that process by hand",
            files.log_tail(),
        ) from exc


async def _tell_to_stop(files: StoreFiles) -> bool:
    """False while it is too young to have either a socket or a pid file."""
    socket = files.socket()
    if socket and await tell_to_shut_down(socket):
        return True
    return send_signal(files, signal.SIGTERM)


@asynccontextmanager
async def _start_lock(files: StoreFiles, timeout_s: float) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(timeout_s):
            while True:
                lock = FileLock.try_take(files.start_lock)
                if lock is not None:
                    break
                await asyncio.sleep(POLL_S)
    except TimeoutError as exc:
        raise StoreUnavailable(
            f"Another node is starting or stopping the store in {files.data_dir}, without end",
            f"Stop that node, {NAME_A_STORE}",
        ) from exc
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _os_errors_named(data_dir: Path) -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        raise StoreUnavailable.from_os_error(data_dir, exc) from exc

"""A line to the store that can fall silent: nothing arrives any more, and nothing says so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final
from urllib.parse import unquote, urlsplit

__all__ = ["StoreProxy", "store_proxy"]

_SUBSCRIBES: Final = b"SUBSCRIBE"


class _Pipe:
    """One connection through the proxy."""

    def __init__(self, writers: tuple[asyncio.StreamWriter, asyncio.StreamWriter]) -> None:
        self.writers = writers
        self.subscribes = False
        self.lost = False
        """Something was dropped: what came after it must not arrive either."""


class StoreProxy:
    """Passes bytes on. While `silent`, connections that subscribe are cut without a word: what is
    sent is lost, both ways, and so is the news that one side has closed.
    """

    def __init__(self, store_url: str) -> None:
        self._store = urlsplit(store_url)
        self._pipes: set[_Pipe] = set()
        self._server: asyncio.Server | None = None
        self.silent = False
        self.silenced = 0
        """Connections that have lost something."""

    @property
    def url(self) -> str:
        """Where nodes find the store."""
        assert self._server is not None
        port = self._server.sockets[0].getsockname()[1]
        database = self._store.path if self._store.scheme != "unix" else ""
        return f"redis://127.0.0.1:{port}{database}"

    async def start(self) -> None:
        """Listen on a port of the system's choice."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)

    def heal(self) -> None:
        """From now on everything arrives; what was cut before is closed, as TCP would find out."""
        self.silent = False
        for pipe in self._pipes:
            if pipe.lost:
                for writer in pipe.writers:
                    writer.close()

    async def close(self) -> None:
        """Cut everything."""
        assert self._server is not None
        self._server.close()
        for pipe in self._pipes:
            for writer in pipe.writers:
                writer.transport.abort()
        await asyncio.sleep(0)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._store.scheme == "unix":
            up_reader, up_writer = await asyncio.open_unix_connection(unquote(self._store.path))
        else:
            host, port = self._store.hostname, self._store.port
            up_reader, up_writer = await asyncio.open_connection(host, port)
        pipe = _Pipe((writer, up_writer))
        self._pipes.add(pipe)
        try:
            await asyncio.gather(
                self._pass_on(pipe, reader, up_writer), self._pass_on(pipe, up_reader, writer)
            )
        finally:
            self._pipes.discard(pipe)

    async def _pass_on(
        self, pipe: _Pipe, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                pipe.subscribes |= _SUBSCRIBES in data
                if self._drops(pipe):
                    continue
                writer.write(data)
                await writer.drain()
        if not self._drops(pipe):
            writer.close()

    def _drops(self, pipe: _Pipe) -> bool:
        if self.silent and pipe.subscribes and not pipe.lost:
            pipe.lost = True
            self.silenced += 1
        return pipe.lost


@asynccontextmanager
async def store_proxy(store_url: str) -> AsyncIterator[StoreProxy]:
    """A proxy in front of this store."""
    proxy = StoreProxy(store_url)
    await proxy.start()
    try:
        yield proxy
    finally:
        await proxy.close()

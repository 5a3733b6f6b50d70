"""TLS to the store: a forwarder that speaks it stands before the real one."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import trustme
from redis.exceptions import RedisError
from tests.support.sentinel import SentinelSet

from samedeal_server.settings import Settings
from samedeal_server.store.address import StoreTls
from samedeal_server.store.client import bare_connection, open_client


class Files:
    """An authority, and the files of a client that it knows."""

    def __init__(self, directory: Path) -> None:
        self.authority = trustme.CA()
        directory.mkdir()
        self.ca, self.cert, self.key = (directory / name for name in ("ca", "cert", "key"))
        self.authority.cert_pem.write_to_path(self.ca)
        issued = self.authority.issue_cert("client")
        self.cert.write_bytes(b"".join(part.bytes() for part in issued.cert_chain_pems))
        self.key.write_bytes(issued.private_key_pem.bytes())

    def server_context(self) -> ssl.SSLContext:
        """Of a store that asks for a certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.authority.issue_cert("localhost").configure_cert(context)
        self.authority.configure_trust(context)
        context.verify_mode = ssl.CERT_REQUIRED
        return context

    @property
    def tls(self) -> StoreTls:
        return StoreTls(self.ca, self.cert, self.key)


@asynccontextmanager
async def _tls_before(port: int, context: ssl.SSLContext) -> AsyncIterator[str]:
    """The URL of a port that passes on to another what comes through TLS."""

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pump(reader, back), pump(there, writer))
        for end in (writer, back):
            with suppress(OSError):
                await end.wait_closed()

    server = await asyncio.start_server(forward, "127.0.0.1", 0, ssl=context)
    async with server:
        yield f"rediss://localhost:{server.sockets[0].getsockname()[1]}"


async def test_both_sides_show_certificates(sentinel_set: SentinelSet, tmp_path: Path) -> None:
    """The pooled client and the bare connection of moves alike."""
    files = Files(tmp_path / "good")
    async with _tls_before(sentinel_set.primary().port, files.server_context()) as url:
        async with open_client(url, tls=files.tls) as client:
            assert await client.ping()
            connection = await bare_connection(client, "k")
            await connection.connect()  # type: ignore[no-untyped-call]
            await connection.disconnect()
        for tls in (StoreTls(), StoreTls(Files(tmp_path / f"{id(url)}").ca)):
            async with open_client(url, retries=0, tls=tls) as client:
                with pytest.raises(RedisError):
                    await client.ping()


def test_files_are_looked_at_before_the_start(tmp_path: Path) -> None:
    """What is missing, broken, alone or for nothing is said with the setting's name."""
    files, nothing = Files(tmp_path / "good"), tmp_path / "nothing"
    broken = tmp_path / "broken"
    broken.write_text("no PEM")
    url = "rediss://localhost"
    Settings(store_url=url, store_ca=files.ca, store_cert=files.cert, store_key=files.key)
    for slip, says in (
        ({"store_url": url, "store_ca": nothing}, "No such file"),
        ({"store_url": url, "store_ca": broken}, "not a usable PEM"),
        ({"store_url": url, "store_cert": files.cert}, "come together"),
        ({"store_url": url, "store_cert": files.cert, "store_key": broken}, "store_key"),
        ({"store_url": "redis://localhost", "store_ca": files.ca}, "rediss"),
        ({"store_ca": files.ca}, "rediss"),
    ):
        with pytest.raises(ValueError, match=says):
            Settings(**slip)  # type: ignore[arg-type]

"""A server with a certificate as a process: played on, told to renew, started with a wrong one."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import trustme

from samedeal_client.connection import Connection
from samedeal_client.errors import ConnectionFailed
from support.nodes import eventually
from support.serving import Server


@pytest.fixture
def directory() -> Iterator[Path]:
    """For a store, which is gone at the end, and for certificates."""
    directory = Path(tempfile.mkdtemp(prefix="samedeal-tls-"))
    yield directory
    with suppress(FileNotFoundError, ValueError, ProcessLookupError):
        os.kill(int((directory / "store" / "valkey.pid").read_text()), signal.SIGKILL)
    shutil.rmtree(directory, ignore_errors=True)


def issue(authority: trustme.CA, directory: Path) -> tuple[str, ...]:
    """Flags for a server whose certificate this authority has signed."""
    issued = authority.issue_cert("localhost", "127.0.0.1")
    (directory / "cert.pem").write_bytes(b"".join(p.bytes() for p in issued.cert_chain_pems))
    (directory / "key.pem").write_bytes(issued.private_key_pem.bytes())
    authority.cert_pem.write_to_path(str(directory / "ca.pem"))
    return ("--tls-cert", str(directory / "cert.pem"), "--tls-key", str(directory / "key.pem"))


def _certificate(port: int) -> str:
    return ssl.get_server_certificate(("127.0.0.1", port))


async def test_play_over_tls_with_an_authority_of_ones_own(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """wss works for who trusts the authority (SSL_CERT_FILE), and for nobody else."""
    flags = issue(trustme.CA(), directory)
    with Server(directory, *flags) as server:
        address = f"wss://localhost:{server.port}"
        for wrong, words in (
            (address, "certificate is not trusted.*SSL_CERT_FILE"),
            (address.replace("wss", "ws"), "."),
        ):
            with pytest.raises(ConnectionFailed, match=words):
                async with Connection(wrong, name="Ana"):
                    pass
        monkeypatch.setenv("SSL_CERT_FILE", str(directory / "ca.pem"))
        async with Connection(address, name="Ana") as connection:
            assert connection.up
        command = [sys.executable, "-m", "samedeal_client.main", "top", "--server", address]
        told = await asyncio.to_thread(
            subprocess.run, command, capture_output=True, text=True, timeout=60, check=False
        )
        assert told.returncode == 0, told.stderr
        server.stop()
        assert await asyncio.to_thread(server.code) == 0


@pytest.mark.parametrize("workers", [1, 2])
async def test_sighup_renews_the_certificate(directory: Path, workers: int) -> None:
    """The port goes on with the new one; a broken file is said, and changes nothing."""
    authority = trustme.CA()
    flags = issue(authority, directory)
    with Server(directory, *flags, "--workers", str(workers)) as server:
        before = await asyncio.to_thread(_certificate, server.port)
        issue(authority, directory)
        server.process.send_signal(signal.SIGHUP)

        async def renewed() -> bool:
            found = {await asyncio.to_thread(_certificate, server.port) for _ in range(8)}
            return len(found) == 1 and before not in found

        await eventually(renewed)
        after = await asyncio.to_thread(_certificate, server.port)
        (directory / "key.pem").write_text("nonsense")
        server.process.send_signal(signal.SIGHUP)
        await eventually(lambda: "not a certificate and a key" in "".join(server.errors))
        assert await asyncio.to_thread(_certificate, server.port) == after
        server.stop()
        assert await asyncio.to_thread(server.code) == 0
        assert "Traceback" not in "".join(server.errors)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_wrong_certificate_is_said_at_the_start(directory: Path, workers: str) -> None:
    """One line, no traceback, exit code 1; one half alone is a usage error."""
    flags = issue(trustme.CA(), directory)
    (directory / "key.pem").unlink()
    for wrong, words, code in (
        (flags, "key.pem can't be read: No such file", 1),
        (flags[:2], "tls_cert and tls_key come together", 2),
    ):
        with Server(directory, *wrong, "--workers", workers, wait=False) as server:
            assert server.code() == code
            server._drain.join(5)
            said = "".join(server.errors)
            assert words in said
            assert "Traceback" not in said

"""A server with a certificate as a process: played on, told to renew, started with a wrong one."""

from __future__ import annotations

import asyncio
import signal
import ssl
import subprocess
import sys
from pathlib import Path

import pytest
import trustme

from samedeal_client.connection import Connection
from samedeal_client.errors import ConnectionFailed
from support.nodes import eventually
from support.serving import Server


def issue(authority: trustme.CA, data_dir: Path) -> tuple[str, ...]:
    """Flags for a server whose certificate this authority has signed."""
    issued = authority.issue_cert("localhost", "127.0.0.1")
    (data_dir / "cert.pem").write_bytes(b"".join(p.bytes() for p in issued.cert_chain_pems))
    (data_dir / "key.pem").write_bytes(issued.private_key_pem.bytes())
    authority.cert_pem.write_to_path(str(data_dir / "ca.pem"))
    return ("--tls-cert", str(data_dir / "cert.pem"), "--tls-key", str(data_dir / "key.pem"))


def _certificate(port: int) -> str:
    return ssl.get_server_certificate(("127.0.0.1", port))


async def test_play_over_tls_with_an_authority_of_ones_own(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """wss works for who trusts the authority (SSL_CERT_FILE), and for nobody else."""
    flags = issue(trustme.CA(), data_dir)
    with Server(data_dir, *flags) as server:
        address = f"wss://localhost:{server.port}"
        for wrong, words in (
            (address, "certificate is not trusted.*SSL_CERT_FILE"),
            (address.replace("wss", "ws"), "."),
        ):
            with pytest.raises(ConnectionFailed, match=words):
                async with Connection(wrong, name="Ana"):
                    pass
        monkeypatch.setenv("SSL_CERT_FILE", str(data_dir / "ca.pem"))
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
async def test_sighup_renews_the_certificate(data_dir: Path, workers: int) -> None:
    """The port goes on with the new one; a broken file is said, and changes nothing."""
    authority = trustme.CA()
    flags = issue(authority, data_dir)
    with Server(data_dir, *flags, "--workers", str(workers)) as server:
        before = await asyncio.to_thread(_certificate, server.port)
        issue(authority, data_dir)
        server.process.send_signal(signal.SIGHUP)

        async def renewed() -> bool:
            found = {await asyncio.to_thread(_certificate, server.port) for _ in range(8)}
            return len(found) == 1 and before not in found

        await eventually(renewed)
        after = await asyncio.to_thread(_certificate, server.port)
        (data_dir / "key.pem").write_text("nonsense")
        server.process.send_signal(signal.SIGHUP)
        await eventually(lambda: "not a certificate and a key" in "".join(server.errors))
        assert await asyncio.to_thread(_certificate, server.port) == after
        server.stop()
        assert await asyncio.to_thread(server.code) == 0
        assert "Traceback" not in "".join(server.errors)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_wrong_certificate_is_said_at_the_start(data_dir: Path, workers: str) -> None:
    """One line, no traceback, exit code 1; one half alone is a usage error."""
    flags = issue(trustme.CA(), data_dir)
    (data_dir / "key.pem").unlink()
    for wrong, words, code in (
        (flags, "key.pem can't be read: No such file", 1),
        (flags[:2], "tls_cert and tls_key come together", 2),
    ):
        with Server(data_dir, *wrong, "--workers", workers, wait=False) as server:
            assert server.code() == code
            server._drain.join(5)
            said = "".join(server.errors)
            assert words in said
            assert "Traceback" not in said

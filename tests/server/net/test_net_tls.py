"""wss on the same port: certificates that work, that are renewed, and that are wrong."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import pytest
import trustme
from edge_testing import Dial, RawClient, Serve, dial_port, request, until

from samedeal_server.net import EdgeLimits, HttpReply, TlsFiles, TlsUnusable


class Files:
    """A certificate authority, and a pair of files that it has signed."""

    def __init__(self, directory: Path) -> None:
        self.authority = trustme.CA()
        self.cert, self.key = directory / "cert.pem", directory / "key.pem"
        self.renew()
        self.client = ssl.create_default_context()
        self.authority.configure_trust(self.client)

    def renew(self) -> None:
        issued = self.authority.issue_cert("localhost")
        self.cert.write_bytes(b"".join(part.bytes() for part in issued.cert_chain_pems))
        self.key.write_bytes(issued.private_key_pem.bytes())


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def _certificate(client: RawClient) -> bytes:
    return client.writer.get_extra_info("ssl_object").getpeercert(binary_form=True)  # type: ignore[no-any-return]


async def test_a_renewed_certificate_is_for_new_connections(serve: Serve, files: Files) -> None:
    """Who is connected stays; who comes gets the new one; a broken one changes nothing."""
    tls = TlsFiles(files.cert, files.key)
    edge = await serve(ssl=tls.context)
    first = await dial_port(edge.server.port, files.client)
    await first.shake()
    files.renew()
    tls.load_anew()
    second = await dial_port(edge.server.port, files.client)
    await second.shake()
    assert _certificate(first) != _certificate(second)
    files.key.write_text("nonsense")
    with pytest.raises(TlsUnusable):
        tls.load_anew()
    third = await dial_port(edge.server.port, files.client)
    await third.shake()
    assert _certificate(third) == _certificate(second)
    for client in (first, second, third):
        await client.close()


async def test_a_client_without_tls_on_the_tls_port(serve: Serve, files: Files) -> None:
    """It gets nothing, the loop's exception handler hears nothing, and others are served."""
    edge = await serve(
        ssl=TlsFiles(files.cert, files.key).context,
        routes={"/healthz": lambda: HttpReply(200, b"ok\n")},
    )
    plain = await dial_port(edge.server.port)
    plain.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    assert b"HTTP" not in await plain.rest_or_reset()
    client = await dial_port(edge.server.port, files.client)
    client.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert (await client.head()).startswith(b"HTTP/1.1 200 ")
    await plain.close()
    await client.close()


async def test_a_client_that_does_not_trust_us(serve: Serve, files: Files) -> None:
    """Its handshake fails; nothing of ours does. Old versions of TLS are not spoken."""
    edge = await serve(ssl=TlsFiles(files.cert, files.key).context)
    with pytest.raises(ssl.SSLCertVerificationError):
        await dial_port(edge.server.port, ssl.create_default_context())
    assert TlsFiles(files.cert, files.key).context.minimum_version >= ssl.TLSVersion.TLSv1_2
    await asyncio.sleep(0)


_HALF_A_HANDSHAKE = b"\x16\x03\x01"


async def test_half_tls_handshakes_take_up_room(serve: Serve, dial: Dial, files: Files) -> None:
    """A flood of them is bounded like one of connections; who has gone makes room again."""
    limits = EdgeLimits(max_connections=1, refusal_headroom=1, open_timeout=600.0)
    edge = await serve(ssl=TlsFiles(files.cert, files.key).context, limits=limits)
    half = [await dial(edge, shake=False) for _ in range(2)]
    for client in half:
        client.send(_HALF_A_HANDSHAKE)
    with pytest.raises(OSError):
        await dial(edge, tls=files.client)
    half[0].reset()
    await until(lambda: edge.server.sockets == 1)
    inside = await dial(edge, tls=files.client)
    assert edge.server.connections == 1
    await inside.close()


@pytest.mark.parametrize("parts", [0.0, 0.3, 0.6, 0.9, 1.0])
async def test_nobody_is_left_who_went_in_the_middle_of_tls(
    serve: Serve, files: Files, parts: float
) -> None:
    """Whatever the moment and the way: with the handshake begun, done, or just answered."""
    edge = await serve(
        ssl=TlsFiles(files.cert, files.key).context, limits=EdgeLimits(open_timeout=600.0)
    )
    for reset in (True, False) * 4:
        raw = await dial_port(edge.server.port)
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = files.client.wrap_bio(incoming, outgoing, server_hostname="localhost")
        with pytest.raises(ssl.SSLWantReadError):
            tls.do_handshake()
        hello = outgoing.read()
        raw.send(hello[: int(len(hello) * parts)])
        if parts == 1.0:
            while True:
                incoming.write(await raw.reader.read(65_536))
                try:
                    tls.do_handshake()
                except ssl.SSLWantReadError:
                    continue
                break
            tls.write(request())
            raw.send(outgoing.read())  # the end of the handshake and the request at once
        if reset:
            raw.reset()
        else:
            await raw.close()
    await until(lambda: edge.server.sockets == 0)
    assert edge.server.connections == 0


def _with_pass_phrase(files: Files) -> None:
    from cryptography.hazmat.primitives import serialization

    key = serialization.load_pem_private_key(files.key.read_bytes(), None)
    files.key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"secret"),
        )
    )


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda files: files.cert.unlink(), "certificate .*cert.pem can't be read: No such file"),
        (lambda files: files.key.unlink(), "key .*key.pem can't be read: No such file"),
        (lambda files: files.cert.write_text("hello"), "not a certificate and a key in PEM"),
        (lambda files: files.key.write_text(""), "not a certificate and a key in PEM"),
        (
            lambda files: files.key.write_bytes(
                files.authority.issue_cert("x.org").private_key_pem.bytes()
            ),
            "key .*key.pem does not belong to the certificate .*cert.pem",
        ),
        (_with_pass_phrase, "has a pass phrase"),
    ],
    ids=["no certificate", "no key", "no PEM", "empty", "another's key", "pass phrase"],
)
def test_what_is_wrong_is_said_in_words(files: Files, damage: object, words: str) -> None:
    """Which file, and why; nobody is asked for a pass phrase on a terminal."""
    damage(files)  # type: ignore[operator]
    with pytest.raises(TlsUnusable, match=words):
        TlsFiles(files.cert, files.key)

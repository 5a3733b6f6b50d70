"""docker-compose.yml and deploy/haproxy.cfg: the pieces agree, and work together on loopback."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
import trustme
from ruamel.yaml import YAML

from samedeal_client.connection import Connection
from samedeal_client.events import Reconnected
from samedeal_protocol import Create, Result, Snapshot
from samedeal_server.settings import Settings
from support.nodes import eventually
from support.serving import Server, free_port

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "deploy" / "haproxy.cfg"
HAPROXY = CONFIG.read_text("utf-8")
COMPOSE: dict[str, Any] = YAML(typ="safe").load(ROOT / "docker-compose.yml")
SERVICES = COMPOSE["services"]
NODES = {name: service for name, service in SERVICES.items() if name.startswith("server-")}
needs_haproxy = pytest.mark.skipif(shutil.which("haproxy") is None, reason="haproxy is not here")


def _settings_of(service: dict[str, Any]) -> Settings:
    """What a container's environment sets; compose's own ${VARIABLES} at their defaults."""
    values = {}
    for name, value in service["environment"].items():
        assert name.startswith("SAMEDEAL_")
        field = name.removeprefix("SAMEDEAL_").lower()
        assert field in Settings.model_fields, f"{name} is no setting"
        values[field] = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)
    return Settings(**values)


def _seconds(text: str) -> float:
    number, unit = re.fullmatch(r"(\d+)(ms|s|m|h)", text).groups()  # type: ignore[union-attr]
    return int(number) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600}[unit]


def _timeout(name: str) -> float:
    found = re.search(rf"timeout {name} +(\w+)", HAPROXY)
    assert found is not None
    return _seconds(found[1])


def test_two_nodes_on_one_store_behind_one_balancer() -> None:
    """Names, ports and networks fit together; only the balancer can be reached from outside."""
    assert len(NODES) == 2
    for service in NODES.values():
        settings = _settings_of(service)
        assert settings.store_url == "redis://store:6379/0"
        assert service["depends_on"] == {"store": {"condition": "service_healthy"}}
        trusted = ip_network(settings.trusted_proxies)
        assert [
            ip_network(c["subnet"]) for c in COMPOSE["networks"]["inside"]["ipam"]["config"]
        ] == [trusted]
    assert COMPOSE["networks"]["inside"]["internal"] is True
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["balancer"]
    assert [n for n, service in SERVICES.items() if "outside" in service["networks"]] == [
        "balancer"
    ]
    environment = SERVICES["balancer"]["environment"]
    port = Settings.model_fields["port"].default
    assert [environment["NODE_1"], environment["NODE_2"]] == [f"{name}:{port}" for name in NODES]
    for inside in ("PORT", "TLS_PORT"):
        assert any(
            published.endswith(f":{environment[inside]}")
            for published in SERVICES["balancer"]["ports"]
        )
    for name in re.findall(r"\$\{?(\w+)", HAPROXY):
        assert name in environment, f"{name} is not set"


def test_the_store_keeps_what_it_was_told() -> None:
    """Every write on disk before it counts, nothing thrown away for want of memory."""
    command = SERVICES["store"]["command"]
    for flag, value in (
        ("--appendonly", "yes"),
        ("--appendfsync", "always"),
        ("--maxmemory-policy", "noeviction"),
    ):
        assert command[command.index(flag) + 1] == value
    assert "store:/data" in SERVICES["store"]["volumes"]


def test_the_times_fit_together() -> None:
    """A stopping node is noticed before it closes, and gets the time that it needs."""
    checks = re.search(r"default-server check inter (\w+) fall (\d+)", HAPROXY)
    assert checks is not None
    for service in NODES.values():
        settings = _settings_of(service)
        assert settings.drain_delay_s > _seconds(checks[1]) * int(checks[2])
        needs = settings.drain_delay_s + 2 * 5 + 2 * settings.stop_s
        assert _seconds(service["stop_grace_period"]) > needs
        assert _seconds(SERVICES["store"]["stop_grace_period"]) > needs
        quiet = settings.ping_interval_s + settings.ping_timeout_s
        assert _timeout("tunnel") > quiet


def test_outside_sees_the_game_only() -> None:
    """The health check asks /readyz; neither that nor /metrics is passed on for anybody."""
    assert "http-check send meth GET uri /readyz" in HAPROXY
    allowed = re.search(r"deny_status 404 unless \{ path (.*) \}", HAPROXY)
    assert allowed is not None
    assert set(allowed[1].split()) == {"/", "/ws", "/healthz"}
    assert "stick" not in HAPROXY.replace("stickiness", "")


@contextmanager
def balancer(data_dir: Path, nodes: tuple[int, int], cert: Path | None = None) -> Iterator[Any]:
    """haproxy with our configuration on ports of its own: (plain, tls)."""
    port, tls_port = free_port(), free_port()
    environment = {
        **os.environ,
        "PORT": str(port),
        "TLS_PORT": str(tls_port),
        "CERT": "" if cert is None else str(cert),
        "NODE_1": f"127.0.0.1:{nodes[0]}",
        "NODE_2": f"127.0.0.1:{nodes[1]}",
    }
    with (data_dir / "haproxy.log").open("wb") as log:
        process = subprocess.Popen(
            ["haproxy", "-db", "-f", str(CONFIG)], env=environment, stdout=log, stderr=log
        )
    try:
        yield port, tls_port
    finally:
        process.kill()
        process.wait()


async def _status(port: int, path: str) -> tuple[int, bytes]:
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return 0, b""
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    return (int(answer.split(b" ")[1]) if answer else 0), answer


async def _up(port: int) -> None:
    async def up() -> bool:
        return (await _status(port, "/healthz"))[0] == 200

    await eventually(up)


async def _until(connection: Connection, kind: type[Any]) -> Any:
    async with asyncio.timeout(30):
        async for event in connection.events():
            if isinstance(event, kind):
                return event
    raise AssertionError("the connection has ended")


@needs_haproxy
async def test_a_duel_through_the_balancer_with_one_node_killed(data_dir: Path) -> None:
    """Both nodes serve; one dies; its player is back on the other one, and the duel ends well."""
    with (
        Server(data_dir) as one,
        Server(data_dir) as two,
        balancer(data_dir, (one.port, two.port)) as (port, _),
    ):
        await _up(port)
        for path, status in (("/metrics", 404), ("/readyz", 404), ("/nothing", 404)):
            assert (await _status(port, path))[0] == status
        address = f"ws://127.0.0.1:{port}"
        async with Connection(address, name="Ann") as ann, Connection(address, name="Bob") as bob:
            duel = await ann.request(Create(req=0, seats=2, duration_ms=60_000))
            await bob.join(duel.code)
            await asyncio.gather(ann.ready(), bob.ready())
            await asyncio.gather(_until(ann, Snapshot), _until(bob, Snapshot))
            await asyncio.gather(ann.play_and_wait("d"), bob.play_and_wait("d"))
            killed_at = time.monotonic()
            one.kill()  # leastconn: each node has one of the two
            back = asyncio.gather(
                *(asyncio.create_task(_until(player, Reconnected)) for player in (ann, bob)),
                return_exceptions=True,
            )
            async with asyncio.timeout(30):
                while not (ann.up and bob.up) or time.monotonic() - killed_at < 0.5:
                    await asyncio.sleep(0.02)
            back.cancel()
            await asyncio.gather(back, return_exceptions=True)
            await asyncio.gather(ann.play_and_wait("d"), bob.play_and_wait("d"))
            await asyncio.gather(ann.play_and_wait("end"), bob.play_and_wait("end"))
            results = await asyncio.gather(_until(ann, Result), _until(bob, Result))
            assert results[0].ranking == results[1].ranking
            assert [row.moves for row in results[0].ranking] == [3, 3]
        two.kill()

        async def nobody() -> bool:
            status, answer = await _status(port, "/healthz")
            return status == 503 and b"retry-after: 2" in answer.lower()

        await eventually(nobody)


@needs_haproxy
async def test_nobody_is_cut_off_while_a_node_leaves(data_dir: Path) -> None:
    """A stopping node: the balancer sends nobody there any more before it closes."""
    with (
        Server(data_dir, "--drain-delay-s", "3") as one,
        Server(data_dir) as two,
        balancer(data_dir, (one.port, two.port)) as (port, _),
    ):
        await _up(port)
        refused = 0
        one.stop()
        while one.process.poll() is None:
            refused += (await _status(port, "/healthz"))[0] != 200
            await asyncio.sleep(0.02)
        assert one.process.returncode == 0
        assert refused == 0


@needs_haproxy
async def test_tls_ends_at_the_balancer(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a certificate wss works through it; the plain port goes on beside."""
    authority = trustme.CA()
    issued = authority.issue_cert("localhost")
    (data_dir / "server.pem").write_bytes(issued.private_key_and_cert_chain_pem.bytes())
    authority.cert_pem.write_to_path(str(data_dir / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(data_dir / "ca.pem"))
    with (
        Server(data_dir) as one,
        Server(data_dir) as two,
        balancer(data_dir, (one.port, two.port), data_dir / "server.pem") as (port, tls_port),
    ):
        await _up(port)
        async with Connection(f"wss://localhost:{tls_port}", name="Ann") as ann:
            assert ann.up
        assert ssl.get_server_certificate(("localhost", tls_port))

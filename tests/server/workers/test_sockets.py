"""The parent's listening sockets."""

from __future__ import annotations

import errno
import socket
import sys

import pytest

from samedeal_server.workers.sockets import ListeningSockets, open_sockets


def _close(groups: list[ListeningSockets]) -> None:
    for group in groups:
        for sock in group:
            sock.close()


async def test_all_workers_have_the_one_free_port() -> None:
    """Port 0: one free port for all of them, and on Linux a socket for each."""
    groups = await open_sockets("127.0.0.1", 0, 3)
    try:
        assert len(groups) == 3
        assert len({sock.getsockname()[1] for group in groups for sock in group}) == 1
        if sys.platform == "linux":
            assert len({id(group[0]) for group in groups}) == 3
    finally:
        _close(groups)


async def test_a_host_with_two_addresses_has_one_port() -> None:
    """Whatever `localhost` means here, each worker listens on all of it."""
    groups = await open_sockets("localhost", 0, 2)
    try:
        assert len({sock.getsockname()[1] for group in groups for sock in group}) == 1
        assert len(groups[0]) == len(groups[1])
    finally:
        _close(groups)


async def test_the_kernel_spreads_connections() -> None:
    """Many connections come to both sockets."""
    groups = await open_sockets("127.0.0.1", 0, 2)
    port = groups[0][0].getsockname()[1]
    clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(60)]
    try:
        accepted = []
        for group in groups:
            count = 0
            try:
                while True:
                    group[0].accept()[0].close()
                    count += 1
            except BlockingIOError:
                accepted.append(count)
        assert sum(accepted) == 60
        if sys.platform == "linux":
            assert min(accepted) > 0
    finally:
        for client in clients:
            client.close()
        _close(groups)


async def test_a_taken_port_is_taken() -> None:
    """SO_REUSEPORT lets no second service in silently: neither beside us nor beside others."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        with pytest.raises(OSError) as refused:
            await open_sockets("127.0.0.1", other.getsockname()[1], 2)
        assert refused.value.errno == errno.EADDRINUSE
    groups = await open_sockets("127.0.0.1", 0, 2)
    try:
        with pytest.raises(OSError) as refused:
            await open_sockets("127.0.0.1", groups[0][0].getsockname()[1], 2)
        assert refused.value.errno == errno.EADDRINUSE
    finally:
        _close(groups)

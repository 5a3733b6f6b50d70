"""Listening sockets of the parent: held for as long as it lives, whatever becomes of a worker."""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
from collections.abc import Sequence
from typing import Any, Final

__all__ = ["ListeningSockets", "open_sockets"]

_BACKLOG: Final = 4096
"""Connections the kernel holds while a worker starts anew; everybody comes back at once."""

_TRIES: Final = 10
"""Of finding a port that is free on every address of the host."""

_WAITS_S: Final = (0.1, 0.2, 0.4, 0.8)
"""Workers whose parent was killed let go of the port within this; a foreign server does not."""

ListeningSockets = list[socket.socket]
"""One for each address of the host, all with the same port."""

_Address = tuple[socket.AddressFamily, tuple[Any, ...]]


async def open_sockets(host: str, port: int, workers: int) -> list[ListeningSockets]:
    """For each worker what it listens on. Port 0 takes any free one.

    On Linux every worker has sockets of its own and the kernel spreads connections over them
    (SO_REUSEPORT). Elsewhere the kernel would give all to one of them, so the workers share, and
    whoever is quicker accepts. Raises OSError, also if anybody else listens there.
    """
    for wait_s in _WAITS_S:
        try:
            return _open(host, port, workers)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
        await asyncio.sleep(wait_s)
    return _open(host, port, workers)


def _open(host: str, port: int, workers: int) -> list[ListeningSockets]:
    addresses = _addresses(host, port)
    for left in range(_TRIES, -1, -1):
        try:
            return _open_at(addresses, port, workers)
        except OSError as error:
            if port or not left or error.errno != errno.EADDRINUSE:
                raise
    raise AssertionError("the last try raises")


def _open_at(addresses: Sequence[_Address], port: int, workers: int) -> list[ListeningSockets]:
    spread = sys.platform == "linux"
    opened: list[socket.socket] = []
    groups: list[ListeningSockets] = []
    try:
        if port and spread:
            # Without the option the kernel says if anybody is there already, us included.
            for address in addresses:
                _bound(address, port, reuse_port=False).close()
        for _ in range(workers if spread else 1):
            group: ListeningSockets = []
            for address in addresses:
                sock = _bound(address, port, reuse_port=spread)
                opened.append(sock)
                group.append(sock)
                port = sock.getsockname()[1]
            groups.append(group)
        for sock in opened:
            sock.listen(_BACKLOG)
    except BaseException:
        for sock in opened:
            sock.close()
        raise
    return groups if spread else groups * workers


def _addresses(host: str, port: int) -> list[_Address]:
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return list(dict.fromkeys((family, address) for family, _, _, _, address in found))


def _bound(address: _Address, port: int, *, reuse_port: bool) -> socket.socket:
    family, where = address
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if reuse_port:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            # As asyncio does: IPv4 has a socket of its own.
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind((where[0], port, *where[2:]))
    except BaseException:
        sock.close()
        raise
    return sock

"""Whose connection it is: the peer's, or whom a trusted proxy names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, Literal

__all__ = ["UNIX", "ForwardedHeader", "Forwarding", "network_of"]

ForwardedHeader = Literal["x-forwarded-for", "forwarded"]

UNIX: Final = "unix"
"""The address of a peer on a unix socket."""

_FOR: Final = re.compile(r"""(?:^|;)\s*for\s*=\s*("(?:[^"\\]|\\.)*"|[^;\s]*)""", re.IGNORECASE)
_BRACKETED: Final = re.compile(r"\[([^\]]*)\](?::\d+)?")
_WITH_PORT: Final = re.compile(r"(\d+\.\d+\.\d+\.\d+):\d+")
_MOST_HOPS: Final = 20
"""Further addresses to the left are not looked at; no chain of proxies is that long."""


class Forwarding:
    """Which proxies are believed, and in which header they speak."""

    def __init__(
        self, trusted: Sequence[str] = (), header: ForwardedHeader = "x-forwarded-for"
    ) -> None:
        """`trusted`: networks such as "10.0.0.0/8", addresses, or "unix". Raises ValueError.

        One header only: a proxy that sets the one passes the other on as the client sent it.
        """
        self.header = header
        self._unix = UNIX in trusted
        self._networks = [ip_network(text) for text in trusted if text != UNIX]

    def trusts(self, address: str) -> bool:
        """Whether this peer may speak for others."""
        if address == UNIX:
            return self._unix
        found = _parsed(address)
        return found is not None and any(
            found.version == network.version and found in network for network in self._networks
        )

    def client(self, peer: str, values: Sequence[str]) -> str:
        """The client's address, from the peer's and the values of the header in their order.

        The right-most address that no trusted proxy has: what is left of it anybody may have
        written. If an entry is no address, the proxy that passed it on is taken.
        """
        if not self.trusts(peer):
            return peer
        nearest = peer
        hops = [hop for value in values for hop in value.split(",")]
        for hop in reversed(hops[-_MOST_HOPS:]):
            address = self._address_in(hop)
            if address is None:
                break
            nearest = address
            if not self.trusts(address):
                break
        return nearest

    def _address_in(self, hop: str) -> str | None:
        text = hop.strip()
        if self.header == "forwarded":
            found = _FOR.search(text)
            if found is None:
                return None
            text = found[1].strip('"')
        for form in (_BRACKETED, _WITH_PORT):
            if (found := form.fullmatch(text)) is not None:
                text = found[1]
        address = _parsed(text)
        return None if address is None else str(address)


def network_of(address: str) -> str:
    """Whom an address stands for: itself, or its /64 for IPv6, of which one customer has many."""
    found = _parsed(address)
    if isinstance(found, IPv6Address):
        return str(IPv6Network((found, 64), strict=False))
    return address if found is None else str(found)


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    # ::ffff:192.0.2.1 on a socket for both kinds is an IPv4 client.
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found

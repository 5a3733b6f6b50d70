"""Whose connection it is, with proxies and with those who only say so."""

from __future__ import annotations

import pytest

from samedeal_server.net import Forwarding, network_of
from samedeal_server.net.forwarding import ForwardedHeader

TRUSTED = ("10.0.0.0/8", "fd00::/8")


@pytest.mark.parametrize(
    ("peer", "values", "client"),
    [
        ("203.0.113.9", ["1.2.3.4"], "203.0.113.9"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["1.2.3.4"], "1.2.3.4"),
        ("10.0.0.1", ["6.6.6.6, 1.2.3.4"], "1.2.3.4"),
        ("10.0.0.1", ["6.6.6.6", "1.2.3.4"], "1.2.3.4"),
        ("10.0.0.1", ["1.2.3.4, 10.0.0.2"], "1.2.3.4"),
        ("10.0.0.1", ["10.9.9.9, 10.0.0.2"], "10.9.9.9"),
        ("10.0.0.1", ["1.2.3.4:5678"], "1.2.3.4"),
        ("10.0.0.1", ["[2001:db8::7]:443"], "2001:db8::7"),
        ("10.0.0.1", ["2001:DB8::7"], "2001:db8::7"),
        ("10.0.0.1", ["unknown"], "10.0.0.1"),
        ("10.0.0.1", ["1.2.3.4, nonsense"], "10.0.0.1"),
        ("10.0.0.1", ["1.2.3.4, , 10.0.0.2"], "10.0.0.2"),
        ("::ffff:10.0.0.1", ["1.2.3.4"], "1.2.3.4"),
        ("10.0.0.1", ["::ffff:1.2.3.4"], "1.2.3.4"),
        ("unix", ["1.2.3.4"], "unix"),
        ("fd00::1%eth0", ["1.2.3.4"], "1.2.3.4"),
    ],
)
def test_the_right_most_address_that_is_not_trusted(
    peer: str, values: list[str], client: str
) -> None:
    """What is left of it may be invented; who is no proxy of ours speaks for nobody."""
    assert Forwarding(TRUSTED).client(peer, values) == client


@pytest.mark.parametrize(
    ("value", "client"),
    [
        ("for=192.0.2.60;proto=https;by=203.0.113.43", "192.0.2.60"),
        ('For="[2001:db8:cafe::17]:4711"', "2001:db8:cafe::17"),
        ("for=6.6.6.6, for=192.0.2.60", "192.0.2.60"),
        ("proto=https;for=192.0.2.60:99", "192.0.2.60"),
        ("for=_hidden", "unix"),
        ("by=1.2.3.4", "unix"),
    ],
)
def test_the_standard_header_if_that_is_the_one(value: str, client: str) -> None:
    """RFC 7239; the other header then says nothing, and the other way round."""
    assert Forwarding(["unix"], "forwarded").client("unix", [value]) == client


def test_long_chains_cost_nothing() -> None:
    """Only the last few hops are looked at."""
    proxies = ", ".join(["10.0.0.2"] * 5000)
    assert Forwarding(TRUSTED).client("10.0.0.1", [f"1.2.3.4, {proxies}"]) == "10.0.0.2"


@pytest.mark.parametrize("text", ["10.0.0.0/33", "localhost", "10.0.0.1/8", ""])
def test_a_network_is_a_network(text: str) -> None:
    """A slip in the settings is no silent default."""
    with pytest.raises(ValueError):
        Forwarding([text])


def test_whom_an_address_stands_for() -> None:
    """IPv4 for itself; of IPv6 the /64 that one customer has."""
    assert network_of("192.0.2.1") == "192.0.2.1"
    assert network_of("2001:db8:1:2:aaaa::1") == network_of("2001:db8:1:2:bbbb::2")
    assert network_of("2001:db8:1:2::1") != network_of("2001:db8:1:3::1")
    assert network_of("::ffff:192.0.2.1") == "192.0.2.1"
    assert network_of("unix") == "unix"


@pytest.mark.parametrize("header", ["x-forwarded-for", "forwarded"])
def test_only_one_header_is_read(header: ForwardedHeader) -> None:
    """A proxy that sets one passes the other on as the client sent it."""
    assert Forwarding(TRUSTED, header).header == header

"""The store's URL: what each form means, and what is said to a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest

from samedeal_server.store.address import StoreKind, StoreTls, parse_store_url


def test_a_single_server() -> None:
    """As the library reads it: TCP, TLS, a unix socket."""
    assert parse_store_url("redis://example.org:6380/2").kind is StoreKind.SINGLE
    assert parse_store_url("rediss://example.org").tls
    assert parse_store_url("unix:///run/valkey.sock").options["path"] == "/run/valkey.sock"


def test_a_sentinel_set() -> None:
    """The sentinels, the service, the database; users of the store and of the sentinels."""
    found = parse_store_url(
        "rediss+sentinel://ann:a%40b@w1,w2:26380/duels/3?sentinel_password=other"
    )
    assert (found.kind, found.tls) == (StoreKind.SENTINEL, True)
    assert found.hosts == (("w1", 26379), ("w2", 26380))
    assert found.service == "duels"
    assert (found.options["username"], found.options["password"]) == ("ann", "a@b")
    assert found.options["db"] == 3
    assert found.sentinel_options == {"password": "other"}


def test_a_cluster() -> None:
    """Some of its nodes, IPv6 too."""
    found = parse_store_url("redis+cluster://:secret@n1:7000,[::1]:7001,n3")
    assert (found.kind, found.tls) == (StoreKind.CLUSTER, False)
    assert found.hosts == (("n1", 7000), ("::1", 7001), ("n3", 6379))
    assert found.options["password"] == "secret"


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("example.org:6379", "redis+cluster://"),
        ("http://example.org", "redis+sentinel://"),
        ("redis+gossip://example.org", "redis+cluster://"),
        ("unix+cluster:///x", "redis+cluster://"),
        ("redis://example.org:99999", "redis://HOST:PORT"),
        ("redis://example.org?wrong=1", "no option 'wrong'"),
        ("redis://example.org?db=one", "Invalid value for 'db'"),
        ("redis+cluster://", "HOST:PORT,HOST:PORT"),
        ("redis+cluster://a:b", "HOST:PORT,HOST:PORT"),
        ("redis+cluster://a:70000", "HOST:PORT,HOST:PORT"),
        ("redis+cluster://a/1", "only the database 0"),
        ("redis+sentinel://a:26379", "name the service"),
        ("redis+sentinel://a/duels/one", "must be a number"),
    ],
)
def test_a_bad_url_is_answered_with_what_to_write(url: str, says: str) -> None:
    """A sentence, for who typed it."""
    with pytest.raises(ValueError, match=r".") as caught:
        parse_store_url(url)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "url", ["redis+cluster://:se/cret@a", "redis+sentinel://:se/cret@a/x", "redis://:se/cret@a"]
)
def test_no_password_is_shown(url: str) -> None:
    """Neither in an error, when it was not percent-coded, nor where an address is printed."""
    with pytest.raises(ValueError, match=r".") as caught:
        parse_store_url(url)
    assert "se" not in str(caught.value).replace("sentinel", "").replace("rediss", "").split()
    assert "cret" not in str(caught.value)
    assert "secret" not in repr(parse_store_url("redis+cluster://:secret@a"))


def test_files_for_tls() -> None:
    """Only those that are named."""
    assert StoreTls(ca=Path("/x/ca.pem")).options() == {"ssl_ca_certs": "/x/ca.pem"}
    assert StoreTls().options() == {}

"""Where the store is: one URL for a server, a Sentinel set or a Cluster."""

from __future__ import annotations

import inspect
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from redis.asyncio.connection import Connection, SSLConnection, parse_url

__all__ = ["StoreAddress", "StoreKind", "StoreTls", "parse_store_url"]

_FORMS: Final = (
    "redis://HOST:PORT, unix:///PATH, redis+sentinel://HOST:PORT,HOST:PORT/SERVICE or "
    "redis+cluster://HOST:PORT,HOST:PORT (rediss for TLS)"
)
_SCHEMES: Final = frozenset(("redis", "rediss", "unix"))
_HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|[^\[\]:@/]+)(?::(\d{1,5}))?")


class StoreKind(StrEnum):
    """What answers at the address."""

    SINGLE = "single"
    SENTINEL = "sentinel"
    CLUSTER = "cluster"


_DEFAULT_PORT: Final = {StoreKind.SENTINEL: 26379, StoreKind.CLUSTER: 6379}


@dataclass(frozen=True, slots=True)
class StoreTls:
    """Files for TLS to the store; each may be missing."""

    ca: Path | None = None
    """Who signed the store's certificate, instead of the system's authorities."""
    cert: Path | None = None
    """Our own certificate, for a store that asks for one."""
    key: Path | None = None

    def check(self, url: str) -> None:
        """Raises `ValueError` if the files can't be used, or not for this URL."""
        if not self.options():
            return
        if not url.startswith("rediss"):
            raise ValueError("store_ca, store_cert and store_key need a store_url with rediss")
        if (self.cert is None) != (self.key is None):
            raise ValueError("store_cert and store_key come together, or neither of them")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        try:
            if self.ca is not None:
                context.load_verify_locations(self.ca)
        except OSError as error:
            raise ValueError(f"store_ca: {self.ca}: {_why(error)}") from error
        try:
            if self.cert is not None:
                context.load_cert_chain(self.cert, self.key)
        except OSError as error:
            text = f"store_cert, store_key: {self.cert}, {self.key}: {_why(error)}"
            raise ValueError(text) from error

    def options(self) -> dict[str, str]:
        """As the library calls them."""
        named = {"ssl_ca_certs": self.ca, "ssl_certfile": self.cert, "ssl_keyfile": self.key}
        return {name: str(path) for name, path in named.items() if path is not None}


def _why(error: OSError) -> str:
    broken = isinstance(error, ssl.SSLError)
    return "not a usable PEM file" if broken else (error.strerror or str(error))


@dataclass(frozen=True, slots=True)
class StoreAddress:
    """A URL, taken apart."""

    kind: StoreKind
    url: str = field(repr=False)
    """As it was given; may hold a password. What a single server's client is made from."""
    hosts: tuple[tuple[str, int], ...] = ()
    """Of the sentinels, or of some nodes of the cluster, which tell of the others."""
    service: str = ""
    """What the sentinels call the primary."""
    tls: bool = False
    options: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """For connections to the store: user, password, database and what the URL's query sets."""
    sentinel_options: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """User and password of the sentinels themselves."""


def parse_store_url(url: str) -> StoreAddress:
    """Take a URL apart. Raises `ValueError` with a sentence that says what is wrong with it.

    `redis+sentinel://[USER:PASSWORD@]HOST[:PORT],.../SERVICE[/DB]`, where the query may have
    `sentinel_username` and `sentinel_password`; `redis+cluster://[USER:PASSWORD@]HOST[:PORT],...`.
    """
    scheme, separator, rest = url.partition("://")
    base, _, kind_name = scheme.partition("+")
    if not separator or base not in _SCHEMES:
        raise ValueError(f"not {_FORMS}")
    if not kind_name:
        options = _options(url)
        return StoreAddress(StoreKind.SINGLE, url, tls=base == "rediss", options=options)
    if base == "unix" or kind_name not in (StoreKind.SENTINEL, StoreKind.CLUSTER):
        raise ValueError(f"not {_FORMS}")
    kind = StoreKind(kind_name)
    where, question, query = rest.partition("?")
    authority, _, path = where.partition("/")
    userinfo, at, host_list = authority.rpartition("@")
    hosts = tuple(_host(text, _DEFAULT_PORT[kind]) for text in host_list.split(","))
    service, _, database = path.partition("/")
    if kind is StoreKind.CLUSTER:
        service, database = "", path
        if path not in ("", "0"):
            raise ValueError("a Cluster has only the database 0: nothing may follow the hosts")
    elif not service:
        raise ValueError("name the service: redis+sentinel://HOST:26379/SERVICE")
    if database and not database.isdecimal():
        raise ValueError("the database after the service must be a number")
    options = _options(f"{base}://{userinfo}{at}host/{database}{question}{query}")
    options.pop("host")
    sentinel = {
        name: options.pop(f"sentinel_{name}")
        for name in ("username", "password")
        if f"sentinel_{name}" in options
    }
    return StoreAddress(kind, url, hosts, service, base == "rediss", options, sentinel)


def _host(text: str, port: int) -> tuple[str, int]:
    found = _HOST.fullmatch(text.strip())
    if found is None or not 0 < int(found[2] or port) < 65536:
        # What stands there may be a part of a password.
        raise ValueError("hosts are written HOST:PORT,HOST:PORT; % codes for @ : / in a password")
    return found[1].strip("[]"), int(found[2] or port)


def _options(url: str) -> dict[str, Any]:
    """What the library reads out of a URL of one server; a name that it does not know is a slip."""
    try:
        options: dict[str, Any] = dict(parse_url(url))
    except ValueError as error:
        # Its words for a bad query; those for a bad port would quote what may be a password.
        text = str(error)
        raise ValueError(text if "connection URL" in text else f"not {_FORMS}") from None
    known = {"path", "connection_class", "sentinel_username", "sentinel_password"}
    for connection in (SSLConnection, *Connection.__mro__):
        known |= set(inspect.signature(connection).parameters)
    unknown = sorted(options.keys() - known)
    if unknown:
        raise ValueError(f"there is no option {unknown[0][:40]!r} for the store")
    return options

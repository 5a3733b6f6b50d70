"""Everything that can be set, in one place: by flag, environment (SAMEDEAL_*) or file."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from platformdirs import user_data_path
from pydantic import AfterValidator, Field, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from samedeal_server.domain.crowd import CrowdLimits
from samedeal_server.domain.duel import Timing
from samedeal_server.logs import LogFormat, LogLevel
from samedeal_server.net import ForwardedHeader, Forwarding
from samedeal_server.node.session import SessionLimits
from samedeal_server.store.address import StoreTls, parse_store_url
from samedeal_server.store.replication import Replicas

__all__ = ["Settings"]

_ORIGIN: Final = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s,?#]+")

Seconds = Annotated[float, Field(gt=0, le=86_400)]


def _store_url(text: str) -> str:
    if text:
        parse_store_url(text)
    return text


def _check_file(path: Path, known: set[str]) -> None:
    """A file that is named has to be there, and to set what there is: a slip is no default."""
    try:
        with path.open("rb") as file:
            names = tomllib.load(file).keys()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else f"not TOML: {error}"
        raise SettingsError(f"SAMEDEAL_CONFIG={path}: {why}") from error
    unknown = sorted(names - known)
    if unknown:
        raise SettingsError(f"SAMEDEAL_CONFIG={path}: there is no setting {unknown[0]!r}")


def _listed(text: str) -> list[str]:
    return [entry.strip() for entry in text.split(",") if entry.strip()]


def _origins(text: str) -> str:
    """As browsers send them: scheme, host, port unless it is the usual one, nothing more."""
    origins = [entry.rstrip("/").lower() for entry in _listed(text)]
    for origin in origins:
        if origin != "*" and not _ORIGIN.fullmatch(origin):
            raise ValueError(f"{origin!r} is not like https://example.org")
    return ",".join(origins)


def _proxies(text: str) -> str:
    entries = _listed(text)
    Forwarding(entries)
    return ",".join(entries)


class Settings(BaseSettings):
    """Settings of a node. Flags win over the environment, that over the file.

    The file is TOML, named by SAMEDEAL_CONFIG.
    """

    model_config = SettingsConfigDict(
        env_prefix="SAMEDEAL_",
        extra="ignore",
        frozen=True,
        use_attribute_docstrings=True,
        cli_prog_name="samedeal serve",
        cli_kebab_case=True,
        cli_hide_none_type=True,
        cli_avoid_json=True,
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags (which come in as init), environment, file."""
        named = os.environ.get("SAMEDEAL_CONFIG")
        if not named:
            return init_settings, env_settings
        _check_file(Path(named), set(settings_cls.model_fields))
        file = TomlConfigSettingsSource(settings_cls, toml_file=Path(named))
        return init_settings, env_settings, file

    host: str = "127.0.0.1"
    """Address to listen on; 0.0.0.0 for the whole network."""
    port: Annotated[int, Field(ge=0, le=65535)] = 7777
    """0 takes any free port; the address is printed."""
    workers: Annotated[int, Field(ge=1, le=256)] = 1
    """Processes on the one port, each of them a node; one for each core is a good number."""
    store_url: Annotated[str, AfterValidator(_store_url)] = ""
    """Redis or Valkey 7+: redis://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/SERVICE,
    redis+cluster://HOST:PORT,HOST:PORT, unix:///PATH; rediss for TLS. Empty runs our own Valkey."""
    store_ca: Path | None = None
    """File of who signed the store's certificate, if not an authority that the system trusts."""
    store_cert: Path | None = None
    """File of our certificate, for a store that asks for one."""
    store_key: Path | None = None
    """File of that certificate's key."""
    replicas_acked: Annotated[int, Field(ge=0, le=9)] = 0
    """A move is acknowledged once so many replicas of the store have it. 0 waits for none."""
    replicas_timeout_ms: Annotated[int, Field(ge=50, le=3000)] = 1000
    """How long the store waits for them before the server is told that they lag, and asks again."""
    data_dir: Path = user_data_path("samedeal")
    """Where the store of our own keeps its data."""
    tls_cert: Path | None = None
    """PEM file with the certificate and its chain: wss on the same port, with `tls_key`."""
    tls_key: Path | None = None
    """PEM file with the certificate's key, without a pass phrase."""
    allowed_origins: Annotated[str, AfterValidator(_origins)] = ""
    """Web pages that may connect: https://example.org,...; empty is none, * is all."""
    trusted_proxies: Annotated[str, AfterValidator(_proxies)] = ""
    """Whose word on the client's address counts: 10.0.0.0/8,127.0.0.1,...; empty is nobody."""
    forwarded_header: ForwardedHeader = "x-forwarded-for"
    """The header in which they say it."""
    log_level: LogLevel = "info"
    log_format: LogFormat = "logfmt"
    """`logfmt` for people, `json` for programs; one line an event."""
    metrics: bool = True
    """Figures for Prometheus at /metrics, on the same port."""
    loop: Literal["auto", "uvloop", "asyncio"] = "auto"
    """Event loop: uvloop where there is one."""

    min_duration_ms: Annotated[int, Field(ge=100)] = 30_000
    max_duration_ms: Annotated[int, Field(le=3_600_000)] = 3_600_000
    max_seats: Annotated[int, Field(ge=1, le=1000)] = 1000
    max_connections: Annotated[int, Field(ge=1)] = 20_000
    max_duels: Annotated[int, Field(ge=1)] = 10_000
    """Duels that this process may have a part in; new ones are refused beyond."""
    busy_lag_ms: Annotated[float, Field(gt=0)] = 200
    """If the event loop is late by this much for half a second: no new duels, no new players."""
    address_connections: Annotated[int, Field(ge=1)] = 500
    """Open connections from one address (IPv6: one /64); this machine is not limited."""
    address_new_per_s: Annotated[float, Field(gt=0)] = 20
    """New connections from one address in the long run."""
    address_burst: Annotated[float, Field(ge=1)] = 200
    """New connections from one address at once."""
    address_players_per_min: Annotated[float, Field(gt=0)] = 60
    """New players from one address."""
    address_duels_per_min: Annotated[float, Field(gt=0)] = 240
    """New duels and tickets of players at one address."""
    player_duels_per_min: Annotated[float, Field(gt=0)] = 30
    """New duels and tickets of one player."""

    ready_s: Seconds = 60
    """From all seats taken until unready players are dropped."""
    reveal_s: Seconds = 5
    """For clients to reveal their nonces."""
    search_s: Seconds = 30
    """For finding a deal that can be won; under a second as a rule."""
    tell_winnable: bool = True
    """After a Klondike duel say whether its deal could be won, where the solver is installed."""
    countdown_s: Seconds = 3
    grace_ms: Annotated[int, Field(ge=0, le=10_000)] = 500
    """After the deadline, for moves received before it to be kept."""
    idle_s: Seconds = 1800
    """An open duel that nobody touches is given up after this."""
    kept_s: Annotated[float, Field(gt=0, le=31_536_000)] = 86_400
    """A finished duel can be read for this long."""
    untimed_s: Seconds = 86_400
    """A practice without a time limit is ended so long after its start, should nobody end it."""
    player_kept_days: Annotated[float, Field(gt=0, le=3650)] = 30
    """A player who does not come back for so long is forgotten, name and all."""

    standings_hz: Annotated[float, Field(gt=0, le=50)] = 2
    """How often standings go out to a duel, at most."""
    moves_per_s: Annotated[float, Field(gt=0)] = 25
    """Messages a second of one connection; a fast human makes 10 moves."""
    moves_burst: Annotated[float, Field(ge=1)] = 75
    requests_per_s: Annotated[float, Field(gt=0)] = 3
    requests_burst: Annotated[float, Field(ge=1)] = 20
    ping_interval_s: Seconds = 20
    ping_timeout_s: Seconds = 20
    stop_s: Seconds = 5
    """How long a stopping node waits for its connections to close."""
    drain_delay_s: Annotated[float, Field(ge=0, le=600)] = 0
    """Between the moment when /readyz says 503 and the stop, for load balancers to notice."""

    @model_validator(mode="after")
    def _make_sense_together(self) -> Self:
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError("tls_cert and tls_key come together, or neither of them")
        self.store_tls.check(self.store_url)
        if self.max_duration_ms < self.min_duration_ms:
            raise ValueError(
                f"max_duration_ms ({self.max_duration_ms}) is below min_duration_ms "
                f"({self.min_duration_ms}): no duel could be created"
            )
        return self

    @property
    def store_tls(self) -> StoreTls:
        """The files for TLS to the store."""
        return StoreTls(self.store_ca, self.store_cert, self.store_key)

    @property
    def replicas(self) -> Replicas:
        """How many replicas must have what is acknowledged."""
        return Replicas(self.replicas_acked, self.replicas_timeout_ms)

    @property
    def timing(self) -> Timing:
        """The times of a duel."""
        return Timing(
            ready_ms=int(self.ready_s * 1000),
            reveal_ms=int(self.reveal_s * 1000),
            search_ms=int(self.search_s * 1000),
            countdown_ms=int(self.countdown_s * 1000),
            grace_ms=self.grace_ms,
            idle_ms=int(self.idle_s * 1000),
            kept_ms=int(self.kept_s * 1000),
            untimed_ms=int(self.untimed_s * 1000),
        )

    @property
    def origins(self) -> list[str] | None:
        """Web pages that may connect; None for all."""
        origins = _listed(self.allowed_origins)
        return None if "*" in origins else origins

    @property
    def forwarding(self) -> Forwarding:
        """Which proxies are believed."""
        return Forwarding(_listed(self.trusted_proxies), self.forwarded_header)

    @property
    def crowd_limits(self) -> CrowdLimits:
        """What one address may do."""
        return CrowdLimits(
            at_once=self.address_connections,
            new_per_s=self.address_new_per_s,
            new_burst=self.address_burst,
            players_per_min=self.address_players_per_min,
            duels_per_min=self.address_duels_per_min,
            duels_of_a_player_per_min=self.player_duels_per_min,
        )

    @property
    def session_limits(self) -> SessionLimits:
        """What one connection may ask for."""
        return SessionLimits(
            messages_per_s=self.moves_per_s,
            message_burst=self.moves_burst,
            requests_per_s=self.requests_per_s,
            request_burst=self.requests_burst,
        )

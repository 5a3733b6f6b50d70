"""What every test may ask for."""

import asyncio
import os
import sys
from collections.abc import Iterator

import pytest
import structlog
from tests.support.cluster import ValkeyCluster, running_cluster
from tests.support.sentinel import SentinelSet, running_sentinel_set

from samedeal_server.store.embedded import close_embedded, open_embedded

os.environ["SAMEDEAL_LANG"] = "en"
"""What programs say in tests does not depend on whose machine it is."""

structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
"""Standard output belongs to what is tested; logs go where programs write theirs."""


@pytest.fixture(scope="session")
def store_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One embedded Valkey for the whole run (for each xdist worker)."""
    data_dir = tmp_path_factory.mktemp("store")
    store = asyncio.run(open_embedded(data_dir, sync="everysec"))
    yield store.url
    asyncio.run(close_embedded(store))


@pytest.fixture(scope="session")
def _cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyCluster]:
    with running_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
def cluster(_cluster: ValkeyCluster) -> ValkeyCluster:
    """A real Cluster of three primaries, empty."""
    _cluster.clear()
    return _cluster


@pytest.fixture(scope="session")
def _sentinel_set(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SentinelSet]:
    with running_sentinel_set(tmp_path_factory.mktemp("sentinel")) as found:
        yield found


@pytest.fixture
def sentinel_set(_sentinel_set: SentinelSet) -> SentinelSet:
    """A real Sentinel set, whole and empty."""
    _sentinel_set.restore()
    _sentinel_set.primary().redis.flushall()
    return _sentinel_set

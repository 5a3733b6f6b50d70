"""What every test may ask for."""

import asyncio
import os
from collections.abc import Iterator

import pytest

from samedeal_server.store.embedded import close_embedded, open_embedded

os.environ["SAMEDEAL_LANG"] = "en"
"""What programs say in tests does not depend on whose machine it is."""


@pytest.fixture(scope="session")
def store_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One embedded Valkey for the whole run (for each xdist worker)."""
    data_dir = tmp_path_factory.mktemp("store")
    store = asyncio.run(open_embedded(data_dir, sync="everysec"))
    yield store.url
    asyncio.run(close_embedded(store))

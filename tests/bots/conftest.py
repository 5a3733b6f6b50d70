"""A real server for bots to play on."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest


@pytest.fixture
def server_url(store_url: str) -> Iterator[str]:
    """A `samedeal serve` process on the run's store, with quick starts."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SAMEDEAL_")} | {
        "SAMEDEAL_STORE_URL": store_url,
        "SAMEDEAL_MIN_DURATION_MS": "500",
        "SAMEDEAL_COUNTDOWN_S": "0.3",
        "SAMEDEAL_GRACE_MS": "100",
        "SAMEDEAL_LOG_LEVEL": "warning",
    }
    command = [sys.executable, "-m", "samedeal_client.main", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        try:
            assert process.stdout is not None
            found = re.search(rb"ws://\S+", process.stdout.readline())
            assert found is not None, "the server did not start"
            yield found[0].decode()
        finally:
            process.terminate()
            process.communicate(timeout=20)
    assert process.returncode == 0

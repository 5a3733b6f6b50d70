"""A directory for a server that runs as a process."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A directory; the store in it is gone at the end, whatever the test did."""
    directory = Path(tempfile.mkdtemp(prefix="samedeal-e2e-"))
    yield directory
    with suppress(FileNotFoundError, ValueError, ProcessLookupError):
        os.kill(int((directory / "store" / "valkey.pid").read_text()), signal.SIGKILL)
    shutil.rmtree(directory, ignore_errors=True)

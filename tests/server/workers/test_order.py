"""What a worker is told."""

from pathlib import Path

import pytest

from samedeal_server.settings import Settings
from samedeal_server.workers.order import Order, without_settings


def test_a_worker_gets_its_parents_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them, whatever the environment says by the time it starts."""
    settings = Settings(port=4711, countdown_s=1.5, workers=3, data_dir=Path("/somewhere"))
    order = Order(settings.model_dump(mode="json"), "redis://:secret@h", "/d", [5, 6], 2)
    monkeypatch.setenv("SAMEDEAL_COUNTDOWN_S", "9")
    read = Order.read(order.line())
    assert read == order
    assert read.node_settings() == settings
    assert read.store_dir() == Path("/d")


def test_nothing_else_sets_anything() -> None:
    """A worker's environment has none of our settings, and all the rest."""
    assert without_settings({"SAMEDEAL_PORT": "1", "PATH": "/bin"}) == {"PATH": "/bin"}


def test_an_order_is_an_order() -> None:
    """Who starts a worker by hand gets an error, not a server with strange settings."""
    for line in (b"", b"{}\n", b"hello\n", b"[]\n"):
        with pytest.raises((ValueError, TypeError)):
            Order.read(line)

"""Textual is for who plays on a whole screen; nobody else waits for it."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "statement",
    [
        "from samedeal_client.main import main; main(['--help'])",
        "from samedeal_client.main import main; main(['rules', 'timed'])",
        "import samedeal_client.commands.play, samedeal_client.plain.client",
        "import samedeal_client.commands.replay, samedeal_client.commands.top",
        "import samedeal_client.tui.draw, samedeal_client.tui.hand, samedeal_client.tui.race",
        "import samedeal_client.tui.session, samedeal_client.tui.mover, samedeal_client.tui.orders",
    ],
)
def test_only_the_full_screen_imports_textual(statement: str) -> None:
    """Not the help, offline commands or the line client; nor what is pure of the full screen."""
    code = f"import sys; {statement}; sys.exit('textual' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

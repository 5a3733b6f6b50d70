"""The terminal of the line client."""

from __future__ import annotations

import asyncio
import io
import threading
from pathlib import Path

import pytest

from samedeal_client.plain.style import style_for
from samedeal_client.plain.terminal import Terminal


def test_lines_that_nobody_took_end_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program ends with lines typed ahead: the thread that holds one raises nothing.

    An exception there could meet the interpreter's end and abort the process.
    """
    raised: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", raised.append)
    (tmp_path / "typed").write_text("one\ntwo\nthree\n")
    before = set(threading.enumerate())

    async def ask_once() -> str | None:
        with (tmp_path / "typed").open() as source:
            out = io.StringIO()
            terminal = Terminal(source, out, style_for(out, ascii_only=True))
            first = await terminal.ask("")
            await asyncio.sleep(0.1)  # the thread waits with the third line
            return first

    assert asyncio.run(ask_once()) == "one"
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
    assert [args for args in raised if args.exc_type is not SystemExit] == []

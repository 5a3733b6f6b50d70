"""`samedeal demo` as a newcomer starts it: without a terminal, on one, interrupted."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from samedeal_rules.duel_record import verify_duel_record

DEMO = (sys.executable, "-m", "samedeal_client.main", "demo")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Where it may leave things; it must not."""
    (tmp_path / "home").mkdir(mode=0o555)
    (tmp_path / "tmp").mkdir()
    changes = {
        "HOME": str(tmp_path / "home"),
        "TMPDIR": str(tmp_path / "tmp"),
        # A store that is set for the user's own server, and must not be touched.
        "SAMEDEAL_STORE_URL": "redis://127.0.0.1:1",
    }
    return {**os.environ, **changes}


def _nothing_left(environment: dict[str, str]) -> bool:
    """No file, and no process that was started for the demo (they all carry its TMPDIR)."""
    mark = f"TMPDIR={environment['TMPDIR']}".encode()
    left = []
    for process in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark in process.read_bytes():
                left.append(process)
        except OSError:
            continue
    return not left and not list(Path(environment["TMPDIR"]).iterdir())


def test_without_a_terminal(environment: dict[str, str], tmp_path: Path) -> None:
    """A whole duel in lines: exit 0, ranking, items, all that was verified; nothing stays."""
    record = tmp_path / "record.json"
    done = subprocess.run(
        [*DEMO, "--seconds", "6", "--save", str(record)],
        env={**environment, "LC_ALL": "C", "TERM": "dumb"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=100,
        check=False,
    )
    out = done.stdout.decode("ascii")
    assert (done.returncode, done.stderr) == (0, b""), out
    assert "\x1b" not in out
    for name in ("Hardy", "Norma", "Eddy", "Hazel"):
        assert re.search(rf"{name} .*sits down, ready", out)
        assert re.search(rf"\d\. {name}  -?[\d,]+ points", out)
        assert f"{name}'s game: " in out
    assert re.search(r"Promise  [0-9a-f]{64}\n", out)
    assert "3 ... 2 ... 1 ... go!" in out
    assert re.search(r"0:0\d  1\. \w+ ", out)
    assert re.search(r"\+[\d,]+  \d+ cards? (turned up|on (its|their) foundation)", out)
    assert "WRONG" not in out
    assert "nobody chose it" in out
    assert "replaying our own moves gives exactly our score" in out
    assert "all 4 had the same deal on their tables" in out
    assert re.search(r"same for everybody at the table:\n +\w+ \w+ \w+ \w+\n", out)
    assert all(check.ok for check in verify_duel_record(record.read_bytes()))
    assert _nothing_left(environment)


def test_on_a_terminal(environment: dict[str, str]) -> None:
    """Standings redrawn in place, and the cursor is there again at the end."""
    ours, theirs = pty.openpty()
    command = [*DEMO, "--seconds", "2", "--bots", "2"]
    with subprocess.Popen(
        command,
        env={**environment, "TERM": "xterm"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        out = _read_all(ours)
    os.close(ours)
    assert process.returncode == 0, out
    assert "\x1b[?25l" in out
    assert out.rindex("\x1b[?25h") > out.rindex("\x1b[?25l")
    assert re.search(r"\x1b\[\d+A\r", out)
    assert _nothing_left(environment)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_stopped_in_the_middle(environment: dict[str, str], number: signal.Signals) -> None:
    """As shells have it: 128 and the signal; twice is once; nobody stays behind."""
    with subprocess.Popen(
        DEMO, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "sits down" in line:
                break
        process.send_signal(number)
        time.sleep(0.05)
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert "Traceback" not in err
    assert _nothing_left(environment)


def test_the_reader_goes_away(environment: dict[str, str]) -> None:
    """`samedeal demo | head -1`: no traceback, nobody stays behind."""
    with subprocess.Popen(
        DEMO, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (141, b"")
    assert _nothing_left(environment)


def test_the_server_dies(environment: dict[str, str]) -> None:
    """Said in words, exit 1; the store that it left behind is ended too."""
    with subprocess.Popen(
        DEMO, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "sits down" in line:
                break
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(int(children[0]), signal.SIGKILL)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "samedeal demo: the server ended by itself" in err
    assert "Traceback" not in err
    assert _nothing_left(environment)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--bots", "1"],
        ["--bots", "99"],
        ["--seconds", "0"],
        ["--seconds", "nan"],
        ["--ruleset", "whist"],
        ["--save", "/no/such/directory/file"],
    ],
    ids=" ".join,
)
def test_command_lines_that_make_no_sense(arguments: list[str]) -> None:
    """Exit 2 before anything is started."""
    done = subprocess.run([*DEMO, *arguments], capture_output=True, timeout=30, check=False)
    assert done.returncode == 2
    assert done.stdout == b""


def _read_all(terminal: int) -> str:
    parts = []
    while True:
        ready, _, _ = select.select([terminal], [], [], 60)
        try:
            data = os.read(terminal, 65536) if ready else b""
        except OSError:  # the other side is closed
            data = b""
        if not data:
            return b"".join(parts).decode(errors="replace")
        parts.append(data)

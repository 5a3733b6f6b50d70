"""The program in a real pseudo-terminal: tmux draws it, types, and tells what is on the screen."""

from __future__ import annotations

import itertools
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

__all__ = ["Terminal"]

PATIENCE_S = 25
"""Machines that run tests are busy."""
_numbers = itertools.count(1)


class Terminal:
    """One window with a shell in it; `with` ends it and all that runs there."""

    def __init__(self, folder: Path, size: tuple[int, int] = (80, 24), **environment: str) -> None:
        self.folder = folder
        self._socket = str(folder / f"tmux-{next(_numbers)}")
        self._environment = {
            "SAMEDEAL_CONFIG_DIR": str(folder / "config"),
            "LANG": "C.UTF-8",
            "HOME": str(folder),
            **environment,
        }
        self._size = size

    def __enter__(self) -> Self:
        width, height = map(str, self._size)
        sets = [word for item in self._environment.items() for word in ("-e", "=".join(item))]
        gone = "" if "NO_COLOR" in self._environment else "-u NO_COLOR "
        term = f"TERM={self._environment['TERM']} " if "TERM" in self._environment else ""
        shell = f"env -u LC_ALL -u COLORTERM {gone}{term}bash --norc --noprofile"
        if "LC_ALL" in self._environment:
            shell = shell.replace("-u LC_ALL ", "")
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", width, "-y", height, *sets, shell)
        self.sees("bash-")  # the prompt of a shell without a profile
        return self

    def __exit__(self, *_error: object) -> None:
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], check=False)

    def play(self, *arguments: str) -> None:
        """Start the program; its exit code is said, and whether the terminal is as it was."""
        self.run(shlex.join([sys.executable, "-m", "samedeal_client.main", "play", *arguments]))

    def run(self, program: str) -> None:
        """As `play`, for any program."""
        before = shlex.quote(str(self.folder / "stty"))
        self.line(
            f"stty -a > {before}; clear; {program}; echo code $? ended; "
            f"stty -a | cmp - {before} && echo as it was"
        )

    def line(self, text: str) -> None:
        """Type a line."""
        self._tmux("send-keys", "-l", text)
        self._tmux("send-keys", "Enter")

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        self._tmux("send-keys", *keys)

    def resize(self, width: int, height: int) -> None:
        """Another size."""
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    @property
    def screen(self) -> str:
        """What is shown."""
        return self._tmux("capture-pane", "-p")

    @property
    def codes(self) -> str:
        """What is shown, with its colours as escape codes."""
        return self._tmux("capture-pane", "-p", "-e")

    def state(self, name: str) -> str:
        """`alternate_on`, `cursor_flag`, `mouse_any_flag`."""
        return self._tmux("display-message", "-p", f"#{{{name}}}").strip()

    def pid(self) -> int:
        """Of the program that was started from the shell."""
        shell = self.state("pane_pid")
        found = subprocess.run(["pgrep", "-P", shell], capture_output=True, text=True, check=True)
        return int(found.stdout.split()[0])

    def sees(self, *texts: str, patience_s: float = PATIENCE_S) -> str:
        """The screen, once all these are on it."""
        end = time.monotonic() + patience_s
        while True:
            screen = self.screen
            if all(text in screen for text in texts):
                return screen
            if time.monotonic() > end:
                raise AssertionError(f"never saw {texts}:\n{screen}")
            time.sleep(0.05)

    def loses(self, text: str) -> None:
        """This is no longer on the screen."""
        end = time.monotonic() + PATIENCE_S
        while text in self.screen:
            assert time.monotonic() < end, self.screen
            time.sleep(0.05)

    def ends(self, code: int) -> None:
        """The program has ended, and the terminal is as it was before."""
        self.sees(f"code {code} ended", "as it was")
        assert self.state("alternate_on") == "0"
        assert self.state("cursor_flag") == "1"
        assert self.state("mouse_any_flag") == "0"
        assert "Traceback" not in self.screen

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-S", self._socket, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

"""Bugs that the harness must find: planted into a node at its start, never into the product.

Each changes the module or the script as it is loaded, and fails if what it changes is not there
any more: a bug that is no longer planted would be a test that can't fail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from samedeal_server.store import scripts

__all__ = ["PLANTED"]

_EPOCH: Final = r"call\('HGET', key \.\. ':seats', player\) ~= entry\[3\]"
_OLDER: Final = r"if seq < length then"
_NEWER: Final = r"elseif seq > length then"


def _edit_commit(*edits: tuple[str, str]) -> None:
    """Change commit.lua as it is read."""
    source = scripts.script_source

    def edited(name: str) -> str:
        text = source(name)
        if name == "commit":
            for pattern, instead in edits:
                text, count = re.subn(pattern, instead, text)
                if count != 1:
                    raise AssertionError(f"commit.lua has changed: no {pattern}")
        return text

    scripts.script_source = edited  # type: ignore[assignment]


def drop_epoch() -> None:
    """The store no longer asks whether a newer connection has the seat."""
    _edit_commit((_EPOCH, "false"))


def early_answer() -> None:
    """A move is acknowledged before the store has it."""
    from samedeal_server.node.journal import Journal

    add = Journal.add

    def add_and_answer(self: Journal, entry: Any, waiter: Any) -> None:
        add(self, entry, waiter)
        waiter.settled(entry[4])

    Journal.add = add_and_answer  # type: ignore[method-assign]


def skip_seq() -> None:
    """Any seq is taken as the next one, by the table and by the store."""
    _edit_commit((_OLDER, "if false then"), (_NEWER, "elseif false then"))
    from samedeal_server.node.table import Table

    play = Table.play

    def play_any(self: Table, seq: int, text: str, now_ms: Any) -> None:
        self.next_seq = seq
        play(self, seq, text, now_ms)

    Table.play = play_any  # type: ignore[method-assign]


PLANTED: Final[Mapping[str, Callable[[], None]]] = MappingProxyType(
    {"drop_epoch": drop_epoch, "early_answer": early_answer, "skip_seq": skip_seq}
)

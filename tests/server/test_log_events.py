"""What is logged, read from the source: known to operators, with ids, without what is nobody's."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import samedeal_server

SOURCE: Final = Path(samedeal_server.__file__).parent
OPERATIONS: Final = (Path(__file__).parents[2] / "docs" / "operations.md").read_text("utf-8")

NEVER: Final = {
    *("token", "secret", "nonce", "move", "text", "name", "board", "card", "cards"),
    *("frame", "message", "payload", "seed", "password", "url"),
}
"""Fields whose names say that they hold what must not be in a log."""
OF_SOMEBODY: Final = {"room", "session", "duel", "player"}
"""What a function is given that is about a duel or a player."""


class Event(NamedTuple):
    """A call of a logger."""

    where: str
    level: str
    words: str
    fields: set[str | None]
    """None for what `**` adds."""
    given: set[str]
    """Parameters of the function around it."""


def _events() -> Iterator[Event]:
    for path in SOURCE.rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            given = {argument.arg for argument in function.args.args}
            for call in ast.walk(function):
                if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                    continue
                logger, words = call.func.value, call.args[:1]
                if not isinstance(logger, ast.Name) or logger.id not in ("_log", "log"):
                    continue
                said = words[0].value if words and isinstance(words[0], ast.Constant) else ""
                yield Event(
                    f"{path.name}:{function.name}",
                    call.func.attr,
                    str(said),
                    {field.arg for field in call.keywords},
                    given,
                )


def test_the_table_of_events_is_whole() -> None:
    """Every warning and error is explained where operators look."""
    events = [event for event in _events() if event.level in ("warning", "error", "exception")]
    assert len(events) > 20
    for event in events:
        for part in event.words.replace("%d", "%s").split("%s"):
            assert part.strip() in OPERATIONS, event


def test_what_is_about_somebody_says_about_whom() -> None:
    """Who is handed a duel, a room, a session or a player logs an id of it."""
    for event in _events():
        if event.given & OF_SOMEBODY:
            assert event.fields & {"duel", "player", None}, event


def test_no_field_is_for_what_is_nobodys() -> None:
    """Nothing of a game, nothing that opens a door."""
    for event in _events():
        assert not event.fields & NEVER, event

"""Whatever a person may read goes through the catalogues."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import samedeal_client

CLIENT: Final = Path(samedeal_client.__file__).parent
MARKS: Final = {"_", "N_", "_n", "_p"}
SAID_BY: Final = {"say", "ask", "_ask", "_put", "print", "error", "notify"}
"""Calls whose texts people read, single words too."""
SAID_AS: Final = {"help", "description", "epilog", "title", "label", "placeholder"}
NOT_SAID: Final = {"compile", "match", "fullmatch", "sub", "search", "get_close_matches"}
"""Calls whose texts are for machines."""
SENTENCE: Final = re.compile(r"[A-Za-z]{2,}[,;:.!?]* +\(?[A-Za-z]{2,}")
WORD: Final = re.compile(r"(?:^|[\s(])[A-Za-z]{2,}(?:$|[\s,.:;)!?])")
HOLE: Final = "{}"
HIDDEN: Final = "a mark inside an f-string, where it is not extracted"
ALLOWED: Final = {
    "own number": "what a check is called in code",
    "own score": "what a check is called in code",
    "called off": "what a check is called in code",
    "positional arguments": "what argparse calls them",
    "only columns turn": "an error that its caller catches",
    "{} left": "how a server writes it",
    "{} asks for the language {}; there are: {}": "there is no language to say it in",
    "{} ({} de {})": "a card of the Spanish pack has a Spanish name",
    "{} de {}": "a card of the Spanish pack has a Spanish name",
}
COMMANDS: Final = re.compile(
    r"wss?://\S*|samedeal( [a-z]+)?(: (\{\}(: )?)*)?|samedeal \{\}"
    r"|samedeal play join \{\} --server \{\}"
)
"""Addresses, and what one types."""


def _text(node: ast.AST) -> str | None:
    """A literal; holes of an f-string as `{}`."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        parts = [_text(part) if isinstance(part, ast.Constant) else HOLE for part in node.values]
        return "".join(part or "" for part in parts)
    return None


def _marked(call: ast.Call) -> bool:
    """Whether it is there to be extracted: its argument is a literal."""
    return bool(call.args) and isinstance(call.args[0], ast.Constant)


def _name(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _literals(node: ast.AST, *, said: bool = False) -> Iterator[tuple[int, str, bool]]:
    """Line, text, and whether it is surely said; nothing from marked calls and docstrings."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.Call):
        name = _name(node)
        if name in MARKS or name in NOT_SAID:
            return
        for child in (node.func, *node.args):
            yield from _literals(child, said=name in SAID_BY)
        for keyword in node.keywords:
            yield from _literals(keyword.value, said=keyword.arg in SAID_AS)
        return
    text = _text(node)
    if isinstance(node, ast.JoinedStr):
        marks = (call for call in ast.walk(node) if isinstance(call, ast.Call))
        hidden = [call for call in marks if _name(call) in MARKS and _marked(call)]
        yield from ((call.lineno, HIDDEN, True) for call in hidden)
    if text is not None:
        yield getattr(node, "lineno", 0), text, said
        if isinstance(node, ast.JoinedStr):
            for part in node.values:
                if isinstance(part, ast.FormattedValue):
                    yield from _literals(part.value)
        return
    for child in ast.iter_child_nodes(node):
        yield from _literals(child, said=said and not isinstance(node, ast.Compare))


def _escaped(path: Path) -> list[str]:
    found = []
    for line, text, said in _literals(ast.parse(path.read_text("utf-8"))):
        readable = bool(SENTENCE.search(text)) or (
            (said or HOLE in text) and bool(WORD.search(text))
        )
        if readable and text not in ALLOWED and not COMMANDS.fullmatch(text):
            found.append(f"{path.relative_to(CLIENT)}:{line}: {text!r}")
    return found


@pytest.mark.parametrize(
    "path", sorted(CLIENT.rglob("*.py")), ids=lambda path: str(path.relative_to(CLIENT))
)
def test_no_text_escapes_extraction(path: Path) -> None:
    """No sentence, and no word that is said, stands outside of `_()` and its kin."""
    assert not _escaped(path)

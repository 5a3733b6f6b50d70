"""What people type, as moves in notation: `35`, `3-5`, `3*2-5`, `w3`, `wf`, `3f`, `fh3`."""

from __future__ import annotations

import re
from typing import Final

from samedeal_rules import Board, Move, Ruleset, move_text, parse_move
from samedeal_rules.legality import is_legal
from samedeal_rules.moves import CELL, column_move

__all__ = ["move_typed"]

_WORDS: Final = {"d", "r", "u", "end"}
_SHORT: Final = re.compile(
    r"(?:(?P<column>\d{1,2})|t(?P<tcolumn>\d{1,2})|(?P<waste>w)|f(?P<suit>[a-z])"
    r"|(?P<other>[cv]\d{1,2}))"
    r"(?:\*(?P<count>\d{1,2}))?"
    r"(?:-|(?<=[a-z])|(?=[ftc]))"
    r"(?:t?(?P<to>\d{1,2})|(?P<up>f)|(?P<cell>c\d))"
)
_PAIR: Final = re.compile(r"([1-9])([1-9])")


def move_typed(text: str, ruleset: Ruleset, board: Board) -> str | None:
    """The move that was meant, in notation; None if it can't be read as one.

    Without a count, `3-5` takes as many cards as fit: in these games that is one way at most.
    The full notation (`t3-t5`) is always taken as it stands.
    """
    suits = ruleset.deck.suits
    if parse_move(text, suits) is not None:
        return text
    typed = re.sub(r"\s+", "-", text.strip().lower())
    if typed in _WORDS or re.fullmatch(r"x\d{1,2}", typed):
        return typed
    pair = _PAIR.fullmatch(typed)
    if pair is not None:
        typed = f"{pair[1]}-{pair[2]}"
    match = _SHORT.fullmatch(typed)
    if match is None:
        return None
    move = parse_move(_spelled(match), suits)
    if move is None:
        return None
    if match["column"] and match["to"] and not match["count"]:
        move = _as_many_as_fit(move, ruleset, board)
    return move_text(move, suits)


def _spelled(match: re.Match[str]) -> str:
    column = match["column"] or match["tcolumn"]
    if column:
        source = f"t{column}"
    elif match["waste"]:
        source = "w"
    elif match["suit"]:
        source = f"f{match['suit'].upper()}"
    else:
        source = match["other"]
    count = f"*{match['count']}" if match["count"] and match["count"] != "1" else ""
    target = f"t{match['to']}" if match["to"] else match["up"] or match["cell"]
    return f"{source}{count}-{target}"


def _as_many_as_fit(move: Move, ruleset: Ruleset, board: Board) -> Move:
    if move.source >= CELL or move.source >= len(board.columns):
        return move
    face_up = len(board.columns[move.source]) - board.down[move.source]
    for count in range(1, face_up + 1):
        several = column_move(move.source, move.target, count)
        if is_legal(ruleset, board, several):
            return several
    return move

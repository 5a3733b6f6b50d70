"""What people type, as moves in notation: `35`, `3*2-5`, `w3`, `3f`, `fh3`, `4a`, `c15`, `v3-2`."""

from __future__ import annotations

import re
from typing import Final

from samedeal_rules import Board, Move, Ruleset, move_text, parse_move
from samedeal_rules.board import EMPTY
from samedeal_rules.legality import is_legal
from samedeal_rules.moves import CELL, column_move

__all__ = ["move_typed"]

_WORDS: Final = {"d", "r", "u", "end"}
_SHORT: Final = re.compile(
    r"(?:(?P<column>\d{1,2})|t(?P<tcolumn>\d{1,2})|(?P<waste>w)|f(?P<suit>[a-z])"
    r"|(?P<other>c\d(?=\d{1,2}$)|[cv]\d{1,2}))"
    r"(?:\*(?P<count>\d{1,2}))?"
    r"(?:-|(?<=[a-z])|(?<=c\d)|(?=[ftca]))"
    r"(?:t?(?P<to>\d{1,2})|(?P<up>f)|(?P<cell>c\d)|(?P<any>a))"
)
_PAIR: Final = re.compile(r"([0-9])([0-9])")
_ZERO: Final = "10"
"""What `0` in a pair stands for."""


def move_typed(text: str, ruleset: Ruleset, board: Board) -> str | None:
    """The move that was meant, in notation; None if it can't be read as one.

    Without a count, `3-5` takes as many cards as fit. `4a` takes the first empty cell. The full
    notation (`t3-t5`) is always taken as it stands.
    """
    suits = ruleset.deck.suits
    if parse_move(text, suits) is not None:
        return text
    typed = re.sub(r"\s+", "-", text.strip().lower())
    if typed in _WORDS or re.fullmatch(r"x\d{1,2}", typed):
        return typed
    pair = _PAIR.fullmatch(typed)
    if pair is not None:
        typed = "-".join(number.replace("0", _ZERO) for number in pair.groups())
    match = _SHORT.fullmatch(typed)
    if match is None:
        return None
    move = parse_move(_spelled(match, board), suits)
    if move is None:
        return None
    if match["column"] and match["to"] and not match["count"]:
        move = _as_many_as_fit(move, ruleset, board)
    return move_text(move, suits)


def _spelled(match: re.Match[str], board: Board) -> str:
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
    if match["any"]:
        # Where none is empty the first will do: the rules say that it is taken.
        target = f"c{board.cells.index(EMPTY) + 1 if EMPTY in board.cells else 1}"
    return f"{source}{count}-{target}"


def _as_many_as_fit(move: Move, ruleset: Ruleset, board: Board) -> Move:
    if move.source >= CELL or move.source >= len(board.columns):
        return move
    face_up = len(board.columns[move.source]) - board.down[move.source]
    for count in range(face_up, 0, -1):
        several = column_move(move.source, move.target, count)
        if is_legal(ruleset, board, several):
            return several
    return move

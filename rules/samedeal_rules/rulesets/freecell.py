"""`freecell` (rules, section 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from samedeal_rules.board import EMPTY, Board
from samedeal_rules.cards import FRENCH, Card, stacking
from samedeal_rules.classic import (
    CARD_UP,
    DEPTH,
    DRAW_ONE_BONUS,
    FOUNDATION_TO_TABLEAU,
    time_bonus,
)
from samedeal_rules.klondike import alternating_down
from samedeal_rules.microsoft import HIGHEST_DEAL, LOWEST_DEAL
from samedeal_rules.moves import CELL
from samedeal_rules.ruleset import Option, OptionValue, Ruleset
from samedeal_rules.scoring import Scoring

__all__ = ["FREECELL"]

COLUMNS: Final = 8
CELLS: Final = 4
_SUITS: Final = 4
_NUMBERED: Final = re.compile(r"ms:([1-9][0-9]{0,6})", re.ASCII)


def _open_columns(cards: Sequence[Card]) -> Board:
    """All 52 face up, one to each column in turn; four cells (section 8)."""
    columns = [list(cards[index::COLUMNS]) for index in range(COLUMNS)]
    return Board(columns, [0] * COLUMNS, [], cells=[EMPTY] * CELLS)


def _limit(board: Board, target: int) -> int:
    """(empty cells + 1) x 2 for each empty column but the one the run goes to."""
    empty = sum(not column for index, column in enumerate(board.columns) if index != target)
    return board.cells.count(EMPTY) + 1 << empty


def _safe(board: Board, exempt: int) -> int:
    """The mask of cards that fit on their foundations and that the table no longer needs.

    Both cards of the other colour and of the rank below are up; aces and twos always.
    """
    tops = board.foundations
    red = min(tops[suit] for suit in FRENCH.red)
    black = min(tops[suit] for suit in range(_SUITS) if suit not in FRENCH.red)
    mask = 0
    for suit, top in enumerate(tops):
        if top < 2 or top <= (black if suit in FRENCH.red else red):
            mask |= 1 << (suit << 4 | top + 1)
    return mask & ~exempt


def _no_longer_needed(board: Board, exempt: int) -> Iterator[int]:
    """One sweep: columns from the left, then the cells."""
    safe = _safe(board, exempt)
    for index, column in enumerate(board.columns):
        if column and safe >> column[-1] & 1:
            yield index
            safe = _safe(board, exempt)
    for index, card in enumerate(board.cells):
        if safe >> card & 1:
            yield CELL + index
            safe = _safe(board, exempt)


def _is_numbered(value: object) -> bool:
    match = _NUMBERED.fullmatch(value) if isinstance(value, str) else None
    return match is not None and LOWEST_DEAL <= int(match[1]) <= HIGHEST_DEAL


def _number(ruleset: Ruleset) -> OptionValue | None:
    return None if ruleset.deal_number is None else f"ms:{ruleset.deal_number}"


def _with_number(ruleset: Ruleset, value: OptionValue) -> Ruleset:
    assert isinstance(value, str)
    return replace(ruleset, deal_number=int(value.removeprefix("ms:")))


_DEAL_OPTION: Final = Option(
    "deal",
    (f"ms:{LOWEST_DEAL}", f"... ms:{HIGHEST_DEAL}"),
    _number,
    _with_number,
    allows=_is_numbered,
)

FREECELL: Final = Ruleset(
    name="freecell",
    deck=FRENCH,
    deal=_open_columns,
    stacks=stacking(FRENCH, alternating_down),
    runs=stacking(FRENCH, alternating_down),
    fills_empty=sum(1 << card for card in FRENCH.cards),
    gives_back=True,
    limit=_limit,
    automatic=_no_longer_needed,
    scoring=Scoring(
        card_up=CARD_UP,
        foundation_to_tableau=FOUNDATION_TO_TABLEAU,
        closing=time_bonus(DRAW_ONE_BONUS),
        floor=0,
    ),
    undo_depth=DEPTH,
    options=(_DEAL_OPTION,),
)

"""`spider-1`, `spider-2` and `spider-4` (rules, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from samedeal_rules.board import RUN_LENGTH, Board
from samedeal_rules.cards import FRENCH, Card, Deck, rank_of, stacking, suit_of
from samedeal_rules.classic import DEPTH, LONG_BONUS, time_bonus
from samedeal_rules.ruleset import Ruleset
from samedeal_rules.scoring import Scoring

__all__ = ["SPIDER_1", "SPIDER_2", "SPIDER_4"]

COLUMNS: Final = 10
ON_THE_TABLE: Final = 54
"""Cards dealt: four columns of six and six of five; the other 50 are the stock."""
_LAST_OF_RUN: Final = 1
"""The rank of an ace."""


def _ten_columns(cards: Sequence[Card]) -> Board:
    """One card to each column in turn, the end cards face up (section 8)."""
    table = cards[:ON_THE_TABLE]
    columns = [list(table[index::COLUMNS]) for index in range(COLUMNS)]
    return Board(columns, [len(column) - 1 for column in columns], list(cards[ON_THE_TABLE:]))


def _down(_deck: Deck, upper: Card, lower: Card) -> bool:
    """Down by one, whatever the suit."""
    return rank_of(upper) == rank_of(lower) - 1


def _down_in_suit(deck: Deck, upper: Card, lower: Card) -> bool:
    return _down(deck, upper, lower) and suit_of(upper) == suit_of(lower)


_RUNS: Final = stacking(FRENCH, _down_in_suit)


def _complete(board: Board, index: int) -> bool:
    """Whether a column ends in thirteen face-up cards of one suit from king to ace."""
    column = board.columns[index]
    start = len(column) - RUN_LENGTH
    if start < board.down[index] or rank_of(column[-1]) != _LAST_OF_RUN:
        return False
    return all(_RUNS[column[at]] >> column[at + 1] & 1 for at in range(start, len(column) - 1))


def _spider(suits: int, sets: tuple[str, ...]) -> Ruleset:
    deck = Deck(name=f"spider-{suits}", suits="CDHS", ranks=FRENCH.ranks, red=FRENCH.red, sets=sets)
    return Ruleset(
        name=f"spider-{suits}",
        deck=deck,
        deal=_ten_columns,
        stacks=stacking(deck, _down),
        runs=stacking(deck, _down_in_suit),
        fills_empty=sum(1 << card for card in set(deck.cards)),
        draw=COLUMNS,
        draws_to_columns=True,
        leaves=_complete,
        scoring=Scoring(turned=5, run=5 * RUN_LENGTH, closing=time_bonus(LONG_BONUS), floor=0),
        undo_depth=DEPTH,
    )


SPIDER_1: Final = _spider(1, ("S",) * 8)
SPIDER_2: Final = _spider(2, ("SH",) * 4)
SPIDER_4: Final = _spider(4, ("SHCD",) * 2)

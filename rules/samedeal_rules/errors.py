"""What a player can do wrong, as closed lists with words."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

__all__ = [
    "RULE_WORDS",
    "IllegalMove",
    "MalformedRecord",
    "RuleKey",
    "RulesError",
    "UnknownRuleset",
]


class RuleKey(StrEnum):
    """The rule that a refused move broke. The values are what goes over the wire."""

    NOT_A_MOVE = "not_a_move"
    GAME_OVER = "game_over"
    TIME_OVER = "time_over"
    NO_SUCH_PILE = "no_such_pile"
    NOT_IN_THIS_GAME = "not_in_this_game"
    PILE_EMPTY = "pile_empty"
    NOT_ENOUGH_CARDS = "not_enough_cards"
    ONE_CARD_ONLY = "one_card_only"
    FACE_DOWN = "face_down"
    NOT_FACE_DOWN = "not_face_down"
    NOT_A_RUN = "not_a_run"
    DOES_NOT_FIT = "does_not_fit"
    NEEDS_KING = "needs_king"
    FOUNDATION_ORDER = "foundation_order"
    STOCK_EMPTY = "stock_empty"
    STOCK_NOT_EMPTY = "stock_not_empty"
    WASTE_EMPTY = "waste_empty"
    NO_REDEALS_LEFT = "no_redeals_left"
    NOTHING_TO_UNDO = "nothing_to_undo"
    UNDO_DEPTH = "undo_depth"
    CARD_UNKNOWN = "card_unknown"
    CELL_TAKEN = "cell_taken"
    TOO_MANY_CARDS = "too_many_cards"
    COLUMN_EMPTY = "column_empty"


RULE_WORDS: Final[dict[RuleKey, str]] = {
    RuleKey.NOT_A_MOVE: "that is not a move",
    RuleKey.GAME_OVER: "your game has ended",
    RuleKey.TIME_OVER: "the time is over",
    RuleKey.NO_SUCH_PILE: "this game has no such pile",
    RuleKey.NOT_IN_THIS_GAME: "this game does not have that move",
    RuleKey.PILE_EMPTY: "there is no card there",
    RuleKey.NOT_ENOUGH_CARDS: "there are not that many cards",
    RuleKey.ONE_CARD_ONLY: "only one card at a time goes there",
    RuleKey.FACE_DOWN: "a face-down card can't be moved or built on: turn it first",
    RuleKey.NOT_FACE_DOWN: "there is no face-down card at the end of that column",
    RuleKey.NOT_A_RUN: "those cards are not in sequence",
    RuleKey.DOES_NOT_FIT: "that card does not fit there",
    RuleKey.NEEDS_KING: "only a king, or a run from a king, goes to an empty column",
    RuleKey.FOUNDATION_ORDER: "the foundation of that suit needs another card first",
    RuleKey.STOCK_EMPTY: "the stock is empty",
    RuleKey.STOCK_NOT_EMPTY: "a redeal needs an empty stock",
    RuleKey.WASTE_EMPTY: "the waste is empty",
    RuleKey.NO_REDEALS_LEFT: "no redeals are left",
    RuleKey.NOTHING_TO_UNDO: "there is nothing to undo",
    RuleKey.UNDO_DEPTH: "undo reaches no further back: go on from here",
    RuleKey.CARD_UNKNOWN: "that card is not known yet",
    RuleKey.CELL_TAKEN: "that cell is taken",
    RuleKey.TOO_MANY_CARDS: "too few empty cells and columns to move that many cards at once",
    RuleKey.COLUMN_EMPTY: "no dealing while a column is empty: put a card there first",
}
"""For people; a refusal never says more than its rule, so it can't give a hidden card away."""


class RulesError(Exception):
    """The root of what this package raises."""


class IllegalMove(RulesError):
    """The rules forbid the move here; nothing was changed."""

    def __init__(self, rule: RuleKey) -> None:
        super().__init__(RULE_WORDS[rule])
        self.rule = rule


class UnknownRuleset(RulesError):
    """A ruleset or an option that there is not; says which there are."""


class MalformedRecord(RulesError):
    """A game record that can't be judged; says where and why."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.where = where
        """A field, with an index if it is a list: `moves[3]`; or `record`."""
        self.why = why

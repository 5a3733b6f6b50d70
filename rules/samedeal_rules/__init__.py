"""What is legal: cards, deals, moves, rulesets as values, scoring, records. Pure."""

from __future__ import annotations

from samedeal_rules.board import Board
from samedeal_rules.cards import FACE_DOWN, UNKNOWN, Card, Deck
from samedeal_rules.deals import deal
from samedeal_rules.errors import (
    RULE_WORDS,
    IllegalMove,
    MalformedRecord,
    RuleKey,
    RulesError,
    UnknownRuleset,
)
from samedeal_rules.game import Ended, Game, Played
from samedeal_rules.hints import Hint, HintAnswer, hint
from samedeal_rules.judge import Final, JudgedMove, Judgement, judge
from samedeal_rules.legality import legal_moves
from samedeal_rules.moves import Move, move_text, parse_move
from samedeal_rules.ranking import Outcome, places
from samedeal_rules.records import GameRecord, parse_record, read_record, record_json
from samedeal_rules.ruleset import OptionValue, Ruleset
from samedeal_rules.rulesets import RULESETS, find_ruleset
from samedeal_rules.scoring import ITEMS, Points

__all__ = [
    "FACE_DOWN",
    "ITEMS",
    "RULESETS",
    "RULE_WORDS",
    "UNKNOWN",
    "Board",
    "Card",
    "Deck",
    "Ended",
    "Final",
    "Game",
    "GameRecord",
    "Hint",
    "HintAnswer",
    "IllegalMove",
    "JudgedMove",
    "Judgement",
    "MalformedRecord",
    "Move",
    "OptionValue",
    "Outcome",
    "Played",
    "Points",
    "RuleKey",
    "RulesError",
    "Ruleset",
    "UnknownRuleset",
    "deal",
    "find_ruleset",
    "hint",
    "judge",
    "legal_moves",
    "move_text",
    "parse_move",
    "parse_record",
    "places",
    "read_record",
    "record_json",
]

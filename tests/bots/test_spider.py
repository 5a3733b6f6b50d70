"""The Spider players: the table that they look ahead on, and what they make of deals."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

from samedeal_bots.brain import Level, brain
from samedeal_bots.practice import Practice, play_out
from samedeal_bots.spider import order
from samedeal_bots.spider_table import following, plays_spider, table_of
from samedeal_rules import RULESETS, Ended, find_ruleset
from samedeal_rules.moves import DRAW

from .laws import PACE_MS, wander

SPIDERS = ("spider-1", "spider-2", "spider-4")


@pytest.mark.parametrize("name", SPIDERS)
def test_lines_play_on_the_engine_with_the_same_table(name: str) -> None:
    """Up to the first card that turns; runs that leave included."""
    for seed in range(20):
        random = Random(seed)
        table = Practice.dealt(find_ruleset(name)[1], f"lines-{seed}")
        wander(table, random, random.randrange(120))
        level = [table_of(table.view.board)]
        for _ in range(4):
            level = [after for at in level if at.uncovered is None for after in following(at)]
            level = random.sample(level, min(len(level), 10))
            for end in level:
                game = table.real.copy()
                turned = 0
                for step in end.line():
                    assert step.move is not None
                    turned += len(game.play(step.move, 0).turned)
                assert (end.uncovered is not None) == (turned > 0)
                assert end.gone == len(game.board.gone)
                if not turned:
                    assert table_of(game.board).columns == end.columns


def test_a_card_about_to_turn_is_better_than_one_that_stays_hidden() -> None:
    """And an empty column better than both."""
    table = table_of(Practice.dealt(find_ruleset("spider-1")[1], "order").view.board)
    hidden, turning, empty = (
        order(type(table)((column, *table.columns[1:]), 0, None, None))
        for column in ((2, 0x39), (2,), (0,))
    )
    assert hidden < turning < empty


def test_deals_only_when_nothing_better_is_in_sight() -> None:
    """The first deal comes after some moves, and all five come before it gives up."""
    for seed in range(3):
        table = Practice.dealt(find_ruleset("spider-2")[1], f"deals-{seed}")
        moves = play_out(table, brain(Level.HARD, 0).choose, PACE_MS).moves
        assert moves.index(DRAW) >= 3
        assert moves.count(DRAW) == 5 or table.real.ended is Ended.CLEARED


def test_levels_differ() -> None:
    """Hard clears most deals of one suit and takes away more runs than easy."""
    up: dict[Level, list[int]] = {}
    for level in (Level.EASY, Level.HARD):
        games = [
            play_out(
                Practice.dealt(find_ruleset("spider-1")[1], f"levels-{seed}"),
                brain(level, seed).choose,
                PACE_MS,
            ).game
            for seed in range(6)
        ]
        up[level] = [game.board.cards_up for game in games]
    assert fmean(up[Level.HARD]) > fmean(up[Level.EASY])
    assert up[Level.HARD].count(104) >= 2


def test_plays_spider_and_nothing_else() -> None:
    """With any number of suits."""
    assert tuple(name for name, ruleset in RULESETS.items() if plays_spider(ruleset)) == SPIDERS

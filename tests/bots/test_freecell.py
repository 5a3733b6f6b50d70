"""The FreeCell players: the table that they look ahead on, and what they make of deals."""

from __future__ import annotations

from random import Random

import pytest

from samedeal_bots.brain import Level, brain
from samedeal_bots.freecell_table import following, plays_freecell, table_of
from samedeal_bots.practice import Practice, play_out
from samedeal_rules import RULESETS, Ended, Game, find_ruleset

from .laws import PACE_MS, wander

FREECELL = find_ruleset("freecell")[1]


def numbered(number: int) -> Practice:
    return Practice.dealt(find_ruleset("freecell", {"deal": f"ms:{number}"})[1], "")


def test_lines_play_on_the_engine_with_the_same_table() -> None:
    """Automatic moves included, also where a card was taken back."""
    for seed in range(30):
        random = Random(seed)
        table = Practice.dealt(FREECELL, f"lines-{seed}")
        wander(table, random, 1 + random.randrange(40))
        level = [table_of(table.view.board)]
        for _ in range(4):
            level = [after for at in level for after in following(at, table.view.exempt)]
            level = random.sample(level, min(len(level), 10))
            for end in level:
                game = table.view.copy()
                for step in end.line():
                    assert step.move is not None
                    game.play(step.move, 0)
                assert agrees_with(game, table_of(game.board).columns, end.columns)
                assert tuple(game.board.cells) == end.cells
                assert tuple(game.board.foundations) == end.tops


def agrees_with(game: Game, real: object, planned: object) -> bool:
    return real == planned or game.ended is Ended.CLEARED


@pytest.mark.parametrize("number", [1, 2, 617, 1941])
def test_hard_clears_well_known_deals(number: int) -> None:
    """617 and 1941 are known to be difficult."""
    out = play_out(numbered(number), brain(Level.HARD, 0).choose, PACE_MS)
    assert out.game.ended is Ended.CLEARED
    assert out.game.ended_ms is not None
    assert out.game.ended_ms < 120_000


def test_puts_up_what_it_can_where_there_is_no_way() -> None:
    """ms:11982 is the famous unsolvable one, of which not even three cards are within reach."""
    out = play_out(numbered(11982), brain(Level.HARD, 0).choose, PACE_MS)
    assert out.game.ended is Ended.FINISH
    assert out.game.board.cards_up == 2


def test_levels_differ() -> None:
    """Hard clears all of a few deals, easy hardly any."""
    cleared = {
        level: sum(
            play_out(numbered(number), brain(level, 0).choose, PACE_MS).game.ended is Ended.CLEARED
            for number in range(3, 11)
        )
        for level in (Level.EASY, Level.HARD)
    }
    assert cleared[Level.HARD] == 8
    assert cleared[Level.EASY] <= 5


def test_plays_freecell_and_nothing_else() -> None:
    """Whatever its deal."""
    assert [name for name, ruleset in RULESETS.items() if plays_freecell(ruleset)] == ["freecell"]
    assert plays_freecell(numbered(5).real.ruleset)

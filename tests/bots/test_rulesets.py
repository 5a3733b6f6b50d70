"""Every level on every ruleset and option: legal, blind to what it may not know, finite."""

from __future__ import annotations

from random import Random

import pytest

from samedeal_bots.brain import Level, brain
from samedeal_bots.practice import Practice, play_out
from samedeal_rules import RULESETS, Ruleset, find_ruleset

from .laws import PACE_MS, permuted, same_table, wander

GAMES: list[tuple[str, dict[str, object]]] = [
    *((name, {}) for name in RULESETS if name != "timed"),
    ("klondike-3", {"redeals": 0}),
    ("klondike-1", {"draw": 3, "redeals": 3}),
    ("freecell", {"deal": "ms:4"}),
    ("spanish", {"draw": 3, "redeals": "unlimited"}),
    ("spanish", {"redeals": 0, "deck": 48}),
    ("spanish", {"stock": False}),
    ("spanish", {"stock": False, "deck": 48}),
]
MOST_MOVES = 900
HOUR_MS = 3_600_000

every_game = pytest.mark.parametrize("game", GAMES, ids=str)
every_level = pytest.mark.parametrize("level", Level)


def ruleset_of(game: tuple[str, dict[str, object]]) -> Ruleset:
    return find_ruleset(*game)[1]


@every_game
@every_level
def test_legal_from_the_middle_of_any_game_and_changes_nothing(
    game: tuple[str, dict[str, object]], level: Level
) -> None:
    """Also on tables that only strange play comes to, with cards taken back and moves undone."""
    for seed in range(2):
        random = Random(f"{seed} {game}")
        table = Practice.dealt(ruleset_of(game), f"middle-{seed}")
        ms = wander(table, random, random.randrange(10, 80))
        player = brain(level, seed)
        for _ in range(12):
            if table.real.ended is not None:
                break
            before = same_table(table.view)
            move = player.choose(table.view, ms)
            assert same_table(table.view) == before
            ms += PACE_MS
            if move is not None:
                table.play(move, ms)
                assert table.view.board.same_as(table.real.board.view())


@every_game
@every_level
def test_equal_views_get_equal_answers(game: tuple[str, dict[str, object]], level: Level) -> None:
    """What the player can't know does not matter: those cards permuted, the answer is the same."""
    for seed in range(3):
        random = Random(seed)
        table = Practice.dealt(ruleset_of(game), f"blind-{seed}")
        ms = wander(table, random, random.randrange(25))
        if table.real.ended is not None:
            continue
        other = permuted(table.real.board, random)
        assert other.view().same_as(table.view.board)
        twin = table.view.copy()
        twin.board = other.view()
        answers = {brain(level, 1).choose(one, ms) for one in (table.view, twin)}
        assert len(answers) == 1


@every_game
@every_level
def test_comes_to_an_end_and_no_table_twice(
    game: tuple[str, dict[str, object]], level: Level
) -> None:
    """A deal or two without a hurry: it says `end` or clears, and waits only while it thinks."""
    ruleset = ruleset_of(game)
    for seed in range(2):
        table = Practice.dealt(ruleset, f"ends-{seed}", HOUR_MS)
        player = brain(level, seed)
        seen = {table.view.board.checksum(ruleset.deck.names)}
        waits = 0
        for count in range(MOST_MOVES + 1):
            assert count < MOST_MOVES
            move = player.choose(table.view, count * PACE_MS)
            if move is None:
                waits += 1
                assert waits < 50
                continue
            table.play(move, count * PACE_MS)
            if table.real.ended is not None:
                break
            checksum = table.view.board.checksum(ruleset.deck.names)
            assert checksum not in seen
            seen.add(checksum)


@pytest.mark.parametrize(
    "game", [("klondike-1", {}), ("spanish", {}), ("spanish", {"stock": False})], ids=str
)
def test_hard_puts_more_cards_up_than_easy(game: tuple[str, dict[str, object]]) -> None:
    """On a handful of deals; FreeCell and Spider have tests of their own."""
    up = {
        level: sum(
            play_out(
                Practice.dealt(ruleset_of(game), f"levels-{seed}"),
                brain(level, seed).choose,
                PACE_MS,
            ).game.board.cards_up
            for seed in range(5)
        )
        for level in (Level.EASY, Level.HARD)
    }
    assert up[Level.HARD] > 1.3 * up[Level.EASY]

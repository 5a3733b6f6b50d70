"""What a move costs, said before it is made."""

from __future__ import annotations

from client.full_table import FullTable
from samedeal_client.prices import price_words
from samedeal_client.table import Table
from samedeal_rules import find_ruleset


def table(ruleset: str, redeals: int = 0) -> Table:
    full = FullTable("7", ruleset=ruleset)
    full.game.board.redeals = redeals
    return Table.from_snapshot(full.snapshot(), find_ruleset(ruleset)[1])


def test_the_second_redeal_of_a_timed_game_costs() -> None:
    """The first is free; so are all in classic Klondike."""
    assert price_words(table("timed"), "r", 0) == ""
    assert price_words(table("timed", 1), "r", 0) == "This redeal costs 400 points."
    assert price_words(table("klondike-1", 5), "r", 0) == ""


def test_an_undo_costs_where_the_rules_say_so() -> None:
    """In the timed game."""
    assert "costs 1,000" in price_words(table("timed"), "u", 0)
    assert price_words(table("freecell"), "u", 0) == ""


def test_ending_says_what_it_brings() -> None:
    """For the time left, nothing at all, or no points in a game without them."""
    assert price_words(table("timed"), "end", 100_000).startswith("Ending now brings +66")
    assert "brings no points" in price_words(table("freecell"), "end", 0)
    assert "Your 0 up stay as they are." in price_words(table("spanish"), "end", 0)


def test_other_moves_are_free() -> None:
    """Nothing is said."""
    assert price_words(table("timed"), "d", 0) == ""

"""What can be chosen about a duel, and the duel that it makes."""

from __future__ import annotations

import pytest

from samedeal_client.tui.orders import Purpose, check, level_of, order_of, rows_for
from samedeal_client.tui.rows import Row, stepped
from samedeal_rules import RULESETS


def step(rows: list[Row], name: str, by: int = 1) -> list[Row]:
    index = next(index for index, row in enumerate(rows) if row.name == name)
    return stepped(rows, index, by)


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("purpose", [Purpose.BOT, Purpose.CREATE, Purpose.PRACTICE])
def test_untouched_choices_are_the_games_own(name: str, purpose: str) -> None:
    """No option, no duration: so that it counts where such duels count."""
    order = order_of(name, rows_for(RULESETS[name], purpose), purpose)
    request = order.request()
    assert request.options == {}
    assert request.duration_ms is None
    assert not request.untimed
    assert request.seats == (1 if purpose == Purpose.PRACTICE else 2)


def test_every_choice_goes_into_the_request() -> None:
    """Options, seats, time, a deal that can be won, and who may join."""
    rows = rows_for(RULESETS["klondike-1"], Purpose.CREATE)
    for name in ("draw", "seats", "duration", "winnable", "listed"):
        rows = step(rows, name)
    request = order_of("klondike-1", rows, Purpose.CREATE).request()
    assert request.options == {"draw": 3}
    assert request.seats == 3
    assert request.duration_ms == 420_000
    assert request.winnable
    assert request.listed


def test_only_a_practice_may_have_no_limit() -> None:
    """And not in the game that is about time."""
    alone = rows_for(RULESETS["freecell"], Purpose.PRACTICE)
    last = step(alone, "duration", -4)
    assert order_of("freecell", last, Purpose.PRACTICE).request().untimed
    for name, purpose in (("freecell", Purpose.BOT), ("timed", Purpose.PRACTICE)):
        rows = rows_for(RULESETS[name], purpose)
        row = next(row for row in rows if row.name == "duration")
        assert 0 not in row.values


def test_options_that_exclude_each_other_say_so() -> None:
    """Spanish without a stock has nothing to draw; in words, as the form has them."""
    rows = step(step(rows_for(RULESETS["spanish"], Purpose.BOT), "stock"), "draw")
    words = check("spanish", rows, Purpose.BOT)
    assert words.startswith("These exclude each other: ")
    assert "cards drawn at a time" in words
    assert check("spanish", step(rows, "draw"), Purpose.BOT) == ""


def test_the_level_of_the_bot() -> None:
    """Normal to begin with."""
    rows = rows_for(RULESETS["timed"], Purpose.BOT)
    assert level_of(rows) == "normal"
    assert level_of(step(rows, "level")) == "hard"

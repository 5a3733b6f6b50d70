"""Where everything lies: fits every window, and never hides an end card."""

from __future__ import annotations

import pytest

from client.tui.tables import GAMES, table_of
from samedeal_client.tui.layout import MIN_HEIGHT, MIN_WIDTH, Shape, lay_out, plan_column

SIZES = [(50, 13), (54, 21), (54, 17), (80, 21), (86, 37), (120, 50)]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_game_fits(name: str, size: tuple[int, int]) -> None:
    """Columns lie beside each other inside the window, with rows left for their cards."""
    game = table_of(name)
    layout = lay_out(Shape.of(game.ruleset, game.board), *size)
    columns = len(game.board.columns)
    assert layout.pitch >= layout.card_width >= 5
    assert layout.left >= 0
    assert layout.x(columns - 1) + layout.card_width <= size[0]
    assert layout.rows >= 4
    for place in range(len(game.board.reserve)):
        x, y = layout.reserve_at(place)
        assert x + 3 <= size[0]
        assert layout.info_y < y < layout.numbers_y


def test_more_room_is_used() -> None:
    """A large window has large cards with gaps."""
    game = table_of("klondike-1")
    shape = Shape.of(game.ruleset, game.board)
    small, large = lay_out(shape, 54, 21), lay_out(shape, 90, 38)
    assert (small.card_width, small.card_height) == (6, 3)
    assert (large.card_width, large.card_height) == (9, 5)
    assert large.pitch > large.card_width


def test_a_window_below_the_minimum_has_the_smallest_layout() -> None:
    """Nothing is computed with a size of zero."""
    layout = lay_out(Shape(columns=10, runs=8), 1, 1)
    assert (layout.width, layout.height) == (MIN_WIDTH, MIN_HEIGHT)


@pytest.mark.parametrize("rows", range(1, 30))
@pytest.mark.parametrize(("length", "down"), [(1, 0), (1, 1), (7, 6), (19, 6), (13, 0), (40, 5)])
def test_the_end_card_is_always_seen(length: int, down: int, rows: int) -> None:
    """Case 73: however long the column and low the window; every card is somewhere, in order."""
    plan = plan_column(length, down, rows, 3)
    last = plan[-1]
    assert last.first == length - 1
    assert last.count == 1
    assert last.height >= 1
    assert [row.y for row in plan] == list(range(len(plan)))
    firsts = [row.first for row in plan]
    assert firsts == sorted(firsts)
    if rows >= 4:
        assert last.y + last.height <= rows
        assert sum(row.count for row in plan) == length


def test_nineteen_cards_at_24_rows_squeeze_only_face_down_ones() -> None:
    """Case 73: thirteen face-up cards are all readable in the 15 rows that 80x24 leaves."""
    plan = plan_column(19, 6, 15, 3)
    assert [row.count for row in plan] == [6, *[1] * 13]
    assert plan[-1].height == 2


def test_an_empty_column_has_no_rows() -> None:
    """Its place is drawn otherwise."""
    assert plan_column(0, 0, 10, 3) == []

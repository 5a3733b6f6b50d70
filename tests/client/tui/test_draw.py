"""The table as it is drawn: complete, told apart without colour, and clickable."""

from __future__ import annotations

import pytest

from client.tui.tables import GAMES, played, table_of
from samedeal_client.tui.draw import Drawn, draw_table
from samedeal_client.tui.look import Look
from samedeal_client.tui.spots import STOCK, Marks, Spot
from samedeal_rules import Game
from samedeal_rules.moves import FROM_FOUNDATION, RESERVE, WASTE

SIGNS, LETTERS, NO_COLOUR = Look(), Look(signs=False), Look(colour=False)


def text(drawn: Drawn) -> str:
    return "\n".join("".join(seg.text for seg in line) for line in drawn.lines)


def drawn(
    game: Game, look: Look = SIGNS, marks: Marks | None = None, size: tuple[int, int] = (54, 21)
) -> Drawn:
    return draw_table(game, *size, look, marks or Marks())


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("size", [(50, 13), (54, 21), (90, 38)], ids=str)
def test_every_end_card_can_be_read(name: str, size: tuple[int, int]) -> None:
    """Case 73: with its rank and suit, in every size; every line is as wide as the window."""
    game = table_of(name)
    picture = drawn(game, size=size)
    assert all(sum(len(seg.text) for seg in line) == size[0] for line in picture.lines)
    shown = text(picture)
    for column, down in zip(game.board.columns, game.board.down, strict=True):
        if column and down < len(column):
            assert SIGNS.text(game.ruleset.deck, column[-1]) in shown


@pytest.mark.parametrize("name", GAMES)
def test_letters_are_ascii(name: str) -> None:
    """Case 71: a terminal that has only ASCII gets only ASCII."""
    game = table_of(name)
    marks = Marks(selected=Spot(0), targets=frozenset({1, 2}), hint=Spot(3), hint_target=4)
    assert text(drawn(game, LETTERS, marks)).isascii()


def test_every_card_tells_its_colour_without_colour() -> None:
    """Case 75: red suits are outlines, black ones filled; as letters, small and capital."""
    deck = table_of("timed").ruleset.deck
    signs = [NO_COLOUR.suit(deck, suit) for suit in range(4)]
    assert signs == ["♣", "♢", "♡", "♠"]
    letters = Look(signs=False, colour=False)
    assert [letters.suit(deck, suit) for suit in range(4)] == ["C", "d", "h", "S"]
    spanish = table_of("spanish").ruleset.deck
    assert [NO_COLOUR.suit(spanish, suit) for suit in range(4)] == ["o", "c", "E", "B"]


@pytest.mark.parametrize("look", [SIGNS, LETTERS, NO_COLOUR], ids=["signs", "letters", "plain"])
def test_all_states_differ_without_colour(look: Look) -> None:
    """Case 75: selected, target, hinted, plain, face-down and empty are six different frames."""
    game = played("freecell", 0)
    plain = text(drawn(game, look))
    chosen = text(drawn(game, look, Marks(selected=Spot(0))))
    target = text(drawn(game, look, Marks(targets=frozenset({0}))))
    hinted = text(drawn(game, look, Marks(hint=Spot(0))))
    assert len({plain, chosen, target, hinted}) == 4
    back, empty = look.fill, look.frame("empty")
    assert back not in (empty.across, " ")


def test_suits_have_the_colours_that_were_chosen() -> None:
    """Two colours, or four; the Spanish pack has red and green, or its own four."""
    french, spanish = table_of("timed").ruleset.deck, table_of("spanish").ruleset.deck
    four = Look(four=True)
    assert [SIGNS.ink(french, suit) for suit in range(4)] == ["black", "red", "red", "black"]
    assert len({four.ink(french, suit) for suit in range(4)}) == 4
    assert [SIGNS.ink(spanish, suit) for suit in range(4)] == ["red", "red", "green", "green"]
    assert [four.ink(spanish, suit) for suit in range(4)] == ["gold", "red", "blue", "green"]


def test_the_stock_says_what_is_left_and_what_the_next_pass_costs() -> None:
    """Cards left on it, passes and price beside it."""
    shown = text(drawn(played("timed", 1)))
    assert " 21 " in shown or " 24 " in shown
    assert "pass 1 through the stock; the next is free" in shown
    assert "5 deals left" in text(drawn(played("spider-1", 0)))
    assert "up to 5 cards at once" in text(drawn(played("freecell", 0)))
    assert "pass 1 of 4 through the stock; the next is free" in text(drawn(played("spanish", 0)))


@pytest.mark.parametrize("name", GAMES)
def test_what_is_drawn_can_be_clicked(name: str) -> None:
    """Each end card, the waste, the foundations and each place of the reserve has its spot."""
    game = table_of(name)
    picture = drawn(game, size=(90, 38))
    piles = {box.spot.pile for box in picture.boxes}
    board = game.board
    assert set(range(len(board.columns))) <= piles
    assert (STOCK in piles) == (game.ruleset.draw > 0)
    assert (WASTE in piles) == game.ruleset.has_waste
    assert (FROM_FOUNDATION in piles) == (game.ruleset.leaves is None)
    assert (RESERVE in piles) == bool(board.reserve)
    for index, column in enumerate(board.columns):
        boxes = [box for box in picture.boxes if box.spot == Spot(index, min(1, len(column)))]
        box = boxes[-1]
        assert picture.at(box.x + 1, box.y).pile == index


def test_a_covered_card_is_clicked_as_the_run_from_it_on() -> None:
    """The spot says how many cards lie from there to the end."""
    game = played("freecell", 0)
    picture = drawn(game)
    layout_y = next(box.y for box in picture.boxes if box.spot == Spot(0, 3))
    box = next(box for box in picture.boxes if box.spot == Spot(0, 3))
    assert picture.at(box.x, layout_y) == Spot(0, 3)


@pytest.mark.parametrize(("width", "fan"), [(54, "10♥"), (74, "╭10♥")])
def test_a_ten_in_the_waste_is_whole_once(width: int, fan: str) -> None:
    """With the corner of its card where three characters and a corner have room."""
    game = played("klondike-1", 0)
    ten = next(card for card in game.ruleset.deck.cards if card & 15 == 10 and card >> 4 == 2)
    game.board.talon[:3] = [ten] * 3
    game.board.drawn = 3
    first = text(drawn(game, size=(width, 21))).splitlines()[0]
    assert f"{fan}{fan}╭10♥─" in first

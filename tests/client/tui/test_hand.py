"""Keys and clicks as moves: one or two keystrokes each."""

from __future__ import annotations

import pytest

from client.tui.tables import after, played
from samedeal_client.reach import best_move, run_length, upward
from samedeal_client.tui.hand import Hand, drop, marks_of, pick_spot, press, send, send_up
from samedeal_client.tui.spots import STOCK, Spot
from samedeal_rules import Card, Game, legal_moves, move_text
from samedeal_rules.moves import CELL, FOUNDATION, FROM_FOUNDATION, WASTE, Kind


def text(game: Game, move: object) -> str:
    return move_text(move, game.ruleset.deck.suits)  # type: ignore[arg-type]


def carries(game: Game) -> list[object]:
    return [
        move
        for move in legal_moves(game.ruleset, game.board)
        if move.kind is Kind.CARRY and move.source < CELL and move.target < CELL
    ]


def test_two_keys_are_a_move() -> None:
    """The first column's key chooses, the second says where to."""
    game = played("klondike-1", 0)
    move = carries(game)[0]
    first = press(Hand(), game, move.source)
    assert first.move is None
    assert first.hand.picked == Spot(move.source, 1)
    second = press(first.hand, game, move.target)
    assert second.move == move
    assert second.hand == Hand()


def test_the_same_key_twice_sends_to_the_best_place() -> None:
    """Wherever that is."""
    game = played("klondike-1", 0)
    move = carries(game)[0]
    twice = press(press(Hand(), game, move.source).hand, game, move.source)
    assert twice.move == best_move(game.ruleset, game.board, move.source)
    assert twice.move is not None


def test_a_face_down_end_card_is_turned_by_its_key_where_that_is_by_hand() -> None:
    """One keystroke, in timed Klondike only."""
    game = played("timed", 0)
    source = carries(game)[0]
    game = after(game, text(game, source))
    assert press(Hand(), game, source.source).move is not None
    assert text(game, press(Hand(), game, source.source).move) == f"x{source.source + 1}"


def test_a_refusal_has_its_reason_in_words() -> None:
    """And the hand is empty again."""
    game = played("klondike-1", 0)
    wanted = press(Hand(Spot(6, 1)), game, FOUNDATION)
    if wanted.move is None:
        assert wanted.words == "The foundation of that suit needs another card first."
    nothing = press(Hand(), game, WASTE)
    assert nothing.words == "There is nothing to take there."
    assert press(Hand(), game, CELL).words == "There is no such pile in this game."


def test_any_cell_will_do_for_one_that_is_taken() -> None:
    """FreeCell: the key of a cell with a card means the first free one."""
    game = after(played("freecell", 0), "t1-c1")
    wanted = press(press(Hand(), game, 1).hand, game, CELL)
    assert text(game, wanted.move) == "t2-c2"


def test_another_cell_is_another_choice() -> None:
    """A card never goes from cell to cell."""
    game = after(played("freecell", 0), "t1-c1", "t2-c2")
    wanted = press(press(Hand(), game, CELL).hand, game, CELL + 1)
    assert wanted.move is None
    assert wanted.hand.picked == Spot(CELL + 1, 1)


def test_the_mouse_chooses_a_part_of_a_run() -> None:
    """Just these cards, not as many as fit; what is no run is refused."""
    game = played("spider-1", 16)
    column = next(i for i in range(10) if run_length(game.ruleset, game.board, i) > 1)
    part = pick_spot(game, Spot(column, 1))
    assert part.hand.exactly
    assert part.hand.picked == Spot(column, 1)
    far = pick_spot(game, Spot(column, len(game.board.columns[column])))
    assert far.words == "These cards don't move together."


def test_a_double_click_goes_up_or_nowhere() -> None:
    """Never to another column."""
    game = played("klondike-1", 30)
    move = upward(game.ruleset, game.board)
    for pile in range(7):
        wanted = send_up(game, Spot(pile))
        assert wanted.move is None or wanted.move.target == FOUNDATION
    if move is not None:
        assert send_up(game, Spot(move.source)).move == move


def test_what_is_chosen_shows_where_it_may_go() -> None:
    """Targets are the piles of the legal moves from there."""
    game = played("klondike-1", 0)
    move = carries(game)[0]
    marks = marks_of(Hand(Spot(move.source, 1)), game)
    assert move.target in marks.targets
    assert marks.state(move.target, 1) == "target"
    assert marks.state(move.source, 1) == "selected"


def test_only_the_foundation_of_its_suit_is_a_place_for_a_card() -> None:
    """A move names all foundations together; the card comes to lie on one."""
    game = played("freecell", 0)
    game.board.columns[0][-1] = Card(2 << 4 | 1)  # the ace of hearts
    for marks in (marks_of(Hand(Spot(0, 1)), game), marks_of(Hand(hint="t1-f"), game)):
        shown = [marks.state(FROM_FOUNDATION + suit, 1) != "plain" for suit in range(4)]
        assert shown == [False, False, True, False]


def test_a_hint_is_shown_where_it_begins_and_ends() -> None:
    """A draw at the stock."""
    game = played("klondike-1", 0)
    move = carries(game)[0]
    marks = marks_of(Hand(hint=text(game, move)), game)
    assert marks.state(move.source, 1) == "hinted"
    assert marks.state(move.target, 1) == "hinted"
    assert marks_of(Hand(hint="d"), game).state(STOCK, 1) == "hinted"


@pytest.mark.parametrize("name", ["timed", "klondike-3", "freecell", "spider-2", "spanish"])
def test_the_best_place_is_always_a_legal_move(name: str) -> None:
    """Through whole games; and it never carries a whole column to an empty one."""
    for moves in range(0, 60, 5):
        game = played(name, moves)
        legal = set(legal_moves(game.ruleset, game.board))
        for pile in range(len(game.board.columns)):
            move = send(game, Spot(pile, 0)).move
            if move is None:
                continue
            assert move in legal
            if move.kind is Kind.CARRY and move.target < CELL:
                whole = move.size == len(game.board.columns[pile])
                assert game.board.columns[move.target] or not whole


def test_drop_without_a_choice_does_nothing() -> None:
    """Nothing is in the hand."""
    game = played("klondike-1", 0)
    assert drop(Hand(), game, 0).move is None

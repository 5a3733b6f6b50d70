"""Boards, views and their canonical text."""

from __future__ import annotations

from collections import Counter
from zlib import crc32

from hypothesis import given, settings

from samedeal_rules import OptionValue
from samedeal_rules.cards import FRENCH, UNKNOWN

from .games import attempt, entries, new_game, options, picks, run, seeds
from .positions import NAMES, cards_text, position


@given(seeds, options, picks)
@settings(max_examples=40, deadline=None)
def test_no_card_is_lost_or_doubled(
    seed: str, chosen: dict[str, OptionValue], numbers: list[int]
) -> None:
    """Case 15: after any accepted or refused move all piles together are the 52 cards."""
    game = new_game(seed, chosen)
    for ms, text in entries(game, numbers):
        attempt(game, ms, text)
        board = game.board
        up = [
            suit << 4 | rank for suit in range(4) for rank in range(1, board.foundations[suit] + 1)
        ]
        held = [card for pile in [*board.columns, board.talon] for card in pile]
        assert Counter(held + up) == Counter(FRENCH.cards)
        assert board.cards_up == len(up)


@given(seeds, options, picks)
@settings(max_examples=40, deadline=None)
def test_a_view_hides_the_face_down_cards_and_the_first_pass_stock_and_nothing_else(
    seed: str, chosen: dict[str, OptionValue], numbers: list[int]
) -> None:
    """Face-down cards are unknown; so is the stock until the first redeal has shown it all."""
    game = new_game(seed, chosen)
    run(game, numbers)
    board, view = game.board, game.board.view()
    for column, seen, down in zip(board.columns, view.columns, board.down, strict=True):
        assert seen == [UNKNOWN] * down + column[down:]
    assert view.waste == board.waste
    assert view.stock == (board.stock if board.redeals else [UNKNOWN] * len(board.stock))
    assert (view.down, view.drawn, view.redeals) == (board.down, board.drawn, board.redeals)
    assert view.foundations == board.foundations


@given(seeds, options, picks)
@settings(max_examples=40, deadline=None)
def test_a_board_and_its_view_have_the_same_text(
    seed: str, chosen: dict[str, OptionValue], numbers: list[int]
) -> None:
    """The canonical text says only what both know, so checksums compare across the wire."""
    game = new_game(seed, chosen)
    run(game, numbers)
    assert game.board.view().text(NAMES) == game.board.text(NAMES)
    assert game.board.view().checksum(NAMES) == game.board.checksum(NAMES)


def test_the_canonical_text_of_a_position() -> None:
    """Stock count, redeals, foundations by suit, waste, then the columns."""
    board = position(
        """
        t1: [KC 2D] 5H 4S
        t3: [9C]
        w: 7D TH
        s: 3C 3D 3H
        f: C2 SK
        """,
        redeals=4,
    )
    text = "3 4 2,0,0,13 7DTH/####5H4S//##////"
    assert board.text(NAMES) == text
    assert board.checksum(NAMES) == crc32(text.encode())


def test_the_canonical_text_has_cells_reserve_and_runs_only_where_there_are_any() -> None:
    """After the columns: ` c` and the cells, ` v` and the reserve, ` g` and the suits of runs."""
    table = "t1: KC\nf: H2"
    plain = "0 0 0,0,2,0 /KC//////"
    assert position(table).text(NAMES) == plain
    for more, text in (
        ("c: 5H -- -- KD", " c5H----KD"),
        ("c: -- -- -- --", " c--------"),
        ("v: -- 2C", " v--2C"),
        ("g: S H", " g32"),
    ):
        assert position(f"{table}\n{more}").text(NAMES) == plain + text


def test_a_hidden_card_does_not_show_in_the_text() -> None:
    """The same text whatever lies face down or is still to be drawn, however often redealt."""
    first = position("t1: [KC] 5H\ns: 2C 3C", redeals=2)
    second = position("t1: [AS] 5H\ns: 9H 4D", redeals=2)
    assert first.text(NAMES) == second.text(NAMES)


def test_waste_and_stock_read_as_they_lie() -> None:
    """The card in play is the last of the waste; the next card drawn is the first of the stock."""
    board = position("w: 5C 9D\ns: KS 2H")
    assert (cards_text(board.waste), cards_text(board.stock)) == ("5C 9D", "KS 2H")


@given(seeds, picks)
@settings(max_examples=25, deadline=None)
def test_a_copy_is_independent(seed: str, numbers: list[int]) -> None:
    """Playing on one board leaves its copy as it was."""
    game = new_game(seed)
    run(game, numbers[:40])
    copy, again = game.board.copy(), game.board.copy()
    assert copy.same_as(game.board)
    run(game, numbers[40:])
    assert copy.same_as(again)


def test_boards_that_differ_in_one_pile_are_not_the_same() -> None:
    """Columns, face-down counts, waste, stock, redeals and foundations all count."""
    base = "t1: [KC] 5H\nw: 2C\ns: 3C\nf: H1"
    board = position(base.replace("H1", "HA"))
    for other in (
        "t1: [KC] 5D\nw: 2C\ns: 3C\nf: HA",
        "t1: KC 5H\nw: 2C\ns: 3C\nf: HA",
        "t1: [KC] 5H\nw: 2C 3C\nf: HA",
        "t1: [KC] 5H\nw: 2C\ns: 4C\nf: HA",
        "t1: [KC] 5H\nw: 2C\ns: 3C\nf: DA",
    ):
        assert not board.same_as(position(other)), other
    for more in ("c: -- --", "v: 2D", "g: S"):
        assert not board.same_as(position(f"{base.replace('H1', 'HA')}\n{more}")), more
    assert not board.same_as(position(base.replace("H1", "HA"), redeals=1))
    assert board.same_as(position(base.replace("H1", "HA")))


def test_learn_writes_what_the_next_move_shows() -> None:
    """Turned cards at the end of the face-down part, drawn cards from the top of the stock."""
    view = position("t2: [KC 9D]\nw: 2C\ns: 3C 4C 5C").view()
    view.learn([(1, FRENCH.codes["9D"])], [FRENCH.codes["3C"], FRENCH.codes["4C"]])
    assert cards_text(view.columns[1]) == "## 9D"
    assert cards_text(view.stock) == "3C 4C ##"
    assert view.down[1] == 2

"""The same deal, everywhere and always."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given

from samedeal_rules import Board, deal, find_ruleset
from samedeal_rules.cards import FRENCH

from .games import new_game, picks, run, seeds
from .naive import naive_deck

DATA = Path(__file__).parents[1] / "data" / "deals" / "timed.json"
"""Five deals by seed: the deck in the order in which it is dealt. Made by `naive_deck`."""

DEALT = """
import json, sys
from samedeal_rules import deal, find_ruleset
ruleset = find_ruleset("timed")[1]
names = ruleset.deck.names
print(json.dumps({seed: [[[names[c] for c in column] for column in board.columns],
                         [names[c] for c in board.stock]]
                  for seed in json.loads(sys.argv[1])
                  for board in [deal(ruleset, seed)]}))
"""


def known_deals() -> dict[str, str]:
    deals: dict[str, str] = json.loads(DATA.read_text(encoding="utf-8"))
    return deals


def laid_out(deck: str) -> list[object]:
    """Rows of a triangle by hand: row r gives one card to each column r to 6."""
    cards = deck.split()
    columns: list[list[str]] = [[] for _ in range(7)]
    for row in range(7):
        for column in range(row, 7):
            columns[column].append(cards.pop(0))
    return [columns, cards]


def text(board: Board) -> list[object]:
    columns = [[FRENCH.names[card] for card in column] for column in board.columns]
    return [columns, [FRENCH.names[card] for card in board.stock]]


@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_case_19_known_seeds_deal_the_same_in_a_fresh_process(hash_seed: str) -> None:
    """Five seeds kept as data give the same tables whatever PYTHONHASHSEED is."""
    deals = known_deals()
    assert len(deals) == 5
    done = subprocess.run(
        [sys.executable, "-c", DEALT, json.dumps(list(deals))],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
        text=True,
    )
    assert json.loads(done.stdout) == {seed: laid_out(deck) for seed, deck in deals.items()}


@pytest.mark.parametrize("seed", known_deals())
def test_case_19_known_seeds_agree_with_twenty_other_lines(seed: str) -> None:
    """The data is what an independent implementation of section 8 says."""
    assert known_deals()[seed].split() == naive_deck(seed)


@given(seeds, picks)
def test_case_19_the_same_deal_again_after_a_game(seed: str, numbers: list[int]) -> None:
    """Nothing that was played changes what a seed deals."""
    game = new_game(seed)
    before = text(game.board)
    run(game, numbers[:50])
    assert text(new_game(seed).board) == before


def test_a_text_seed_is_its_utf_8_bytes() -> None:
    """ "A text seed is its UTF-8 bytes": composed and decomposed letters are two seeds."""
    ruleset = find_ruleset("timed")[1]
    assert text(deal(ruleset, "é")) == laid_out(" ".join(naive_deck("é")))
    assert not deal(ruleset, "\u00e9").same_as(deal(ruleset, "e\u0301"))


def test_seven_columns_of_one_to_seven_cards_the_last_face_up() -> None:
    """ "7 columns (1 to 7 cards, the last one face up), 24 in the stock" (section 1)."""
    board = new_game("any").board
    assert [len(column) for column in board.columns] == [1, 2, 3, 4, 5, 6, 7]
    assert board.down == [0, 1, 2, 3, 4, 5, 6]
    assert (len(board.stock), board.waste) == (24, [])
    assert board.foundations == [0, 0, 0, 0]


def test_cards_are_dealt_row_by_row_and_what_is_left_is_the_stock() -> None:
    """ "row r (0 to 6) gives one card to each column r to 6"; the next card in order is first."""
    ruleset = find_ruleset("timed")[1]
    board = ruleset.deal(FRENCH.cards)
    first_row = [FRENCH.names[column[0]] for column in board.columns]
    ends = [FRENCH.names[column[-1]] for column in board.columns]
    assert first_row == ["AC", "2C", "3C", "4C", "5C", "6C", "7C"]
    assert ends == ["AC", "8C", "AD", "6D", "TD", "KD", "2H"]
    assert [FRENCH.names[card] for card in board.stock[:2]] == ["3H", "4H"]


def test_options_do_not_change_the_deal() -> None:
    """ "A duel is never started with two different deals, not even by an option" (section 0)."""
    plain = new_game("s").board
    for chosen in ({"draw": 1}, {"redeals": 0}, {"draw": 1, "redeals": 3}):
        assert new_game("s", dict(chosen)).board.same_as(plain)

"""Moves as one says them."""

from __future__ import annotations

import pytest

from client.tui.tables import GAMES, table_of
from samedeal_client.plain.card_words import card_words
from samedeal_client.plain.move_words import advice_words, carried_cards, carry_words
from samedeal_client.texts import speaking
from samedeal_rules import Game, deal, find_ruleset, legal_moves, move_text, parse_move
from samedeal_rules.cards import FRENCH


def timed() -> Game:
    ruleset = find_ruleset("timed", {})[1]
    game = Game(ruleset, deal(ruleset, "1"), 300_000)
    game.board = game.board.view()
    return game


def test_a_move_is_its_cards_and_two_places() -> None:
    """Cards above the lowest are counted; a deck without names has none."""
    three, two = FRENCH.codes["3H"], FRENCH.codes["2S"]
    assert carry_words(FRENCH, "t6-t5", [three]) == "3 of hearts from column 6 to column 5"
    told = carry_words(FRENCH, "t6*2-t5", [three, two], lambda deck, card: deck.names[card])
    assert told == "3H and 1 card on it from column 6 to column 5"
    assert carry_words(FRENCH, "w-f", []) == "from the waste to its foundation"
    with speaking("es"):
        assert carry_words(FRENCH, "t6-t5", [three]).endswith(
            "desde la columna 6 hasta la columna 5"
        )


def test_other_moves_are_verbs() -> None:
    """What a key or a word does."""
    told = [advice_words(timed(), text) for text in ("d", "r", "x3", "u")]
    assert told == ["draw", "turn the waste over", "turn the card of column 3", "take back"]
    assert advice_words(timed(), "nonsense") == "nonsense"
    ruleset = find_ruleset("spider-1", {})[1]
    assert advice_words(Game(ruleset, deal(ruleset, "1"), None), "d") == "deal a row"


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_has_words(name: str) -> None:
    """In every game, with its card by name, and no notation left."""
    game = table_of(name)
    deck = game.ruleset.deck
    for move in legal_moves(game.ruleset, game.board):
        text = move_text(move, deck.suits)
        words = advice_words(game, text)
        assert text not in words.split()
        cards = carried_cards(game, text)
        assert not cards or card_words(deck, cards[0]) in words


def test_cards_that_will_be_carried_are_known_before() -> None:
    """Where the view knows them; a move that can't be is not one."""
    table = timed()
    end = table.board.columns[4][-1]
    assert carried_cards(table, "t5-t1") == [end]
    assert table.board.columns[4][-1] == end
    assert carried_cards(table, "t5*3-t1") == []
    assert carried_cards(table, "d") == []
    move = parse_move("d", FRENCH.suits)
    assert move is not None
    table.play(move, 1_000)
    assert carried_cards(table, "w-t1") == []

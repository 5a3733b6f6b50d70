"""The engine and the referee (`naive_game.py`) play the same games of every ruleset."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings

from samedeal_rules import Game, legal_moves, move_text, parse_move
from samedeal_rules.moves import pile_text

from .games import GAMES, Chosen, any_game, attempt, choose, game_name, new_game, picks, seeds
from .naive_game import Referee
from .naive_judge import naive_spelled

BUT_TIMED = [chosen for chosen in GAMES if chosen[0] != "timed"]


def piles(game: Game) -> dict[str, Any]:
    """The engine's table in the referee's words."""
    board, deck = game.board, game.ruleset.deck
    names = deck.names
    tops = zip(deck.suits, board.foundations, strict=True)
    return {
        "columns": [
            ["-" * (row < board.down[i]) + names[c] for row, c in enumerate(column)]
            for i, column in enumerate(board.columns)
        ],
        "stock": [names[card] for card in board.stock],
        "waste": [names[card] for card in board.waste],
        "up": {suit: [rank + suit for rank in deck.ranks[:top]] for suit, top in tops},
        "cells": [names[card] if card else None for card in board.cells],
        "reserve": [names[card] if card else None for card in board.reserve],
        "gone": [deck.suits[suit] for suit in board.gone],
        "redeals": board.redeals,
        "taken_back": {names[card] for card in set(deck.cards) if game.exempt >> card & 1},
        "items": game.ledger(),
    }


def log(game: Game, ms: int, text: str) -> list[str]:
    """What an accepted move set off, in the referee's words."""
    deck = game.ruleset.deck
    move = parse_move(text, deck.suits)
    assert move is not None
    played = game.play(move, ms)
    return [
        *(f"drawn {deck.names[card]}" for card in played.drawn),
        *(f"turned {deck.names[card]} t{column + 1}" for column, card in played.turned),
        *(f"auto {deck.names[card]} {pile_text(p, deck.suits)}" for p, card in played.automatic),
    ]


def race(chosen: Chosen, seed: str, numbers: list[int]) -> Game:
    """Play both side by side and compare everything after each move."""
    name, options = chosen
    game, referee = new_game(seed, options, name=name), Referee(name, seed, options)
    spelled = set(naive_spelled(referee.suits))
    ms = 0
    for number in numbers:
        ms += number % 600
        text = choose(game, number)
        why = referee.play(ms, text) if text in spelled else "not_a_move"
        if why is None and text not in ("u", "end"):
            assert sorted(log(game, ms, text)) == sorted(referee.log)
        else:
            assert attempt(game, ms, text) == why, text
        mine = piles(game)
        if name == "timed":
            mine["items"] = {}
        else:
            assert (game.points, game.ended) == (referee.score, referee.ended)
        assert mine == {**referee.s, "items": referee.ledger()}
        if game.ended:
            break
    return game


@given(any_game, seeds, picks)
@settings(max_examples=80, deadline=None)
def test_engine_and_referee_agree_on_random_games(
    chosen: Chosen, seed: str, numbers: list[int]
) -> None:
    """Boards, refusals, automatic moves, turned cards, scores and ledgers, undo too."""
    race(chosen, seed, numbers)


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("chosen", GAMES, ids=game_name)
def test_engine_and_referee_agree_on_long_games(chosen: Chosen, number: int) -> None:
    """As above, for games of 400 moves."""
    chance = random.Random(number)
    race(chosen, f"long {number}", [chance.getrandbits(20) for _ in range(400)])


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("chosen", BUT_TIMED, ids=game_name)
def test_engine_and_referee_answer_every_spelled_move_alike(chosen: Chosen, number: int) -> None:
    """At positions of random games every text that is a move gets the same answer.

    And `legal_moves` is exactly what the second generator finds.
    """
    name, options = chosen
    chance = random.Random(1000 + number)
    seed = f"spelled {number}"
    game, referee = new_game(seed, options, name=name), Referee(name, seed, options)
    for _ in range(40 * number):
        text = choose(game, chance.getrandbits(20))
        if text in naive_spelled(referee.suits) and text != "end":
            assert attempt(game, 0, text) == referee.play(0, text)
    if game.ended:
        return
    listed = [move_text(move, referee.suits) for move in legal_moves(game.ruleset, game.board)]
    assert sorted(listed) == sorted(referee.legal())
    for text in naive_spelled(referee.suits):
        if text in ("u", "end"):
            continue
        assert attempt(game.copy(), 0, text) == Referee.play(_copy(referee), 0, text), text


def _copy(referee: Referee) -> Referee:
    import copy

    other = copy.copy(referee)
    other.past = []
    other.s = copy.deepcopy(referee.s)
    return other

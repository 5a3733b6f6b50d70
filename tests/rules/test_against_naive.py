"""The engine and the referee (`naive.py`) play the same games."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings

from samedeal_rules import Game, OptionValue, parse_move

from .games import SUITS, attempt, choose, new_game, options, picks, seeds
from .naive import RANKS, SPELLED, Naive
from .positions import NAMES


def referee(seed: str, chosen: dict[str, Any], duration_ms: int = 300_000) -> Naive:
    return Naive(seed, chosen.get("draw", 3), chosen.get("redeals"), duration_ms)


def piles(game: Game) -> dict[str, Any]:
    """The engine's table in the referee's words."""
    board = game.board
    return {
        "columns": {
            f"t{i + 1}": ["-" * (row < board.down[i]) + NAMES[c] for row, c in enumerate(column)]
            for i, column in enumerate(board.columns)
        },
        "stock": [NAMES[card] for card in board.stock],
        "waste": [NAMES[card] for card in board.waste],
        "foundation": {
            suit: [rank + suit for rank in RANKS[:top]]
            for suit, top in zip(SUITS, board.foundations, strict=True)
        },
        "redeals_made": board.redeals,
        "scored": {NAMES[c] for c in range(64) if game.scored >> c & 1},
        "taken_back": {NAMES[c] for c in range(64) if game.exempt >> c & 1},
    }


def log(game: Game, ms: int, text: str) -> list[str]:
    """What an accepted move set off, in the referee's words."""
    move = parse_move(text, SUITS)
    assert move is not None
    played = game.play(move, ms)
    places = [*(f"t{n}" for n in range(1, 8)), *["?"] * 7, "w"]
    return [
        *(f"drawn {NAMES[card]}" for card in played.drawn),
        *(f"turned {NAMES[card]} {places[column]}" for column, card in played.turned),
        *(f"auto {NAMES[card]} {places[pile]}" for pile, card in played.automatic),
    ]


def race(seed: str, chosen: dict[str, OptionValue], numbers: list[int]) -> Game:
    """Play both side by side and compare everything after each move."""
    game, naive = new_game(seed, chosen), referee(seed, chosen)
    ms = 0
    for number in numbers:
        ms += number % 1500
        text = choose(game, number)
        why = naive.play(ms, text)
        if why is None:
            assert log(game, ms, text) == naive.log
        else:
            assert attempt(game, ms, text) == why, text
        assert piles(game) == naive.piles()
        assert (game.score, game.ledger()) == (naive.score, naive.ledger())
        assert game.ended == naive.ended
    return game


@given(seeds, options, picks)
@settings(max_examples=60, deadline=None)
def test_engine_and_referee_agree_on_random_games(
    seed: str, chosen: dict[str, OptionValue], numbers: list[int]
) -> None:
    """Boards, refusals, automatic moves, scores and ledgers agree after each move, undo too."""
    race(seed, chosen, numbers)


@pytest.mark.parametrize("number", range(40))
def test_engine_and_referee_agree_on_long_games(number: int) -> None:
    """As above, for games of 500 moves, so that takings back and clear tables occur."""
    chance = random.Random(number)
    race(
        str(number), {"draw": 1} if number % 2 else {}, [chance.getrandbits(20) for _ in range(500)]
    )


@pytest.mark.parametrize("number", range(6))
def test_engine_and_referee_refuse_every_spelled_move_alike(number: int) -> None:
    """At positions of random games every text that is a move gets the same answer."""
    chance = random.Random(1000 + number)
    game, naive = new_game(str(number)), referee(str(number), {})
    for _ in range(30 * number):
        text = choose(game, chance.getrandbits(20))
        assert attempt(game, 0, text) == naive.play(0, text)
    for text in sorted(SPELLED.keys() - {"end"}):
        why = naive.play(0, text)
        assert attempt(game, 0, text) == why, text
        if why is None and text != "u":
            naive.play(0, "u")
            attempt(game, 0, "u")
    assert piles(game) == naive.piles()

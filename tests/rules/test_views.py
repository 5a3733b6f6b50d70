"""The engine on views: nothing hidden can leak by how it behaves."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from samedeal_rules import Board, Game, OptionValue, legal_moves, parse_move
from samedeal_rules.cards import UNKNOWN
from samedeal_rules.moves import UNDO, Kind

from .games import SUITS, attempt, entries, new_game, options, picks, run, seeds
from .naive import SPELLED
from .positions import NAMES, cards_text, game_at


def twin(board: Board, chance: random.Random) -> Board:
    """Another board with the same view: the unknown cards lie in another order."""
    view, other = board.view(), board.copy()
    places = [
        (pile, index)
        for pile, seen in [
            *zip(other.columns, view.columns, strict=True),
            (other.talon, view.talon),
        ]
        for index, card in enumerate(seen)
        if card == UNKNOWN
    ]
    hidden = [pile[index] for pile, index in places]
    chance.shuffle(hidden)
    for (pile, index), card in zip(places, hidden, strict=True):
        pile[index] = card
    return other


def game_on(game: Game, board: Board) -> Game:
    """The same game so far on another board."""
    other = game.copy()
    other.board = board
    return other


@given(seeds, options, picks, st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_two_deals_with_equal_views_give_equal_answers(
    seed: str, chosen: dict[str, OptionValue], numbers: list[int], chance: random.Random
) -> None:
    """Legal moves, refusals and points of every spelled move are the same on both boards.

    Points that come from a card which the move itself brings to light may differ; so of draws
    and turns only the answer is compared.
    """
    game = new_game(seed, chosen)
    run(game, numbers)
    if game.ended:
        return
    other = game_on(game, twin(game.board, chance))
    assert other.board.view().same_as(game.board.view())
    assert list(legal_moves(game.ruleset, game.board)) == list(
        legal_moves(game.ruleset, other.board)
    )
    for text in SPELLED:
        one, two = game.copy(), game_on(game, other.board.copy())
        answer = attempt(one, 0, text)
        assert attempt(two, 0, text) == answer, text
        if answer is None and text[0] not in "dx":
            assert (one.score, one.items) == (two.score, two.items), text
            assert one.board.view().same_as(two.board.view()), text


@given(seeds, options, picks)
@settings(max_examples=30, deadline=None)
def test_a_view_gives_the_same_answers_as_its_board(
    seed: str, chosen: dict[str, OptionValue], numbers: list[int]
) -> None:
    """Every spelled move is allowed or refused alike, and the legal moves are the same."""
    game = new_game(seed, chosen)
    run(game, numbers)
    if game.ended:
        return
    view = game_on(game, game.board.view())
    assert list(legal_moves(game.ruleset, view.board)) == list(
        legal_moves(game.ruleset, game.board)
    )
    for text in SPELLED:
        one, two = game.copy(), game_on(game, view.board.copy())
        assert attempt(two, 0, text) == attempt(one, 0, text), text


@given(seeds, options, picks)
@settings(max_examples=40, deadline=None)
def test_a_fold_on_a_view_keeps_up_with_the_board(
    seed: str, chosen: dict[str, OptionValue], numbers: list[int]
) -> None:
    """Told only what each move turned and drew, the player's own board stays the server's.

    After an undo the player's board is made anew from the server's view, as a snapshot does.
    """
    game = new_game(seed, chosen)
    mine = game_on(game, game.board.view())
    for ms, text in entries(game, numbers):
        move = parse_move(text, SUITS)
        if move is None or attempt(game.copy(), ms, text) not in (None, "nothing_to_undo"):
            continue
        if move == UNDO:
            attempt(game, ms, text)
            mine = game_on(game, game.board.view())
            continue
        played = game.play(move, ms)
        mine.board.learn(played.turned, played.drawn)
        echo = mine.play(move, ms)
        assert (echo.turned, echo.drawn) == (played.turned, played.drawn)
        assert (echo.automatic, echo.points) == (played.automatic, played.points)
        assert mine.board.checksum(NAMES) == game.board.checksum(NAMES)
        assert (mine.score, mine.items, mine.ended) == (game.score, game.items, game.ended)
        assert (mine.scored, mine.exempt) == (game.scored, game.exempt)


def test_a_view_after_an_undo_hides_the_turned_card_again() -> None:
    """ "An undo hides a turned card again; the player has seen it" (section 0)."""
    game = game_at("t1: [5C 9D]")
    attempt(game, 0, "x1")
    assert cards_text(game.board.view().columns[0]) == "## 9D"
    attempt(game, 0, "u")
    assert cards_text(game.board.view().columns[0]) == "## ##"


def test_an_unknown_card_that_is_played_ahead_is_refused_as_unknown() -> None:
    """Playing ahead on a view past a card that is not known yet guesses nothing."""
    game = game_at("t1: [5C]\nt2: 6D\ns: 2H 3H 4H")
    view = game_on(game, game.board.view())
    attempt(view, 0, "x1")
    attempt(view, 0, "d")
    assert cards_text([*view.board.columns[0], *view.board.waste]) == "## ## ## ##"
    for text in ("t1-f", "t1-t2", "t2-t1", "w-f", "w-t2", "w-t1", "w-t4"):
        assert attempt(view, 0, text) == "card_unknown", text
    certain = [move for move in legal_moves(view.ruleset, view.board) if move.kind is Kind.CARRY]
    assert certain == []

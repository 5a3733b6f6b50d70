"""Laws that hold in every ruleset with every option (rules, section 0), on random games."""

from __future__ import annotations

import json
import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from samedeal_rules import Board, Game, judge, legal_moves, parse_move, parse_record
from samedeal_rules.board import EMPTY
from samedeal_rules.cards import UNKNOWN
from samedeal_rules.legality import is_legal
from samedeal_rules.moves import UNDO, Kind

from .games import Chosen, any_game, attempt, entries, new_game, picks, run, seeds
from .naive_judge import naive_spelled
from .positions import frozen


def opened(chosen: Chosen, seed: str, ms: int | None = 300_000) -> Game:
    return new_game(seed, chosen[1], ms, name=chosen[0])


def all_cards(board: Board, top: int) -> Counter[int]:
    """Every card of a table, wherever it lies."""
    piles = [*board.columns, board.talon, board.cells, board.reserve]
    held = [card for pile in piles for card in pile if card != EMPTY]
    up = [suit << 4 | rank for suit in range(4) for rank in range(1, board.foundations[suit] + 1)]
    gone = [suit << 4 | rank for suit in board.gone for rank in range(1, top + 1)]
    return Counter([*held, *up, *gone])


@given(any_game, seeds, picks)
@settings(max_examples=60, deadline=None)
def test_no_card_is_lost_or_doubled(chosen: Chosen, seed: str, numbers: list[int]) -> None:
    """Case 15: after any message all piles together hold exactly the cards of the deck."""
    game = opened(chosen, seed)
    deck = game.ruleset.deck
    for ms, text in entries(game, numbers):
        attempt(game, ms, text)
        assert all_cards(game.board, len(deck.ranks)) == Counter(deck.cards)


@given(any_game, seeds, picks)
@settings(max_examples=60, deadline=None)
def test_undo_is_exact_and_a_refused_move_changes_nothing(
    chosen: Chosen, seed: str, numbers: list[int]
) -> None:
    """Board, score, ledger and marks are what they were; only undos' price stays."""
    game = opened(chosen, seed)
    past: list[tuple[object, ...]] = []
    for ms, text in entries(game, numbers):
        before, undos = frozen(game), game.items[3]
        why = attempt(game, ms, text)
        if why is not None:
            assert frozen(game) == before
        elif game.ended is None and text != "u":
            past.append((*before[:6], *before[8:11], *before[14:], _without_undo(before, undos)))
        elif text == "u":
            now = frozen(game)
            expected = (*now[:6], *now[8:11], *now[14:], _without_undo(now, game.items[3]))
            assert expected == past.pop()


def _without_undo(state: tuple[object, ...], undos: int) -> tuple[object, ...]:
    score, items = state[6], state[7]
    assert isinstance(score, int)
    assert isinstance(items, tuple)
    return score - undos, *items[:3], *items[4:]


@given(any_game, seeds, picks)
@settings(max_examples=60, deadline=None)
def test_the_score_is_the_sum_of_its_ledger_and_of_what_was_reported(
    chosen: Chosen, seed: str, numbers: list[int]
) -> None:
    """And never below the floor where there is one; None where there are no points."""
    game, reported = opened(chosen, seed), 0
    for ms, text in entries(game, numbers):
        move = parse_move(text, game.ruleset.deck.suits)
        if move is None or attempt(game.copy(), ms, text) not in (None, "nothing_to_undo"):
            continue
        if move == UNDO and not game.undoable:
            continue
        reported += sum(points.points for points in game.play(move, ms).points)
        assert game.score == sum(game.ledger().values()) == reported
        assert game.points == (game.score if game.ruleset.scored else None)
        if game.ruleset.scoring.floor is not None:
            assert game.score >= game.ruleset.scoring.floor


@given(any_game, seeds, picks)
@settings(max_examples=60, deadline=None)
def test_a_fold_on_a_view_keeps_up_with_the_board(
    chosen: Chosen, seed: str, numbers: list[int]
) -> None:
    """Told only what each move turned and drew, the player's own board stays the server's."""
    game = opened(chosen, seed)
    names = game.ruleset.deck.names
    mine = on(game, game.board.view())
    for ms, text in entries(game, numbers):
        move = parse_move(text, game.ruleset.deck.suits)
        if move is None or (move != UNDO and attempt(game.copy(), ms, text) is not None):
            continue
        if move == UNDO:
            attempt(game, ms, text)
            mine = on(game, game.board.view())
            continue
        played = game.play(move, ms)
        mine.board.learn(played.turned, played.drawn)
        echo = mine.play(move, ms)
        for what in ("turned", "drawn", "automatic", "points", "runs"):
            assert getattr(echo, what) == getattr(played, what)
        assert mine.board.same_as(game.board.view())
        assert mine.board.checksum(names) == game.board.checksum(names)
        assert (mine.points, mine.items, mine.ended) == (game.points, game.items, game.ended)
        assert (mine.scored, mine.exempt) == (game.scored, game.exempt)


@given(any_game, seeds, picks, st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_equal_views_give_equal_answers(
    chosen: Chosen, seed: str, numbers: list[int], chance: random.Random
) -> None:
    """Hidden cards in another order: the same legal moves and refusals, the same text."""
    game = opened(chosen, seed)
    run(game, numbers)
    other = on(game, twin(game.board, chance))
    assert other.board.view().same_as(game.board.view())
    assert other.board.text(game.ruleset.deck.names) == game.board.text(game.ruleset.deck.names)
    view = on(game, game.board.view())
    listed = list(legal_moves(game.ruleset, game.board))
    assert list(legal_moves(game.ruleset, other.board)) == listed
    assert list(legal_moves(game.ruleset, view.board)) == listed
    for text in naive_spelled(game.ruleset.deck.suits):
        move = parse_move(text, game.ruleset.deck.suits)
        assert move is not None
        if move.kind in (Kind.CARRY, Kind.TURN, Kind.DRAW, Kind.REDEAL):
            answer = is_legal(game.ruleset, game.board, move)
            assert answer == (move in listed)
            assert answer == is_legal(game.ruleset, other.board, move)
            assert attempt(view.copy(), 0, text) == attempt(game.copy(), 0, text)


@given(any_game, seeds, picks)
@settings(max_examples=40, deadline=None)
def test_a_game_is_its_journal(chosen: Chosen, seed: str, numbers: list[int]) -> None:
    """The judge, told the accepted moves, comes to the live game's score, items and end."""
    game = opened(chosen, seed)
    journal = [(ms, text) for ms, text in entries(game, numbers) if not attempt(game, ms, text)]
    record = {
        "ruleset": chosen[0],
        "options": chosen[1],
        "seed": None if game.ruleset.deal_number else seed,
        "duration_ms": 300_000,
        "moves": journal,
    }
    judgement = judge(parse_record(json.dumps(record)))
    assert all(move.ok for move in judgement.moves)
    final = judgement.final
    assert (final.score, final.items) == (game.points, game.ledger())
    assert final.cards_up == game.board.cards_up
    assert final.ended == (game.ended or "running")


@given(any_game, seeds, picks)
@settings(max_examples=30, deadline=None)
def test_a_copy_is_independent(chosen: Chosen, seed: str, numbers: list[int]) -> None:
    """Playing on one board leaves its copy as it was."""
    game = opened(chosen, seed)
    run(game, numbers[:40])
    copy, again = game.board.copy(), game.board.copy()
    assert copy.same_as(game.board)
    run(game, numbers[40:])
    assert copy.same_as(again)


def on(game: Game, board: Board) -> Game:
    """The same game so far on another board."""
    other = game.copy()
    other.board = board
    return other


def twin(board: Board, chance: random.Random) -> Board:
    """Another board with the same view: the unknown cards lie in another order."""
    view, other = board.view(), board.copy()
    piles = [*zip(other.columns, view.columns, strict=True), (other.talon, view.talon)]
    hidden = [(pile, i) for pile, seen in piles for i, card in enumerate(seen) if card == UNKNOWN]
    cards = [pile[i] for pile, i in hidden]
    chance.shuffle(cards)
    for (pile, i), card in zip(hidden, cards, strict=True):
        pile[i] = card
    return other

"""What the player has picked up, and what a key or a click makes of it. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from samedeal_client.reach import as_many_as_fit, best_move, carries_from, is_face_down, run_length
from samedeal_client.rules_words import rules_error_words
from samedeal_client.texts import _
from samedeal_client.tui.spots import STOCK, Marks, Spot, same_pile
from samedeal_rules import Game, IllegalMove, Move, parse_move
from samedeal_rules.board import EMPTY
from samedeal_rules.cards import suit_of
from samedeal_rules.legality import check_carry
from samedeal_rules.moves import (
    CELL,
    FOUNDATION,
    FROM_FOUNDATION,
    RESERVE,
    WASTE,
    Kind,
    column_move,
)

__all__ = ["Hand", "Wanted", "drop", "marks_of", "pick_spot", "press", "send", "send_up"]


@dataclass(frozen=True, slots=True)
class Hand:
    """Cards that are chosen, and the last hint."""

    picked: Spot | None = None
    exactly: bool = False
    """Whether just so many cards are meant: chosen with the mouse. Else as many as fit."""
    hint: str | None = None
    """A move in notation."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What came of a key or a click."""

    hand: Hand
    move: Move | None = None
    words: str = ""
    """Why nothing came of it."""


def press(hand: Hand, game: Game, pile: int) -> Wanted:
    """A pile's key: the first picks it up, the second says where to; twice the same sends it off.

    A face-down end card is turned at once.
    """
    ruleset, board = game.ruleset, game.board
    if not _exists(game, pile):
        return Wanted(hand, words=_("There is no such pile in this game."))
    picked = hand.picked
    if picked is None:
        if is_face_down(board, pile) and ruleset.turns_by_hand:
            return Wanted(Hand(), best_move(ruleset, board, pile))
        count = run_length(ruleset, board, pile)
        if not count:
            return Wanted(Hand(), words=_("There is nothing to take there."))
        return Wanted(Hand(Spot(pile, count)))
    if same_pile(picked.pile, pile):
        return send(game, Spot(pile, picked.count if hand.exactly else 0))
    return drop(hand, game, pile)


def drop(hand: Hand, game: Game, pile: int) -> Wanted:
    """Put what is picked on a pile."""
    picked, ruleset, board = hand.picked, game.ruleset, game.board
    if picked is None:
        return Wanted(hand)
    target = _target(game, pile)
    if target is None or (picked.pile >= CELL and CELL <= target < WASTE):
        return press(Hand(), game, pile)  # nothing is put there: another is meant
    if hand.exactly and picked.pile != FOUNDATION:
        move: Move | None = column_move(picked.pile, target, picked.count)
    else:
        move = as_many_as_fit(ruleset, board, picked.pile, target)
    if move is None:
        source = picked.pile if picked.pile != FOUNDATION else _first_foundation(game)
        move = column_move(source, target)
    try:
        check_carry(ruleset, board, move)
    except IllegalMove as refusal:
        return Wanted(Hand(), words=_reason(refusal))
    return Wanted(Hand(), move)


def send(game: Game, spot: Spot) -> Wanted:
    """Send cards to their best place: all that had best go together, where `spot.count` is 0."""
    move = best_move(game.ruleset, game.board, spot.pile, spot.count or None)
    if move is None:
        return Wanted(Hand(), words=_("There is no place for it now."))
    return Wanted(Hand(), move)


def send_up(game: Game, spot: Spot) -> Wanted:
    """To the foundation, and nowhere else."""
    move = column_move(spot.pile, FOUNDATION) if spot.pile < FROM_FOUNDATION else None
    moves = carries_from(game.ruleset, game.board, spot.pile, 1)
    if move is None or move not in list(moves):
        return Wanted(Hand(), words=_("It does not go up yet."))
    return Wanted(Hand(), move)


def pick_spot(game: Game, spot: Spot) -> Wanted:
    """Pick up just these cards; refused in words where they can't be taken together."""
    most = run_length(game.ruleset, game.board, spot.pile)
    if not spot.count or not most:
        return Wanted(Hand(), words=_("There is nothing to take there."))
    if spot.count > most:
        return Wanted(Hand(), words=_("These cards don't move together."))
    return Wanted(Hand(spot, exactly=True))


def marks_of(hand: Hand, game: Game, cursor: int | None = None) -> Marks:
    """What stands out on the table."""
    ruleset, board, picked = game.ruleset, game.board, hand.picked
    targets: frozenset[int] = frozenset()
    if picked is not None:
        count = picked.count if hand.exactly else None
        moves = carries_from(ruleset, board, picked.pile, count)
        targets = frozenset(_place(game, move) for move in moves)
    move = parse_move(hand.hint, ruleset.deck.suits) if hand.hint else None
    if move is None:
        return Marks(picked, targets, cursor=cursor)
    if move.kind in (Kind.DRAW, Kind.REDEAL):
        return Marks(picked, targets, Spot(STOCK), cursor=cursor)
    target = _place(game, move) if move.kind is Kind.CARRY else None
    return Marks(picked, targets, Spot(move.source, move.size), target, cursor)


def _place(game: Game, move: Move) -> int:
    """Where its card comes to lie: a move names all foundations, a suit has one of them."""
    if move.target != FOUNDATION:
        return move.target
    board, source = game.board, move.source
    if source < CELL:
        card = board.columns[source][-1]
    elif source >= RESERVE:
        card = board.reserve[source - RESERVE]
    else:
        card = board.waste[-1] if source == WASTE else board.cells[source - CELL]
    return FROM_FOUNDATION + suit_of(card)


def _exists(game: Game, pile: int) -> bool:
    board, ruleset = game.board, game.ruleset
    if pile < CELL:
        return pile < len(board.columns)
    if pile >= RESERVE:
        return pile - RESERVE < len(board.reserve)
    if pile >= FOUNDATION:
        return ruleset.leaves is None
    return pile - CELL < len(board.cells) or (ruleset.has_waste and pile == WASTE)


def _target(game: Game, pile: int) -> int | None:
    """As a move names it; any free cell will do for a cell that is taken."""
    board = game.board
    if pile < len(board.columns):
        return pile
    if CELL <= pile < CELL + len(board.cells):
        taken = board.cells[pile - CELL] != EMPTY
        return CELL + board.cells.index(EMPTY) if taken and EMPTY in board.cells else pile
    if FOUNDATION <= pile < RESERVE and game.ruleset.leaves is None:
        return FOUNDATION
    return None


def _first_foundation(game: Game) -> int:
    tops = game.board.foundations
    return FROM_FOUNDATION + next((suit for suit, rank in enumerate(tops) if rank), 0)


def _reason(refusal: IllegalMove) -> str:
    words = rules_error_words(refusal)
    return words[:1].upper() + words[1:] + "."

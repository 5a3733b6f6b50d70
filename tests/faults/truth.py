"""An independent replay of a journal: what was so after each entry, and what its player knew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from samedeal_rules import Board, Game, IllegalMove, Played, Ruleset, deal, find_ruleset, parse_move
from samedeal_rules.board import EMPTY

__all__ = ["Truth", "card_mask", "replayed", "ruleset_named", "split_entry", "truth_of"]


@dataclass(slots=True)
class Truth:
    """One player's game after 0, 1, 2 ... entries."""

    ruleset: Ruleset
    scores: list[int | None]
    checksums: list[int]
    known: list[int]
    """Mask of the cards that the player has seen by then; nobody forgets."""
    boards: dict[int, dict[str, Any]]
    """What a snapshot must show, where it was asked for."""
    broken: str | None = None
    """Why the journal can't be replayed to its end."""


def split_entry(entry: str) -> tuple[int, str]:
    """ms and move."""
    ms, move = entry.split(" ", 1)
    return int(ms), move


def ruleset_named(name: str, options: Mapping[str, Any]) -> Ruleset:
    """The ruleset with its options."""
    return find_ruleset(name, options)[1]


def replayed(ruleset: Ruleset, seed: str | None, duration_ms: int, journal: Sequence[str]) -> Game:
    """The game at the end of a journal that can be replayed."""
    game = Game(ruleset, deal(ruleset, seed), duration_ms)
    for entry in journal:
        ms, text = split_entry(entry)
        move = parse_move(text, ruleset.deck.suits)
        assert move is not None
        game.play(move, ms)
    return game


def truth_of(
    ruleset: Ruleset, seed: str | None, duration_ms: int, journal: Sequence[str], wanted: set[int]
) -> Truth:
    """Fold the journal over the deal, and keep the boards after the wanted numbers of entries."""
    game = Game(ruleset, deal(ruleset, seed), duration_ms)
    known = _visible(game.board)
    names = ruleset.deck.names
    truth = Truth(ruleset, [game.points], [game.board.checksum(names)], [known], {})
    if 0 in wanted:
        truth.boards[0] = _shown(game.board, ruleset)
    for index, entry in enumerate(journal):
        ms, text = split_entry(entry)
        move = parse_move(text, ruleset.deck.suits)
        try:
            if move is None:
                raise ValueError("it is no move")
            played = game.play(move, ms)
        except (IllegalMove, ValueError) as error:
            truth.broken = f"entry {index} ({entry}) can't be replayed: {error}"
            break
        known |= _visible(game.board) | _passing(played)
        truth.scores.append(game.points)
        truth.checksums.append(game.board.checksum(names))
        truth.known.append(known)
        if index + 1 in wanted:
            truth.boards[index + 1] = _shown(game.board, ruleset)
    return truth


def card_mask(ruleset: Ruleset, cards: Iterable[str]) -> int:
    """The mask of cards by their names; a name that the deck does not have is bit 0 of nothing."""
    mask = 0
    for card in cards:
        code = ruleset.deck.codes.get(card)
        if code is not None:
            mask |= 1 << code
    return mask


def _visible(board: Board) -> int:
    mask = 0
    for column, down in zip(board.columns, board.down, strict=True):
        for card in column[down:]:
            mask |= 1 << card
    for card in (*board.talon[: board.drawn], *board.cells, *board.reserve):
        if card != EMPTY:
            mask |= 1 << card
    return mask


def _passing(played: Played) -> int:
    """Cards that a move showed, wherever they went at once."""
    mask = 0
    for card in (*played.drawn, *(c for _, c in played.turned), *(c for _, c in played.automatic)):
        mask |= 1 << card
    return mask


def _shown(board: Board, ruleset: Ruleset) -> dict[str, Any]:
    """The `board` of a snapshot, from the whole truth; the stock is shown once a pass is over."""
    names = ruleset.deck.names
    columns = [
        ["##"] * down + [names[card] for card in column[down:]]
        for column, down in zip(board.columns, board.down, strict=True)
    ]
    stock = [names[card] if board.redeals else "##" for card in board.talon[board.drawn :]]
    return {
        "columns": columns,
        "down": list(board.down),
        "waste": [names[card] for card in board.talon[: board.drawn]],
        "stock": stock,
        "foundations": list(board.foundations),
        "redeals": board.redeals,
        "cells": [None if card == EMPTY else names[card] for card in board.cells],
        "reserve": [None if card == EMPTY else names[card] for card in board.reserve],
        "runs": [ruleset.deck.suits[suit] for suit in board.gone],
    }

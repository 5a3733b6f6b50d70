"""Random players for property tests: from numbers to games that get somewhere."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from hypothesis import strategies as st

from samedeal_rules import (
    Game,
    IllegalMove,
    OptionValue,
    deal,
    find_ruleset,
    legal_moves,
    move_text,
    parse_move,
)
from samedeal_rules.moves import FOUNDATION, FROM_FOUNDATION, Kind, Move

from .naive import SPELLED

SUITS = "CDHS"
ODD_TEXTS = (*SPELLED, "", "D", "t1-t1", "x0", "t1*1-t2", "w - t3", "fO-t1", "draw")


def numbers(seed: int, count: int) -> list[int]:
    """`count` picks from a seed."""
    chance = random.Random(seed)
    return [chance.getrandbits(20) for _ in range(count)]


seeds = st.integers(0, 10**6).map(str)
picks = st.one_of(
    st.lists(st.integers(0, 2**20), max_size=100),
    # Long games: hypothesis by itself draws few long lists.
    st.builds(numbers, st.integers(0, 2**20), st.integers(0, 400)),
)
options = st.fixed_dictionaries(
    {}, optional={"draw": st.sampled_from([1, 3]), "redeals": st.sampled_from([0, 1, 3])}
)


Chosen = tuple[str, dict[str, OptionValue]]
"""A ruleset's name and the options."""

GAMES: tuple[Chosen, ...] = (
    ("timed", {}),
    ("timed", {"draw": 1, "redeals": 1}),
    ("klondike-1", {}),
    ("klondike-1", {"draw": 3, "redeals": 0}),
    ("klondike-3", {}),
    ("klondike-3", {"redeals": 3}),
    ("freecell", {}),
    ("freecell", {"deal": "ms:617"}),
    ("spider-1", {}),
    ("spider-2", {}),
    ("spider-4", {}),
    ("spanish", {}),
    ("spanish", {"redeals": 0}),
    ("spanish", {"deck": 48, "draw": 3, "redeals": "unlimited"}),
    ("spanish", {"stock": False}),
    ("spanish", {"deck": 48, "stock": False}),
)
"""Every ruleset, with and without options."""

any_game = st.sampled_from(GAMES)


def game_name(chosen: Chosen) -> str:
    """For test ids: `spanish stock=False`."""
    return " ".join([chosen[0], *(f"{name}={value}" for name, value in chosen[1].items())])


def new_game(
    seed: str,
    chosen: dict[str, OptionValue] | None = None,
    ms: int | None = 300_000,
    name: str = "timed",
) -> Game:
    """A game at its deal."""
    ruleset = find_ruleset(name, chosen)[1]
    return Game(ruleset, deal(ruleset, seed), ms)


def choose(game: Game, pick: int) -> str:
    """A move text: mostly sensible, sometimes any legal one, an undo, or anything at all."""
    kind, rest = pick % 16, pick // 16
    if kind == 0:
        return "u"
    if kind == 1:
        return ODD_TEXTS[rest % len(ODD_TEXTS)]
    moves = list(legal_moves(game.ruleset, game.board))
    if not moves:
        return "u"
    suits = game.ruleset.deck.suits
    if kind > 3:
        moves = [move for move in moves if _gets_on(game, move)] or moves
    return move_text(moves[rest % len(moves)], suits)


def _gets_on(game: Game, move: Move) -> bool:
    """Up, turned, off the waste, or a whole face-up part moved from face-down cards."""
    if move.kind is not Kind.CARRY:
        return move.kind is Kind.TURN
    if move.target == FOUNDATION:
        return True
    if move.source >= FROM_FOUNDATION:
        return False
    if move.source >= len(game.board.columns):
        return True
    if move.target >= len(game.board.columns):
        return False
    if game.ruleset.leaves is not None and game.board.columns[move.target]:
        above = game.board.columns[move.source][-move.size]
        if game.ruleset.runs[game.board.columns[move.target][-1]] >> above & 1:
            return True
    down = game.board.down[move.source]
    return down > 0 and len(game.board.columns[move.source]) - down == move.size


def entries(game: Game, numbers: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Times and texts, chosen on the game as it stands; the caller plays them."""
    ms = 0
    for number in numbers:
        ms += number % 2400
        yield ms, choose(game, number)


def run(game: Game, numbers: Sequence[int]) -> list[tuple[int, str]]:
    """Play a random game as far as the numbers go; its accepted moves. Undone ones are kept."""
    accepted = []
    for ms, text in entries(game, numbers):
        if attempt(game, ms, text) is None:
            accepted.append((ms, text))
    return accepted


def attempt(game: Game, ms: int, text: str) -> str | None:
    """Play a text as the judge does: None, or the rule that it broke."""
    move = parse_move(text, game.ruleset.deck.suits)
    if move is None:
        return "not_a_move"
    try:
        game.play(move, ms)
    except IllegalMove as refusal:
        return refusal.rule.value
    return None

"""The help at a table: only what the game at hand has. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from samedeal_client.plain.style import SPANISH_RANKS, SPANISH_SUITS
from samedeal_rules import Ruleset, deal

__all__ = ["help_lines"]

LINE: Final = "  {:<12} {}"
TABLE_WORDS: Final = "  b  board     s  standings     p  {points}     q  leave     ?  this help"
HINTS: Final = "  h  a hint: a move that helps, or that none does (where the duel allows hints)"


def help_lines(ruleset: Ruleset) -> list[str]:
    """Short forms, full notation, other words."""
    points = "your points, one by one" if ruleset.scored else "your cards up"
    board = deal(ruleset, "")
    full = list(_full_notation(ruleset, cells=bool(board.cells), reserve=bool(board.reserve)))
    return [
        "Moves (columns are numbered from the left):",
        *(LINE.format(form, words) for form, words in _forms(ruleset)),
        f"Also in full notation: {', '.join(full)}.",
        *_letters(ruleset),
        TABLE_WORDS.format(points=points),
        HINTS,
    ]


def _forms(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    board = deal(ruleset, "")
    if ruleset.draws_to_columns:
        yield "d", f"deal: a card on each of the {len(board.columns)} columns"
    elif ruleset.has_waste:
        cards = "a card" if ruleset.draw == 1 else f"{ruleset.draw} cards"
        yield "d", f"draw {cards} from the stock"
        if ruleset.redeals != 0:
            yield "r", "redeal the waste into the stock"
    last = len(board.columns)
    more = f"; 0 is column {last}: 30, 3-{last}" if last > 9 else ""
    yield "3-5 or 35", f"from column 3 to column 5{more}"
    yield "3*2-5", "two cards; without a count as many as fit"
    if ruleset.has_waste:
        yield "w3", "waste to column 3"
        yield "wf", "waste to its foundation"
    if board.cells:
        yield "4a", "column 4 to the first empty cell; 4c2 to cell 2"
        yield "c1-5 or c15", "cell 1 to column 5"
        yield "c1f", "cell 1 to its foundation"
    if board.reserve:
        yield "v3-2", "place 3 of the reserve to column 2"
        yield "v3f", "place 3 of the reserve to its foundation"
    if ruleset.leaves is None:
        yield "3f", "column 3 to its foundation"
    if ruleset.gives_back:
        suit = ruleset.deck.suits[2].lower()
        yield f"f{suit}3", "back from the hearts foundation to column 3"
    if ruleset.turns_by_hand:
        yield "x3", "turn the face-down card at the end of column 3"
    yield "u", "undo"
    yield "end", "end your game"


def _full_notation(ruleset: Ruleset, *, cells: bool, reserve: bool) -> Iterator[str]:
    yield from ("t3-t5", "t3*2-t5")
    if ruleset.has_waste:
        yield from ("w-t3", "w-f")
    if cells:
        yield from ("t4-c2", "c1-t5", "c1-f")
    if reserve:
        yield from ("v3-t2", "v3-f")
    if ruleset.leaves is None:
        yield "t3-f"
    if ruleset.gives_back:
        yield f"f{ruleset.deck.suits[2]}-t3"


def _letters(ruleset: Ruleset) -> Iterator[str]:
    deck = ruleset.deck
    if deck.suits != "".join(SPANISH_SUITS):
        return
    red = [f"{deck.suits[suit]} {SPANISH_SUITS[deck.suits[suit]]}" for suit in sorted(deck.red)]
    green = [
        f"{letter} {SPANISH_SUITS[letter]}"
        for suit, letter in enumerate(deck.suits)
        if suit not in deck.red
    ]
    ranks = ", ".join(
        f"{sign} {SPANISH_RANKS[sign]}" for sign in deck.ranks if sign in SPANISH_RANKS
    )
    yield f"Cards are rank and suit: {ranks};"
    yield f"{', '.join(red)} (red), {', '.join(green)} (green)."

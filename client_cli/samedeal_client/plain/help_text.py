"""The help at a table: only what the game at hand has. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from samedeal_client.plain.style import SPANISH_RANKS, SPANISH_SUITS
from samedeal_client.texts import N_, _, _n
from samedeal_rules import Ruleset, deal

__all__ = ["help_lines"]

ONE_DIGIT: Final = 9
LINE: Final = "  {:<12} {}"
TABLE_WORDS: Final = N_(
    "  b  board (b 3: column 3 in words)     t  time     s  standings\n"
    "  p  {points}     q  leave     ?  this help"
)
HINTS: Final = N_("  h  a hint: a move that helps, or that none does (where the duel allows hints)")


def help_lines(ruleset: Ruleset) -> list[str]:
    """Short forms, full notation, other words."""
    points = _("your points, one by one") if ruleset.scored else _("your cards up")
    board = deal(ruleset, "")
    full = list(_full_notation(ruleset, cells=bool(board.cells), reserve=bool(board.reserve)))
    return [
        _("Moves (columns are numbered from the left):"),
        *(LINE.format(form, words) for form, words in _forms(ruleset)),
        _("Also in full notation: {moves}.").format(moves=", ".join(full)),
        *_letters(ruleset),
        _(TABLE_WORDS).format(points=points),
        _(HINTS),
    ]


def _forms(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    board = deal(ruleset, "")
    if ruleset.draws_to_columns:
        words = _("deal: a card on each of the {count} columns")
        yield "d", words.format(count=len(board.columns))
    elif ruleset.has_waste:
        draw = _n("draw a card from the stock", "draw {count} cards from the stock", ruleset.draw)
        yield "d", draw.format(count=ruleset.draw)
        if ruleset.redeals != 0:
            yield "r", _("redeal the waste into the stock")
    last = len(board.columns)
    more = ""
    if last > ONE_DIGIT:
        more = _("; 0 is column {last}: 30, 3-{last}").format(last=last)
    yield _("3-5 or 35"), _("from column 3 to column 5") + more
    yield "3*2-5", _("two cards; without a count as many as fit")
    if ruleset.has_waste:
        yield "w3", _("waste to column 3")
        yield "wf", _("waste to its foundation")
    if board.cells:
        yield "4a", _("column 4 to the first empty cell; 4c2 to cell 2")
        yield _("c1-5 or c15"), _("cell 1 to column 5")
        yield "c1f", _("cell 1 to its foundation")
    if board.reserve:
        yield "v3-2", _("place 3 of the reserve to column 2")
        yield "v3f", _("place 3 of the reserve to its foundation")
    if ruleset.leaves is None:
        yield "3f", _("column 3 to its foundation")
    if ruleset.gives_back:
        suit = ruleset.deck.suits[2].lower()
        yield f"f{suit}3", _("back from the hearts foundation to column 3")
    if ruleset.turns_by_hand:
        yield "x3", _("turn the face-down card at the end of column 3")
    yield "u", _("undo")
    yield "end", _("end your game")


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
    yield _("Cards are rank and suit: {ranks};").format(ranks=ranks)
    colours = _("{red} (red), {green} (green).")
    yield colours.format(red=", ".join(red), green=", ".join(green))

"""What a ruleset's values come to, found out by asking them: nothing is said twice. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from samedeal_rules.board import EMPTY, Board
from samedeal_rules.cards import Card, rank_of, suit_of
from samedeal_rules.ruleset import Ruleset
from samedeal_rules.scoring import EARLY_END, MINUTES, TIME_BONUS, Closing

__all__ = ["Automatic", "Bonuses", "Facts", "Fit", "facts_of"]

Fit = Literal["any", "alternate", "suit"]
"""Which cards one rank lower go on a card: of any suit, of the other colour, of its own suit."""
Automatic = Literal["none", "all_four", "both", "at_end"]
"""What goes up by itself: a card of whose lower rank all four are up; one of whose lower rank
both cards of the other colour are up; everything, once nothing is hidden; or nothing."""

_HOUR_MS = 3_600_000
_EXAMPLE = 8
"""A rank in the middle; of the Spanish 40 it is the sota."""
_MOST_PASSES = 10
"""No price begins later than that."""


@dataclass(frozen=True, slots=True)
class Bonuses:
    """Points that the end brings; 0 where there are none."""

    time: int
    """For a clear table at once..."""
    time_loss: int
    """...and what each second takes of it."""
    minute: int
    """For each whole minute left, table clear."""
    early_s: int
    """Seconds left that bring a point at any early end."""


@dataclass(frozen=True, slots=True)
class Facts:
    """A ruleset in numbers and kinds."""

    cards: int
    suits: str
    """Letters of the suits in play, in the deck's order."""
    columns: tuple[int, ...]
    """Cards in each at the deal."""
    down: int
    """Cards that lie face down at the deal."""
    stock: int
    cells: int
    reserve: int
    fit: Fit
    example: tuple[str, ...]
    """A card in notation, then all that may lie on it."""
    run: Fit
    only_kings: bool
    """Whether only the highest rank begins an empty column."""
    automatic: Automatic
    first_price: int | None
    """The first pass whose redeal costs."""
    price: int
    limits: tuple[int, int, int] | None
    """Cards that move at once with two cells free: no empty column, one beside, onto one."""
    bonuses: Bonuses

    @property
    def has_hidden(self) -> bool:
        """Whether cards lie face down in the columns."""
        return self.down > 0


def facts_of(ruleset: Ruleset) -> Facts:
    """Ask the ruleset's functions and masks; costs less than a millisecond."""
    deck = ruleset.deck
    board = ruleset.deal(deck.cards)
    played = {suit_of(card) for card in deck.cards}
    redeals = [ruleset.scoring.redeal(number) for number in range(2, _MOST_PASSES)]
    costs = [number for number, points in enumerate(redeals, 2) if points]
    return Facts(
        cards=len(deck.cards),
        suits="".join(deck.suits[suit] for suit in sorted(played)),
        columns=tuple(map(len, board.columns)),
        down=sum(board.down),
        stock=len(board.talon),
        cells=len(board.cells),
        reserve=len(board.reserve),
        fit=_fit(ruleset, ruleset.stacks),
        example=_example(ruleset),
        run=_fit(ruleset, ruleset.runs),
        only_kings=any(not ruleset.fills_empty >> card & 1 for card in deck.cards),
        automatic=_automatic(ruleset),
        first_price=costs[0] if costs and ruleset.redeals != 0 else None,
        price=min(redeals),
        limits=_limits(ruleset, board),
        bonuses=_bonuses(ruleset),
    )


def _fit(ruleset: Ruleset, masks: tuple[int, ...]) -> Fit:
    deck = ruleset.deck
    lower = next(card for card in deck.cards if rank_of(card) == len(deck.ranks))
    uppers = {suit_of(card) for card in deck.cards if masks[lower] >> card & 1}
    if uppers == {suit_of(card) for card in deck.cards}:
        return "any"
    return "suit" if suit_of(lower) in uppers else "alternate"


def _example(ruleset: Ruleset) -> tuple[str, ...]:
    names, cards = ruleset.deck.names, dict.fromkeys(ruleset.deck.cards)
    lower = next(card for card in cards if rank_of(card) == _EXAMPLE)
    return names[lower], *(names[card] for card in cards if ruleset.stacks[lower] >> card & 1)


def _automatic(ruleset: Ruleset) -> Automatic:
    """Put a three at the end of a column and see when it goes."""
    deck, sweep = ruleset.deck, ruleset.automatic
    if sweep is None:
        return "none"
    suit = next(iter(sorted(deck.red)))
    three = Card(suit << 4 | 3)
    other = Card(suit << 4 | len(deck.ranks))

    def goes(low_of_own_colour: int) -> bool:
        tops = [low_of_own_colour if s in deck.red and s != suit else 2 for s in range(4)]
        hidden = Board([[three], [other, other]], [0, 1], [], foundations=tops)
        hidden.cells = [EMPTY] * len(ruleset.deal(deck.cards).cells)
        return any(pile == 0 for pile in sweep(hidden, 0))

    if goes(low_of_own_colour=1):
        return "both"
    return "all_four" if goes(low_of_own_colour=2) else "at_end"


def _limits(ruleset: Ruleset, board: Board) -> tuple[int, int, int] | None:
    if ruleset.limit is None:
        return None
    probe = board.copy()
    taken = len(probe.cells) - 2
    probe.cells = [probe.columns[0][-1]] * taken + [EMPTY] * 2
    full = ruleset.limit(probe, 1)
    probe.columns[0] = []
    return full, ruleset.limit(probe, 1), ruleset.limit(probe, 0)


def _bonuses(ruleset: Ruleset) -> Bonuses:
    def points(*, cleared: bool, elapsed_s: int) -> dict[int, int]:
        closing = Closing(cleared, elapsed_s * 1000, _HOUR_MS, ruleset.draw)
        return dict(ruleset.scoring.closing(closing))

    hour = _HOUR_MS // 1000
    at_once = points(cleared=True, elapsed_s=0).get(TIME_BONUS, 0)
    early = (s for s in range(1, 61) if points(cleared=False, elapsed_s=hour - s).get(EARLY_END))
    return Bonuses(
        time=at_once,
        time_loss=at_once - points(cleared=True, elapsed_s=1).get(TIME_BONUS, 0),
        minute=points(cleared=True, elapsed_s=hour - 60).get(MINUTES, 0),
        early_s=next(early, 0),
    )

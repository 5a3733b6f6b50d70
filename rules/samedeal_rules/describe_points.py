"""The points of a game in words. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from samedeal_rules.board import RUN_LENGTH
from samedeal_rules.describe_facts import Facts
from samedeal_rules.describe_words import Words
from samedeal_rules.ruleset import Ruleset
from samedeal_rules.scoring import (
    CARDS_UP,
    EARLY_END,
    FOUNDATION_TO_TABLEAU,
    ITEMS,
    MINUTES,
    PASSES,
    RUNS,
    TIME_BONUS,
    TURNED,
    UNDO,
    WASTE_TO_TABLEAU,
)

__all__ = ["points_rows", "points_texts"]


def points_rows(ruleset: Ruleset, facts: Facts, words: Words) -> Iterator[tuple[str, str]]:
    """What for, and how many."""
    scoring = ruleset.scoring
    if any(scoring.card_up):
        key = "points.card_once" if scoring.card_up_once else "points.card"
        yield words(key), _by_rank(ruleset, words)
    if scoring.run:
        yield words("points.run", cards=RUN_LENGTH), words.signed(scoring.run)
    if scoring.turned and facts.has_hidden:
        yield words("points.turned", down=facts.down), words.signed(scoring.turned)
    if scoring.waste_to_tableau and ruleset.has_waste:
        yield words("points.waste"), words.signed(scoring.waste_to_tableau)
    if ruleset.gives_back:
        back = words.signed(scoring.foundation_to_tableau)
        again = scoring.card_up_once and not scoring.foundation_to_tableau
        yield words("points.back"), words("points.again") if again else back
    if facts.first_price is not None:
        price = words.signed(facts.price)
        row = words("points.redeal", first=facts.first_price)
        yield row, words("points.redeal_when", price=price)
    undo = "points.undo_price" if scoring.undo else "points.undo_free"
    yield words("points.undo"), words(undo, price=words.signed(scoring.undo))
    yield from _closing(facts, words)


def _closing(facts: Facts, words: Words) -> Iterator[tuple[str, str]]:
    bonuses = facts.bonuses
    if bonuses.time:
        text = words("points.clear_time", best=words.number(bonuses.time), loss=bonuses.time_loss)
        yield words("points.clear"), text
    if bonuses.minute:
        yield words("points.clear"), words("points.clear_minutes", minute=bonuses.minute)
    if bonuses.early_s:
        yield words("points.early"), words("points.early_s", early=bonuses.early_s)
        yield words("points.timeout"), words("points.timeout_nothing")


def points_texts(ruleset: Ruleset, facts: Facts, words: Words) -> Iterator[str]:
    """What holds for all of them."""
    if facts.bonuses.time and not facts.bonuses.early_s:
        yield words("points.no_early")
    if ruleset.scoring.floor is not None:
        floor = words("points.floor", floor=ruleset.scoring.floor)
        back = -ruleset.scoring.foundation_to_tableau
        yield f"{floor} {words('points.floor_example', back=back)}" if back > 10 else floor
    items = ", ".join(f"`{ITEMS[item]}`" for item in sorted(_items(ruleset, facts)))
    yield words("points.items", items=items)


def _items(ruleset: Ruleset, facts: Facts) -> Iterator[int]:
    scoring, bonuses = ruleset.scoring, facts.bonuses
    worth = {
        CARDS_UP: any(scoring.card_up),
        TURNED: scoring.turned,
        PASSES: facts.first_price,
        UNDO: scoring.undo,
        MINUTES: bonuses.minute,
        EARLY_END: bonuses.early_s,
        WASTE_TO_TABLEAU: scoring.waste_to_tableau,
        FOUNDATION_TO_TABLEAU: scoring.foundation_to_tableau,
        TIME_BONUS: bonuses.time,
        RUNS: scoring.run,
    }
    return (item for item, points in worth.items() if points)


def _by_rank(ruleset: Ruleset, words: Words) -> str:
    """`+10`, or rank by rank: `ace 100, 2 200; 10, jack and queen 1000 each`."""
    ranks = enumerate(ruleset.deck.ranks, 1)
    card_up = ruleset.scoring.card_up
    groups = [
        (points, [words.rank(sign) for _, sign in same])
        for points, same in groupby(ranks, key=lambda pair: card_up[pair[0]])
    ]
    if len(groups) == 1:
        return words.signed(groups[0][0])
    parts = []
    for points, names in groups:
        *first, last = names
        who = f"{', '.join(first)} {words('word.and')} {last}" if first else last
        each = f" {words('word.each')}" if first else ""
        parts.append(f"{'; ' if first else ', '}{who} {points}{each}")
    return "".join(parts).strip(",; ")

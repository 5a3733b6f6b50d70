"""Which readings and which tips belong to a game: by what it does, not by its name. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from samedeal_rules.describe_facts import Facts, facts_of
from samedeal_rules.describe_words import Words
from samedeal_rules.ruleset import Ruleset
from samedeal_rules.scoring import EARLY_END, MINUTES, Closing

__all__ = ["readings", "tips"]

_EXAMPLE_LEFT_MS = 125_900


def readings(ruleset: Ruleset, facts: Facts, words: Words) -> Iterator[str]:
    """Where the source leaves a gap or contradicts itself: what we do and why."""
    if facts.automatic == "all_four":
        yield words("reading.every_rank")
    if facts.automatic == "both":
        yield words("reading.no_longer_needed")
    if facts.automatic in ("all_four", "both"):
        yield words("reading.not_at_deal")
        if ruleset.gives_back:
            yield words("reading.taken_back")
    if ruleset.scored:
        yield from _of_points(ruleset, facts, words)
    else:
        yield from _without_points(ruleset, words)


def _of_points(ruleset: Ruleset, facts: Facts, words: Words) -> Iterator[str]:
    scoring, bonuses = ruleset.scoring, facts.bonuses
    if scoring.card_up_once:
        suit = sum(scoring.card_up[1 : len(ruleset.deck.ranks) + 1])
        total = suit * len(facts.suits)
        most = words.number(total + scoring.turned * facts.down)
        number = words.number
        yield words("reading.total", suit=number(suit), total=number(total), most=most)
    if facts.first_price is not None:
        yield words("reading.passes", first=facts.first_price)
    if bonuses.minute and bonuses.early_s:
        closing = Closing(True, 300_000 - _EXAMPLE_LEFT_MS, 300_000, ruleset.draw)
        points = dict(scoring.closing(closing))
        minutes, early = points[MINUTES], points[EARLY_END]
        yield words("reading.time_bonuses", minutes=minutes, early=early, sum=minutes + early)
    if scoring.floor is None:
        yield words("reading.below_zero")
    if scoring.undo and ruleset.undo_depth is None:
        yield words("reading.undo_reach")
    if bonuses.time and "draw" in ruleset.defaults():
        one, three = (facts_of(replace(ruleset, draw=draw)).bonuses.time for draw in (1, 3))
        if one != three:
            number = words.number
            yield words("reading.which_bonus", one=number(one), three=number(three))


def _without_points(ruleset: Ruleset, words: Words) -> Iterator[str]:
    if not ruleset.gives_back and ruleset.leaves is None:
        yield words("reading.nothing_back")
    if ruleset.undo_depth is None:
        yield words("reading.undo_no_limit")
    yield words("reading.playing_on")
    yield words("reading.same_place")
    names = {option.name for option in ruleset.options}
    if "redeals" in names:
        yield words("reading.vueltas")
    if "stock" in names:
        yield words("reading.en_fila")


def tips(ruleset: Ruleset, facts: Facts, words: Words) -> Iterator[str]:
    """For beginners, what matters in this game."""
    if facts.has_hidden:
        yield words("tip.uncover")
    if ruleset.leaves is None:
        yield words("tip.low_first")
    if facts.only_kings:
        yield words("tip.keep_column", king=words.rank(ruleset.deck.ranks[-1]))
    else:
        yield words("tip.keep_any")
    if facts.cells:
        yield words("tip.cells")
    if facts.limits is not None:
        yield words("tip.count")
    if ruleset.leaves is not None and len(facts.suits) > 1:
        yield words("tip.one_suit")
    if ruleset.draws_to_columns:
        yield words("tip.before_deal")
    if ruleset.leaves is None:
        yield words("tip.hold_back")
    if facts.reserve:
        yield words("tip.reserve")
    yield from _of_the_stock(ruleset, facts, words)
    if facts.bonuses.early_s:
        yield words("tip.end")
    yield words("tip.undo_dear" if ruleset.scoring.undo else "tip.undo_free")


def _of_the_stock(ruleset: Ruleset, facts: Facts, words: Words) -> Iterator[str]:
    if not ruleset.has_waste:
        return
    if facts.first_price is not None:
        price = words.number(-facts.price)
        yield words("tip.redeals_cost", first=facts.first_price, price=price)
    elif ruleset.redeals:
        yield words("tip.redeals_few", redeals=ruleset.redeals)
    elif ruleset.redeals is None:
        yield words("tip.redeals")
    if ruleset.draw > 1 and ruleset.redeals != 0:
        yield words("tip.every_third")

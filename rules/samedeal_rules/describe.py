"""The rules of a game for people, from the values that the engine plays by. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from samedeal_rules.board import RUN_LENGTH
from samedeal_rules.describe_en import ENGLISH
from samedeal_rules.describe_es import SPANISH_WORDS
from samedeal_rules.describe_facts import Facts, facts_of
from samedeal_rules.describe_points import points_rows, points_texts
from samedeal_rules.describe_readings import readings, tips
from samedeal_rules.describe_words import Words
from samedeal_rules.ruleset import Option, OptionValue, Ruleset

__all__ = ["LANGUAGES", "Description", "Section", "describe", "option_values", "summary"]

LANGUAGES: Final[Mapping[str, Mapping[str, str]]] = {"en": ENGLISH, "es": SPANISH_WORDS}


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, then rows of cells under a head, then paragraphs, then points of a list."""

    title: str
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    texts: tuple[str, ...] = ()
    """Text may have `code`, *stress* and **more stress**."""
    points: tuple[str, ...] = ()
    advice: bool = False
    """What helps, and is no rule."""


@dataclass(frozen=True, slots=True)
class Description:
    """A game in words."""

    name: str
    title: str
    sections: tuple[Section, ...]

    def called(self, name: str) -> Description:
        """The same under a name that says what was changed."""
        return replace(self, name=name)


def describe(ruleset: Ruleset, language: str = "en", of: Ruleset | None = None) -> Description:
    """The rules of a ruleset; `of` is what it was before its options were applied.

    Raises KeyError for a language that there is not.
    """
    words, facts = Words(LANGUAGES[language]), facts_of(ruleset)
    layout = Section(words("head.layout"), texts=(" ".join(_layout(ruleset, facts, words)),))
    head = (words("word.what"), words("word.rule"))
    moves = Section(words("head.moves"), head, tuple(_moves(ruleset, facts, words)))
    automatic = Section(words("head.automatic"), texts=(words(f"automatic.{facts.automatic}"),))
    winner = "winner.points" if ruleset.scored else "winner.first"
    sections = [
        layout,
        moves,
        automatic,
        *_points(ruleset, facts, words),
        Section(words("head.winner"), texts=(words(winner),)),
        Section(words("head.undo"), texts=(" ".join(_undo(ruleset, facts, words)),)),
        _options(of or ruleset, facts, words),
        Section(words("head.readings"), points=tuple(_readings(ruleset, facts, words))),
        Section(words("head.tips"), points=tuple(tips(ruleset, facts, words)), advice=True),
        Section(
            words("head.unwinnable"),
            texts=(words.of("unwinnable", ruleset.name) or words("unwinnable.default"),),
        ),
        Section(
            words("head.notation"),
            (words("word.what"), words("word.rule")),
            tuple(_notation(ruleset, facts, words)),
        ),
    ]
    kept = tuple(s for s in sections if s.rows or s.texts or s.points)
    return Description(ruleset.name, words.of("title", ruleset.name) or ruleset.name, kept)


def summary(ruleset: Ruleset, language: str = "en") -> str:
    """A line on what the game is; empty for one that has none."""
    return Words(LANGUAGES[language]).of("line", ruleset.name)


def option_values(option: Option) -> str:
    """What it can be, as one types it: `0, 1, 3, unlimited`."""
    return ", ".join(_value(value) for value in option.values)


def _value(value: OptionValue) -> str:
    return str(value).lower()


def _layout(ruleset: Ruleset, facts: Facts, words: Words) -> Iterator[str]:
    deck = ruleset.deck
    if "R" in deck.ranks:
        high = deck.ranks[deck.ranks.index("S") - 1]
        yield words("layout.cards_spanish", cards=facts.cards, high=high)
    elif deck.sets:
        times = facts.cards // (len(deck.ranks) * len(facts.suits))
        suits = ", ".join(words(f"suit.{suit}") for suit in facts.suits)
        yield words("layout.cards_spider", cards=facts.cards, times=times, suits=suits)
    else:
        yield words("layout.cards", cards=facts.cards)
    yield words("layout.columns", count=len(facts.columns), lengths=_lengths(facts, words))
    yield words("layout.last_up" if facts.has_hidden else "layout.all_up")
    if facts.stock:
        yield words("layout.stock", stock=facts.stock)
    if facts.cells:
        yield words("layout.cells", cells=facts.cells)
    if facts.reserve:
        yield words("layout.reserve", reserve=facts.reserve)
    if not facts.stock and not facts.has_hidden:
        yield words("layout.no_stock")
    yield words("layout.time", seconds=ruleset.duration_ms // 1000)


def _lengths(facts: Facts, words: Words) -> str:
    if facts.columns == tuple(range(1, len(facts.columns) + 1)):
        return words("layout.triangle", most=facts.columns[-1])
    groups = [(length, len(list(same))) for length, same in groupby(facts.columns)]
    return ", ".join(words("layout.group", count=n, cards=length) for length, n in groups)


def _moves(ruleset: Ruleset, facts: Facts, words: Words) -> Iterator[tuple[str, str]]:
    king, ace = words.rank(ruleset.deck.ranks[-1]), words.rank(ruleset.deck.ranks[0])
    lower, *uppers = facts.example
    example = words("fit.example", lower=lower, uppers=", ".join(uppers))
    yield words("move.columns"), f"{words(f'fit.{facts.fit}')} {example}"
    run = words(f"run.{facts.run}")
    if facts.limits is not None:
        full, beside, onto = facts.limits
        run += "; " + words("run.limit", full=full, beside=beside, onto=onto)
    yield words("move.runs"), run
    empty = "empty.kings" if facts.only_kings else "empty.any"
    yield words("move.empty"), words(empty, king=king)
    if facts.has_hidden:
        yield words("move.turn"), words("turn.hand" if ruleset.turns_by_hand else "turn.self")
    yield from _stock(ruleset, facts, words)
    if facts.cells:
        yield words("move.cells"), words("cells.rule")
    if facts.reserve:
        yield words("move.reserve"), words("reserve.rule")
    if ruleset.leaves is not None:
        runs = facts.cards // RUN_LENGTH
        text = words("run.leaves", cards=RUN_LENGTH, king=king, ace=ace, runs=runs)
        yield words("move.run"), text
        return
    yield words("move.foundation"), words("foundation.up", ace=ace)
    yield words("move.back"), words("back.yes" if ruleset.gives_back else "back.no")


def _stock(ruleset: Ruleset, facts: Facts, words: Words) -> Iterator[tuple[str, str]]:
    if ruleset.draws_to_columns:
        yield words("move.draw"), words("draw.row", columns=len(facts.columns))
    if not ruleset.has_waste:
        return
    draw = "draw.one" if ruleset.draw == 1 else "draw.many"
    yield words("move.draw"), words(draw, draw=ruleset.draw)
    if ruleset.redeals is None:
        yield words("move.redeal"), words("redeal.any")
    else:
        key = "redeal.count" if ruleset.redeals else "redeal.none"
        yield words("move.redeal"), words(key, redeals=ruleset.redeals)


def _points(ruleset: Ruleset, facts: Facts, words: Words) -> Iterator[Section]:
    if ruleset.scored:
        yield Section(
            words("head.points"),
            (words("word.for"), words("word.points")),
            tuple(points_rows(ruleset, facts, words)),
            tuple(points_texts(ruleset, facts, words)),
        )


def _undo(ruleset: Ruleset, facts: Facts, words: Words) -> Iterator[str]:
    price = ruleset.scoring.undo
    yield words("undo.price" if price else "undo.free", price=words.number(-price))
    depth = ruleset.undo_depth
    if depth is None:
        yield words("undo.deal")
    else:
        yield words("undo.depth", depth=depth, more=depth + 1)
    if ruleset.draws_to_columns:
        yield words("undo.row")
    if facts.has_hidden:
        yield words("undo.reveals")


def _options(ruleset: Ruleset, facts: Facts, words: Words) -> Section:
    defaults = ruleset.defaults()
    rows = tuple(
        (
            f"`{option.name}`",
            option_values(option),
            _value(defaults[option.name]) if option.name in defaults else "",
            words.of("option", option.name),
        )
        for option in ruleset.options
    )
    head = tuple(words(f"word.{name}") for name in ("option", "values", "default", "what"))
    if not rows:
        return Section(words("head.options"), texts=(words("option.none"),))
    prices = f" {words('option.prices')}" if facts.price else ""
    return Section(words("head.options"), head, rows, (words("option.shown") + prices,))


def _readings(ruleset: Ruleset, facts: Facts, words: Words) -> Iterator[str]:
    for text in readings(ruleset, facts, words):
        # The word belongs to what is stressed: *Reading: below zero.*
        yield f"*{words('word.reading')}: {text.removeprefix('*')}"


def _notation(ruleset: Ruleset, facts: Facts, words: Words) -> Iterator[tuple[str, str]]:
    if ruleset.draws_to_columns:
        yield "`d`", words("notation.d_row")
    elif ruleset.has_waste:
        yield "`d`", words("notation.d")
        if ruleset.redeals != 0:
            yield "`r`", words("notation.r")
    if ruleset.turns_by_hand:
        yield "`x3`", words("notation.x")
    yield "`t5-t2`, `t5*3-t2`", words("notation.columns")
    if ruleset.has_waste:
        yield "`w-t3`, `w-f`", words("notation.waste")
    if ruleset.leaves is None:
        yield "`t4-f`", words("notation.foundation")
    if facts.cells:
        yield "`t1-c3`, `c3-t5`, `c3-f`", words("notation.cells")
    if facts.reserve:
        yield "`v4-t2`, `v4-f`", words("notation.reserve")
    if ruleset.gives_back:
        yield f"`f{ruleset.deck.suits[2]}-t3`", words("notation.back")
    yield "`u`", words("notation.u")
    yield "`end`", words("notation.end")

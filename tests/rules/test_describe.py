"""The rules in words say what the engine does."""

from __future__ import annotations

import importlib.util
import re
import string
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from samedeal_rules import RULESETS, OptionValue, Ruleset, find_ruleset
from samedeal_rules.describe import LANGUAGES, describe, summary
from samedeal_rules.describe_facts import facts_of
from samedeal_rules.describe_text import differences, markdown_lines, plain_lines
from samedeal_rules.scoring import MINUTES, TIME_BONUS

TOOL = Path(__file__).parents[2] / "tools" / "make_rules_doc.py"
_spec = importlib.util.spec_from_file_location("make_rules_doc", TOOL)
assert _spec is not None
assert _spec.loader is not None
make_rules_doc = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(make_rules_doc)

OPTIONS: list[tuple[str, dict[str, OptionValue]]] = [
    *((name, {}) for name in RULESETS),
    ("timed", {"draw": 1, "redeals": 0}),
    ("klondike-1", {"redeals": 3}),
    ("freecell", {"deal": "ms:11982"}),
    ("spanish", {"redeals": 0, "deck": 48}),
    ("spanish", {"draw": 3, "redeals": "unlimited"}),
    ("spanish", {"stock": False}),
]


def text_of(ruleset: Ruleset, language: str = "en") -> str:
    return " ".join(" ".join(plain_lines(describe(ruleset, language))).split())


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_key_is_in_both_languages() -> None:
    """With the same things to fill in."""
    english, spanish = LANGUAGES["en"], LANGUAGES["es"]
    assert english.keys() == spanish.keys()
    assert {key: fields(text) for key, text in english.items()} == {
        key: fields(text) for key, text in spanish.items()
    }


class Noted(dict[str, str]):
    """A catalogue that notes what was looked up."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__(words)
        self.used: set[str] = set()

    def __getitem__(self, key: str) -> str:
        self.used.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: str | None = None) -> str | None:  # type: ignore[override]
        self.used.add(key)
        return super().get(key, default)


def test_every_text_is_said_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """No text that no game uses, but for kinds that a game to come may be of."""
    noted = Noted(LANGUAGES["en"])
    monkeypatch.setattr("samedeal_rules.describe.LANGUAGES", {"en": noted})
    for name, options in OPTIONS:
        describe(find_ruleset(name, options)[1])
        summary(RULESETS[name])
    to_come = {"doc.as", "word.game", "word.none", "fit.suit"}
    assert noted.keys() - noted.used == to_come


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "options"), OPTIONS, ids=str)
def test_every_game_has_its_rules_in_words(
    name: str, options: dict[str, OptionValue], language: str
) -> None:
    """A title, a line for the menu, no mark-up left, nothing wider than asked for."""
    ruleset = find_ruleset(name, options)[1]
    description = describe(ruleset, language, RULESETS[name])
    assert description.title != name
    assert summary(ruleset, language)
    lines = plain_lines(description, 60)
    assert max(map(len, lines)) <= 60
    text = "\n".join(lines)
    assert "**" not in text
    assert "`" not in text
    assert "{" not in text
    assert f"# `{name}`" in markdown_lines(description, level=1)[0]


def test_a_changed_value_changes_the_text() -> None:
    """The numbers are the engine's own."""
    klondike = RULESETS["klondike-1"]
    dear = replace(klondike.scoring, turned=77, foundation_to_tableau=-33)
    changed = text_of(replace(klondike, scoring=dear, undo_depth=12, draw=2, redeals=5))
    for words in ("(there are 21) +77", "back from a foundation -33", "costs 10, not 33"):
        assert words in changed
    for words in ("12 moves; number 13", "2 cards at a time", "at most 5"):
        assert words in changed
    bonus = replace(klondike.scoring, closing=lambda _: ((TIME_BONUS, 4321),))
    assert "4,321 less 0" in text_of(replace(klondike, scoring=bonus))
    timed = RULESETS["timed"]
    cheap = replace(timed.scoring, redeal=lambda number: -7 if number > 5 else 0, undo=-3)
    text = text_of(replace(timed, scoring=cheap))
    assert "each new pass from pass 6 on -7, when" in text
    assert "then -3" in text
    minutes = replace(timed.scoring, closing=lambda end: ((MINUTES, 9 if end.cleared else 0),))
    assert "+9 for each whole minute" in text_of(replace(timed, scoring=minutes))
    ranks = (0, *[50] * 12, 60)
    text = text_of(replace(timed, scoring=replace(timed.scoring, card_up=ranks)))
    assert "2,640 in all" in text


def test_what_each_game_does_is_told() -> None:
    """By asking its functions, not its name."""
    assert [facts_of(ruleset).automatic for ruleset in RULESETS.values()] == [
        *("all_four", "at_end", "at_end", "both"),
        *["none"] * 4,
    ]
    assert [facts_of(ruleset).fit for ruleset in RULESETS.values()] == [
        *["alternate"] * 4,
        *["any"] * 3,
        "alternate",
    ]
    assert facts_of(RULESETS["freecell"]).limits == (3, 6, 3)
    assert facts_of(RULESETS["spider-4"]).run == "suit"
    assert facts_of(RULESETS["timed"]).first_price == 3
    assert "34,000, not 30,000" in text_of(RULESETS["timed"])
    assert "is 36,100" in text_of(RULESETS["timed"])
    assert "300 + 41 = 341" in text_of(RULESETS["timed"])
    assert "34.000, no 30.000" in text_of(RULESETS["timed"], "es")
    assert "(on SO: 7E, 7B)" in text_of(RULESETS["spanish"])
    assert "one at a time 700, three 1,400" in text_of(RULESETS["klondike-3"])


def test_options_are_told_with_their_defaults() -> None:
    """Those of the game itself, whatever was changed."""
    ruleset = find_ruleset("spanish", {"stock": False})[1]
    text = " ".join(plain_lines(describe(ruleset, "en", RULESETS["spanish"])))
    assert "0, 1, 3, unlimited [3]" in text
    assert "12 cards face up in a row, the reserve" in text


def test_a_game_that_the_catalogue_does_not_know_is_described_too() -> None:
    """Adding one takes a value and a line in the list."""
    five = replace(RULESETS["klondike-1"], name="klondike-five", redeals=5)
    assert "at most 5" in text_of(five)
    strange = replace(five, name="strange")
    assert describe(strange).title == "strange"
    assert "Some deals can't be won" in text_of(strange)
    assert summary(strange) == ""


def test_only_the_differences_of_a_sibling() -> None:
    """In the document a family is told once."""
    first, other = describe(RULESETS["klondike-1"]), describe(RULESETS["klondike-3"])
    text = "\n".join(differences(first, other, "As the other, but:"))
    assert "3 cards at a time" in text
    assert "auto-finish" not in text.lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_document_is_up_to_date(language: str) -> None:
    """docs/rules.md and its Spanish sibling are made from the same values."""
    path = make_rules_doc.DOCUMENTS[language]
    assert path.read_text("utf-8") == make_rules_doc.document(language), "stale: make generate"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_within_the_document_leads_somewhere(language: str) -> None:
    """To a heading of it."""
    text = make_rules_doc.document(language)
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    anchors = {make_rules_doc.anchor(heading) for heading in headings}
    links = set(re.findall(r"\]\(#([^)]*)\)", text))
    assert links
    assert links <= anchors


def test_both_languages_say_the_same_in_the_general_chapters() -> None:
    """Chapter by chapter: as many points and rows, the same notation, the same numbers."""
    shapes = {}
    for language, path in make_rules_doc.TEMPLATES.items():
        chapters = re.split(r"^## ", path.read_text("utf-8"), flags=re.M)[1:]
        shapes[language] = [
            (
                len(re.findall(r"^- ", chapter, re.M)),
                len(re.findall(r"^\| ", chapter, re.M)),
                sorted(re.findall(r"```.*?```|`[^`]*`", " ".join(chapter.split()))),
                sorted(re.findall(r"(?<![\w.`])\d+(?![\w`])", chapter)),
            )
            for chapter in chapters
        ]
    assert shapes["en"] == shapes["es"]


def test_every_chapter_names_its_tests() -> None:
    """CONTRIBUTING leads from each chapter of the rules to the files that hold it."""
    contributing = (TOOL.parents[1] / "CONTRIBUTING.md").read_text("utf-8")
    rows = re.findall(r"^\| \d \| (.+?) \| (.+) \|$", contributing, re.M)
    chapters = re.findall(r"^## (.*)$", make_rules_doc.document("en"), re.M)
    assert {chapter.split(":")[0] for chapter in chapters} == {chapter for chapter, _ in rows}
    for _, files in rows:
        for file in re.findall(r"`([^`]+)`", files):
            assert (TOOL.parents[1] / "tests" / file).is_file(), file

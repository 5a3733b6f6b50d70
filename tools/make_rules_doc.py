"""Write docs/rules.md and docs/rules.es.md: the games from the engine's own values, the rest from
a template of each language.

`--check` only says whether they are up to date.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from samedeal_rules import RULESETS, Ruleset
from samedeal_rules.describe import LANGUAGES, Description, describe, option_values
from samedeal_rules.describe_text import differences, markdown_lines

ROOT: Final = Path(__file__).parent.parent
TEMPLATES: Final = {
    "en": Path(__file__).parent / "rules_template.md",
    "es": Path(__file__).parent / "rules_template.es.md",
}
DOCUMENTS: Final = {
    "en": ROOT / "docs" / "rules.md",
    "es": ROOT / "docs" / "rules.es.md",
}


def document(language: str) -> str:
    """The whole text."""
    template = TEMPLATES[language]
    text = template.read_text("utf-8")
    parts = (("contents", contents), ("games", games), ("options", options))
    for name, lines in parts:
        text = text.replace(f"<!-- {name} -->", "\n".join(lines(language)))
    source = f"tools/{template.name}"
    made = f"<!-- Made by tools/make_rules_doc.py from the engine's values and {source}. -->"
    return f"{made}\n\n{text}"


def described(ruleset: Ruleset, language: str) -> Description:
    """Without the notation, which the document has once for all games."""
    whole, notation = describe(ruleset, language), LANGUAGES[language]["head.notation"]
    kept = tuple(part for part in whole.sections if part.title != notation)
    return Description(whole.name, whole.title, kept)


def games(language: str) -> Iterator[str]:
    """The first of a family whole, the others as far as they differ."""
    firsts: dict[str, Description] = {}
    words = LANGUAGES[language]["doc.as"]
    for index, ruleset in enumerate(RULESETS.values()):
        if index:
            yield ""
        description = described(ruleset, language)
        first = firsts.setdefault(ruleset.name.partition("-")[0], description)
        if first is description:
            yield from markdown_lines(description)
        else:
            yield from differences(first, description, words.format(first=f"`{first.name}`"))


def contents(language: str) -> Iterator[str]:
    """A link to each game."""
    for ruleset in RULESETS.values():
        title = f"`{ruleset.name}`: {describe(ruleset, language).title}"
        yield f"- [{title}](#{anchor(title)})"


def options(language: str) -> Iterator[str]:
    """A row for each game."""
    words = LANGUAGES[language]
    yield f"| {words['word.game']} | {words['head.options'].lower()} |"
    yield "| --- | --- |"
    for ruleset in RULESETS.values():
        have = (f"`{option.name}` ({option_values(option)})" for option in ruleset.options)
        yield f"| `{ruleset.name}` | {', '.join(have) or words['word.none']} |"


def anchor(title: str) -> str:
    """Where a heading is found in the page made of it."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def main() -> int:
    check = "--check" in sys.argv[1:]
    stale = []
    for language, path in DOCUMENTS.items():
        text = document(language)
        if not check:
            path.write_text(text, "utf-8")
        elif not path.is_file() or path.read_text("utf-8") != text:
            stale.append(str(path.relative_to(ROOT)))
    if stale:
        print(f"{', '.join(stale)}: stale: make generate", file=sys.stderr)
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())

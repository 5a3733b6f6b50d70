"""Write docs/rules.md: the games from the engine's own values, the rest from a template.

`--check` only says whether it is up to date.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from samedeal_rules import RULESETS, Ruleset
from samedeal_rules.describe import LANGUAGES, Description, describe, option_values
from samedeal_rules.describe_text import differences, markdown_lines

ROOT = Path(__file__).parent.parent
TEMPLATE = Path(__file__).parent / "rules_template.md"
DOCUMENT = ROOT / "docs" / "rules.md"
WORDS = LANGUAGES["en"]
MADE = (
    "<!-- Made by tools/make_rules_doc.py from the engine's values and tools/rules_template.md. -->"
)


def document() -> str:
    """The whole text."""
    text = TEMPLATE.read_text("utf-8")
    for name, lines in (("contents", contents()), ("games", games()), ("options", options())):
        text = text.replace(f"<!-- {name} -->", "\n".join(lines))
    return f"{MADE}\n\n{text}"


def described(ruleset: Ruleset) -> Description:
    """Without the notation, which the document has once for all games."""
    whole = describe(ruleset)
    kept = tuple(part for part in whole.sections if part.title != WORDS["head.notation"])
    return Description(whole.name, whole.title, kept)


def games() -> Iterator[str]:
    """The first of a family whole, the others as far as they differ."""
    firsts: dict[str, Description] = {}
    for index, ruleset in enumerate(RULESETS.values()):
        if index:
            yield ""
        description = described(ruleset)
        first = firsts.setdefault(ruleset.name.partition("-")[0], description)
        if first is description:
            yield from markdown_lines(description)
        else:
            yield from differences(
                first, description, WORDS["doc.as"].format(first=f"`{first.name}`")
            )


def contents() -> Iterator[str]:
    """A link to each game."""
    for ruleset in RULESETS.values():
        title = f"`{ruleset.name}`: {describe(ruleset).title}"
        yield f"- [{title}](#{_anchor(title)})"


def options() -> Iterator[str]:
    """A row for each game."""
    yield "| game | options |"
    yield "| --- | --- |"
    for ruleset in RULESETS.values():
        have = (f"`{option.name}` ({option_values(option)})" for option in ruleset.options)
        yield f"| `{ruleset.name}` | {', '.join(have) or 'none'} |"


def _anchor(title: str) -> str:
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def main() -> int:
    text = document()
    if "--check" in sys.argv[1:]:
        if DOCUMENT.read_text("utf-8") == text:
            return 0
        print("docs/rules.md is stale: make generate", file=sys.stderr)
        return 1
    DOCUMENT.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""A description as plain lines or as Markdown. Pure."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from samedeal_rules.describe import Description, Section

__all__ = ["differences", "markdown_lines", "plain_lines"]

WIDTH: Final = 80
_FIRST_MOST: Final = 24
"""A first cell that is longer stands on a line of its own."""
_MARKS: Final = re.compile(r"(?<!\w)\*\*?(?=\w|\")|(?<=[\w.\"])\*\*?(?!\w)")


def plain_lines(description: Description, width: int = WIDTH) -> list[str]:
    """For a terminal."""
    title = f"{description.name}: {description.title}"
    lines = [title, "=" * len(title)]
    for section in description.sections:
        lines += ["", section.title, "-" * len(section.title)]
        for row in section.rows:
            lines += _plain_row([_plain(cell) for cell in row], width)
        for text in section.texts:
            lines += textwrap.wrap(_plain(text), width, initial_indent="  ", subsequent_indent="  ")
        for point in section.points:
            text = _plain(point)
            lines += textwrap.wrap(text, width, initial_indent="  - ", subsequent_indent="    ")
    return lines


def _plain_row(cells: Sequence[str], width: int) -> Iterator[str]:
    first, *rest = cells
    # Of an option: its values, then the default in brackets, then what it does.
    text = (
        rest[0] if len(rest) == 1 else f"{rest[0]}{f' [{rest[1]}]' if rest[1] else ''}: {rest[2]}"
    )
    indent = " " * (_FIRST_MOST + 4)
    start = f"  {first:<{_FIRST_MOST}}  "
    if len(first) > _FIRST_MOST:
        yield from textwrap.wrap(first, width, initial_indent="  ", subsequent_indent="  ")
        start = indent
    yield from textwrap.wrap(text, width, initial_indent=start, subsequent_indent=indent)


def _plain(text: str) -> str:
    """Without the marks; the count in `t5*3-t2` is none."""
    parts = re.split(r"`([^`]*)`", text)
    return "".join(part if index % 2 else _MARKS.sub("", part) for index, part in enumerate(parts))


def markdown_lines(description: Description, level: int = 2, width: int = 100) -> list[str]:
    """With headings from `level` on."""
    lines = [f"{'#' * level} `{description.name}`: {description.title}"]
    for section in description.sections:
        lines += ["", f"{'#' * (level + 1)} {section.title}", *_markdown_body(section, width)]
    return lines


def differences(first: Description, other: Description, words: str, level: int = 2) -> list[str]:
    """Markdown of `other` as far as it differs from `first`, which it resembles."""
    known = {section.title: section for section in first.sections}
    lines = [f"{'#' * level} `{other.name}`: {other.title}", "", words]
    for section in other.sections:
        before = known.get(section.title, Section(section.title))
        changed = Section(
            section.title,
            section.head,
            tuple(row for row in section.rows if row not in before.rows),
            tuple(text for text in section.texts if text not in before.texts),
            tuple(point for point in section.points if point not in before.points),
        )
        if changed.rows or changed.texts or changed.points:
            lines += ["", f"{'#' * (level + 1)} {section.title}", *_markdown_body(changed, 100)]
    return lines


def _markdown_body(section: Section, width: int) -> Iterator[str]:
    if section.rows:
        yield ""
        yield f"| {' | '.join(section.head)} |"
        yield f"|{' --- |' * len(section.head)}"
        for row in section.rows:
            yield f"| {' | '.join(row)} |"
    for text in section.texts:
        yield ""
        yield from _wrapped(text, width)
    if section.points:
        yield ""
    for point in section.points:
        yield from _wrapped(point, width, "- ")


def _wrapped(text: str, width: int, start: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_on_hyphens=False,
    )

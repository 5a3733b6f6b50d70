"""The keys of a screen; tips, rules and points of a game."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator, Sequence
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen

from samedeal_client.rules_words import rules_language
from samedeal_client.texts import _
from samedeal_client.tui.actions import Group
from samedeal_client.tui.canvas import Line, Seg
from samedeal_client.tui.context import Context
from samedeal_client.tui.key_table import MOUSE, key_rows
from samedeal_client.tui.widgets.lines import Lines
from samedeal_rules import Ruleset
from samedeal_rules.describe import Section, describe
from samedeal_rules.rulesets import RULESETS

__all__ = ["RulesScreen"]

_WIDEST: Final = 96
"""Longer lines are hard to read."""
_KEYS_WIDTH: Final = 18


class RulesScreen(ModalScreen[None]):
    """Scrolls; ESC goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1", "dismiss", show=False),
        Binding("j", "line(1)", show=False),
        Binding("k", "line(-1)", show=False),
        Binding("space", "page", show=False),
    ]

    def __init__(self, context: Context, ruleset: Ruleset, groups: Collection[str] = ()) -> None:
        """`groups`: of the actions whose keys are told; those of the screen below."""
        super().__init__()
        self._groups = groups
        self.context = context
        self._ruleset = ruleset
        self._page = Lines(context.palette, id="result")
        self._foot = Lines(context.palette, id="notice")

    def compose(self) -> ComposeResult:
        """A page that scrolls."""
        with VerticalScroll(id="scroll"):
            yield self._page
        yield self._foot

    def on_mount(self) -> None:
        """Scroll with the arrows at once."""
        self.query_one(VerticalScroll).focus()
        words = _("ESC  back      ↑ ↓  SPACE  scroll")
        self._foot.show([[Seg(f" {words}", "dim")]])

    def on_resize(self) -> None:
        """Wrapped for this width."""
        width = min(_WIDEST, max(20, self.size.width - 4))
        keys = _keys(self.context, self._groups, self._ruleset, width) if self._groups else []
        lines = [[], *keys, *_rules(self._ruleset, self._was(), width)]
        self._page.styles.height = len(lines)
        self._page.show(lines)

    def action_line(self, by: int) -> None:
        """As the arrow keys."""
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)

    def action_page(self) -> None:
        """A page down."""
        self.query_one(VerticalScroll).scroll_page_down(animate=False)

    def _was(self) -> Ruleset:
        return RULESETS.get(self._ruleset.name, self._ruleset)


def _keys(
    context: Context, groups: Collection[str], ruleset: Ruleset, width: int
) -> Iterator[Line]:
    yield [Seg(" " + _("Keys"), "title")]
    mouse = [(_(words), _(meaning)) for words, meaning in MOUSE]
    if Group.TABLE not in groups:
        mouse = []
    for words, meaning in [*key_rows(context.settings.keys, groups, ruleset), *mouse]:
        first, *more = textwrap.wrap(meaning, max(20, width - _KEYS_WIDTH)) or [""]
        yield [Seg(f"   {words}".ljust(_KEYS_WIDTH), "key"), Seg(first, "text")]
        for line in more:
            yield [Seg(" " * _KEYS_WIDTH + line, "text")]
    yield []


def _rules(ruleset: Ruleset, was: Ruleset, width: int) -> Iterator[Line]:
    text = describe(ruleset, rules_language(), was)
    yield [Seg(f" {text.title}", "title")]
    for section in _tips_first(text.sections):
        yield []
        yield [Seg(f" {section.title}", "strong")]
        for row in section.rows:
            head, *rest = (_plain(cell) for cell in row)
            yield from _wrapped("   ".join([head, *(cell for cell in rest if cell)]), width)
        for paragraph in section.texts:
            yield from _wrapped(_plain(paragraph), width)
        for point in section.points:
            yield from _wrapped("- " + _plain(point), width)


def _tips_first(sections: Sequence[Section]) -> list[Section]:
    """What helps at once; then the rules as they stand."""
    return sorted(sections, key=lambda section: not section.advice)


def _wrapped(text: str, width: int) -> Iterator[Line]:
    for line in textwrap.wrap(text, width - 3, subsequent_indent="  "):
        yield [Seg(f"   {line}", "text")]


def _plain(text: str) -> str:
    return text.replace("`", "").replace("*", "")

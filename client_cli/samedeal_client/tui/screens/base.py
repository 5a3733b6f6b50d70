"""What all screens share: the context, keys from the registry, a key bar."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.screen import Screen

from samedeal_client.texts import _
from samedeal_client.tui.actions import ACTIONS
from samedeal_client.tui.context import Context

__all__ = ["BaseScreen", "bindings_of"]


def bindings_of(*groups: str) -> list[BindingType]:
    """The keys of these groups of actions; their ids are what the settings file rebinds."""
    return [
        Binding(action.keys, action.run, action.label, show=False, id=action.id)
        for action in ACTIONS
        if action.group in groups
    ]


class BaseScreen(Screen[None]):
    """A whole screen."""

    AUTO_FOCUS: ClassVar[str | None] = "*"

    groups: ClassVar[tuple[str, ...]] = ()
    """Of actions that work here."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context

    def news(self) -> None:
        """Something has changed in the duel."""

    def tick(self) -> None:
        """Some time has passed."""

    def repaint(self) -> None:
        """Look or theme were changed."""

    def key_bar(self, names: Iterable[str]) -> list[tuple[str, str, str]]:
        """Key, words and action of each action named, for the key bar."""
        by_id = {action.id: action for action in ACTIONS}
        return [(self.context.key(name), _(by_id[name].label), by_id[name].run) for name in names]

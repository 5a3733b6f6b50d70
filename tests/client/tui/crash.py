"""A screen with a fault of ours: `x` meets it."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from client.tui.stage import Stage, context_of
from samedeal_client.tui.screens.play import PlayScreen

__all__ = ["Faulty"]


class Faulty(PlayScreen):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("x", "fail", show=False)]

    def action_fail(self) -> None:
        raise ZeroDivisionError


if __name__ == "__main__":
    context = context_of("timed")
    app = Stage(context, Faulty(context))
    app.run()
    raise SystemExit(app.return_code)

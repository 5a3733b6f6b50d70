"""Duels that anybody may join, as lines; and the choice of one."""

from __future__ import annotations

from collections.abc import Sequence

from samedeal_client.plain.board_text import clock_text
from samedeal_client.plain.style import printable
from samedeal_client.plain.terminal import Terminal
from samedeal_client.plain.words import game_title
from samedeal_client.texts import _
from samedeal_protocol import OpenRow

__all__ = ["choose_open", "open_cells", "open_lines"]


def open_cells(row: OpenRow) -> list[str]:
    """Who made it, players, time, game with what is special about it, how long it waits."""
    special = [
        (_("hints"), row.hints),
        (_("can be won"), row.winnable),
        (_("a chosen deal"), row.chosen_seed),
    ]
    game = printable(game_title(row.ruleset, row.options))
    return [
        printable(row.host),
        f"{row.seated}/{row.seats}",
        clock_text(row.duration_ms),
        ", ".join([game, *(words for words, so in special if so)]),
        _("since {time}").format(time=clock_text(row.age_ms)),
    ]


def open_lines(rows: Sequence[OpenRow]) -> list[str]:
    """A line for each, in columns, without numbers."""
    cells = [open_cells(row) for row in rows]
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    ]


async def choose_open(terminal: Terminal, rows: Sequence[OpenRow]) -> str | None:
    """Show them and ask for one; its code, or None."""
    if not rows:
        terminal.say(
            _("Nobody waits for players just now."),
            _("Create a duel that anybody may join, or try a quick match."),
        )
        return None
    lines = open_lines(rows)
    terminal.say(*(f"{number:>3}  {line}" for number, line in enumerate(lines, 1)))
    typed = await terminal.ask(_("Which one (its number; Enter goes back): "))
    if not typed:
        return None
    if not typed.isascii() or not typed.isdecimal() or not 1 <= int(typed[:9]) <= len(rows):
        terminal.say(_("There is no such number."))
        return None
    return rows[int(typed) - 1].code

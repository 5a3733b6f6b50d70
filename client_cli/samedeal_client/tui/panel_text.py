"""The side of the table as lines of segments: clock, score, standings, points that fell. Pure."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.cells import cell_len, set_cell_size

from samedeal_client.plain.board_text import clock_text, state_words
from samedeal_client.plain.style import printable
from samedeal_client.texts import N_, _, _n, number
from samedeal_client.tui.canvas import Line, Seg
from samedeal_client.tui.race import Race
from samedeal_protocol import PlayerState, StandingRow

__all__ = ["LATE_MS", "PanelView", "big_text", "panel_lines", "sparkline", "status_line"]

LATE_MS: Final = 30_000
"""From here on the clock changes colour and rings."""
_BIG_FROM: Final = 17
"""Rows from which the clock is drawn large."""
_DIGITS: Final = {
    "0": ("┏━┓", "┃ ┃", "┗━┛"),
    "1": (" ╻ ", " ┃ ", " ╹ "),
    "2": ("╺━┓", "┏━┛", "┗━╸"),
    "3": ("╺━┓", " ━┫", "╺━┛"),
    "4": ("╻ ╻", "┗━┫", "  ╹"),
    "5": ("┏━╸", "┗━┓", "╺━┛"),
    "6": ("┏━╸", "┣━┓", "┗━┛"),
    "7": ("╺━┓", "  ┃", "  ╹"),
    "8": ("┏━┓", "┣━┫", "┗━┛"),
    "9": ("┏━┓", "┗━┫", "╺━┛"),
    ":": (" ", ":", " "),
}
_WAITING: Final = N_("Your game has ended. The result comes when all have, or at 0:00.")
_SHORT_STATES: Final = {
    PlayerState.AWAY: N_("away"),
    PlayerState.CLEARED: N_("cleared"),
    PlayerState.FINISH: N_("ended"),
    PlayerState.TIMEOUT: N_("no time"),
}
"""Where a name needs the room."""
_SPARKS: Final = "▁▂▃▄▅▆▇█"
_ASCII_SPARKS: Final = "_.-=^"


@dataclass(frozen=True)
class PanelView:
    """What the panel shows."""

    clock_ms: int | None
    """Left, or played where there is no limit; None before there is a clock."""
    late: bool = False
    score: int | None = None
    up: int = 0
    cards: int = 52
    rows: Sequence[StandingRow] = ()
    total: int = 1
    you: int | None = None
    race: Race = field(default_factory=Race)
    over: bool = False
    """Whether our own game has ended and others still play."""
    signs: bool = True
    best: int | None = None
    """What there is to beat, alone."""
    words: str = ""
    """The words of this deal, the same for everybody."""


def panel_lines(view: PanelView, width: int, height: int) -> list[Line]:
    """From the top: what matters most comes first, what does not fit is left out."""
    lines = [*_clock(view, width, big=height >= _BIG_FROM), *_standing(view, width)]
    if view.total > 1:
        lines += [[], *_standings(view, width, max(2, height - len(lines) - 6))]
    if height - len(lines) > 2 and view.race.earned:
        lines.append([])
        lines += list(_earned(view))[: height - len(lines)]
    words = textwrap.wrap(view.words, width - 2)
    if words and height - len(lines) > len(words):
        lines += [[] for _ in range(height - len(lines) - len(words))]
        lines += [[Seg(f" {text}", "dim")] for text in words]
    return lines[:height]


def status_line(view: PanelView, title: str, width: int) -> Line:
    """All of it in one line, where there is no room for a panel; else title and line only."""
    clock = "" if view.clock_ms is None else clock_text(view.clock_ms)
    parts = [Seg(f" {clock} ", "clock.late" if view.late else "clock")]
    parts.append(Seg(f" {_score_words(view)} ", "strong"))
    if view.total > 1:
        parts.append(Seg(" " + _place_words(view) + " ", "text"))
    if view.race.down:
        parts.append(Seg(_(" no line ") if not view.signs else _(" ⚡ no line "), "bad"))
    used = sum(len(seg.text) for seg in parts)
    room = max(0, width - used)
    parts.append(Seg(_cut(title, max(0, room - 1)).rjust(max(0, room - 1)) + " ", "dim"))
    return parts


def _cut(title: str, room: int) -> str:
    """What fits of it, by whole parts between commas if one does."""
    while len(title) > room and ", " in title:
        title = title.rpartition(", ")[0]
    return title[:room]


def big_text(text: str, *, signs: bool) -> list[str]:
    """Digits and colons three rows tall; as they are where there are only letters."""
    if not signs:
        return [text]
    return [" ".join(_DIGITS[sign][row] for sign in text) for row in range(3)]


def sparkline(values: Sequence[int], width: int, *, signs: bool) -> str:
    """The last values as a row of bars; empty where nothing has changed."""
    shown = values[-width:]
    if len(shown) < 2 or min(shown) == max(shown):
        return ""
    low, high, marks = min(shown), max(shown), _SPARKS if signs else _ASCII_SPARKS
    return "".join(marks[(value - low) * (len(marks) - 1) // (high - low)] for value in shown)


def _clock(view: PanelView, width: int, *, big: bool) -> Iterator[Line]:
    text = "-:--" if view.clock_ms is None else clock_text(view.clock_ms)
    role = "clock.late" if view.late else "clock"
    if not big or not view.signs or view.clock_ms is None:
        yield [Seg(text.center(width), role)]
        return
    for row in big_text(text, signs=view.signs):
        yield [Seg(row.center(width), role)]


def _up_words(count: int) -> str:
    return _n("{count} card up", "{count} cards up", count).format(count=count)


def _score_words(view: PanelView) -> str:
    if view.you is None:
        return ""
    if view.score is None:
        return _up_words(view.up)
    return _("{score} points").format(score=number(view.score))


def _place_words(view: PanelView) -> str:
    mine = next((row for row in view.rows if row.seat == view.you), None)
    return (
        "" if mine is None else _("{place} of {total}").format(place=mine.place, total=view.total)
    )


def _standing(view: PanelView, width: int) -> Iterator[Line]:
    words = _score_words(view)
    if view.score is not None and words:
        words += " · " if view.signs else ", "
        up = _up_words(view.up)
        short = _("{count} up").format(count=view.up)
        words += up if len(words) + len(up) <= width else short
    if words:
        yield [Seg(words.center(width), "strong")]
    if view.over:
        for row in textwrap.wrap(_(_WAITING), width - 2):
            yield [Seg(row.center(width), "dim")]
    if view.best is not None:
        best = _("your best: {best}").format(best=number(view.best))
        yield [Seg(best.center(width), "dim")]
    if view.race.down:
        yield [Seg(_("no line; trying again").center(width), "bad")]


def _standings(view: PanelView, width: int, rows: int) -> Iterator[Line]:
    bars = rows >= 2 * len(view.rows)
    shown = _chosen(view, rows // 2 if bars else rows)
    for row in shown:
        mine = row.seat == view.you
        yield _row(view, row, width, mine, below=bars)
        if bars:
            yield _bar(view, row, width, mine)
    if view.total > len(shown):
        yield [Seg(_("of {total}").format(total=view.total).rjust(width - 1), "dim")]


def _chosen(view: PanelView, most: int) -> list[StandingRow]:
    """The top, and always ourselves."""
    rows = list(view.rows)
    if len(rows) <= most:
        return rows
    top = rows[:most]
    mine = next((row for row in rows if row.seat == view.you), None)
    return top if mine is None or mine in top else [*top[:-1], mine]


def _stands(row: StandingRow) -> str:
    return number(row.score) if row.score is not None else _("{count} up").format(count=row.up)


def _state_fits(row: StandingRow, width: int) -> bool:
    """Whether how it ended has room behind the name."""
    words = f"{printable(row.name)} ({state_words(row.state)})"
    return cell_len(words) <= width - len(_stands(row)) - 7


def _row(view: PanelView, row: StandingRow, width: int, mine: bool, *, below: bool) -> Line:
    """`below`: there is a line under it, which says what has no room here."""
    stands = _stands(row)
    state = state_words(row.state)
    if state and not _state_fits(row, width):
        state = "" if below else _(_SHORT_STATES[row.state])
    gained = view.race.moved.get(row.seat, (0, 0))[0]
    arrow = " "
    if gained:
        arrow = ("▲" if gained > 0 else "▼") if view.signs else ("+" if gained > 0 else "-")
    room = max(1, width - len(stands) - 7)
    after = f" ({state})" if state else ""
    name = _shortened(printable(row.name), room - len(after), signs=view.signs) + after
    role = "mine" if mine else "dim" if row.state is PlayerState.AWAY else "text"
    return [
        Seg(arrow, "gain" if gained > 0 else "loss"),
        Seg(f"{row.place:>2} {'*' if mine else ' '}{set_cell_size(name, room)} ", role),
        Seg(f"{stands} ", role),
    ]


def _bar(view: PanelView, row: StandingRow, width: int, mine: bool) -> Line:
    """Cards up as a bar, the score so far as a sparkline; or how it ended, if that is long."""
    spark_width = max(0, (width - 8) // 2 - 1)
    room = width - 8 - spark_width
    full = row.up * room // max(1, view.cards)
    on, off = ("━", "─") if view.signs else ("=", "-")
    state = state_words(row.state)
    if state and not _state_fits(row, width):
        return [Seg(" " * 5, "text"), Seg(set_cell_size(state, width - 6), "dim")]
    spark = sparkline(view.race.history.get(row.seat, ()), spark_width, signs=view.signs)
    return [
        Seg("     ", "text"),
        Seg(on * full, "bar.mine" if mine else "bar.other"),
        Seg(off * (room - full), "bar.rest"),
        Seg(f" {spark}", "spark"),
    ]


def _shortened(text: str, width: int, *, signs: bool) -> str:
    """The text in so many columns; that there was more of it is told."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(1, width - 1)).rstrip() + ("…" if signs else ".")


def _earned(view: PanelView) -> Iterator[Line]:
    for index, earned in enumerate(view.race.earned):
        role = "loss" if earned.points < 0 else "gain"
        yield [Seg(f"  {earned.text}", role if index == 0 else "dim")]

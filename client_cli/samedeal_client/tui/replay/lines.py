"""A moment of a replay as lines of segments: tables side by side, and where in time. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size

from samedeal_client.plain.board_text import clock_text, elapsed_text
from samedeal_client.plain.words import standing_words
from samedeal_client.replay.film import Film, Frame
from samedeal_client.replay.reel import Reel
from samedeal_client.replay.words import film_name, how_words, last_move, where_words
from samedeal_client.texts import decimal
from samedeal_client.tui.canvas import Line, Seg
from samedeal_client.tui.draw import draw_table
from samedeal_client.tui.layout import MIN_WIDTH
from samedeal_client.tui.look import Look
from samedeal_client.tui.replay.playback import Playback
from samedeal_client.tui.spots import Marks
from samedeal_rules import parse_move
from samedeal_rules.moves import FOUNDATION, WASTE, Kind

__all__ = ["shown_players", "standing_line", "tables_lines", "time_line"]

GAP: Final = 3
"""Columns between two tables."""
_HEAD: Final = 3
"""Lines over a table."""
_ON_PANEL: Final = 2
"""Those of them that are not on the felt."""


def shown_players(players: int, focus: int, width: int) -> range:
    """Whose tables fit side by side, the one in focus among them."""
    count = max(1, min(players, (width + GAP) // (MIN_WIDTH + GAP)))
    first = max(0, min(focus - count // 2, players - count))
    return range(first, first + count)


def tables_lines(playback: Playback, width: int, height: int, look: Look) -> list[Line]:
    """The tables that fit, each under its player's name; about 2 ms for two of them."""
    reel = playback.reel
    frames, films = reel.frames(), reel.replay.films
    shown = shown_players(len(films), reel.focus, width)
    each = (width - GAP * (len(shown) - 1)) // len(shown)
    blocks = [
        [
            *_head(films[index], frames[index], each, look, focus=index == reel.focus),
            *_table(frames[index], each, height - _HEAD, look, opened=playback.opened),
        ]
        for index in shown
    ]
    return [
        _joined(row, "text" if number < _ON_PANEL else "felt")
        for number, row in enumerate(zip(*blocks, strict=True))
    ]


def standing_line(reel: Reel, width: int) -> Line:
    """Everybody at this moment, the best first, in one line."""
    rows = [
        (frame.game.points, frame.game.board.cards_up, index)
        for index, frame in enumerate(reel.frames())
    ]
    rows.sort(key=lambda row: (-(row[0] or 0), -row[1], row[2]))
    line: Line = []
    room = width
    for points, up, index in rows:
        text = f" {film_name(reel.replay.films[index])} {standing_words(points, up)}  "
        if cell_len(text) > room:
            break
        room -= cell_len(text)
        line.append(Seg(text, "mine" if index == reel.focus else "text"))
    return line


def time_line(playback: Playback, width: int, look: Look) -> Line:
    """How far it is: a bar between the time and the end, and how fast it runs."""
    reel = playback.reel
    end = reel.replay.end_ms
    sign = ("▶" if look.signs else ">") if playback.running else ("‖" if look.signs else "=")
    now = f" {elapsed_text(reel.ms)} "
    speed = decimal(playback.speed) if playback.speed < 1 else f"{playback.speed:.0f}"
    rest = f" {clock_text(end)}  {sign} {speed}x "
    room = max(0, width - len(now) - len(rest))
    done = room * min(reel.ms, end) // max(1, end)
    gone, coming = ("━", "─") if look.signs else ("=", "-")
    return [
        Seg(now, "clock"),
        Seg(gone * done, "bar.mine"),
        Seg(coming * (room - done), "bar.rest"),
        Seg(rest, "dim"),
    ]


def _head(film: Film, frame: Frame, width: int, look: Look, *, focus: bool) -> list[Line]:
    name = f" {film_name(film)}  "
    where = set_cell_size(where_words(film, frame), max(0, width - cell_len(name)))
    if cell_len(name) > width:
        name, where = set_cell_size(name, width), ""
    return [
        [Seg(name, "title" if focus else "strong"), Seg(where, "dim")],
        [Seg(set_cell_size(f" {how_words(film, frame)}", width), "text")],
        [Seg(set_cell_size(f" {last_move(film, frame, look)}", width), "note")],
    ]


def _table(frame: Frame, width: int, height: int, look: Look, *, opened: bool) -> list[Line]:
    """A table cut or filled to its size. The frame is one's own."""
    game = frame.game
    if opened:
        game.board.down = [0] * len(game.board.down)
    else:
        game.board = game.board.view()
    lines = draw_table(game, width, height, look, _marks(frame)).lines[:height]
    return [*lines, *([Seg(" " * width, "felt")] for _row in range(height - len(lines)))]


def _marks(frame: Frame) -> Marks:
    """Where the last move led."""
    move = None
    if frame.move is not None and frame.why is None:
        move = parse_move(frame.move, frame.game.ruleset.deck.suits)
    if move is None:
        return Marks()
    if move.kind is Kind.CARRY and move.target != FOUNDATION:
        return Marks(hint_target=move.target)
    if move.kind is Kind.TURN:
        return Marks(hint_target=move.source)
    drawn = move.kind is Kind.DRAW and frame.game.ruleset.has_waste
    return Marks(hint_target=WASTE) if drawn else Marks()


def _joined(row: Sequence[Line], ground: str) -> Line:
    line: Line = []
    for part in row:
        if line:
            line.append(Seg(" " * GAP, ground))
        line += part
    return line

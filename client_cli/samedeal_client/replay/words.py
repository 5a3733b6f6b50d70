"""A replay as lines of text. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from samedeal_client.plain.board_text import (
    board_lines,
    clock_text,
    elapsed_text,
    ledger_lines,
    limit_text,
    pass_text,
    state_words,
)
from samedeal_client.plain.card_words import pile_words
from samedeal_client.plain.move_words import carried_cards, carry_words
from samedeal_client.plain.sentences import move_sentences, table_sentences
from samedeal_client.plain.style import Style, printable
from samedeal_client.plain.words import Namer, game_title, standing_words, what_happened
from samedeal_client.replay.film import Film, Frame
from samedeal_client.replay.reel import Reel, Replay
from samedeal_client.texts import _, decimal
from samedeal_protocol import PlayerState, PointsEarned
from samedeal_rules import ITEMS, RULE_WORDS, Card, Deck, Game, Played, parse_move
from samedeal_rules.moves import Kind, pile_text

__all__ = [
    "film_lines",
    "film_name",
    "frame_clock",
    "how_words",
    "last_move",
    "moment_lines",
    "replay_title",
    "table_told",
    "where_words",
]

GAP: Final = 4
"""Columns between two tables side by side."""
_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")


def replay_title(replay: Replay) -> str:
    """`timed draw=1, 5:00, seed 'x'`."""
    title = f"{game_title(replay.ruleset, replay.options)}, {limit_text(replay.duration_ms)}"
    seed = replay.seed
    return title if seed is None else title + _(", seed {seed}").format(seed=repr(seed))


def film_name(film: Film) -> str:
    """Whose game it is."""
    return _("the player") if film.name is None else printable(film.name)


def moment_lines(reel: Reel, style: Style, columns: int, *, opened: bool = False) -> list[str]:
    """Every player at this moment: tables side by side where they fit, else the one in focus.

    `columns` is the width there is. `opened` shows face-down cards too. Where the style wants
    sentences there are no tables: who stands how, and what the last move in focus did.
    """
    if style.sentences:
        return _told_moment(reel)
    frames = reel.frames()
    focus = frames[reel.focus]
    blocks = [
        [
            *_head(film, frame, marked=len(frames) > 1 and frame is focus),
            "  " + last_move(film, frame, style),
            *_table(frame, style, opened=opened),
        ]
        for film, frame in zip(reel.replay.films, frames, strict=True)
    ]
    widths = [max(map(_width, block)) for block in blocks]
    if sum(widths) + GAP * (len(blocks) - 1) <= columns:
        return _side_by_side(blocks, widths)
    others = [
        ", ".join(map(str.strip, _head(film, frame, marked=False)))
        for film, frame in zip(reel.replay.films, frames, strict=True)
        if frame is not focus
    ]
    return [*others, *blocks[reel.focus]]


def table_told(reel: Reel, *, opened: bool = False) -> list[str]:
    """The table in focus in sentences, for who asks for it."""
    return table_sentences(_seen(reel.frame.game, opened=opened))


def film_lines(film: Film, style: Style) -> Iterator[str]:
    """A whole game: a line for each entry, then its end, every point with its reason."""
    deck = film.ruleset.deck
    for number in range(1, film.last + 1):
        frame = film.at(number)
        points = "" if frame.game.points is None else frame.game.points
        time = decimal(frame.ms / 1000, 3)
        move = _move_text(frame)
        yield f"{number:>4} {time:>10}  {move:<8} {points:>7}  {_done(frame, style, deck)}".rstrip()
    game = film.at(film.last).game
    end = state_words(PlayerState(game.ended.value)) if game.ended else _("not ended")
    yield f"{end}, {standing_words(game.points, game.board.cards_up)}"
    if game.points is not None:
        yield from ledger_lines(game.ledger(), game.points)


def _head(film: Film, frame: Frame, *, marked: bool) -> list[str]:
    """Who and where in the game; the clock and how it stands."""
    mark = "*" if marked else " "
    return [f"{mark} {film_name(film)}: {where_words(film, frame)}", "  " + how_words(film, frame)]


def where_words(film: Film, frame: Frame) -> str:
    """`move 12 of 80`."""
    return _("move {number} of {last}").format(number=frame.number, last=film.last)


def how_words(film: Film, frame: Frame) -> str:
    """The clock, how it stands, and how many face-down cards of the deal are turned."""
    game = frame.game
    parts = [frame_clock(frame), standing_words(game.points, game.board.cards_up)]
    turned = film.down - sum(game.board.down)
    if turned:
        parts.append(_("{count} turned").format(count=turned))
    return ", ".join(parts)


def last_move(film: Film, frame: Frame, style: Namer) -> str:
    """What the entry did that led to this frame, in words."""
    if not frame.number:
        return _("the deal")
    deck = film.ruleset.deck
    move = parse_move(frame.move, deck.suits) if frame.move is not None else None
    if frame.why is not None or frame.played is None:
        done = _done(frame, style, deck)
        return f"{_move_text(frame)}: {done}" if frame.move else done
    told = _told(frame.played, deck)
    done = what_happened(told, style, deck, lambda pile: pile_words(deck, pile))
    if move is None or move.kind in (Kind.DRAW, Kind.TURN):
        return done
    what = _moved(film, frame, move.kind, style)
    return f"{what}; {done}" if _tells(told) else what


def _moved(film: Film, frame: Frame, kind: Kind, style: Namer) -> str:
    """The move itself: `Q♥ from the waste to column 1`."""
    text, deck = frame.move or "", film.ruleset.deck
    if kind is Kind.CARRY:
        cards = carried_cards(film.at(frame.number - 1).game, text)
        return carry_words(deck, text, cards, lambda deck, card: _card(deck, card, style))
    words = {
        Kind.REDEAL: _("the waste turned over"),
        Kind.UNDO: _("the last move taken back"),
        Kind.END: _("the game ended"),
    }
    return words.get(kind, text)


def _card(deck: Deck, card: Card, style: Namer) -> str:
    return style.spoken(deck, deck.names[card])


def _tells(told: _Told) -> bool:
    """Whether anything came of a move."""
    return bool(told.drawn or told.turned or told.runs or told.auto or told.points)


def frame_clock(frame: Frame) -> str:
    if frame.clock_ms is None:
        return elapsed_text(frame.ms)
    return _("{clock} left").format(clock=clock_text(frame.clock_ms))


def _seen(game: Game, *, opened: bool) -> Game:
    """As its player saw it, unless all is to be seen."""
    if not opened:
        game = game.copy()
        game.board = game.board.view()
    return game


def _told_moment(reel: Reel) -> list[str]:
    film, frame = reel.film, reel.frame
    lines = [
        f"{film_name(film)}: {where_words(film, frame)}, {how_words(film, frame)}."
        for film, frame in zip(reel.replay.films, reel.frames(), strict=True)
    ]
    if frame.move is None or frame.played is None:
        return [*lines, last_move(film, frame, Style()) + "."]
    before = film.at(frame.number - 1).game
    cards = carried_cards(before, frame.move)
    standing = standing_words(frame.game.points, frame.game.board.cards_up)
    outcome = _told(frame.played, film.ruleset.deck)
    return [*lines, *move_sentences(frame.game, frame.move, cards, outcome, standing)]


def _table(frame: Frame, style: Style, *, opened: bool) -> list[str]:
    game = _seen(frame.game, opened=opened)
    left = pass_text(game)
    return ["", *board_lines(game, style), *(["", f"  {left}"] if left else [])]


def _move_text(frame: Frame) -> str:
    text = frame.move or ""
    return text if text.isprintable() else ascii(text)


def _done(frame: Frame, style: Namer, deck: Deck) -> str:
    if frame.why is not None:
        return _("refused: {why}").format(why=_(RULE_WORDS[frame.why]))
    if frame.played is not None:
        return what_happened(_told(frame.played, deck), style, deck)
    return _("the time is over") if frame.number else ""


@dataclass(frozen=True, slots=True)
class _Told:
    """What a move set off, in notation."""

    drawn: Sequence[str]
    turned: Sequence[tuple[str, str]]
    runs: Sequence[tuple[str, str]]
    auto: Sequence[tuple[str, str]]
    points: Sequence[PointsEarned]


def _told(played: Played, deck: Deck) -> _Told:
    names, suits = deck.names, deck.suits
    return _Told(
        [names[card] for card in played.drawn],
        [(pile_text(column, suits), names[card]) for column, card in played.turned],
        [(pile_text(column, suits), suits[suit]) for column, suit in played.runs],
        [(pile_text(pile, suits), names[card]) for pile, card in played.automatic],
        [
            PointsEarned(item=ITEMS[item], points=points, what=what)
            for item, points, what in played.points
        ],
    )


def _side_by_side(blocks: Sequence[Sequence[str]], widths: Sequence[int]) -> list[str]:
    lines = []
    for row in zip_longest(*blocks, fillvalue=""):
        padded = (
            line + " " * (width - _width(line)) for line, width in zip(row, widths, strict=True)
        )
        lines.append((" " * GAP).join(padded).rstrip())
    return lines


def _width(line: str) -> int:
    """As it is shown: colours take no room."""
    return len(_COLOURS.sub("", line))

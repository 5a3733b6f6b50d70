"""A replay on a terminal, a line typed at a time."""

from __future__ import annotations

import re
import shutil
from typing import Final

from samedeal_client.plain.terminal import Terminal
from samedeal_client.replay.film import Film
from samedeal_client.replay.reel import Reel
from samedeal_client.replay.words import film_lines, film_name, moment_lines, table_told
from samedeal_client.texts import N_, _, is_word

__all__ = ["look_through", "moment_typed", "player_index"]

HELP: Final = N_("""\
  n or Enter  the next move       p  the one before      5, +10, -10  a move by number
  1:30  that far into the game    g  the deal            e  the end
  l  all moves                    o  face-down cards too, or not
  b  the table in sentences       v  the next player     q  quit
  a player's name shows that game""")
_NUMBER: Final = re.compile(r"[+-]?\d{1,7}")
_TIME: Final = re.compile(r"(\d{1,4}):([0-5]?\d)(?:[.,](\d{1,3}))?")
DEFAULT_COLUMNS: Final = 80


class _Look:
    """What is looked at, and how."""

    def __init__(self, terminal: Terminal, reel: Reel, *, opened: bool) -> None:
        self.reel = reel
        self._terminal = terminal
        self._opened = opened

    def show(self) -> None:
        """This moment."""
        columns = shutil.get_terminal_size((DEFAULT_COLUMNS, 24)).columns
        style = self._terminal.style
        self._terminal.say("", *moment_lines(self.reel, style, columns, opened=self._opened))

    def take(self, line: str) -> None:
        """Do what was typed."""
        reel = self.reel
        moved = moment_typed(reel, line)
        if moved is not None:
            self.reel = moved
        elif is_word(line, N_("o open")):
            self._opened = not self._opened
        elif is_word(line, N_("b board")):
            self._terminal.say(*table_told(reel, opened=self._opened))
            return
        elif is_word(line, N_("l list")):
            self._terminal.say(*film_lines(reel.film, self._terminal.style))
            return
        elif is_word(line, N_("? h help")):
            self._terminal.say(_(HELP))
            return
        elif (found := player_index(reel.replay.films, line)) is not None:
            self.reel = reel.look_at(found)
        else:
            self._terminal.say(_("That is nothing to look at: ? shows what is."))
            return
        if moved == reel:
            self._terminal.say(_("There is no more in that direction."))
        else:
            self.show()


async def look_through(terminal: Terminal, reel: Reel, *, opened: bool = False) -> None:
    """Show the replay and step through it, until the person has enough."""
    look = _Look(terminal, reel, opened=opened)
    look.show()
    terminal.say("", _(HELP))
    while True:
        line = await terminal.ask(_prompt(look.reel))
        if line is None or is_word(line, N_("q quit exit")):
            return
        look.take(line)


def _prompt(reel: Reel) -> str:
    return f"{reel.number}/{reel.film.last} > "


def moment_typed(reel: Reel, line: str) -> Reel | None:
    """The moment that was asked for by a word, a number or a time; None if something else was."""
    if not line or is_word(line, N_("n next")):
        return reel.step(1)
    if is_word(line, N_("p previous")):
        return reel.step(-1)
    if is_word(line, N_("g deal start")):
        return reel.jump(0)
    if is_word(line, N_("e end")):
        return reel.jump(reel.film.last)
    if is_word(line, N_("v player")):
        return reel.look_at((reel.focus + 1) % len(reel.replay.films))
    if _NUMBER.fullmatch(line):
        number = int(line)
        return reel.step(number) if line[0] in "+-" else reel.jump(number)
    found = _TIME.fullmatch(line)
    if found is None:
        return None
    minutes, seconds, part = found.groups()
    return reel.seek((int(minutes) * 60 + int(seconds)) * 1000 + int((part or "0").ljust(3, "0")))


def player_index(films: tuple[Film, ...], typed: str) -> int | None:
    """The index of the film whose player is called like this, or alone begins like this."""
    names = [film_name(film).casefold() for film in films]
    typed = typed.casefold()
    if typed in names:
        return names.index(typed)
    found = [index for index, name in enumerate(names) if name.startswith(typed)]
    return found[0] if len(found) == 1 else None

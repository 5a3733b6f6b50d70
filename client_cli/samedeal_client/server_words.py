"""What a server says in English, in the language of who reads it.

Errors have codes: each has a sentence here. Notes of a duel are few, and known here.
"""

from __future__ import annotations

import re
from typing import Final

from samedeal_client.texts import N_, _, current_language
from samedeal_protocol import ErrorCode

__all__ = ["error_words", "note_words"]

_ERRORS: Final = {
    ErrorCode.MALFORMED: N_("the server could not read what was sent"),
    ErrorCode.SAY_HELLO: N_("the server does not know us yet; connect again"),
    ErrorCode.SLOW_DOWN: N_("too fast; wait a moment"),
    ErrorCode.BAD_TOKEN: N_("the server does not know this player"),
    ErrorCode.BAD_NAME: N_("that name can't be taken"),
    ErrorCode.NAME_TAKEN: N_("that name is somebody else's; take another"),
    ErrorCode.UNKNOWN_RULESET: N_("the server has no such game or option"),
    ErrorCode.OUT_OF_RANGE: N_("a number is out of the range that the server allows"),
    ErrorCode.NO_SUCH_DUEL: N_("there is no such duel, or no more; have the code read out again"),
    ErrorCode.FULL: N_("all seats of this duel are taken; you can watch it"),
    ErrorCode.ALREADY_STARTED: N_("this duel has started; you can watch it"),
    ErrorCode.ALREADY_PLACED: N_("you are in another duel or queue already; leave that first"),
    ErrorCode.NOT_IN_A_DUEL: N_("you have no seat in a duel"),
    ErrorCode.NOT_THE_HOST: N_("only who created the duel can do that"),
    ErrorCode.NOT_ENOUGH_READY: N_("not enough players are ready"),
    ErrorCode.WRONG_STATE: N_("that can't be done now"),
    ErrorCode.NO_HINTS: N_("this duel is played without hints"),
    ErrorCode.WRONG_NONCE: N_("that is not the number that you were ready with"),
    ErrorCode.LOOKALIKE_NAME: N_("somebody here has a name that looks like yours"),
    ErrorCode.FINISHED: N_("this duel is over"),
    ErrorCode.NOT_SEALED: N_("that is there once the duel is over"),
    ErrorCode.STORE_AWAY: N_("the server can't keep anything just now; try again in a moment"),
    ErrorCode.RESTARTING: N_("the server restarts; try again in a moment"),
    ErrorCode.SERVER_FULL: N_("the server is full; try again later"),
    ErrorCode.INTERNAL: N_("the server made a mistake; whoever runs it can look it up"),
}
_MORE_TO_SAY: Final = {
    ErrorCode.MALFORMED,
    ErrorCode.BAD_NAME,
    ErrorCode.UNKNOWN_RULESET,
    ErrorCode.OUT_OF_RANGE,
    ErrorCode.WRONG_STATE,
    ErrorCode.INTERNAL,
}
"""Where the server's own words say what exactly: they are told too, in English as they came."""
_KNOWN: Final = (
    N_("a name needs a letter or a digit"),
    N_("a name can't have invisible characters"),
    N_("a rematch needs a finished duel"),
    N_("the others have left; there is no rematch"),
    N_("hints are for a running game"),
    N_("your game has ended"),
)
"""Texts of servers that say what exactly, and are known here."""

_NOTES: Final = (
    N_("no winnable deal was found; be ready for another try"),
    N_("no winnable deal was found in time; be ready for another try"),
    N_("the host left"),
    N_("everybody left"),
    N_("nobody came"),
    N_("our fault, incident {incident}"),
    N_("not ready in time: {names}"),
    N_("not here any more: {names}"),
    N_("{name} did not confirm the start"),
    N_("{name} is gone; the start is called off"),
    N_("{name} left"),
)
"""As servers write them, with places for what varies; the first that fits is meant."""
_PLACE: Final = re.compile(r"\\\{(\w+)\\\}")
"""A place of a note, once it is escaped."""


def error_words(code: ErrorCode, message: str) -> str:
    """What a request failed of. English is the server's own words."""
    if current_language() == "en" or code not in _ERRORS:
        return message
    if message in _KNOWN:
        return _(message)
    sentence = _(_ERRORS[code])
    return f"{sentence} ({message})" if message and code in _MORE_TO_SAY else sentence


def note_words(note: str) -> str:
    """Why a duel is as it is; a note that this program does not know stays as it came."""
    for known in _NOTES:
        found = re.fullmatch(_PLACE.sub(r"(?P<\1>.+)", re.escape(known)), note)
        if found is not None:
            return _(known).format(**found.groupdict())
    return note

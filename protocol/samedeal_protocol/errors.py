"""What can go wrong between client and server, as a closed list."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from pydantic import ValidationError

__all__ = ["CloseCode", "ErrorCode", "MalformedMessage", "RefusalCode"]


class ErrorCode(StrEnum):
    """Why a request was not done. `error.code`."""

    MALFORMED = "malformed"
    SAY_HELLO = "say_hello"
    SLOW_DOWN = "slow_down"
    BAD_TOKEN = "bad_token"  # noqa: S105 - the name of an error
    BAD_NAME = "bad_name"
    NAME_TAKEN = "name_taken"
    UNKNOWN_RULESET = "unknown_ruleset"
    OUT_OF_RANGE = "out_of_range"
    NO_SUCH_DUEL = "no_such_duel"
    FULL = "full"
    ALREADY_STARTED = "already_started"
    ALREADY_PLACED = "already_placed"
    NOT_IN_A_DUEL = "not_in_a_duel"
    NOT_THE_HOST = "not_the_host"
    NOT_ENOUGH_READY = "not_enough_ready"
    WRONG_STATE = "wrong_state"
    NO_HINTS = "no_hints"
    WRONG_NONCE = "wrong_nonce"
    LOOKALIKE_NAME = "lookalike_name"
    FINISHED = "finished"
    NOT_SEALED = "not_sealed"
    STORE_AWAY = "store_away"
    RESTARTING = "restarting"
    SERVER_FULL = "server_full"
    INTERNAL = "internal"


class RefusalCode(StrEnum):
    """Why a move was not taken. `refused.code`."""

    ILLEGAL = "illegal"
    """The rules forbid it; `rule` says which rule."""
    GAP = "gap"
    """`seq` is not the next; `expected` is."""
    CONFLICT = "conflict"
    """This `seq` was taken by another move."""
    TOO_MANY = "too_many"
    """More than 16 moves wait for their answers."""
    FULL = "full"
    """The game has as many moves as a record takes; only `end` is taken now."""
    NOT_RUNNING = "not_running"
    TIME_OVER = "time_over"
    FINISHED = "finished"
    REPLACED = "replaced"
    """The player is connected elsewhere; that connection plays on."""
    LOST = "lost"
    """The move could not be kept. Ask for `sync` and play on from there."""


class CloseCode:
    """WebSocket close codes with a meaning of our own."""

    REPLACED: Final = 4001
    """The same token connected elsewhere. Don't reconnect."""
    TOO_MANY_ERRORS: Final = 4002
    FLOOD: Final = 4003
    NO_HELLO: Final = 4004
    RESTARTING: Final = 1012
    """Reconnect; another node, or this one in a moment, goes on."""
    TRY_AGAIN_LATER: Final = 1013
    """Too far behind with reading, or the store went away while you were being brought back."""


class MalformedMessage(Exception):
    """A frame that is no message of ours. The text is short and never echoes the frame."""

    @classmethod
    def from_validation(cls, error: ValidationError) -> MalformedMessage:
        """The first thing that is wrong, and where; nothing that the sender wrote."""
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        kind = first["type"]
        if kind == "json_invalid":
            return cls("not JSON")
        if kind == "dict_type":
            return cls("not an object")
        if kind == "extra_forbidden":
            return cls("a field that this message does not have")
        if kind.startswith("union_tag"):
            return cls("no such type of message")
        # loc is (type, field of ours, whatever the sender put below it).
        where = f"{first['loc'][1]}: " if len(first["loc"]) > 1 else ""
        return cls(f"{where}{kind.replace('_', ' ')}")

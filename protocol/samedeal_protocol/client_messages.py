"""What a client asks for: imperatives."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from samedeal_protocol.fields import (
    MAX_SEATS,
    MAX_TOP_ROWS,
    Code,
    Hex32,
    Hex64,
    Message,
    MoveText,
    Name,
    Options,
    RequestId,
    RulesetName,
    Seq,
    Token,
    TopTable,
)

__all__ = [
    "Cancel",
    "ClientMessage",
    "Create",
    "GetHint",
    "GetOpen",
    "GetRecord",
    "GetTop",
    "Hello",
    "Join",
    "Leave",
    "Ping",
    "PlayMove",
    "Queue",
    "Ready",
    "Rematch",
    "Reveal",
    "Start",
    "Sync",
    "Watch",
    "Where",
]


class Hello(Message):
    """Who is there. The first message of every connection."""

    type: Literal["hello"] = "hello"
    name: Name | None = None
    """Needed without a token; with one, a wish to be called otherwise from now on."""
    token: Token | None = None
    """From an earlier `welcome`: the same player comes back, running duel included."""
    client: Annotated[str, Field(max_length=64)] | None = None
    """Program and version, for logs."""
    bot: bool = False
    """No person plays: shown to everybody, and what it plays in is not rated or listed."""


class Ping(Message):
    """Ask for the server's clock."""

    type: Literal["ping"] = "ping"
    id: RequestId


class Create(Message):
    """Open a duel and take its first seat as the host."""

    type: Literal["create"] = "create"
    req: RequestId
    ruleset: RulesetName = "timed"
    options: Options = {}
    seats: Annotated[int, Field(ge=1, le=MAX_SEATS)] = 2
    duration_ms: Annotated[int, Field(ge=1, le=3_600_000)] | None = None
    """The ruleset's own if left out; the server says which range it accepts."""
    untimed: bool = False
    """No time limit: only a practice (one seat), in a ruleset that may have none."""
    seed: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    """A chosen deal: everybody who joins is told, and it is never rated."""
    hints: bool | None = None
    winnable: bool = False
    """Only a deal that a solver can win; refused where there is no solver for the ruleset."""
    listed: bool = False
    """Anybody may find it (`open`) and join; not with one seat."""


class Join(Message):
    """Take a seat by code."""

    type: Literal["join"] = "join"
    req: RequestId
    code: Code


class Watch(Message):
    """See the standings of a duel, by code: numbers only, no cards."""

    type: Literal["watch"] = "watch"
    req: RequestId
    code: Code


class Ready(Message):
    """Ready to start, with the SHA-256 of a nonce that takes part in choosing the deal."""

    type: Literal["ready"] = "ready"
    req: RequestId
    nonce_hash: Hex64


class Reveal(Message):
    """The nonce itself, once the duel is frozen."""

    type: Literal["reveal"] = "reveal"
    req: RequestId
    nonce: Hex32


class Start(Message):
    """The host starts with those who are ready."""

    type: Literal["start"] = "start"
    req: RequestId


class PlayMove(Message):
    """Play a move."""

    type: Literal["move"] = "move"
    seq: Seq
    """Index of this entry in the player's journal; 0 is the first."""
    move: MoveText


class Leave(Message):
    """Give the seat back before the start; after it, go away (the score stands)."""

    type: Literal["leave"] = "leave"
    req: RequestId


class Queue(Message):
    """Wait for opponents: quick match."""

    type: Literal["queue"] = "queue"
    req: RequestId
    ruleset: RulesetName = "timed"
    seats: Annotated[int, Field(ge=2, le=16)] = 2


class Cancel(Message):
    """Stop waiting."""

    type: Literal["cancel"] = "cancel"
    req: RequestId


class Rematch(Message):
    """Same seats, same ruleset, a fresh deal."""

    type: Literal["rematch"] = "rematch"
    req: RequestId


class Sync(Message):
    """Send me my table anew."""

    type: Literal["sync"] = "sync"
    req: RequestId


class Where(Message):
    """Where am I: idle, queued, or in which duel."""

    type: Literal["where"] = "where"
    req: RequestId


class GetHint(Message):
    """What would help at my table?"""

    type: Literal["hint"] = "hint"
    req: RequestId


class GetRecord(Message):
    """The finished duel, whole: for `verify`, `judge` and replays."""

    type: Literal["record"] = "record"
    req: RequestId


class GetTop(Message):
    """The best games of a leaderboard. Works before `hello`: looking makes no player."""

    type: Literal["top"] = "top"
    req: RequestId
    table: TopTable
    count: Annotated[int, Field(ge=1, le=MAX_TOP_ROWS)] = 5


class GetOpen(Message):
    """The listed duels that wait for players. Works before `hello`: looking makes no player."""

    type: Literal["open"] = "open"
    req: RequestId


ClientMessage = (
    PlayMove
    | Ping
    | Hello
    | Create
    | Join
    | Watch
    | Ready
    | Reveal
    | Start
    | Leave
    | Queue
    | Cancel
    | Rematch
    | Sync
    | Where
    | GetHint
    | GetRecord
    | GetTop
    | GetOpen
)

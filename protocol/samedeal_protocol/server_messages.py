"""What the server states: past-tense facts and answers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from samedeal_protocol.board_view import BoardView, SuitText
from samedeal_protocol.errors import ErrorCode, RefusalCode
from samedeal_protocol.fields import (
    MAX_SEATS,
    CardText,
    Count,
    DuelId,
    Hex32,
    Hex64,
    Message,
    Millis,
    MoveText,
    Options,
    PlayerId,
    Points,
    RequestId,
    RulesetName,
    SeatNumber,
    Seq,
    ShownName,
    Token,
)
from samedeal_protocol.open_messages import OpenList
from samedeal_protocol.phases import DuelPhase, PlayerState
from samedeal_protocol.top_messages import TopList

__all__ = [
    "Applied",
    "BoardView",
    "CalledOff",
    "Done",
    "DuelChanged",
    "Error",
    "Hinted",
    "PlaceTold",
    "PointsEarned",
    "Pong",
    "Queued",
    "RankingRow",
    "RecordSent",
    "Refused",
    "Result",
    "Seat",
    "ServerMessage",
    "Snapshot",
    "SolverUsed",
    "StandingRow",
    "Standings",
    "Welcome",
]

Text = Annotated[str, Field(max_length=200)]
Card = CardText
Pile = Annotated[str, Field(min_length=1, max_length=3)]
Ledger = Annotated[dict[Annotated[str, Field(max_length=24)], Points], Field(max_length=16)]


class Welcome(Message):
    """The answer to `hello`."""

    type: Literal["welcome"] = "welcome"
    player: PlayerId
    name: ShownName
    token: Token | None = None
    """Only when the player is new. Keep it secret: it is the player."""
    server_ms: Millis
    protocol: Annotated[int, Field(ge=1, le=1000)]
    place: Literal["idle", "queued", "duel"]
    """In a duel: `duel` follows, and while it runs `snapshot`."""


class Pong(Message):
    """The server's clock, for the `ping` with this id."""

    type: Literal["pong"] = "pong"
    id: RequestId
    server_ms: Millis


class Done(Message):
    """A request that has no other answer was done, now or before."""

    type: Literal["done"] = "done"
    req: RequestId


class Error(Message):
    """A request was not done, or a frame was no message. Nothing changed."""

    type: Literal["error"] = "error"
    code: ErrorCode
    message: Text
    req: RequestId | None = None
    retry_after_ms: Millis | None = None


class PlaceTold(Message):
    """The answer to `where`."""

    type: Literal["place"] = "place"
    req: RequestId
    place: Literal["idle", "queued", "duel"]
    duel: DuelId | None = None


class Queued(Message):
    """Waiting for opponents. A `duel` follows when they are found."""

    type: Literal["queued"] = "queued"
    req: RequestId | None = None
    """Absent when the server put the player back into the queue by itself."""
    ruleset: RulesetName
    seats: Annotated[int, Field(ge=2, le=16)]


class Seat(Message):
    """Who sits where."""

    seat: SeatNumber
    player: PlayerId
    name: ShownName
    ready: bool
    connected: bool
    bot: bool = False
    """No person plays here (`hello.bot`)."""


class SolverUsed(Message):
    """What chose a deal that can be won: with the same the choice can be made again."""

    name: Annotated[str, Field(max_length=32)]
    version: Annotated[str, Field(max_length=32)]
    max_states: Count
    """Its limit for each deal; a number of states, never a time."""


class CalledOff(Message):
    """A start that did not come about, with what was drawn for it: anybody can count these."""

    reason: Text
    commitment: Hex64
    secret: Hex64
    nonces: Annotated[list[Hex32 | None], Field(max_length=MAX_SEATS)]
    """In seat order; null for who did not reveal."""
    k: Count = 0


class DuelChanged(Message):
    """A duel as it is now. Sent whenever it changes; the newest replaces all before."""

    type: Literal["duel"] = "duel"
    req: RequestId | None = None
    id: DuelId
    code: Annotated[str, Field(max_length=8)]
    version: Count
    """Rises with each change; may skip."""
    phase: DuelPhase
    ruleset: RulesetName
    options: Options
    """What differs from the ruleset's own; show it wherever the name is shown."""
    duration_ms: Millis | None
    """null is a practice without a time limit."""
    hints: bool
    chosen_seed: bool
    """Somebody chose this deal and may know it; never rated."""
    winnable: bool = False
    """The deal is one that can be won: the first that a solver certifies."""
    seats: Annotated[int, Field(ge=1, le=MAX_SEATS)]
    players: Annotated[list[Seat], Field(max_length=MAX_SEATS)]
    """All of a duel of up to 32; of a larger one the host and the reader."""
    seated: Annotated[int, Field(ge=0, le=MAX_SEATS)]
    ready: Annotated[int, Field(ge=0, le=MAX_SEATS)]
    host: SeatNumber | None
    you: SeatNumber | None
    """Your seat; null for a spectator."""
    commitment: Hex64
    nonce_hashes: Annotated[list[Hex64], Field(max_length=MAX_SEATS)] | None = None
    """In seat order, from the freeze on."""
    ready_by: Millis | None = None
    """When unready players are dropped."""
    start_at: Millis | None = None
    deadline: Millis | None = None
    """null before the countdown, and where there is no time limit."""
    server_ms: Millis
    called_off: CalledOff | None = None
    """The last start that did not come about, if any."""
    rematch: Annotated[str, Field(max_length=8)] | None = None
    """The code of the next duel, once somebody has asked for a rematch."""
    note: Text | None = None
    """What happened, in words, where it needs saying."""


class Snapshot(Message):
    """The player's whole table: at the start, on `sync`, after an undo, and when resuming."""

    type: Literal["snapshot"] = "snapshot"
    req: RequestId | None = None
    duel: DuelId
    seq: Seq
    """The next entry of the journal: what the next `move` must carry."""
    board: BoardView
    score: Points | None
    items: Ledger
    scored: Annotated[list[Card], Field(max_length=104)]
    """Cards that have scored on a foundation."""
    exempt: Annotated[list[Card], Field(max_length=104)]
    """Cards that never go up by themselves again."""
    undos_left: Count
    redeals_left: Count | None
    """null is without limit."""
    redeal_price: Points
    """What the next redeal costs; 0 or negative."""
    fingerprint: Annotated[str, Field(max_length=60)]
    """Four words for the deal, the same for everybody in the duel."""
    checksum: Annotated[int, Field(ge=0, le=2**32 - 1)]
    ended: PlayerState | None = None
    ended_ms: Millis | None = None
    server_ms: Millis
    start_at: Millis
    deadline: Millis | None
    """null where there is no time limit: the clock counts up from `start_at`."""


class Hinted(Message):
    """The answer to `hint`, from what the player can see and no more."""

    type: Literal["hinted"] = "hinted"
    req: RequestId
    seq: Seq
    """For the table before this entry of the journal: old once another move was played."""
    answer: Literal["move", "no_move_helps", "stuck", "unknown"]
    """`stuck` is certain; `no_move_helps` is what was found; `unknown` is that nobody had time."""
    move: MoveText | None = None
    """With `move`: the move."""


class PointsEarned(Message):
    """Points with their reason."""

    item: Annotated[str, Field(max_length=24)]
    points: Points
    what: Annotated[str, Field(max_length=3)] = ""
    """The card or pile they are for."""


class Applied(Message):
    """A move was kept. Now, and only now, it counts."""

    type: Literal["applied"] = "applied"
    seq: Seq
    move: MoveText
    ms: Millis
    """Since the start of the duel, as it counts."""
    score: Points | None
    checksum: Annotated[int, Field(ge=0, le=2**32 - 1)]
    """Of the visible board after the move (PROTOCOL.md, "Checksum")."""
    turned: Annotated[list[tuple[Pile, Card]], Field(max_length=10)] = []
    drawn: Annotated[list[Card], Field(max_length=10)] = []
    auto: Annotated[list[tuple[Pile, Card]], Field(max_length=52)] = []
    runs: Annotated[list[tuple[Pile, SuitText]], Field(max_length=10)] = []
    """Spider: column and suit of each run that left the table."""
    points: Annotated[list[PointsEarned], Field(max_length=120)] = []
    ended: PlayerState | None = None
    """How the player's game ended, if this move ended it."""


class Refused(Message):
    """A move was not taken. Nothing changed."""

    type: Literal["refused"] = "refused"
    seq: Seq
    code: RefusalCode
    message: Text
    rule: Annotated[str, Field(max_length=32)] | None = None
    """With `illegal`: the rule that it breaks."""
    expected: Seq | None = None
    """With `gap`: the seq that would be taken."""


class StandingRow(Message):
    """A player's line in the standings."""

    place: Annotated[int, Field(ge=1, le=MAX_SEATS)]
    seat: SeatNumber
    name: ShownName
    score: Points | None
    up: Annotated[int, Field(ge=0, le=104)]
    """Cards up."""
    state: PlayerState


class Standings(Message):
    """Who is where. Everybody of a duel of up to 32; else the top, the reader and neighbours."""

    type: Literal["standings"] = "standings"
    duel: DuelId
    version: Count
    server_ms: Millis
    total: Annotated[int, Field(ge=0, le=MAX_SEATS)]
    rows: Annotated[list[StandingRow], Field(max_length=MAX_SEATS)]


class RankingRow(Message):
    """A player's final line, every point explained."""

    place: Annotated[int, Field(ge=1, le=MAX_SEATS)]
    seat: SeatNumber
    player: PlayerId
    name: ShownName
    score: Points | None
    up: Annotated[int, Field(ge=0, le=104)]
    ended: PlayerState
    ended_ms: Millis
    moves: Count
    items: Ledger


class Result(Message):
    """The end of a duel, and all that it takes to check it."""

    type: Literal["result"] = "result"
    duel: DuelId
    ruleset: RulesetName
    options: Options
    ranking: Annotated[list[RankingRow], Field(max_length=MAX_SEATS)]
    """Everybody of a duel of up to 100; else the first 100 and the reader."""
    total: Annotated[int, Field(ge=0, le=MAX_SEATS)]
    commitment: Hex64
    secret: Hex64
    nonces: Annotated[list[Hex32], Field(max_length=MAX_SEATS)]
    """In seat order."""
    k: Count
    seed: Annotated[str, Field(max_length=64)] | None
    """null for a numbered deal, which has none."""
    chosen_seed: bool
    solver: SolverUsed | None = None
    """What chose k, where the duel asked for a deal that can be won; else k is 0."""
    winnable: Literal["yes", "no", "unknown"] | None = None
    """Whether the deal could be won; null in games that the server has no solver for."""


class RecordSent(Message):
    """A finished duel, whole."""

    type: Literal["record"] = "record"
    req: RequestId
    text: Annotated[str, Field(max_length=8_000_000)]
    """The record file, byte for byte: what `samedeal verify` reads."""


ServerMessage = (
    Applied
    | Refused
    | Standings
    | Pong
    | Welcome
    | Done
    | Error
    | PlaceTold
    | Queued
    | DuelChanged
    | Snapshot
    | Hinted
    | Result
    | RecordSent
    | TopList
    | OpenList
)

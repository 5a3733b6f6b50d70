"""The kinds of values that messages carry, each with its bounds."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "CODE_ALPHABET",
    "CODE_LENGTH",
    "MAX_NAME_LENGTH",
    "MAX_OPEN_ROWS",
    "MAX_SEATS",
    "MAX_TOP_ROWS",
    "CardText",
    "Code",
    "Count",
    "DuelId",
    "Hex32",
    "Hex64",
    "Message",
    "Millis",
    "MoveText",
    "Name",
    "OptionValue",
    "Options",
    "PlayerId",
    "Points",
    "RequestId",
    "RulesetName",
    "SeatNumber",
    "Seq",
    "ShownName",
    "Token",
    "TopTable",
]

MAX_SEATS: Final = 1000
MAX_TOP_ROWS: Final = 100
"""Lines of a leaderboard: some screens full; what nobody reads is not kept."""
MAX_OPEN_ROWS: Final = 50
"""Open duels that are told at once: two screens full; nobody chooses among more."""
MAX_NAME_LENGTH: Final = 20
"""Characters: fits a standings line on a phone and a column of the terminal client."""

CODE_ALPHABET: Final = "ACDEFHJKMNPRTWXY3479"
"""No two of these look or sound alike when read out (no 0/O, 1/I/L, 2/Z, 5/S, 6/G, 8/B, U/V)."""
CODE_LENGTH: Final = 6
"""20^6 = 64 million codes: with a limit on guesses, nobody finds a duel by trying."""


class Message(BaseModel):
    """What all messages share: strict types, unknown fields refused, nothing changes later."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


RequestId = Annotated[int, Field(ge=0, le=2**31 - 1)]
"""Chosen by the client; quoted in the answer."""
Seq = Annotated[int, Field(ge=0, le=1_000_000)]
"""Index of an entry in the player's journal; 0 is the first."""
Millis = Annotated[int, Field(ge=0, le=2**53 - 1)]
"""Milliseconds: since 1970 on the duel's clock, or since the start of the duel where said."""
Points = Annotated[int, Field(ge=-(10**9), le=10**9)]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]
"""How many of something, or how often it has changed."""
MoveText = Annotated[str, Field(min_length=1, max_length=12)]
"""A move in notation, for example `t5*3-t2`."""
CardText = Annotated[str, Field(min_length=2, max_length=2)]
"""A card in notation, for example `TH`; `##` where it is face down or unknown."""
Name = Annotated[str, Field(min_length=1, max_length=200)]
"""As typed; the server cleans it and refuses what is longer than MAX_NAME_LENGTH then."""
Token = Annotated[str, Field(min_length=43, max_length=43, pattern=r"^[A-Za-z0-9_-]+$")]
"""The player's id and 186 random bits in URL-safe Base64. Whoever has it is the player."""
PlayerId = Annotated[str, Field(min_length=1, max_length=24, pattern=r"^[a-z0-9]+$")]
DuelId = Annotated[str, Field(min_length=4, max_length=24, pattern=r"^p[0-9]{2}[a-z0-9]+$")]
"""Begins with the duel's partition, for example `p00`."""
Code = Annotated[str, Field(min_length=CODE_LENGTH, max_length=CODE_LENGTH + 2)]
"""As read out: capitals or not, a blank or dash in the middle or not."""
RulesetName = Annotated[str, Field(min_length=1, max_length=32)]
OptionValue = (
    bool | Annotated[int, Field(ge=-(10**6), le=10**6)] | Annotated[str, Field(max_length=32)]
)
Options = Annotated[
    dict[Annotated[str, Field(min_length=1, max_length=16)], OptionValue], Field(max_length=8)
]
SeatNumber = Annotated[int, Field(ge=0, lt=MAX_SEATS)]
ShownName = Annotated[str, Field(max_length=40)]
TopTable = Literal["classic", "timed", "spanish"]
"""A leaderboard: `classic` for Klondike, FreeCell and Spider together."""
Hex64 = Annotated[str, Field(min_length=64, max_length=64, pattern=r"^[0-9a-f]+$")]
"""A SHA-256 digest or a 32-byte secret, in lower-case hex."""
Hex32 = Annotated[str, Field(min_length=32, max_length=32, pattern=r"^[0-9a-f]+$")]
"""A nonce: 16 random bytes in lower-case hex."""

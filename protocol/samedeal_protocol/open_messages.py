"""What the server answers about duels that anybody may join."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from samedeal_protocol.fields import (
    CODE_LENGTH,
    MAX_OPEN_ROWS,
    MAX_SEATS,
    Message,
    Millis,
    Options,
    RequestId,
    RulesetName,
    ShownName,
)

__all__ = ["OpenList", "OpenRow"]


class OpenRow(Message):
    """A duel that waits for players."""

    code: Annotated[str, Field(min_length=CODE_LENGTH, max_length=CODE_LENGTH)]
    ruleset: RulesetName
    options: Options
    """What differs from the ruleset's own."""
    duration_ms: Millis
    seats: Annotated[int, Field(ge=2, le=MAX_SEATS)]
    seated: Annotated[int, Field(ge=1, le=MAX_SEATS)]
    """Below `seats`, when this was read."""
    hints: bool
    winnable: bool = False
    """The deal will be one that can be won."""
    chosen_seed: bool = False
    """Somebody chose the deal and may know it."""
    host: ShownName
    """Who made it."""
    age_ms: Millis
    """Since it was made."""


class OpenList(Message):
    """The answer to `open`: the newest first. Who joins may still come too late."""

    type: Literal["open_list"] = "open_list"
    req: RequestId
    rows: Annotated[list[OpenRow], Field(max_length=MAX_OPEN_ROWS)]

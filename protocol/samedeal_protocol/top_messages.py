"""What the server answers about leaderboards."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from samedeal_protocol.fields import (
    MAX_TOP_ROWS,
    Message,
    Millis,
    Points,
    RequestId,
    RulesetName,
    ShownName,
    TopTable,
)

__all__ = ["TopList", "TopRow"]


class TopRow(Message):
    """A game on a leaderboard."""

    place: Annotated[int, Field(ge=1, le=MAX_TOP_ROWS)]
    name: ShownName
    """As the player was called then."""
    ruleset: RulesetName
    score: Points | None
    """null in a game without points."""
    elapsed_ms: Millis
    """From the start of the duel to the end of this game."""
    at_ms: Millis
    """When this game ended."""


class TopList(Message):
    """The answer to `top`: the best first."""

    type: Literal["top_list"] = "top_list"
    req: RequestId
    table: TopTable
    rows: Annotated[list[TopRow], Field(max_length=MAX_TOP_ROWS)]

"""A duel that somebody wants, as it is asked of a server. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from pydantic import ValidationError

from samedeal_client.errors import ClientError
from samedeal_client.texts import N_, _, number
from samedeal_protocol import MAX_SEATS, Create
from samedeal_rules import OptionValue

__all__ = ["Order"]

_OUT_OF_RANGE: Final = {
    "seats": N_("a duel has from 1 to {most} seats"),
    "duration_ms": N_("a duel takes up to 3600 seconds"),
    "seed": N_("a seed has from 1 to 64 characters that can be sent"),
}
"""By the field of `create` that the protocol does not take."""


@dataclass(frozen=True, slots=True)
class Order:
    """A game and all that may be chosen about it."""

    ruleset: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    seats: int = 2
    duration_s: float | None = None
    """None is the game's own."""
    untimed: bool = False
    """No time limit, where there is one seat."""
    seed: str | None = None
    winnable: bool = False
    """Only a deal that can be won."""
    listed: bool = False
    """Anybody may find it and join."""

    def request(self) -> Create:
        """As it goes to the server. Raises `ClientError` for what can't be asked."""
        untimed = self.untimed and self.seats == 1
        timed = self.duration_s is not None and not untimed
        try:
            return Create(
                req=0,
                ruleset=self.ruleset,
                options=dict(self.options),
                seats=self.seats,
                duration_ms=round((self.duration_s or 0) * 1000) if timed else None,
                untimed=untimed,
                seed=self.seed,
                winnable=self.winnable,
                listed=self.listed,
            )
        except ValidationError as error:
            name = str(error.errors(include_input=False)[0]["loc"][0])
            words = (
                _(_OUT_OF_RANGE[name]) if name in _OUT_OF_RANGE else _("{field} is out of range")
            )
            raise ClientError(words.format(field=name, most=number(MAX_SEATS))) from None

"""Messages about duels, built as plain data and encoded once for all their readers.

Tests check that what leaves here validates against the protocol's models.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import orjson

from samedeal_server.domain.duel import Duel, DuelMs, Phase, PlayerId
from samedeal_server.domain.names import shown_name
from samedeal_server.domain.ruling import is_chosen, ruleset_of
from samedeal_server.domain.standing import AT_THE_START, Standing, ranked

__all__ = ["SMALL_DUEL", "DuelMessage", "ResultMessage", "StandingsMessage"]

SMALL_DUEL: Final = 32
"""Up to so many seats everybody gets everybody's line; a screen shows no more."""

_TOP: Final = 10
"""Of a large duel everybody sees the first so many ..."""
_NEIGHBOURS: Final = 2
"""... and so many before and behind the own line."""

_RANKED: Final = 100
"""Lines of the ranking in a result, the reader's own line apart."""


class DuelMessage:
    """A `duel` for all its readers: only `you` (and of a large duel the seats) differs."""

    def __init__(
        self,
        duel: Duel,
        phase: Phase,
        now_ms: DuelMs,
        *,
        here: Mapping[PlayerId, bool] | None = None,
        rematch: str | None = None,
    ) -> None:
        self._large = duel.seats > SMALL_DUEL
        self._duel = duel
        self._here = here
        fields = _duel_fields(duel, phase, now_ms)
        if rematch is not None:
            fields["rematch"] = rematch.split(" ")[0]
        if not self._large:
            fields["players"] = [self._seat(number) for number in range(len(duel.seated))]
        self._common = orjson.dumps(fields)[:-1]

    def for_reader(self, seat: int | None, req: int | None = None) -> bytes:
        """The payload for who sits there; None for a spectator."""
        own = b',"you":%d' % seat if seat is not None else b',"you":null'
        if req is not None:
            own += b',"req":%d' % req
        if self._large:
            shown = {0, seat} - {None} if self._duel.seated else set()
            own += b',"players":' + orjson.dumps([self._seat(n) for n in sorted(shown)])  # type: ignore[type-var, arg-type]
        return self._common + own + b"}"

    def _seat(self, number: int) -> dict[str, Any]:
        seat = self._duel.seated[number]
        connected = seat.connected if self._here is None else self._here.get(seat.player, False)
        shown = {
            "seat": number,
            "player": seat.player,
            "name": shown_name(seat.name),
            "ready": seat.ready is not None,
            "connected": connected,
        }
        return {**shown, "bot": True} if seat.bot else shown


def _duel_fields(duel: Duel, phase: Phase, now_ms: DuelMs) -> dict[str, Any]:
    frozen = phase not in (Phase.OPEN, Phase.READY_CHECK, Phase.ABORTED)
    off = duel.called_off
    return {
        "type": "duel",
        "id": duel.id,
        "code": duel.code,
        "version": duel.version,
        "phase": phase,
        "ruleset": duel.ruleset,
        "options": dict(duel.options),
        "duration_ms": duel.duration_ms,
        "hints": duel.hints,
        "chosen_seed": is_chosen(duel),
        "seats": duel.seats,
        "seated": len(duel.seated),
        "ready": sum(seat.ready is not None for seat in duel.seated),
        "host": None if duel.host is None else duel.seat_of(duel.host),
        "commitment": duel.commitment,
        "nonce_hashes": [seat.ready for seat in duel.seated] if frozen else None,
        "ready_by": duel.ready_by,
        "start_at": duel.start_at,
        "deadline": duel.shown_deadline,
        "server_ms": now_ms,
        "called_off": None
        if off is None
        else {
            "reason": off.reason,
            "commitment": off.commitment,
            "secret": off.secret,
            "nonces": off.nonces,
            "k": off.k,
        },
        "note": duel.note,
        **({} if duel.solver is None else {"winnable": True}),
    }


class StandingsMessage:
    """A `standings` for all its readers: one payload, or for a large duel a window each."""

    def __init__(
        self,
        duel: Duel,
        standings: Mapping[PlayerId, Standing],
        here: Mapping[PlayerId, bool],
        version: int,
        now_ms: DuelMs,
    ) -> None:
        listed = [standings.get(seat.player, AT_THE_START) for seat in duel.seated]
        ruleset = ruleset_of(duel)
        order = ranked(listed, duel.duration_ms, ruleset.rank)
        self._rows = []
        for place, number in order:
            seat, standing = duel.seated[number], listed[number]
            state = standing.ended or ("playing" if here.get(seat.player, False) else "away")
            score = standing.score if ruleset.scored else None
            rest = _row_without_place(number, seat.name, score, standing.up, state)
            self._rows.append(b'{"place":%d,%b' % (place, rest))
        self._head = orjson.dumps(
            {
                "type": "standings",
                "duel": duel.id,
                "version": version,
                "server_ms": now_ms,
                "total": len(listed),
            }
        )[:-1]
        small = len(listed) <= SMALL_DUEL
        self._all = self._payload(self._rows) if small else None
        if not small:
            self._position = {number: position for position, (_, number) in enumerate(order)}
            self._top = b",".join(self._rows[:_TOP])

    @property
    def same_for_all(self) -> bytes | None:
        """The payload that everybody gets; None in a large duel."""
        return self._all

    def for_reader(self, seat: int | None) -> bytes:
        """The payload for who sits there; spectators see the top."""
        if self._all is not None:
            return self._all
        position = None if seat is None else self._position.get(seat)
        if position is None:
            return self._payload([self._top])
        first = max(_TOP, position - _NEIGHBOURS)
        return self._payload([self._top, *self._rows[first : position + _NEIGHBOURS + 1]])

    def _payload(self, rows: Sequence[bytes]) -> bytes:
        return self._head + b',"rows":[' + b",".join(rows) + b"]}"


@lru_cache(maxsize=65_536)
def _row_without_place(number: int, name: str, score: int | None, up: int, state: str) -> bytes:
    """The rest of a line. At a tick most of them are as they were at the last."""
    rest = {"seat": number, "name": shown_name(name), "score": score, "up": up, "state": state}
    return orjson.dumps(rest)[1:]


class ResultMessage:
    """A `result` for all its readers, from the stored one."""

    def __init__(self, stored: dict[str, Any]) -> None:
        self._rows = stored["ranking"]
        for row in self._rows:
            row["name"] = shown_name(row["name"])
        self._fields = {**stored, "ranking": self._rows[:_RANKED]}
        self._common = orjson.dumps(self._fields)

    def for_reader(self, player: PlayerId | None) -> bytes:
        """The payload for a player, whose own line is always in it, or for a spectator."""
        own = [row for row in self._rows[_RANKED:] if row["player"] == player]
        if not own:
            return self._common
        return orjson.dumps({**self._fields, "ranking": self._fields["ranking"] + own})
